"""A log of a tumbling body whose rates are along other axes than its orientations."""

from pathlib import Path

import numpy as np

from helpers.recorded_motion import motion, rows_of
from viewer.replay.fits.frames import MATRICES


def disagreeing_log(path: Path, axes: str, names: str = "qw,qx,qy,qz") -> str:
    """Writes one with noise of 1e-4; returns its name. `axes` are those of MATRICES."""
    made = motion(2)
    rates = made.rates @ MATRICES[axes] + 1e-4 * np.random.default_rng(0).normal(size=made.rates.shape)
    path.write_text(f"t,{names},wx,wy,wz\n" + rows_of(made.t, made.quaternions(), rates))
    return str(path)
