"""Undo and redo through a hundred random gestures: back to where it began, and forth to where it ended."""

import dataclasses
import random

import pytest

from viewer.scenario.scenario import Scenario
from viewer.ui.platform.imgui_module import imgui

GESTURES = 100
KEPT = ("##body.", "##start.", "##loads.", "##solver.", "##show.", "##stereo.", "##stabilise", "##race.")


def undoable(scenario: Scenario) -> Scenario:
    """A scene without what undo leaves alone."""
    plain = Scenario()
    return dataclasses.replace(scenario, view=plain.view, playback=plain.playback)


def gesture(shown, chance: random.Random) -> None:
    """One that somebody might make in the panel: a drag, a right click, a step of the wheel, typing, ticking."""
    name = chance.choice([name for name in shown.boxes if name.startswith(KEPT)])
    kind = chance.choice(("drag", "default", "wheel", "type", "click"))
    number = name.endswith("]")
    if kind == "drag" and number:
        shown.drag(name, chance.randint(-60, 60))
    elif kind == "type" and number:
        shown.double_click(name)
        shown.frame(2)
        imgui.get_io().add_input_characters_utf8(f"{chance.uniform(-1, 3):.3g}")
        shown.frame()
        shown.key(imgui.Key.enter)
    elif kind == "wheel" and number:
        shown.over(name)
        imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
        imgui.get_io().add_mouse_wheel_event(0.0, chance.choice((-1.0, 1.0)))
        shown.frame(2)
        imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
    elif kind == "default":
        shown.click(name, which=1)
    elif not number:
        shown.ui.controls.focus.give(name)
        shown.frame(2)
        shown.ui.overlays.take_key(chance.choice(("Down", "Up", "Enter")))
        shown.frame(2)
        shown.key(imgui.Key.escape)
        shown.ui.overlays.take_key("Escape")
    shown.frame(2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_a_hundred_random_gestures_are_undone_and_made_again(stage, seed):
    shown = stage(size=(800, 3200), open_all=True)
    session, chance = shown.workspace.session, random.Random(seed)
    began = undoable(session.scenario)
    scenes = {began}
    for _ in range(GESTURES):
        gesture(shown, chance)
        scenes.add(undoable(session.scenario))
    ended = undoable(session.scenario)
    assert len(scenes) > GESTURES / 3
    back = 0
    while undoable(session.scenario) != began:
        back += 1
        assert back <= 2 * GESTURES
        session.undo()
        shown.frame()
    session.undo()
    assert undoable(session.scenario) == began
    for _ in range(back):
        session.redo()
        shown.frame()
    assert undoable(session.scenario) == ended
