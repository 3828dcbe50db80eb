"""Lecture mode with real keys: what it takes is given back, a remote leads through it, and nothing is written down."""

from dataclasses import replace

import numpy as np
import pytest

from viewer.commands.documents import open_named
from viewer.commands.lecture import begin
from viewer.scenario.playlists import load
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tours
from viewer.user.settings import Settings

PLAYLIST = """[[items]]
scene = "dzhanibekov"
title = "It flips"

[[items]]
tour = "stereo"

[[items]]
scene = "mine.toml"
"""


@pytest.fixture
def playlist(tmp_path):
    Scenario.preset("rod").with_value("title", "Mine").save(tmp_path / "mine.toml")
    (tmp_path / "monday.toml").write_text(PLAYLIST)
    return tmp_path / "monday.toml"


def lecture(desktop, **more):
    shown = desktop("dzhanibekov", size=(700, 500), **more)
    shown.key("F5")
    return shown


def scene_and_board(shown) -> tuple[np.ndarray, np.ndarray]:
    areas, pixels = shown.app.ui.layout.areas, shown.screen()
    return tuple(
        pixels[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width] for rect in (areas.scene, areas.board)
    )


@pytest.mark.parametrize("leave", ["F5", "Escape"])
def test_it_takes_the_screen_and_gives_back_what_it_took(desktop, tmp_path, leave):
    settings = Settings(tmp_path / "settings.toml")
    shown = desktop("dzhanibekov", size=(700, 500), settings=settings)
    app = shown.app
    app.workspace.state.toggle("plots")
    app.ui.layout.show_panel(True)
    shown.until(lambda: app.window.pixels == (700, 500))
    shown.settle()
    app.on_deactivate()
    state, areas, scale = replace(app.workspace.state), app.ui.layout.areas, app.ui.layout.scale
    written = (tmp_path / "settings.toml").read_text() if (tmp_path / "settings.toml").exists() else ""
    shown.key("F5")
    assert app.window.pixels == (1280, 800)
    width, height = app.window.pixels
    assert app.ui.layout.scale == pytest.approx(1.6 * max(min(width / 900.0, height / 720.0), 1.0))
    assert app.ui.layout.areas.panel is None
    assert app.ui.layout.areas.toolbar is None
    assert app.ui.layout.areas.board is not None
    shown.key("ctrl+plus", "p", "g", "h", "h")
    app.on_deactivate()  # as it is done when the program ends, or the window loses the keyboard
    shown.key(leave)
    assert app.window.pixels == (700, 500)
    assert (app.workspace.state, app.ui.layout.areas, app.ui.layout.scale) == (state, areas, scale)
    app.on_deactivate()
    assert (tmp_path / "settings.toml").exists() == bool(written)
    assert not written or (tmp_path / "settings.toml").read_text() == written


def test_an_end_in_the_middle_leaves_nothing_in_the_settings(desktop, tmp_path):
    path = tmp_path / "settings.toml"
    shown = desktop("dzhanibekov", size=(700, 500), settings=Settings(path))
    shown.key("F5")
    shown.key("ctrl+plus")
    shown.app.on_deactivate()  # the first thing that closing does
    assert Settings(path).value("window.fullscreen") is False
    assert Settings(path).value("panel.text_size") == 1.0
    assert Settings(path).value("window.width") in (700, 1280)  # nothing is written: the default


def test_the_remote_leads_through_the_playlist_and_pushes_nothing(desktop, playlist):
    shown = lecture(desktop)
    guide, lead = shown.app.workspace.tour, shown.app.workspace.lecture
    begin(shown.app.workspace, load(playlist))
    shown.settle()
    assert (lead.at, shown.scenario.title) == (0, Scenario.preset("dzhanibekov").title)
    shown.key("Prior")  # there is nothing before it
    assert lead.at == 0
    shown.key("Next")
    assert (lead.at, guide.tour, guide.at) == (1, tours()["stereo"], 0)
    steps = len(guide.tour.steps)
    while guide.tour is not None and (guide.at + 1 < steps or guide.asks):
        before = guide.at, guide.asks
        shown.key("Next")
        assert (guide.at, guide.asks) != before
    shown.key("Next")
    assert (lead.at, guide.tour, shown.scenario.title) == (2, None, "Mine")
    shown.key("Next", "Right", "Down", "Return")  # it was the last one
    assert lead.at == 2
    shown.key("Left")
    assert (lead.at, guide.at) == (1, steps - 1)
    shown.key("Up")
    assert (lead.at, guide.at) == (1, steps - 2)
    assert shown.session.document.changes == ()
    assert shown.app.workspace.settings.value("scenes.recent") == ()  # they are not what the user has opened
    shown.key("Escape")
    assert guide.tour is None
    assert lead.at == 1


def test_without_a_playlist_it_leads_through_the_presets(desktop):
    shown = lecture(desktop)
    names = list(PRESETS)
    at = names.index("dzhanibekov")
    shown.key("Next")
    assert shown.scenario.title == PRESETS[names[at + 1]].title
    shown.key("Prior", "Prior")
    assert shown.scenario.title == PRESETS[names[at - 1]].title
    assert shown.session.document.changes == ()
    shown.key("F5")
    shown.key("Prior")  # a torque pulse again
    assert len(shown.session.document.changes) == 1


@pytest.mark.parametrize(("key", "light"), [("b", "b"), ("period", "period"), ("b", "Next"), ("period", "Escape")])
def test_the_black_screen(desktop, key, light):
    shown = lecture(desktop, playing=True)
    title = shown.scenario.title
    shown.key(key)
    assert not shown.screen().any()
    assert not shown.session.playback.playing
    now = shown.session.motion.time
    frames = shown.app.frames.count
    for _ in range(5):
        shown.turn()
    assert shown.app.frames.count == frames
    shown.key(light)
    assert shown.screen().any()
    assert shown.session.playback.playing
    assert shown.session.motion.time < now + 5.0
    assert (shown.app.workspace.state.lecture, shown.scenario.title) == (True, title)


def test_a_click_lights_the_black_screen_and_does_no_more(desktop):
    shown = lecture(desktop)
    view = shown.scenario.view
    shown.click(*shown.middle("lecture black"))
    assert not shown.screen().any()
    shown.drag((300, 300), (80, 40))
    assert shown.screen().any()
    assert shown.scenario.view == view


def test_the_spotlight_follows_the_mouse_and_rests_with_it(desktop):
    shown = lecture(desktop)
    plain, board = scene_and_board(shown)
    shown.move(400, 300)
    lit, board_then = scene_and_board(shown)
    np.testing.assert_array_equal(lit[295:305, 420:430], plain[295:305, 420:430])  # within the ring: as it is
    far = plain[50:100, 50:100].astype(int), lit[50:100, 50:100].astype(int)
    assert far[1].mean() < 0.75 * far[0].mean()  # 0.68 of it
    radius = round(46 * shown.app.ui.layout.scale)
    assert lit[300, 400 + radius].min() > plain[300, 400 + radius].min() or lit[300, 400 + radius, 0] > 200
    np.testing.assert_array_equal(board_then, board)
    frames = shown.app.frames.count
    for _ in range(5):
        shown.turn()
    assert shown.app.frames.count == frames
    shown.key("Right")  # a remote's key: the hall looks at the scene again
    assert not shown.app.workspace.state.spot
    shown.move(410, 300)
    assert shown.app.workspace.state.spot


def test_only_errors_are_shown(desktop):
    shown = lecture(desktop)
    messages = shown.app.workspace.messages
    offer = lambda: messages.offer("Shall I?", "Yes", lambda: None, lambda: True)  # noqa: E731
    for show in (lambda: messages.notice("Saved"), offer):
        show()
        shown.settle()
        assert shown.app.ui.message_card.boxes == []
    messages.error("It failed")
    shown.settle()
    assert len(shown.app.ui.message_card.boxes) == 1


def test_a_control_of_the_board_changes_the_scene_and_takes_the_arrows_while_it_has_the_keyboard(desktop):
    shown = lecture(desktop)
    name = "##start.angular_velocity[1]"
    left, top, right, bottom = shown.boxes[name]
    assert bottom - top > 35
    shown.drag(((left + right) / 2, (top + bottom) / 2), (30, 0))
    assert shown.scenario.start.angular_velocity[1] > 6.0
    shown.app.ui.go_to("body.mass")
    shown.settle()
    assert shown.app.ui.board.controls[0].path == "body.mass"
    title = shown.scenario.title
    shown.key("Right")
    assert shown.scenario.body.mass > 1.0
    assert shown.scenario.title == title
    shown.key("Next")
    assert shown.scenario.title != title


def test_opening_a_playlist_begins_it_and_a_broken_one_changes_nothing(desktop, playlist):
    shown = desktop("sphere", size=(700, 500))
    (playlist.parent / "broken.toml").write_text(PLAYLIST.replace("mine.toml", "gone.toml"))
    shown.app.on_file_drop(0, 0, [str(playlist.parent / "broken.toml")])
    shown.settle()
    assert not shown.app.workspace.state.lecture
    assert shown.message.endswith("gone.toml: file not found (broken.toml, line 9)")
    assert shown.scenario.title == Scenario.preset("sphere").title
    shown.app.on_file_drop(0, 0, [str(playlist)])
    shown.settle()
    assert shown.app.workspace.state.lecture
    assert shown.app.workspace.lecture.item.title == "It flips"
    shown.key("Escape", "F5")
    assert shown.app.workspace.lecture.at == 0  # it goes on where it was
    shown.key("Escape")
    open_named(shown.app.workspace, "rod")
    assert shown.app.workspace.lecture.playlist is None


@pytest.mark.parametrize("mode", ["side-by-side", "anaglyph", "top-bottom-half", "row-interlaced"])
def test_it_is_there_in_stereo(desktop, mode):
    shown = lecture(desktop)
    shown.app.workspace.editor.set("stereo.mode", mode)
    shown.move(200, 200)
    assert shown.app.ui.layout.areas.board is not None
    assert shown.app.workspace.state.spot
    shown.key("b")
    assert not shown.screen().any()


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["race-of-five", "twenty-boxes"])
def test_races_and_several_bodies(desktop, preset):
    shown = desktop(preset, size=(700, 500), playing=True)
    shown.key("F5")
    shown.move(300, 300)
    assert 1 <= len(shown.app.ui.board.controls) <= 3
    shown.key("h")
    assert shown.app.ui.layout.areas.board is None
    shown.key("Escape")
    assert shown.app.window.pixels == (700, 500)


def test_the_card_of_a_tour_has_room_for_all_that_it_says_beside_the_scene(desktop):
    shown = lecture(desktop)
    layout, guide = shown.app.ui.layout, shown.app.workspace.tour
    guide.start("flip")
    shown.settle()
    assert guide.asks
    for _ in range(3):  # the question, the answer, the next step
        box, board = shown.app.ui.tour_card.box, layout.areas.board
        assert box.height == layout.card_height
        assert (box.x, box.width) == (board.x, board.width)
        left, _, right, bottom = shown.boxes["Back"]
        assert box.x <= left < right <= box.x + box.width
        assert box.y + box.height - bottom >= 8.0  # the buttons end within it, below the text
        shown.key("Next")
