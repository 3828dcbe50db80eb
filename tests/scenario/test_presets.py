"""The presets: the scenes that they promise, with the numbers of their sources."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.rotation import rotate
from viewer.replay.opening import read
from viewer.scenario.field import Choice, Integer, Rows, Switch, Texts, Vector
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario, field_at
from viewer.session.session import Session


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_scene(name: str) -> None:
    scenario = Scenario.preset(name)
    assert scenario.title == PRESETS[name].title
    assert 20 < len(scenario.summary) < 200
    assert np.all(scenario.rigid_body().principal_moments > 0)
    # what the figures of the sources are about, from where they show it, and what the body is made of
    for path in ("view.construction", "show.projection", "show.body_path", "view.polar_angle_deg", "view.material"):
        scenario = scenario.with_value(path, Scenario().value(path))
    if name == "t-handle":  # the first scene that anybody sees: the body alone, by the axes of space
        assert (scenario.view.frame, scenario.show.body, scenario.show.ellipsoid) == ("space", True, False)
        return
    if name == "earth":  # seen from the Earth, which else would turn 304 times in a period
        assert (scenario.view.frame, scenario.show.plane, scenario.show.herpolhode) == ("body", False, False)
        return
    if scenario.loads.gravity or scenario.show.gimbals:  # a top: seen from space, about the vertical
        assert (scenario.view.frame, scenario.show.plane, scenario.show.ellipsoid) == ("space", False, False)
        return
    if name == "apophis-2029":  # its torque turns L
        scenario = scenario.with_value("view.frame", "ceiling")
    assert (scenario.view, scenario.show, scenario.stereo) == (Scenario().view, Scenario().show, Scenario().stereo)


def another(path: str, value: Any) -> Any:
    """A value of the field at `path` other than `value`, that is allowed there."""
    field = field_at(path)
    if isinstance(field, Switch):
        return not value
    if isinstance(field, Choice):
        return next(name for name, _ in field.choices if name != value)
    if isinstance(field, Vector):
        return tuple(part + 0.25 for part in value)
    return value + (1 if isinstance(field, Integer) else 0.25)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_its_whole_view_and_show_and_leaves_the_screen_to_the_user(name: str) -> None:
    """Whatever each field of the picture was before: those of the screen stay, all others are the preset's own."""
    alone = Scenario.preset(name)
    sections = ("view", "show", "stereo", "race", "playback")
    paths = [f"{section}.{field}" for section in sections for field in fields_of(type(getattr(alone, section)))]
    paths = [path for path in paths if not isinstance(field_at(path), (Texts, Rows))]
    before = Scenario.preset("paper-fig3").with_values({path: another(path, alone.value(path)) for path in paths})
    opened = Session(before, playing=False)
    opened.open(*read(name, opened.scenario))
    stays = {path for path in paths if opened.scenario.value(path) == before.value(path)}
    screen = {"view.theme", "view.quality"} | {f"stereo.{field}" for field in fields_of(type(alone.stereo))}
    assert stays == screen
    assert opened.document.scenario == alone.with_values({path: before.value(path) for path in screen})
    opened.undo()
    assert opened.scenario == before


def test_the_presets_are_those_promised() -> None:
    assert next(iter(PRESETS)) == "paper-fig1"
    assert set(PRESETS) >= {"paper-fig1", "dzhanibekov", "ode-blog", "box-80kg", "rod", "disc", "sphere"}
    with pytest.raises(
        InputError, match="preset: 'dzanibekov' is unknown; did you mean dzhanibekov\\? allowed are paper"
    ):
        Scenario.preset("dzanibekov")


def test_presets_have_the_numbers_of_their_sources() -> None:
    def free(name: str) -> FreeRotation:
        scenario = Scenario.preset(name)
        return FreeRotation(scenario.rigid_body(), scenario.start_state())

    paper = Scenario.preset("paper-fig1")
    np.testing.assert_allclose(paper.rigid_body().principal_moments, (0.0145, 0.052, 0.0625), rtol=1e-15)
    fine = Scenario.preset("paper-fig1-fine")
    assert (fine.solver.integration_period, fine.solver.extra_substeps) == (0.002, 15)
    as_paper = {"solver.integration_period": 1 / 60, "solver.extra_substeps": 0}
    same = [fine.with_values(as_paper), paper]
    assert len({(scene.body, scene.start, scene.solver, scene.loads, scene.show, scene.view) for scene in same}) == 1
    assert free("paper-fig1").period == pytest.approx(7.00707, abs=1e-5)
    assert tuple(Scenario.preset("ode-blog").rigid_body().principal_moments) == (10.0, 4.0, 2.0)
    assert Scenario.preset("ode-blog").solver.step == 1 / 60
    box = Scenario.preset("box-80kg").rigid_body()
    np.testing.assert_allclose(box.principal_moments, (4 / 3, 104 / 15, 116 / 15), rtol=1e-15)
    assert free("box-80kg").period == pytest.approx(8.08, abs=0.01)
    assert 8.0 < free("dzhanibekov").period < 10.0  # 9.1 s at speed 1
    assert Scenario.preset("dzhanibekov").rigid_body().principal_moments.argsort()[1] == 1


@pytest.mark.parametrize(("name", "seconds", "least", "most"), [
    ("paper-fig1", 10.0, 0.8, 1.5),  # .88 to 1.49
    ("paper-fig1-fine", 30.0, 0.003, 0.004),  # .0035 to .0036
])  # fmt: skip
def test_without_its_stabilisation_the_papers_scene_errs_by_what_it_says(name, seconds, least, most) -> None:
    """Whenever K is pressed within two flips; with it E errs by less than 1 %, from when on the picture says so."""
    for before in (0.0, 2.0, 4.0, 6.0):
        simulation = Scenario.preset(name).simulation()

        def error(now=simulation) -> float:
            return now.rotational_energy / now.target_energy - 1.0

        while simulation.time < before:
            simulation.advance_steps(1)
            assert abs(error()) < 0.005
        simulation.change(stabilisation="off")
        simulation.advance(seconds)
        assert least < error() < most


def test_the_plate_wobbles_two_over_cos_theta_as_fast_as_it_spins() -> None:
    scenario = Scenario.preset("disc")
    body, omega = scenario.rigid_body(), np.array(scenario.start.angular_velocity)
    momentum = body.principal_moments * omega
    wobble = np.linalg.norm(momentum) / body.principal_moments[0]
    cosine = momentum[2] / np.linalg.norm(momentum)
    assert wobble / omega[2] * cosine == pytest.approx(2, rel=0.01)  # 1.9934: the plate is not infinitely thin


def test_the_rod_ends_flat_within_a_lecture() -> None:
    scenario = Scenario.preset("rod")
    body, omega = scenario.rigid_body(), np.array(scenario.start.angular_velocity)
    energy = 0.5 * omega @ (body.principal_moments * omega)
    least = np.linalg.norm(body.principal_moments * omega) ** 2 / (2 * body.principal_moments.max())
    assert 40 < (energy - least) / scenario.loads.internal_friction < 70  # 53 s


FROM_SOURCES = {
    "paper-fig1": "Fig. 1 of a paper",
    "paper-fig1-fine": "Fig. 1 of a paper",
    "paper-fig2": "Fig. 2 of a paper",
    "paper-fig3": "Figs. 3 and 4 of a paper",
    "ode-blog": "Gyroscopic forces in ODE",
    "race-gyroscopic-torque": "Gyroscopic forces in ODE",
    "box-80kg": "Gyroscopic forces in ODE",
    "race-of-five": "Post on gyroscopic integrators",
    "dzhanibekov": "Rigid Body Dynamics",
    "race-hidden-phase": "Rigid Body Dynamics",
}


@pytest.mark.parametrize("name", FROM_SOURCES)
def test_a_scene_from_a_source_says_which(name):
    assert FROM_SOURCES[name] in Scenario.preset(name).source


@pytest.mark.parametrize("name", PRESETS)
def test_no_text_of_a_preset_has_straight_quotation_marks(name):
    """Dear ImGui breaks a line after one, also where it opens a quotation."""
    preset = PRESETS[name]
    assert '"' not in preset.title + preset.summary + preset.source + preset.assumed


def lagrange(name: str, rate: float | None = None) -> LagrangeTop:
    """The closed form of a scene's motion, with another rate of spin if one is given."""
    scene = Scenario.preset(name)
    if rate is not None:
        scene = scene.with_value("start.angular_velocity", (0.0, 0.0, rate))
    body, weight = scene.rigid_body(), (0.0, 0.0, -scene.loads_value().weight)
    return LagrangeTop(body.principal_moments.tolist(), body.centre_of_mass.tolist(), weight, scene.start_state())


def turning(name: str) -> NDArray[np.float64]:
    """The rate [rad/s] at which the axis turns about the vertical, over three nods."""
    top = lagrange(name)
    states = top.at(np.linspace(0.0, 3.0 * top.nutation_period, 400))
    axis = rotate(states.orientation_wxyz, (0.0, 0.0, 1.0))
    rate = np.cross(rotate(states.orientation_wxyz, states.omega_body), axis)
    return (axis[:, 0] * rate[:, 1] - axis[:, 1] * rate[:, 0]) / (axis[:, 0] ** 2 + axis[:, 1] ** 2)


def test_the_tops_do_what_their_summaries_say() -> None:
    """Above its critical rate the upright top only trembles, below it falls; one rests at cusps, one turns back."""

    def nodding(name: str, rate: float | None = None) -> list[float]:
        return np.degrees(lagrange(name, rate).inclinations).tolist()

    sleeping = Scenario.preset("sleeping-top")
    body = sleeping.rigid_body()
    across, _, along = body.principal_moments
    critical = 2.0 * np.sqrt(across * sleeping.loads_value().weight * body.centre_of_mass[2]) / along
    assert critical == pytest.approx(44.35, abs=0.01)
    assert nodding("sleeping-top") == pytest.approx((3.0, 4.45), abs=0.01)
    assert nodding("sleeping-top", 40.0)[1] > 50.0
    assert nodding("top-with-cusps") == pytest.approx((40.0, 45.17), abs=0.01)
    for name in ("sleeping-top", "top-with-cusps"):
        start = Scenario.preset(name).start_state().omega_body
        assert start[:2].tolist() == [0.0, 0.0]  # so its axis is at rest
    assert nodding("top-with-loops") == pytest.approx((40.0, 52.08), abs=0.01)
    assert turning("top-with-cusps").min() == pytest.approx(0.0, abs=1e-9)  # measured 0
    rates = turning("top-with-loops")
    assert rates.min() < -3.0 < 3.0 < rates.max()  # -3.1 where it is highest, 5.3 where it is lowest


def test_the_wheel_on_a_string_goes_round_as_its_summary_says() -> None:
    """Level, it precesses steadily at m g l / (C w): there the formula of every textbook is exact."""
    scene = Scenario.preset("wheel-on-a-string")
    body, (_, around, spin) = scene.rigid_body(), scene.start.angular_velocity
    assert body.mass == pytest.approx(1.68, rel=1e-15)
    steady = scene.loads_value().weight * body.centre_of_mass[2] / (body.principal_moments[2] * spin)
    assert around == pytest.approx(steady, rel=1e-4)  # measured 9e-6
    top = lagrange("wheel-on-a-string")
    assert np.degrees(top.inclinations) == pytest.approx(90.0, abs=0.01)
    assert 2.0 * np.pi / top.precession_rate == pytest.approx(5.8, abs=0.05)


def test_kovalevskayas_box_has_her_moments() -> None:
    """A = B = 2 C about the pivot, in the middle of the largest face, and the centre of mass on the axis of A."""
    body = Scenario.preset("kovalevskaya-top").rigid_body()
    np.testing.assert_allclose(body.principal_moments / body.principal_moments[2], (2.0, 2.0, 1.0), rtol=1e-14)
    assert body.centre_of_mass.tolist() == [0.05, 0.0, 0.0]
