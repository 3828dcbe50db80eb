"""The body of a short recording that is one free motion, beside scipy's: true digits, and a true uncertainty."""

import numpy as np
import pytest
from helpers.bricks import MOMENTS, brick, write_case
from helpers.tosses import solid
from scipy.spatial.transform import Rotation

from viewer.replay.analysis import FittedBody, fitted_body
from viewer.replay.conventions import Conventions
from viewer.replay.fits.inertia import fit_inertia
from viewer.replay.kinematics import integrated
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import Recording, interpret
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


SATELLITE, SPUN = np.array((120.0, 100.0, 80.0)), np.radians((1.0, 6.0, 0.5))  # kg m2, rad/s: near its middle axis


def by_orientations(step: float, noise: float = 0.0) -> tuple[FittedBody | None, np.ndarray]:
    """(the body of orientations alone, `step` [s] apart; its true moments)."""
    time = np.arange(600) * step
    turn = brick(time, SPUN, SATELLITE)[0] * Rotation.from_rotvec(
        noise * np.random.default_rng(4).normal(size=(600, 3))
    )
    q = turn.as_quat()[:, [3, 0, 1, 2]]
    said = Conventions("wxyz", "world from body", time_unit="s")
    recording = interpret(RawRecording("a.csv", time, q, None, said))
    linear = fit_inertia(recording.time, recording.orientation_wxyz, recording.omega_body)
    return fitted_body(recording, linear), SATELLITE / SATELLITE.max()


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("step", [1.0, 2.0, 5.0])
@pytest.mark.parametrize("noise", [0.0, 1e-5])
def test_what_lies_between_orientations_is_in_the_uncertainty(step, noise):
    """Rates are those of polynomials through them, which alone are off; measured: up to 1.1 sigma, and 5 to 9 of the
    noise alone."""
    found, true = by_orientations(step, noise)
    off = np.abs(found.moments - true)[1:] / found.sigma[1:]
    assert off.max() < 3.0


def test_orientations_too_far_apart_determine_no_body():
    found, true = by_orientations(10.0, 1e-4)
    assert found is None or (np.abs(found.moments - true)[1:] < 3.0 * found.sigma[1:]).all()
