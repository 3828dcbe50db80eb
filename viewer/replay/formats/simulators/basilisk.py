"""Basilisk: modified Rodrigues parameters sigma_BN and angular velocities omega_BN_B, as a table or as saved arrays."""

import re

import numpy as np
from numpy.typing import NDArray

from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.column_names import normalised
from viewer.replay.files.contents import Contents, Table, timed_columns
from viewer.replay.raw_recording import QUATERNION, RATES, Progress, RawRecording, raw_recording

Array = NDArray[np.float64]

PARAMETERS = ("s1", "s2", "s3")
_SIGMA = re.compile(r"(.*_)?sigma_bn_?(?P<part>[0-3xyz])")
_OMEGA = re.compile(r"(.*_)?omega_(bn_b|b)_?(?P<part>[0-3xyz])(_rad_?s)?")


def recognises(contents: Contents) -> bool:
    """By the names of its columns."""
    return _table(contents) is not None


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The orientations as quaternions, and the rates. Raises InputError."""
    found = _table(contents)
    assert found is not None
    table, roles = found
    warnings: list[str] = []
    columns, unit = timed_columns(contents, table, roles, progress, warnings)
    sigma = np.stack([columns.pop(role) for role in PARAMETERS], axis=1)
    square = np.sum(sigma**2, axis=1)
    q = np.concatenate(((1.0 - square)[:, None], 2.0 * sigma), axis=1) / (1.0 + square)[:, None]
    columns |= dict(zip(QUATERNION, q.T, strict=True))
    declared = Conventions("wxyz", WORLD_FROM_BODY, "body", "rad/s", unit, source="Basilisk")
    return raw_recording(contents.name, columns, declared, warnings)


def _table(contents: Contents) -> tuple[Table, dict[str, int]] | None:
    """The first table with the parameters, and its columns by their roles."""
    for table, names in contents.named:
        plain = [normalised(name) for name in names]
        roles = _vector(plain, _SIGMA, PARAMETERS)
        if roles:
            return table, roles | _vector(plain, _OMEGA, RATES)
    return None


def _vector(names: list[str], pattern: re.Pattern[str], roles: tuple[str, ...]) -> dict[str, int]:
    """The three columns of a vector by their roles, numbered from 0 or 1, or lettered; none where not all are there."""
    parts: dict[str, int] = {}
    for index, name in enumerate(names):
        if found := pattern.fullmatch(name):
            parts.setdefault(found["part"], index)
    for order in ("012", "123", "xyz"):
        if set(order) <= set(parts):
            return dict(zip(roles, (parts[part] for part in order), strict=True))
    return {}
