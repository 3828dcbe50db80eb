"""The body of a short recording that is one free motion, beside scipy's: true digits, and a true uncertainty."""

import numpy as np
import pytest
from helpers.bricks import MOMENTS, brick, write_case
from helpers.tosses import solid

from viewer.replay.conventions import Conventions
from viewer.replay.flights.whole_motion import FittedBody, fitted_body
from viewer.replay.inertia import fit_inertia
from viewer.replay.kinematics import integrated
from viewer.replay.recording import Recording
from viewer.replay.scene import replayed


@pytest.mark.parametrize("rows", [10, 16, 40])
def test_a_few_rows_of_a_simulator_give_all_digits(tmp_path, rows):
    time = np.arange(rows) * 0.1
    found = replayed(write_case(tmp_path / "brick.csv", time, *brick(time)))
    np.testing.assert_allclose(found.body.principal_moments, MOMENTS / MOMENTS.max(), atol=1e-9)  # measured 4e-12
    assert found.sigma.max() < 1e-7
    assert "moments 0.263249616 ± 0.000000001, 0.863249616 ± 0.000000001, 1 relative" in found.findings()[1]
    assert [sigma for _, sigma in found.ratios] == [1e-9, 1e-9, 0.0]  # the panel tells them, too
    assert found.data()["moments_sigma"] == found.sigma.tolist()


def rounded(seed: int, with_orientations: bool) -> tuple[FittedBody | None, np.ndarray]:
    """(the body of 8 to 40 rows .1 s apart, written with 3 to 8 decimals, its true moments, largest first)."""
    chance = np.random.default_rng((3, seed))
    moments, rows, digits = solid(chance), int(chance.integers(8, 41)), int(chance.integers(3, 9))
    time = np.arange(rows) * 0.1
    turn, omega = brick(time, chance.normal(size=3) * chance.uniform(0.3, 3.0), moments)
    q, omega = np.round(turn.as_quat()[:, [3, 0, 1, 2]], digits), np.round(omega, digits)
    q = q / np.linalg.norm(q, axis=1)[:, None] if with_orientations else integrated(time, omega, False)[0]
    recording = Recording("case", time, q, omega, Conventions(), (), with_orientations, True)
    return fitted_body(recording, fit_inertia(time, q, omega)), moments


@pytest.mark.slow
@pytest.mark.parametrize("with_orientations", [True, False])
def test_digits_that_were_rounded_away_are_in_the_uncertainty(with_orientations):
    off = []
    for seed in range(100):
        found, moments = rounded(seed, with_orientations)
        if found is not None:
            order = np.argsort(-found.moments)
            off.append(((found.moments[order] - moments) / np.maximum(found.sigma[order], 1e-300))[1:])
    assert len(off) > 85  # the others turn too little for their digits
    size = np.abs(off)
    # binomial: .954 of 100 within .02; both ratios of a motion mostly go together; measured .95 and .97
    assert (size < 2.0).mean() > 0.9, (size < 2.0).mean()
    assert size.max() < 6.0, size.max()  # measured 4.0
