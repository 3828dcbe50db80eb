"""The axes of the body by their moments: smallest, middle, largest."""

from functools import lru_cache
from typing import Any

import numpy as np

RANKS = ("smallest", "middle", "largest")
AXES = ("x′", "y′", "z′")
SAME = 1e-9  # relative difference below which two moments count as one


def ranks_of(principal_moments: Any) -> tuple[int | None, ...]:
    """For each body axis 0, 1, 2 (smallest, middle, largest moment), or None where two moments are the same."""
    return _ranks(tuple(float(moment) for moment in principal_moments))


@lru_cache(maxsize=64)
def _ranks(principal_moments: tuple[float, ...]) -> tuple[int | None, ...]:
    moments = np.array(principal_moments)
    order = np.argsort(np.argsort(moments, kind="stable"), kind="stable")
    close = np.abs(moments[:, None] - moments[None, :]) <= SAME * moments.max()
    return tuple(int(rank) if close[i].sum() == 1 else None for i, rank in enumerate(order))


def rank_words(principal_moments: Any) -> tuple[str, ...]:
    """What to write under each moment: its rank, or that it equals another."""
    ranks = ranks_of(principal_moments)
    if ranks == (None, None, None):
        return ("equal",) * 3
    unique = next((rank for rank in ranks if rank is not None), None)
    if None in ranks:
        word = "smallest" if unique == 0 else "largest"
        return tuple("equal" if rank is None else word for rank in ranks)
    return tuple(RANKS[rank] for rank in ranks if rank is not None)
