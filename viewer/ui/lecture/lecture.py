"""Lecture mode: the whole screen for the scene, large text, and a presenter's remote that leads through it."""

from dataclasses import fields, replace

from viewer.common.frozen import frozen
from viewer.scenario.field import Number
from viewer.scenario.playlists import Item, Playlist
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.lesson import CONTROLS, MOST, Control
from viewer.scenario.sections.motion import START_FORMS
from viewer.scenario.tours import Tour
from viewer.ui.host import Host
from viewer.ui.lecture.readouts import controls_of
from viewer.ui.lecture.screen import BlackScreen
from viewer.user.last_session import LastSession
from viewer.workspace.state import UiState
from viewer.workspace.tour_guide import TourGuide

# of the ui's state: not given back afterwards
TRANSIENT = ("question", "lecture", "spot", "handle", "pull", "named", "opening", "faint")
NEXT, BACK = ("PageDown", "Right", "Down", "Enter"), ("PageUp", "Left", "Up", "Backspace")
BLACK = ("B", ".")
CONTROLS_KEYS = (
    "Right",
    "Down",
    "Enter",
    "Left",
    "Up",
    "Backspace",
)  # of these, what a control takes that has the keys


@frozen
class Before:
    """What lecture mode changes, as it was before."""

    state: UiState
    fullscreen: bool
    tour: Tour | None


class Lecture:
    """Leads through a playlist, a tour, or the presets. Nothing of it is written into the settings."""

    def __init__(self, app: Host, guide: TourGuide, black: BlackScreen) -> None:
        self._app, self._guide, self._black = app, guide, black
        self._before: Before | None = None
        self.playlist: Playlist | None = None
        self.at = -1  # the number of its item
        self.own: LastSession | None = None  # the user's scene, of which an item of the lecture has taken the place
        self._asked: Control | None = None  # that a step of a tour points at, or somebody has looked for

    def toggle(self) -> None:
        """Begins, or leaves."""
        if self._app.workspace.state.lecture:
            self.end()
        else:
            self._enter()

    def begin(self, playlist: Playlist) -> None:
        """Begins at the first item of a playlist."""
        self._enter()
        self.playlist = playlist
        self._show(0)

    def _enter(self) -> None:
        app, state = self._app, self._app.workspace.state
        if state.lecture:
            return
        self._before = Before(replace(state), bool(app.window.fullscreen), self._guide.tour)
        app.layout.overlays.close_all()
        for name in ("chart", "hidden", "hand"):
            setattr(state, name, False)
        state.panel, state.lecture, self._asked = None, True, None
        app.layout.begin_lecture()
        if not app.window.fullscreen:
            app.window.toggle_fullscreen()

    def end(self) -> None:
        """All is as it was before, but for the scene; a tour that was begun meanwhile ends."""
        before, app = self._before, self._app
        if before is None:
            return
        self._black.light()
        if self._guide.tour is not before.tour:
            self._guide.end()
        self._before = None
        app.workspace.state.lecture = app.workspace.state.spot = False
        for field in fields(before.state):
            if field.name not in TRANSIENT:
                setattr(app.workspace.state, field.name, getattr(before.state, field.name))
        if bool(app.window.fullscreen) != before.fullscreen:
            app.window.toggle_fullscreen()

    def forget(self) -> None:
        """The user has opened something else than the playlist."""
        self.playlist, self.at, self.own = None, -1, None

    @property
    def _owns(self) -> bool:
        """Whether what the lecture shows is not the user's, so that their own scene still counts."""
        return self._app.workspace.state.lecture or not self._app.workspace.session.unsaved

    @property
    def unsaved_scene(self) -> Scenario | None:
        """The user's scene where no file holds it, also while a lecture or a tour shows its own."""
        if self.own is not None and self.own.unsaved and self._owns:
            return self.own.scenario
        return self._app.workspace.session.unsaved_scene

    @property
    def last_session(self) -> LastSession:
        """What the next start opens if the window closes now, with no tour in it: not a scene of the lecture."""
        app = self._app
        state = app.workspace.state if self._before is None else self._before.state
        session, document = app.workspace.session, app.workspace.session.document
        if self.own is not None and self._owns:
            return replace(self.own, plots=state.plots, panel=state.panel)
        found = document.recordings
        recorded = ((), None) if found is None else (found.files, found.flight)
        return LastSession(document.scenario, document.path, session.unsaved, state.plots, state.panel, *recorded)

    @property
    def item(self) -> Item | None:
        """The item of the playlist that is shown."""
        return self.playlist.items[self.at] if self.playlist is not None and self.at >= 0 else None

    @property
    def asks(self) -> bool:
        """Whether a question of a tour is open, so that what could answer it is not shown."""
        return self._guide.asks

    @property
    def controls(self) -> tuple[Control, ...]:
        """The controls that are shown: what was asked for, and those of the lesson."""
        scenario = self._app.workspace.session.scenario
        asked = [self._asked] if self._asked is not None and scenario.has_effect(self._asked.path) else []
        return tuple(dict.fromkeys([*asked, *controls_of(scenario)]))[:MOST]

    def ask(self, path: str) -> str:
        """Shows the control of a field; returns its name, "" where it has none here."""
        if path in START_FORMS:
            return ""
        field = field_at(path)
        self._asked = Control(path) if isinstance(field, CONTROLS) else None
        return f"##{path}[0]" if isinstance(field, Number) else f"##{path}"

    # -- what a remote does -----------------------------------------------------------------------------------------

    def next(self) -> None:
        """The next step of the tour; after it, the next item."""
        guide, self._asked = self._guide, None
        if guide.tour is not None and (guide.asks or guide.at + 1 < len(guide.tour.steps) or not self._is_listed):
            guide.next()
        else:
            self._show(self._place + 1)

    def back(self) -> None:
        """The step before; before the first one, the item before."""
        self._asked = None
        if self._guide.tour is not None and (self._guide.at > 0 or not self._is_listed):
            self._guide.back()
        else:
            self._show(self._place - 1, last=True)

    @property
    def _is_listed(self) -> bool:
        """Whether the tour that runs is the playlist's item."""
        return self.item is not None and self.item.tour is self._guide.tour

    @property
    def _items(self) -> tuple[Item, ...]:
        return tuple(Item(scene=name) for name in PRESETS) if self.playlist is None else self.playlist.items

    @property
    def _place(self) -> int:
        """The number of the item that is shown; -1: none of them."""
        if self.playlist is not None:
            return self.at
        titles = [preset.title for preset in PRESETS.values()]
        title = self._app.workspace.session.scenario.title
        return titles.index(title) if title in titles else -1

    def _show(self, number: int, last: bool = False) -> None:
        """Shows an item, where there is one of that number; of a tour the first step, or the `last`."""
        if not 0 <= number < len(self._items):
            return
        item = self._items[number]
        self._guide.end()
        self.own = self.own or self.last_session
        if self.playlist is not None:
            self.at = number
        if item.tour is not None:
            self._guide.begin(item.tour, len(item.tour.steps) - 1 if last else 0)
        else:
            self._app.documents.open(item.scene, listed=False)

    def take_key(self, key: str) -> bool:
        """Whether a key is one of a presenter's remote. A control that has the keyboard keeps the arrow keys."""
        if not self._app.workspace.state.lecture or (
            key in CONTROLS_KEYS and self._app.ui.controls.focus.at is not None
        ):
            return False
        if key in NEXT:
            self.next()
        elif key in BACK:
            self.back()
        elif key == BLACK[0]:
            self._black.darken()
        else:
            return False
        return True

    def take_text(self, typed: str) -> bool:
        """The same for typed text."""
        if not self._app.workspace.state.lecture or typed != BLACK[1] or self._app.ui.controls.focus.at is not None:
            return False
        self._black.darken()
        return True
