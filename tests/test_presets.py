"""The presets: the scenes that they promise, with the numbers of their sources."""

import numpy as np
import pytest

from viewer.fields import SceneError
from viewer.physics.exact import FreeRotation
from viewer.scenario import PRESETS, Scenario


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_scene(name: str) -> None:
    scenario = Scenario.preset(name)
    assert scenario.title == PRESETS[name].title
    assert 20 < len(scenario.summary) < 200
    assert np.all(scenario.rigid_body().principal_moments > 0)
    for path in ("view.construction", "show.projection"):  # what the figures of the paper are about
        scenario = scenario.with_value(path, Scenario().value(path))
    assert (scenario.view, scenario.show, scenario.stereo) == (
        Scenario().view,
        Scenario().show,
        Scenario().stereo,
    )


def test_a_figure_of_the_paper_is_shown_as_there_whatever_was_shown_before() -> None:
    before = Scenario.preset("paper-fig3").with_value("show.projection", True)
    assert before.view.construction == "momentum"
    first, second = (Scenario.preset(name, before) for name in ("paper-fig1", "paper-fig2"))
    assert (first.view.construction, first.show.projection) == ("poinsot", False)
    assert (second.view.construction, second.show.projection) == ("poinsot", True)
    assert Scenario.preset("rod", before).view.construction == "momentum"  # goes on as it was


def test_the_presets_are_those_promised() -> None:
    assert next(iter(PRESETS)) == "paper-fig1"
    assert set(PRESETS) >= {"paper-fig1", "dzhanibekov", "ode-blog", "box-80kg", "rod", "disc", "sphere"}
    with pytest.raises(
        SceneError, match="preset: 'dzanibekov' is unknown; did you mean dzhanibekov\\? allowed are paper"
    ):
        Scenario.preset("dzanibekov")


def test_a_preset_keeps_the_picture_of_the_scene_before() -> None:
    before = Scenario()
    for path, value in (
        ("stereo.mode", "anaglyph"),
        ("view.theme", "light"),
        ("show.plane", False),
        ("body.mass", 50.0),
    ):
        before = before.with_value(path, value)
    scenario = Scenario.preset("sphere", before)
    assert (scenario.view, scenario.show, scenario.stereo) == (before.view, before.show, before.stereo)
    assert scenario.body == Scenario.preset("sphere").body


def test_presets_have_the_numbers_of_their_sources() -> None:
    def free(name: str) -> FreeRotation:
        scenario = Scenario.preset(name)
        return FreeRotation(scenario.rigid_body(), scenario.start_state())

    paper = Scenario.preset("paper-fig1")
    np.testing.assert_allclose(paper.rigid_body().principal_moments, (0.0145, 0.052, 0.0625), rtol=1e-15)
    assert (paper.solver.integration_period, paper.solver.additional_steps) == (0.002, 15)
    assert free("paper-fig1").period == pytest.approx(7.00707, abs=1e-5)
    assert tuple(Scenario.preset("ode-blog").rigid_body().principal_moments) == (10.0, 4.0, 2.0)
    assert Scenario.preset("ode-blog").solver.step == 1 / 60
    box = Scenario.preset("box-80kg").rigid_body()
    np.testing.assert_allclose(box.principal_moments, (4 / 3, 104 / 15, 116 / 15), rtol=1e-15)
    assert free("box-80kg").period == pytest.approx(8.08, abs=0.01)
    assert 8.0 < free("dzhanibekov").period < 10.0  # 9.1 s at speed 1
    assert Scenario.preset("dzhanibekov").rigid_body().principal_moments.argsort()[1] == 1


def test_the_plate_wobbles_two_over_cos_theta_as_fast_as_it_spins() -> None:
    scenario = Scenario.preset("disc")
    body, omega = scenario.rigid_body(), np.array(scenario.start.angular_velocity)
    momentum = body.principal_moments * omega
    wobble = np.linalg.norm(momentum) / body.principal_moments[0]
    cosine = momentum[2] / np.linalg.norm(momentum)
    assert wobble / omega[2] * cosine == pytest.approx(
        2, rel=0.01
    )  # 1.9934: the plate is not infinitely thin


def test_the_rod_ends_flat_within_a_lecture() -> None:
    scenario = Scenario.preset("rod")
    body, omega = scenario.rigid_body(), np.array(scenario.start.angular_velocity)
    energy = 0.5 * omega @ (body.principal_moments * omega)
    least = np.linalg.norm(body.principal_moments * omega) ** 2 / (2 * body.principal_moments.max())
    assert 40 < (energy - least) / scenario.loads.internal_friction < 70  # 53 s
