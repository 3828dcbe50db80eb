"""A scene in words: its numbers are those of the table of `simulate`, of closed forms, and of the readouts."""

import json
import re

import numpy as np
import pytest
import trimesh
from helpers.frames import KINDS

from viewer.cli import main
from viewer.common import resources
from viewer.export.table import COLUMNS, Table
from viewer.scenario.scenario import Scenario
from viewer.scene.naming.things import thing_of
from viewer.scene.words.describe import describe, facts
from viewer.scene.words.formatting import short
from viewer.scene.words.spin import rank_names
from viewer.session.running_scene import RunningScene
from viewer.session.session import Session


def described(preset: str, time: float, **fields):
    session = Session(Scenario.preset(preset).with_values(fields), playing=False)
    session.run_to(time)
    return session, facts(session)


@pytest.mark.parametrize("preset", ["paper-fig1", "dzhanibekov", "rod", "disc"])
def test_the_numbers_are_those_of_simulate(preset):
    _, found = described(preset, 3.0)
    rows = np.concatenate(list(Table(Scenario.preset(preset), 3.0, 3.0).blocks()))
    last = dict(zip(COLUMNS, rows[-1], strict=False))
    for axis, name in enumerate("xyz"):
        for column, fact in (
            (f"omega_body_{name}_rad_per_s", "omega_body_rad_per_s"),
            (f"omega_world_{name}_rad_per_s", "omega_world_rad_per_s"),
            (f"angular_momentum_world_{name}_kg_m2_per_s", "angular_momentum_world_kg_m2_per_s"),
        ):
            assert found[fact][axis] == pytest.approx(last[column], abs=1e-9)  # measured 2e-13
    assert found["rotational_energy_J"] == pytest.approx(last["rotational_energy_J"], rel=1e-9)
    assert found["time_s"] == pytest.approx(3.0, abs=1e-12)


def test_the_words_hold_the_numbers_of_a_box_that_is_worked_out_by_hand():
    _, found = described("dzhanibekov", 0.0)
    moments = np.array([0.7**2 + 0.15**2, 1.0 + 0.15**2, 1.0 + 0.7**2]) / 12.0
    omega = np.array([0.01, 6.0, 0.01])
    for value in (*moments, 0.5 * moments @ omega**2, np.linalg.norm(moments * omega), np.linalg.norm(omega)):
        assert f" {short(float(value))} " in found["text"].replace(",", " ").replace(";", " ")
    assert "box, mass 1.00 kg, width 1.00 m, depth 0.700 m, height 0.150 m." in found["text"]
    assert "No torque acts on it" in found["text"]
    assert "errors now: energy at round-off, |L| at round-off." in found["text"]


def test_the_mass_that_is_told_is_the_one_that_is_simulated(tmp_path):
    """A block of 0.02 by 0.03 by 0.05 m and 7850 kg/m3, and 1 mm of sheet around it, worked out by hand."""
    trimesh.creation.box((20.0, 30.0, 50.0)).export(tmp_path / "block.ply")
    mesh = {"body.shape": "mesh", "body.file": str(tmp_path / "block.ply"), "body.unit": "mm", "body.density": 7850.0}
    _, found = described("rod", 0.0, **mesh)
    assert found["dimensions"].pop("mass") == pytest.approx(0.2355)
    assert set(found["dimensions"]) == {"file", "unit", "density", "method"}
    assert "Body: mesh, mass 0.236 kg, density 7850 kg/m³, the solid" in found["text"]
    _, found = described("rod", 0.0, **mesh, **{"body.method": "shell", "body.shell_thickness": 1e-3})
    assert found["dimensions"]["mass"] == pytest.approx(7850.0 * 6.2e-3 * 1e-3)
    _, found = described("rod", 0.0, **mesh | {"body.unit": "longest", "body.longest": 0.1, "body.density": 0.0})
    assert found["dimensions"] == {"mass": 10.0, "file": mesh["body.file"], "unit": "longest", "longest": 0.1,
                                   "method": "auto"}  # fmt: skip
    _, found = described("rod", 0.0, **{"body.shape": "composite", "body.parts": [{"shape": "box", "density": 500.0}]})
    assert found["dimensions"]["mass"] == pytest.approx(0.5)
    assert "mass" not in found["dimensions"]["parts"][0]
    assert "Body: composite, mass 0.500 kg, the sum of the parts." in found["text"]
    _, found = described("rod", 0.0, **{"body.shape": "tensor"})
    assert set(found["dimensions"]) == {"mass", "tensor"}


def test_the_next_flip_is_one():
    """There the middle component of omega changes its sign."""
    session, found = described("dzhanibekov", 1.0)
    flip = found["next_flip_s"]
    session.run_to(flip - 0.01)
    before = session.snapshot().reading.omega_body[1]
    session.run_to(flip + 0.01)
    assert before * session.snapshot().reading.omega_body[1] < 0.0


def test_the_angle_of_a_symmetric_body_is_that_of_now_where_friction_changes_it():
    """The rod settles into a flat spin: nothing about it is "always" so."""
    session = Session(Scenario.preset("rod"), playing=False)
    session.run_to(1.0)
    words = describe(session)
    assert "precesses around L, now" in words
    assert "always" not in words
    session.change({"loads.internal_friction": 0.0})
    assert "always" in describe(session)


@pytest.mark.parametrize(("integrator", "known"), [("exact-drift", False), ("jolt", True)])
def test_no_error_of_L_is_told_where_a_cap_leaves_it_without_a_target(integrator, known):
    """The cap takes more than a third of |L|, which an integrator that keeps L in space takes as it is."""
    values = {"solver.integrator": integrator, "solver.largest_omega": 3.0}
    session = Session(Scenario.preset("dzhanibekov").with_values(values), playing=False)
    session.run_to(2.0)
    found = facts(session)
    assert ("without a target" in found["text"]) is not known
    if known:
        assert found["momentum_error"] < -0.3
    else:
        assert found["momentum_error"] is None


def test_what_only_wobbles_has_no_flip_ahead():
    """Toutatis stays within 51 degrees of its long axis, though its middle component changes its sign."""
    session, found = described("toutatis", 0.0)
    assert (found["next_flip_s"], "flip" in found["text"]) == (None, False)
    session.playback.jump_to_flip()
    assert "only what tumbles" in session.scene.message


def test_both_periods_of_what_wobbles_are_told():
    """Those that H.-J. Lee et al. (2022) found of Apophis; what tumbles has no second one."""
    _, found = described("apophis", 0.0)
    assert (found["period_s"], found["precession_period_s"]) == pytest.approx(
        (264.178 * 3600, 27.38547 * 3600), rel=1e-8
    )
    assert "is 11.0 d, in which L goes once round z′ in the body; z′ goes round L in 27.4 h" in found["text"]
    assert described("dzhanibekov", 0.0)[1]["precession_period_s"] is None


def test_moments_that_differ_by_the_rounding_of_a_file_are_equal_everywhere():
    """A ring in float32: 4e-8 between two moments."""
    fields = {"body.shape": "moments", "body.moments": (1.0, 1.0 + 4e-8, 2.0), "start.angular_velocity": (0.3, 0, 2)}
    session, found = described("dzhanibekov", 0.0, **fields)
    assert rank_names(session.snapshot().body.principal_moments) == ("equal", "equal", "largest")
    assert found["spin"].startswith("Precessing, +z′ (largest)")
    assert [thing_of(axis, session.snapshot()).name for axis in ("x′", "y′")] == ["principal axis"] * 2


def test_what_happened_in_a_recording_is_told_with_its_drag(capsys):
    with resources.file("assets", "logs", "tossed-phone.csv") as tossed:
        assert main(["describe", str(tossed)]) == 0
        text = capsys.readouterr().out
        assert main(["describe", str(tossed), "--json"]) == 0
    line = json.loads(capsys.readouterr().out)["recorded"]
    assert re.fullmatch(r"wobbled about .*; drag 0\.012\d* ± 0\.000\d/s on average; residual .* %", line)
    assert f"As recorded: {line}. Its period is" in text
    assert "in space (0, 0, 9.60)" in text


def test_loads_errors_bodies_and_races_are_told():
    _, found = described("dzhanibekov", 1.0, **{"loads.torque": (0.0, 0.2, 0.0), "loads.external_friction": 0.01})
    assert "an external torque of 0.200 N m, external friction with a torque of " in found["text"]
    assert np.linalg.norm(found["external_torque_N_m"]) == pytest.approx(0.2)
    _, found = described("ode-blog", 2.0, **{"solver.integrator": "explicit-euler"})
    omega, moments = np.array(found["omega_body_rad_per_s"]), np.array([10.0, 4.0, 2.0])
    assert found["energy_error"] == pytest.approx(moments @ omega**2 / 44.0 - 1.0, rel=1e-9)
    assert f"energy {short(100.0 * found['energy_error'])} %" in found["text"]
    _, found = described("race-of-five", 1.0)
    assert found["lanes"][0]["name"] == "Explicit Euler"
    assert "In a race beside the exact motion, with errors: Explicit Euler: energy " in found["text"]
    _, found = described("twenty-boxes", 1.0)
    assert "20 bodies, of which number 1" in found["text"]
    _, found = described("sphere", 1.0, **{"start.angular_velocity": (0.0, 0.0, 0.0)})
    assert "it does not turn" in found["text"]
    _, found = described("paper-fig1", 0.0, **{"view.construction": "momentum", "stereo.mode": "anaglyph"})
    assert "The picture shows: Momentum (L′), stereo mode Anaglyph" in found["text"]


@pytest.mark.parametrize("preset", KINDS)
def test_every_kind_of_scene_is_told_in_whole_sentences(preset):
    session, found = described(preset, 0.5)
    assert found["text"] == describe(session)
    assert "{" not in found["text"]
    assert ".." not in found["text"]
    assert found["text"].endswith(".")
    assert not re.search(r"[.] [a-z]", found["text"])
    json.dumps(found)


def test_the_command(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Scenario.preset("disc").save("own.toml")
    assert main(["describe", "own.toml", "--time", "3", "--stereo", "side-by-side"]) == 0
    words = capsys.readouterr().out
    assert "At t = 3.00 s" in words
    assert main(["describe", "own.toml", "--time", "3", "--stereo", "side-by-side", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == words.strip()
    main(["simulate", "disc", "--seconds", "3", "--every", "0.05", "-o", "log.csv"])
    capsys.readouterr()
    for arguments, message in (
        (["disc", "--time", "-1"], "time: -1 s is outside 0 to 1e6 s"),
        (["disc", "--time", "soon"], "--time: 'soon' is not a number"),
        (["disk"], "did you mean disc"),
        (["disc", "--stereo", "3d"], "stereo.mode: '3d' is unknown"),
        (["ode-blog", "--integrator", "explicit-euler", "--time", "60"], "Explicit Euler diverged"),
    ):
        assert main(["describe", *arguments]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["no-gyroscopic", "explicit-euler", "first-order", "implicit"])
def test_of_an_integrator_that_errs_what_is_known_of_the_exact_motion_is_told_as_such(name):
    """Without the gyroscopic torque the box never flips, and its E and |L| are right to the last digit."""
    _, found = described("dzhanibekov", 0.5, **{
        "solver.integrator": name, "solver.integration_period": 1 / 60, "solver.extra_substeps": 0})  # fmt: skip
    assert found["is_exact_motion"] is False
    assert found["next_flip_s"] is None
    assert found["spin"].startswith("Exact from here: tumbling, flips every 4.")
    assert "The period of the exact motion from here is " in found["text"]
    assert "Its period" not in found["text"]
    assert "next flip" not in found["text"]


@pytest.mark.parametrize("name", ["exact-drift", "split", "implicit-midpoint", "momentum-first"])
def test_of_one_that_does_not_it_is_told_of_the_motion(name):
    _, found = described("dzhanibekov", 0.5, **{"solver.integrator": name})
    assert found["is_exact_motion"] is True
    assert found["spin"] == "Tumbling, flips every 4.48 s"
    assert "Its period is 8.95 s; the next flip comes at t = " in found["text"]


@pytest.mark.parametrize("time", [0.0, 1.0, 7.3, 40.0])
def test_angles_near_zero_are_zero(time):
    """omega and L of a sphere are parallel; one that is 1e-9 rad off an axis is so far off."""
    text = describe(described("sphere", time)[0])
    assert "and 0° from L" in text
    text = describe(described("disc", 0.0, **{"start.angular_velocity": (1e-9, 0.0, 1.0)})[0])
    assert f"about an axis {short(np.degrees(1e-9))}° from z" in text


def test_a_body_at_rest_has_its_limit_typeset():
    still = Session(Scenario().with_value("start.angular_velocity", (0.0, 0.0, 0.0)))
    assert "It turns no faster than 1×10⁻¹² rad/s." in describe(still)


def test_of_bodies_in_one_space_only_what_is_drawn_there_is_told():
    """Neither ellipsoid nor plane nor curves; the grid has them."""
    for bodies, drawn in (("together", False), ("constructions", True)):
        session = Session(Scenario.preset("twenty-boxes").with_value("view.bodies", bodies), playing=False)
        words = describe(session)
        assert ("Ellipsoid" in words.partition("The picture shows")[2]) is drawn
        assert ("in one space" in words) is not drawn
        assert "20 bodies, of which number 1, “0.00”, is described here" in words


def test_a_cap_on_omega_is_told_where_no_torque_acts():
    session = Session(Scenario.preset("dzhanibekov").with_value("solver.largest_omega", 3.0), playing=False)
    assert "a cap holds |ω| at 3.00 rad/s" in describe(session)
    assert "should stay" not in describe(session)


def test_what_is_said_of_the_scene_ends_the_description_as_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(Scenario.preset("paper-fig1"), playing=False)
    monkeypatch.setattr(RunningScene, "message", "every step is too long")
    assert describe(session).endswith(" Every step is too long.")
