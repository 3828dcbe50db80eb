"""A top in a session: its errors through changes, undo and time, and that it has no loop."""

import numpy as np
import pytest

from viewer.common.errors import InputError
from viewer.scenario.scenario import Scenario
from viewer.session.motion import Motion
from viewer.session.session import Session

CRUDE = {"solver.integrator": "jolt", "solver.integration_period": 0.002, "solver.extra_substeps": 0}


def worst(session: Session) -> float:
    errors = session.snapshot().errors
    assert list(errors) == ["E + V", "L z", "L axis"]
    return max(map(abs, errors.values()))


def test_errors_go_on_through_the_solver_and_begin_anew_with_the_loads() -> None:
    session = Session(Scenario.preset("top-with-cusps").with_values(CRUDE), playing=False)
    session.run_to(0.5)
    off = worst(session)
    assert off > 1e-3
    session.change({"solver.integrator": "exact-drift4"})
    session.motion.run_to(0.7)
    assert worst(session) == pytest.approx(off, rel=1e-3)
    exact = session.motion.checkpoints.segments[-1].exact
    assert exact is not None
    assert exact is session.motion.checkpoints.segments[0].exact
    session.change({"loads.gravity": 5.0})
    assert worst(session) < 1e-15
    session.undo()
    assert session.snapshot().reading.time == pytest.approx(0.7)
    assert worst(session) == pytest.approx(off, rel=1e-3)
    session.playback.seek(0.0)
    assert worst(session) < 1e-15
    session.change({"loads.external_friction": 0.001})
    assert list(session.snapshot().errors) == ["E", "|L|"]


def test_the_stabilisation_holds_a_top_and_the_papers_gradient_is_refused() -> None:
    session = Session(Scenario.preset("top-with-cusps").with_values(CRUDE), playing=False)
    session.change({"solver.stabilisation": "closest-point"})
    session.run_to(0.5)
    assert worst(session) < 1e-14
    before = session.snapshot().reading.orientation_wxyz
    session.playback.seek(0.2)
    session.run_to(0.5)
    assert np.array_equal(session.snapshot().reading.orientation_wxyz, before)
    with pytest.raises(InputError, match="gradient is not allowed for a body that its weight turns about a pivot"):
        session.change({"solver.stabilisation": "gradient"})
    assert session.scenario.solver.stabilisation == "closest-point"


def test_a_top_has_no_loop_and_no_next_flip() -> None:
    motion = Session(Scenario.preset("top-with-cusps"), playing=False).motion
    assert motion.one_period_on() == (
        None, "There is no loop: a top nods, precesses and spins in times of their own, and does not repeat"
    )  # fmt: skip
    assert motion.next_flip()[0] is None


@pytest.mark.parametrize("scene", ["top-with-cusps", "top-with-loops"])
def test_n_goes_from_nod_to_nod_of_a_top(scene: str) -> None:
    session = Session(Scenario.preset(scene), playing=False)
    top = session.snapshot().top
    assert top is not None
    times = []
    for _ in range(3):
        session.playback.jump_to_flip()
        assert "next nod: here the centre of mass is lowest" in (session.scene.message or "")
        while session.scene.moving:
            session.scene.advance(1 / 60)
        times.append(session.motion.time)
        reading = session.snapshot().reading
        axis = reading.rotation_world_from_body[:, 2]
        assert np.arccos(axis[2]) == pytest.approx(max(top.inclinations), abs=1e-5)
    np.testing.assert_allclose(np.diff(times), top.nutation_period, rtol=0.01)  # steps


@pytest.mark.parametrize(
    ("scene", "why"),
    [
        ("wheel-on-a-string", "no nod ahead: the axis keeps its inclination"),
        ("kovalevskaya-top", "known of a symmetric top under its weight alone"),
    ],
)
def test_a_top_without_a_next_nod_says_why(scene: str, why: str) -> None:
    session = Session(Scenario.preset(scene), playing=False)
    session.playback.jump_to_flip()
    assert why in (session.scene.message or "")
    assert session.motion.time == 0.0


def test_a_late_time_of_an_exact_top_is_reached_without_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(Scenario.preset("wheel-on-a-string").with_values({"solver.integrator": "exact"}), playing=False)
    made: list[int] = []
    run = Motion.run
    monkeypatch.setattr(Motion, "run", lambda self, steps, late: made.append(steps) or run(self, steps, late))
    session.run_to(3000.0)
    assert session.snapshot().reading.time == pytest.approx(3000.0, abs=1e-3)
    assert sum(made) < 100  # of 24 million


def test_the_time_of_a_turn_is_the_same_wherever_the_pivot_is() -> None:
    kovalevskaya = Scenario.preset("kovalevskaya-top")
    times = []
    for height in (0.0, 10.0):
        session = Session(kovalevskaya.with_values({"start.position": (0.0, 0.0, height)}), playing=False)
        times.append(session.snapshot().turn_time)
    assert times[1] == pytest.approx(times[0], rel=1e-12)
