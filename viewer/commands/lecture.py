"""Lecture mode: the whole screen for the scene, large text, and a presenter's remote that leads through it."""

from viewer.commands.opening import end_opening, open_scene
from viewer.scenario.playlists import Playlist
from viewer.workspace.lecture import Before
from viewer.workspace.state import LECTURE_TEXT
from viewer.workspace.workspace import Workspace

# fields of the ui's state that are restored afterwards
GIVEN_BACK = ("panel", "panel_modes", "plots", "chart", "hidden", "hand", "lecture_text", "lecture_legend")


def toggle(workspace: Workspace) -> None:
    """Begin lecture mode, or leave it."""
    if workspace.state.lecture:
        end(workspace)
    else:
        _enter(workspace)


def begin(workspace: Workspace, playlist: Playlist) -> None:
    """Begin lecture mode at the first item of a playlist; the reading of a file is cancelled."""
    end_opening(workspace)
    _enter(workspace)
    workspace.lecture.playlist = playlist
    _show(workspace, 0)


def _enter(workspace: Workspace) -> None:
    state, lecture, window = workspace.state, workspace.lecture, workspace.window
    if state.lecture:
        return
    ui = {name: getattr(state, name) for name in GIVEN_BACK}
    lecture.before = Before(ui, bool(window.fullscreen), workspace.tour.tour)
    workspace.in_window["close-overlays"]()
    for name in ("chart", "hidden", "hand"):
        setattr(state, name, False)
    state.panel, state.lecture, state.lecture_text, lecture.asked = None, True, LECTURE_TEXT, None
    if not window.fullscreen:
        window.toggle_fullscreen()


def end(workspace: Workspace) -> None:
    """Leave lecture mode: restore everything except the scene, and end a tour that was begun meanwhile."""
    state, lecture, window = workspace.state, workspace.lecture, workspace.window
    before = lecture.before
    if before is None:
        return
    lecture.light()
    if workspace.tour.tour is not before.tour:
        workspace.tour.end()
    lecture.before = None
    state.lecture = state.spot = False
    for name, value in before.ui.items():
        setattr(state, name, value)
    if bool(window.fullscreen) != before.fullscreen:
        window.toggle_fullscreen()


def go_on(workspace: Workspace) -> None:
    """Show the next step of the tour; if there is none, show the next item."""
    lecture, tour = workspace.lecture, workspace.tour
    lecture.asked = None
    if tour.tour is not None and (tour.asks or tour.at + 1 < len(tour.tour.steps) or not lecture.is_listed):
        tour.next()
    else:
        _show(workspace, lecture.place + 1)


def go_back(workspace: Workspace) -> None:
    """Show the previous step of the tour; if there is none, show the previous item."""
    lecture, tour = workspace.lecture, workspace.tour
    lecture.asked = None
    if tour.tour is not None and (tour.at > 0 or not lecture.is_listed):
        tour.back()
    else:
        _show(workspace, lecture.place - 1, last=True)


def _show(workspace: Workspace, number: int, last: bool = False) -> None:
    """Show the item with this number, if there is one.

    A tour begins at its first step or, if `last`, at its last.
    """
    lecture, tour = workspace.lecture, workspace.tour
    if not 0 <= number < len(lecture.items):
        return
    item = lecture.items[number]
    tour.end()
    lecture.own = lecture.own or lecture.last_session
    if lecture.playlist is not None:
        lecture.at = number
    if item.tour is not None:
        tour.begin(item.tour, len(item.tour.steps) - 1 if last else 0)
    else:
        open_scene(workspace, item.scene, listed=False)
