"""Rolling marks: equal arc lengths on polhode and herpolhode, checked on the exact motion and against closed forms."""

from itertools import pairwise
from math import hypot, pi

import numpy as np
import pytest
from numpy.polynomial import Chebyshev
from scipy.integrate import quad
from scipy.optimize import brentq

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot import construction
from viewer.physics.poinsot.construction import Curves, RollingMarks
from viewer.physics.rotation import rotate
from viewer.physics.state import State

BODY = RigidBody.from_moments((1.0, 2.0, 2.5))
COUNT = 40

Omega = tuple[float, float, float]


def marks_of(omega: Omega, body: RigidBody = BODY) -> RollingMarks | None:
    I, w = body.principal_moments, np.array(omega)
    curves = Curves(body, State((1, 0, 0, 0), omega), float(0.5 * w @ (I * w)), float(np.linalg.norm(I * w)))
    return curves.marks(COUNT)


def length(motion: FreeRotation, start: float, end: float, in_space: bool) -> float:
    """How far the tip of omega goes in that time: its path differentiated as a Chebyshev series, and integrated."""
    times = 0.5 * (start + end) - 0.5 * (end - start) * np.cos(np.linspace(0.0, pi, 33))
    states = motion.at(times)
    path = rotate(states.orientation_wxyz, states.omega_body) if in_space else states.omega_body
    rates = [Chebyshev.fit(times, part, 24, domain=(start, end)).deriv() for part in path.T]
    return float(quad(lambda t: hypot(*(rate(t) for rate in rates)), start, end, epsabs=0.0, epsrel=1e-12)[0])


@pytest.mark.parametrize("omega", [(2.0, 0.5, 0.25), (0.25, 0.5, 2.0), (-0.2, 2.0, 0.01)])
def test_from_mark_to_mark_both_curves_are_equally_long(omega: Omega) -> None:
    motion, marks = FreeRotation(BODY, State((1, 0, 0, 0), omega)), marks_of(omega)
    assert marks is not None

    def beyond(t: float, number: int) -> float:
        """How many marks after that number omega is at a time."""
        return float((marks.passed(motion.at([t]).omega_body)[0] - number + 0.5 * COUNT) % COUNT - 0.5 * COUNT)

    times = np.linspace(0.0, float(motion.period), 2001)
    passed = np.unwrap(marks.passed(motion.at(times).omega_body), period=COUNT)
    assert abs(passed[-1] - passed[0]) == pytest.approx(COUNT, abs=1e-9)
    crossed = np.flatnonzero(np.diff(np.floor(passed)))[:12]
    numbers = np.floor(np.maximum(passed[crossed], passed[crossed + 1])).astype(int)
    hits = [brentq(beyond, times[i], times[i + 1], (k,), xtol=1e-15) for i, k in zip(crossed, numbers, strict=True)]
    np.testing.assert_allclose(motion.at(hits).omega_body, marks.points[numbers % COUNT], atol=1e-12)
    for start, end in pairwise(hits):
        for in_space in (False, True):
            assert length(motion, start, end, in_space) == pytest.approx(marks.spacing, rel=1e-9)


def test_on_the_circle_of_two_equal_moments_they_stand_at_equal_angles() -> None:
    marks = marks_of((0.6, 0.8, 2.0), RigidBody.from_moments((2.0, 2.0, 3.0)))
    assert marks is not None
    assert marks.spacing == pytest.approx(2.0 * pi / COUNT, rel=1e-14)  # a circle of radius 1
    angles = np.unwrap(np.arctan2(marks.points[:, 1], marks.points[:, 0]))
    np.testing.assert_allclose(np.abs(np.diff(angles)), 2.0 * pi / COUNT, rtol=1e-12)
    np.testing.assert_allclose(np.abs(marks.radial), 1.0, rtol=1e-12)  # across a circle is along its radius


def test_the_separatrix_is_as_long_as_the_ellipse_that_it_is() -> None:
    """Of I = 1, 2, 3 with omega along the middle axis it lies in the plane omega_x = -omega_z sqrt(3): an ellipse."""
    from scipy.special import ellipe

    marks = marks_of((1e-9 * 3**0.5, 1.0, 1e-9), RigidBody.from_moments((1.0, 2.0, 3.0)))
    assert marks is not None
    # 2E = 2 = 3 z^2 + 2 y^2 + 3 z^2, so across |z| <= 1/sqrt(3), |omega_xz| <= 2/sqrt(3)
    long, short = 2.0 / 3**0.5, 1.0
    half = 2.0 * long * ellipe(1.0 - (short / long) ** 2)
    assert marks.spacing * COUNT == pytest.approx(2.0 * half, rel=1e-7)


@pytest.mark.parametrize("omega", [(0.0, 0.0, 0.0), (0.0, 0.0, 2.0)])
def test_what_rests_or_spins_steadily_has_none(omega: Omega) -> None:
    assert marks_of(omega) is None


def test_a_sphere_has_none() -> None:
    assert marks_of((1.0, 2.0, 3.0), RigidBody.from_moments((2.0, 2.0, 2.0))) is None


def test_the_nodes_of_arc_lengths_are_those_of_gauss_and_legendre() -> None:
    nodes, weights = np.polynomial.legendre.leggauss(8)
    np.testing.assert_allclose(construction.NODES, nodes, rtol=1e-15)
    np.testing.assert_allclose(construction.WEIGHTS, weights, rtol=1e-14)  # numpy's last digits are not right
    assert np.sum(construction.WEIGHTS) == 2.0
