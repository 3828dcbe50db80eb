"""Poinsot's construction."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.construction import (
    ellipsoid_semi_axes,
    energy_bounds,
    herpolhode_radii,
    plane_distance,
    polhode,
)
from viewer.physics.rotation import rotate
from viewer.physics.state import State

PAPER = np.array([0.0145, 0.052, 0.0625])
MOTIONS = {
    "paper": (PAPER, (0, 3, 0.3)),
    "around the least": ((1, 2, 2.5), (2, 0.5, 0.25)),
    "around the largest, backward": ((1, 2, 2.5), (0.25, 0.5, -2)),
    "axes in another order": ((10, 4, 2), (1, 2, 3)),
    "near the separatrix": ((3, 4, 6), (2, 1, 1.0000000001)),
    "separatrix": ((3, 4, 6), (2, 1, 1)),
    "dzhanibekov": ((1, 2, 2.5), (2**-7, 2, 2**-10)),
    "prolate": ((1, 4, 4), (3, 0.5, -0.25)),
    "oblate": ((2, 2, 3.5), (0.75, -0.5, 2)),
    "slender": ((0.005, 1, 1.0025), (1, 2, 0.5)),
}


def invariants(moments, omega):
    I, omega = np.asarray(moments, dtype=float), np.asarray(omega, dtype=float)
    return I, omega, float(omega @ (I * omega) / 2), float(np.linalg.norm(I * omega))


@pytest.mark.parametrize("name", MOTIONS)
def test_polhode_lies_on_both_quadrics_and_goes_through_omega(name):
    I, omega, energy, L = invariants(*MOTIONS[name])
    curve = polhode(I, energy, L, omega)
    assert curve.shape == (512, 3)
    rounding = max(2e-15, 1e-16 * I.max() / I.min())  # 9e-16; 1.6e-14 for the slender one
    assert_allclose((I * curve * curve).sum(axis=1), 2 * energy, rtol=rounding)
    assert_allclose(np.linalg.norm(I * curve, axis=1), L, rtol=2e-15)  # 7e-16
    gaps = np.linalg.norm(np.diff(curve, axis=0, append=curve[:1]), axis=1)
    assert np.linalg.norm(curve - omega, axis=1).min() <= 0.51 * gaps.max()


@pytest.mark.parametrize("name", MOTIONS)
def test_the_lines_between_its_points_hardly_miss_the_polhode(name):
    """Against the curve cut from the two quadrics: any point near it is brought onto both by Newton's method."""
    I, omega, energy, L = invariants(*MOTIONS[name])
    start = polhode(I, energy, L, omega)
    step = np.roll(start, -1, axis=0) - start
    worst = 0.0
    for fraction in (0.25, 0.5, 0.75):
        chord = start + fraction * step
        on_curve = chord.copy()
        for _ in range(4):
            normals = np.stack([I * on_curve, I * I * on_curve], axis=1)
            misses = np.stack([(I * on_curve**2).sum(axis=1) - 2 * energy, (I**2 * on_curve**2).sum(axis=1) - L * L])
            on_curve -= (np.linalg.pinv(2.0 * normals) @ misses.T[:, :, None])[:, :, 0]
        worst = max(worst, np.linalg.norm(on_curve - chord, axis=1).max())
    assert worst < 1e-5 * np.linalg.norm(step, axis=1).sum()  # 9.1e-6 at the tightest turn; evenly spaced, 1.4e-4


@pytest.mark.parametrize("name", MOTIONS)
def test_the_motion_runs_along_its_polhode_and_within_its_ring(name):
    I, omega, energy, L = invariants(*MOTIONS[name])
    motion = FreeRotation(RigidBody.from_moments(I), State((1, 0, 0, 0), omega))
    states = motion.at(np.linspace(-0.5, 0.5, 20001) * (motion.period or 60.0))
    curve = polhode(I, energy, L, omega, 4096)
    gaps = np.linalg.norm(np.diff(curve, axis=0), axis=1).max()
    for point in states.omega_body[::500]:
        assert np.linalg.norm(curve - point, axis=1).min() <= 0.51 * gaps
    tips = rotate(states.orientation_wxyz, states.omega_body)
    up = I * omega / L
    assert_allclose(tips @ up, plane_distance(energy, L), rtol=1e-12)
    radii = np.linalg.norm(tips - np.outer(tips @ up, up), axis=1)
    inner, outer = herpolhode_radii(I, energy, L)
    size = np.linalg.norm(omega)
    assert radii.max() == pytest.approx(outer, abs=3e-6 * size)  # a sample may miss the extreme by half a gap
    assert radii.min() == pytest.approx(inner, abs=2e-3 * size)
    assert radii.max() <= outer + 1e-7 * size
    assert radii.min() >= inner - 1e-7 * size


def test_the_branch_is_that_of_omega():
    I, _, energy, L = invariants((1, 2, 2.5), (2, 0.5, 0.25))
    assert polhode(I, energy, L, (2, 0.5, 0.25))[:, 0].min() > 0
    assert polhode(I, energy, L, (-2, 0.5, 0.25))[:, 0].max() < 0


@pytest.mark.parametrize(
    ("moments", "omega"),
    [
        ((1, 2, 2.5), (0, 0, 0)),
        ((1, 2, 2.5), (0, 1.5, 0)),
        ((1, 2, 2.5), (-2, 0, 0)),
        ((1, 2, 2.5), (0, 0, 3)),
        ((2, 2, 2), (0.3, -0.4, 1.2)),
        ((1, 4, 4), (3, 0, 0)),
        ((1, 4, 4), (0, 1, 1)),
        ((1, 1 + 1e-15, 1 + 2e-15), (1, 1, 1)),
        ((1e-6, 1, 1e6), (1, 1, 1)),
    ],
)
def test_degenerate_polhodes_are_finite(moments, omega):
    I, omega, energy, L = invariants(moments, omega)
    curve = polhode(I, energy, L, omega, 100)
    assert curve.shape == (100, 3)
    assert np.isfinite(curve).all()
    assert np.isfinite(herpolhode_radii(I, energy, L)).all()
    assert np.isfinite(plane_distance(energy, L))
    assert_allclose((I * curve * curve).sum(axis=1), 2 * energy, rtol=1e-14, atol=0)


@pytest.mark.parametrize("omega", [(-2, 0, 0), (0, 0, 3), (0, 0, 0)])
def test_a_steady_spin_is_one_point(omega):
    I, omega, energy, L = invariants((1, 2, 2.5), omega)
    assert_allclose(polhode(I, energy, L, omega, 20), np.tile(omega, (20, 1)), atol=1e-7)
    assert_allclose(herpolhode_radii(I, energy, L), 0, atol=1e-7)
    assert polhode([2, 2, 2], 1.69, 2.6, (0.3, -0.4, 1.2))[5] == pytest.approx((0.3, -0.4, 1.2))


def test_energies_out_of_range_end_at_the_bounds():
    """A target that |L| does not allow, as a poor integrator or friction can leave it."""
    low, high = energy_bounds(PAPER, 0.157)
    for energy in (0.5 * low, 2 * high):
        curve = polhode(PAPER, energy, 0.157, (0, 3, 0.3), 16)
        assert np.isfinite(curve).all()
        assert np.ptp(curve, axis=0).max() < 4e-16 * curve.max()
        assert herpolhode_radii(PAPER, energy, 0.157) == (0.0, 0.0)


def test_the_papers_readouts():
    I, _, energy, L = invariants(PAPER, (0, 3, 0.3))
    low, high = energy_bounds(I, L)
    assert low == pytest.approx(0.1975005, rel=1e-9)
    assert high == pytest.approx(0.8512953, abs=1e-7)
    assert energy == pytest.approx(0.2368125, rel=1e-15)
    assert_allclose(I * ellipsoid_semi_axes(I, energy) ** 2, 2 * energy, rtol=1e-15)
    assert plane_distance(energy, L) == pytest.approx(2 * energy / L)
    assert plane_distance(0.0, 0.0) == 0.0
    assert energy_bounds(I, 0.0) == (0.0, 0.0)
