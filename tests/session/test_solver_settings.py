"""The fields of loads and solver reach the running motion."""

import pytest

from viewer.common.errors import InputError
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session


def running(**values: object) -> Session:
    session = Session(Scenario())
    session.change({path.replace("__", "."): value for path, value in values.items()})
    return session


def test_stabilisation_acts_at_once_and_leads_back_to_the_target() -> None:
    session = running(solver__integrator="first-order", solver__extra_substeps=0)
    session.run_to(20.0)
    before = session.snapshot()
    assert abs(before.reading.energy / before.reading.target_energy - 1) > 1e-4
    session.change({"solver.stabilisation": "closest-point"})
    assert session.motion.time == before.reading.time
    assert session.scenario.solver.stabilisation == "closest-point"
    session.playback.step_once()
    after = session.snapshot()
    assert after.reading.energy == pytest.approx(before.reading.target_energy, rel=1e-13)
    session.undo()
    assert session.scenario.solver.stabilisation == "off"


def test_a_scene_may_start_with_it() -> None:
    text = '[solver]\nintegrator = "jolt"\nstabilisation = "gradient"\n[loads]\nframe = "body"\n'
    session = Session(Scenario.from_text(text))
    session.run_to(5.0)
    energy = session.snapshot().reading.energy
    assert energy == pytest.approx(session.snapshot().reading.target_energy, rel=1e-9)


def test_settings_that_do_not_fit_are_refused_and_change_nothing() -> None:
    session = running(solver__stabilisation="closest-point")
    with pytest.raises(InputError, match=r"solver\.stabilisation: closest-point is not allowed with exact"):
        session.change({"solver.integrator": "exact", "solver.stabilisation": "closest-point"})
    with pytest.raises(InputError, match=r"solver\.integrator: symmetric-top does not take the moments"):
        session.change({"solver.integrator": "symmetric-top"})
    assert session.scenario.solver.integrator == "exact-drift"
    session.change({"body.shape": "cylinder", "solver.integrator": "symmetric-top"})
    with pytest.raises(InputError, match="symmetric-top does not take the moments"):
        session.change({"body.shape": "box"})
    session.run_to(1.0)
    assert session.scenario.body.shape == "cylinder"


def test_a_force_in_the_body_turns_with_it() -> None:
    forced = {"loads__force": (1.0, 0.0, 0.0), "loads__arm": (0.0, 0.5, 0.0)}
    sizes = []
    for frame in ("space", "body"):
        session = running(**forced, loads__frame=frame)
        session.run_to(2.0)
        sizes.append(tuple(session.snapshot().reading.angular_momentum_world))
    assert sizes[0] != pytest.approx(sizes[1], rel=1e-3)


def test_an_integrator_without_steps_ends_the_stabilisation_and_undo_brings_both_back() -> None:
    session = running(solver__integrator="jolt", solver__stabilisation="closest-point")
    session.commit_change()
    session.change({"solver.integrator": "exact"})
    assert (session.scenario.solver.integrator, session.scenario.solver.stabilisation) == ("exact", "off")
    session.undo()
    assert (session.scenario.solver.integrator, session.scenario.solver.stabilisation) == ("jolt", "closest-point")
