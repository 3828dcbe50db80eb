"""The legend in the scene: what it lists, and by which signs."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.scenario.scenario import Scenario
from viewer.scene.naming.spot import Spot
from viewer.session.session import Session
from viewer.ui.layout import Rect
from viewer.ui.names import legend
from viewer.ui.names.card import body_circle
from viewer.ui.names.legend import _meet, entries
from viewer.ui.overlays.saving import ProgressCard
from viewer.ui.platform.imgui_module import imgui

SCENE = Rect(0, 34, 980, 640)


def listed(preset):
    session = Session(Scenario.preset(preset), playing=True)
    for _ in range(5):
        session.scene.advance(1 / 30)
    return entries(picture_of(session, (900, 600)), session.snapshot())


@pytest.mark.parametrize("preset", ["paper-fig1", "paper-fig3", "box-80kg"])
def test_no_two_things_have_the_same_sign(preset):
    found = listed(preset)
    assert len({name for name, _ in found}) == len(found) > 5
    assert len({sign for _, sign in found}) == len(found)


def test_things_of_one_colour_have_the_form_that_they_have_in_the_scene():
    forms = {name: sign.form for name, sign in listed("paper-fig3")}
    assert forms["Angular momentum L′ in the body"] == "arrow"
    assert forms["Path of L′"] == "trail"
    assert "Contact point" not in forms  # of the plane and the ellipsoid; here the ring is around the tip of L′
    assert forms["Separatrix"] == "curve"
    assert forms["Axis of the middle moment"] == "axis"
    assert forms["Ellipsoid ε′"] == "glass"
    forms = {name: sign.form for name, sign in listed("box-80kg")}
    surfaces = ("Rigid body", "Inertia ellipsoid", "Invariable plane")
    assert [forms[name] for name in surfaces] == ["surface", "glass", "ruling"]
    assert forms["Contact point"] == "ring"


@pytest.mark.parametrize("preset", ["race-of-five", "race-gyroscopic-torque", "twenty-boxes"])
def test_cells_with_names_of_their_own_have_no_legend(preset):
    assert listed(preset) == []


def test_where_there_is_no_room_beside_the_sphere_the_axes_are_left_out(stage):
    shown = stage("paper-fig3", size=(800, 600))
    session = Session(Scenario.preset("paper-fig3"), playing=False)
    scene = Rect(0, 34, 492, 518)
    frame = picture_of(session, scene.size)
    body = body_circle(frame, scene)
    assert body[2] > 100.0  # the sphere counts, though there is no body
    found = entries(frame, session.snapshot())
    look = shown.ui.prepared_look()
    imgui.set_current_context(shown.ui.context)
    imgui.new_frame()
    listed, place = legend.choose_entries(look, scene, found, body, 80.0)
    imgui.end_frame()
    assert len(found) - len(listed) == 3
    assert not any("Axis" in name for name, _ in listed)
    assert place is not None


@pytest.mark.parametrize(("size", "least"), [((900, 620), 1), ((600, 480), 0), ((300, 260), 0)])
def test_it_covers_no_more_than_a_corner_of_the_body(stage, size, least):
    shown = stage("dzhanibekov", size=(800, 600), scale=1.77)
    session = Session(Scenario.preset("dzhanibekov"), playing=False)
    scene = Rect(0, 34, *size)
    frame = picture_of(session, scene.size)
    x, y, radius = body_circle(frame, scene)
    look = shown.ui.prepared_look()
    imgui.set_current_context(shown.ui.context)
    imgui.new_frame()
    everything = entries(frame, session.snapshot())
    listed, place = legend.choose_entries(look, scene, everything, (x, y, radius), 80.0)
    imgui.end_frame()
    assert len(everything) > 5
    assert (place is not None) >= least
    if place is None:
        return
    rect = place[0]
    across = np.arange(rect.x, rect.x + rect.width)[:, None] - x
    down = np.arange(rect.y, rect.y + rect.height) - y
    inside = np.hypot(across, down) < radius
    assert inside.sum() < 0.1 * np.pi * radius**2
    assert 3 <= len(listed) <= len(everything)


@pytest.mark.parametrize("size", [(492, 518), (980, 640), (1500, 400)])
def test_it_does_not_cover_the_small_picture_in_the_corner(stage, size):
    shown = stage("box-80kg", size=(800, 600))
    session = Session(Scenario.preset("box-80kg").with_values({"show.inset": True}), playing=False)
    scene = Rect(0, 34, *size)
    frame = picture_of(session, size)
    left, low, across, tall = frame.insets[0].box
    look = shown.ui.prepared_look()
    imgui.set_current_context(shown.ui.context)
    imgui.new_frame()
    found = entries(frame, session.snapshot())
    _, place = legend.choose_entries(look, scene, found, body_circle(frame, scene), 80.0, legend.inset_of(frame, scene))
    imgui.end_frame()
    assert place is not None
    card = place[0]
    beside = card.x + card.width <= left * size[0] or card.x >= (left + across) * size[0]
    above = card.y - scene.y + card.height <= (1.0 - low - tall) * size[1]
    assert beside or above


def test_lecture_mode_begins_without_it_and_gives_it_back(stage):
    shown = stage("dzhanibekov")
    workspace, ui = shown.workspace, shown.ui
    workspace.settings.change("names.legend", True)
    assert ui.legend.is_on
    workspace.state.lecture = True
    assert not ui.legend.is_on
    workspace.state.lecture_legend = True
    assert ui.legend.is_on
    workspace.state.lecture = workspace.state.lecture_legend = False
    assert ui.legend.is_on


@pytest.mark.parametrize(
    ("card", "left"),
    [
        (None, SCENE),
        (Rect(100, 580, 880, 90), Rect(0, 34, 980, 546)),  # along the lower edge
        (Rect(700, 40, 280, 200), Rect(0, 34, 700, 640)),  # in the upper right corner
    ],
)
def test_messages_and_cards_have_what_it_leaves_of_the_scene(card, left):
    assert legend.leaves(card, SCENE) == left


@pytest.mark.parametrize("size", [(1280, 720), (1100, 620)])
def test_the_cards_of_a_name_and_of_a_film_leave_it_free(stage, size):
    """The progress of a film covered the upper half of it, the card of a thing under the pointer its last lines."""
    shown = stage("dzhanibekov", size=size)
    ui, workspace = shown.ui, shown.workspace
    workspace.settings.change("names.legend", True)
    workspace.writer.job = SimpleNamespace(path=Path("a.mp4"), text="3 of 600", fraction=0.005)
    shown.scene_view.snapshot_of = lambda layer: workspace.session.snapshot()
    scene = ui.layout.areas.scene
    shown.scene_view.frame = picture_of(workspace.session, (scene.width, scene.height))
    shown.frame(2)
    progress = next(each for each in ui.overlays._all if isinstance(each, ProgressCard))
    assert ui.legend.box is not None
    assert progress.box is not None
    assert not _meet(progress.box, ui.legend.box)
    for across, down in itertools.product((0.5, 0.6, 0.7, 0.8), (0.3, 0.5, 0.7)):
        ui.pointer = scene.x + across * scene.width, scene.y + down * scene.height
        workspace.state.named = Spot(0, "body", (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        shown.frame()
        assert not _meet(ui.name_card.box, ui.legend.box), (across, down)
