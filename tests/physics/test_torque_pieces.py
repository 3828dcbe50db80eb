"""Pieces of a torque of time, thrusters and functions: their means, their sum, and which are refused."""

from itertools import pairwise
from math import inf, isinf

import numpy as np
import pytest
from helpers.varying import BODY, BURNS, POINT, START, THRUST, WEIGHT, A, sine
from numpy.testing import assert_allclose

from viewer.physics.loads import Loads, Thruster, TorquePiece
from viewer.physics.rotation import rotate
from viewer.physics.simulation import Simulation


@pytest.mark.parametrize(
    "piece",
    [
        TorquePiece(start=0.3, end=2.1),
        TorquePiece("ramp", start=0.3, end=2.1),
        TorquePiece("sine", frequency=1.7, start=0.3, end=2.1),
        TorquePiece("pulse-train", period=0.31, width=0.12, start=0.3, end=2.1),
        TorquePiece("pulse-train", period=0.31, width=0.31, start=-5.0),
        Thruster(times=(0.3, 0.9, 1.4, 1.5, 2.0)),
    ],
    ids=str,
)
def test_the_mean_is_the_mean_of_the_values_between_edges(piece):
    """By Gauss-Legendre from edge to edge. Measured 3e-15."""
    value = piece.is_on if isinstance(piece, Thruster) else piece.at
    nodes, weights = np.polynomial.legendre.leggauss(20)
    generator = np.random.default_rng(5)
    for first, last in generator.uniform(-0.5, 2.6, (100, 2)):
        low, high = sorted((first, last))
        times = [low, *sorted(piece.edges(low, high)), high]
        total = 0.0
        for a, b in pairwise(times):
            at = (a + b) / 2 + nodes * (b - a) / 2
            total += sum(w * value(t) for w, t in zip(weights, at, strict=True)) * (b - a) / 2
        assert piece.mean(first, last) == pytest.approx(total / (high - low), abs=1e-13)


def test_the_torque_now_is_the_sum_of_all_that_acts():
    q, t = START.orientation_wxyz, 1.0
    loads = Loads(
        tuple(WEIGHT), tuple(POINT), 0.3, torque=(0.1, 0.2, 0.3), torque_frame="body",
        torque_of_time=(TorquePiece("sine", tuple(A), frequency=0.4), TorquePiece("ramp", (1, 0, 0), "body", end=4.0)),
        thrusters=(Thruster(tuple(POINT), tuple(THRUST), BURNS), Thruster(tuple(POINT), tuple(A), (2.0,))),
        torque_function=lambda t, state: (t, 0, 0),
    )  # fmt: skip
    body = np.array((0.35, 0.2, 0.3)) + np.cross(POINT, THRUST)
    expected = np.cross(rotate(q, POINT), WEIGHT) + rotate(q, body) + sine(t, q, None) + np.array((1, 0, 0))
    assert_allclose(loads.torque_at(t, START), expected, rtol=1e-14)
    assert_allclose(loads.force_at(t, START), WEIGHT + rotate(q, THRUST), rtol=1e-14)
    assert_allclose(loads.friction_at(START), -0.3 * rotate(q, START.omega_body), rtol=1e-14)


@pytest.mark.parametrize("given", [None, 3.0, (1, 2), (1, 2, float("nan")), "abc", ((1, 2), 3, 4)])
def test_a_function_that_gives_no_torque_is_one_clear_error(given):
    simulation = Simulation(BODY, START, step=0.1, loads=lambda t, state: (0, 0, 0) if t < 0.35 else given)
    with pytest.raises(ValueError, match=r"loads\.torque_function: .* at t = 0.375 s is not allowed; .*three finite"):
        simulation.advance(1.0)
    assert simulation.steps == 3  # stands where it was
    assert simulation.time == simulation.sample().time


def test_what_a_function_raises_is_its_own():
    def fails(t, state):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        Simulation(BODY, START, loads=fails).advance(1.0)


def test_what_is_refused():
    loads = Loads(torque_of_time=(TorquePiece("sine", tuple(A)),))
    with pytest.raises(ValueError, match="exact is torque-free"):
        Simulation(BODY, START, "exact", loads=loads)
    for broken in (
        {"kind": "square"}, {"kind": "ramp"}, {"start": inf}, {"start": 2.0, "end": 1.0}, {"frame": "moon"},
        {"kind": "sine", "frequency": 0.0}, {"kind": "pulse-train", "width": 2.0},
        {"kind": "pulse-train", "period": 1e-9}, {"amplitude": (1, 2)},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"allowed|finite"):
            TorquePiece(**broken)
    for times in ((), (1.0, 1.0), (inf,)):
        with pytest.raises(ValueError, match=r"times: .* is not allowed"):
            Thruster(times=times)
    with pytest.raises(ValueError, match="at most 16 TorquePieces"):
        Loads(torque_of_time=(TorquePiece(),) * 17)
    with pytest.raises(ValueError, match="torque_function"):
        Loads(torque_function=3)
    assert isinf(TorquePiece().end)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TorquePiece(amplitude="abc"), "amplitude: 'abc' is not allowed; it must be three finite numbers"),
        (lambda: TorquePiece(amplitude=None), "amplitude: None is not allowed; it must be three finite numbers"),
        (lambda: TorquePiece("sine", A, frequency=None), "frequency: None is not allowed; it must be a number"),
        (lambda: TorquePiece("sine", A, frequency="1"), "frequency: '1' is not allowed; it must be a number"),
        (lambda: TorquePiece(["sine"]), r"kind: \['sine'\] is unknown; allowed are constant, ramp"),
        (lambda: TorquePiece(frame=None), "frame: None is unknown; allowed are space, body"),
        (lambda: Thruster(times=2.0), "times: 2.0 is not allowed; it must be 1 to 64 finite numbers"),
        (
            lambda: Loads(torque_of_time=TorquePiece()),
            r"loads.torque_of_time: TorquePiece\(.*must be a list of at most 16",
        ),
        (lambda: Loads(thrusters=(TorquePiece(),)), "loads.thrusters: .* must be a list of at most 16 Thrusters"),
        (lambda: Loads(external_friction=None), "loads.external_friction: None is not allowed; it must be a number"),
        (lambda: Loads(torque_function=3), "loads.torque_function: 3 is not allowed; it must be a function"),
        (
            lambda: Simulation(BODY, START, loads=lambda t, s: np.eye(3)).advance(1.0),
            r"loads.torque_function: array\(\[\[1., 0., 0.\], .* is not allowed; it must give a vector",
        ),
    ],
)
def test_what_python_gives_is_refused_in_one_line(make, message):
    with pytest.raises(ValueError, match=f"^{message}") as caught:
        make()
    assert "\n" not in str(caught.value)
