"""Stabilisation through invariants in one gesture: key, bar, command palette and mouse, in a real window."""

import numpy as np
import pytest


def method(shown) -> str:
    return shown.scenario.solver.stabilisation


def energy_error(shown) -> float:
    reading = shown.session.snapshot().reading
    return abs(reading.energy / reading.target_energy - 1.0)


def by_key(shown) -> None:
    shown.key("k")


def by_mouse(shown) -> None:
    shown.click(*shown.middle("stabilise"))


def by_palette(shown) -> None:
    shown.key("ctrl+k")
    shown.type("stabilisation")
    shown.key("Return")


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("toggle", [by_key, by_mouse, by_palette])
def test_each_way_turns_it_off_and_on_and_is_one_step_of_undo(desktop, toggle):
    shown = desktop()
    shown.session.run_to(1.5)
    shown.settle()
    assert method(shown) == "gradient"
    on = shown.scene().copy()
    toggle(shown)
    assert method(shown) == "off"
    assert np.mean(shown.scene() != on) > 0.001  # the mark and the arrow are gone
    toggle(shown)
    assert method(shown) == "gradient"
    np.testing.assert_array_equal(shown.scene()[:40], on[:40])  # the mark is back
    shown.key("ctrl+z")
    assert method(shown) == "off"
    shown.key("ctrl+z")
    assert method(shown) == "gradient"
    np.testing.assert_array_equal(shown.scene(), on)
    shown.key("ctrl+y")
    assert method(shown) == "off"


def test_it_comes_back_with_the_method_last_used(desktop):
    shown = desktop()
    shown.app.workspace.editor.set("solver.stabilisation", "closest-point")
    shown.settle()
    shown.key("k", "k")
    assert method(shown) == "closest-point"


def test_the_energy_climbs_without_it_and_comes_back(desktop):
    shown = desktop("paper-fig1-fine")
    shown.session.run_to(2.0)
    shown.key("k")
    shown.session.scene.run_on_to(6.0)
    assert energy_error(shown) > 1e-4  # measured 5e-4
    shown.key("k")
    shown.session.scene.run_on_to(6.1)
    assert energy_error(shown) < 1e-7
    shown.session.playback.seek(6.0)  # back over the toggle
    assert method(shown) in ("off", "gradient")
    shown.session.playback.seek(4.0)
    shown.settle()
    assert method(shown) == "off"
    assert energy_error(shown) > 1e-5
    shown.session.playback.seek(1.0)
    shown.settle()
    assert method(shown) == "gradient"
    shown.session.playback.play()
    shown.until(lambda: shown.session.motion.time > 2.1)  # what is recorded repeats
    shown.session.playback.pause()
    assert method(shown) == "off"


def test_time_does_not_run_backwards_and_it_says_why(desktop):
    shown = desktop()
    shown.key("b")
    shown.settle()
    assert "does not run backwards" in shown.message


def test_a_race_goes_on_as_it_is(desktop):
    shown = desktop()
    shown.app.workspace.editor.set("race.show", "ghosts")
    shown.session.scene.run_on_to(1.0)
    race = shown.session.scene.race
    shown.key("k")
    assert method(shown) == "off"
    assert shown.session.scene.race is race
    assert race.time == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize("toggle", [by_key, by_mouse, by_palette])
def test_where_nothing_is_to_be_corrected_it_offers_what_is(desktop, toggle):
    shown = desktop("dzhanibekov")
    before = shown.scenario
    toggle(shown)
    assert shown.scenario == before
    assert shown.message == "Nothing to correct: Exact drift keeps energy and |L| by itself"
    (button,) = (name for name in shown.boxes if name.endswith("##offer"))
    shown.click(*shown.middle(button))
    assert (shown.scenario.solver.integrator, method(shown)) == ("first-order", "gradient")
    assert shown.message is None
    shown.key("ctrl+z")
    assert shown.scenario == before


@pytest.mark.parametrize("size", [(1280, 720), (800, 600), (640, 480)])
def test_it_has_its_place_in_the_bar(desktop, size):
    shown = desktop()
    shown.resize(*size)
    left, top, right, bottom = shown.boxes["stabilise"]
    bar = shown.app.ui.layout.areas.timeline
    assert bar.x <= left < right <= bar.x + bar.width
    assert bar.y <= top < bottom <= bar.y + bar.height
    shown.click(*shown.middle("stabilise"))
    assert method(shown) == "off"


def test_the_first_octant_of_momentum_space_in_one_key(desktop):
    shown = desktop("paper-fig3")
    shown.key("shift+m")
    shown.until(lambda: not shown.app.workspace.animator.gliding)
    camera = shown.app.scene_view.frame.main.camera
    body = shown.session.snapshot().reading.rotation_world_from_body
    assert np.all(body.T @ camera.backward > 0.3)  # it looks into the octant of positive x', y', z'
    assert shown.scenario.view.zoom == 1.4
