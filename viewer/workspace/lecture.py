"""The state of lecture mode: the items that it leads through, the one that is shown, and the user's own scene."""

from dataclasses import replace
from typing import Any

from viewer.common.frozen import frozen
from viewer.scenario.field import Number
from viewer.scenario.playlists import Item, Playlist
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.lesson import CONTROLS, Control
from viewer.scenario.sections.motion import START_FORMS
from viewer.scenario.tours import Tour
from viewer.session.session import Session
from viewer.user.last_session import LastSession
from viewer.workspace.state import UiState
from viewer.workspace.tour_guide import TourGuide


@frozen
class Before:
    """The state that lecture mode changes, as it was before that mode."""

    ui: dict[str, Any]
    fullscreen: bool
    tour: Tour | None


class Lecture:
    """A lecture, which leads through a playlist, a tour, or the presets, and changes no settings.

    `at` is the number of the playlist's item that is shown. `own` is the user's scene while an item of the lecture is
    shown instead. `asked` is the control that a step of a tour points at, or that the user has searched for.
    """

    def __init__(self, session: Session, state: UiState, tour: TourGuide) -> None:
        self._session, self._state, self._tour = session, state, tour
        self.before: Before | None = None
        self.playlist: Playlist | None = None
        self.at = -1
        self.own: LastSession | None = None
        self.asked: Control | None = None
        self._plays = False  # whether the motion was playing before the screen went black

    def darken(self) -> None:
        """Make the screen black, and pause the motion."""
        self._plays = self._session.playback.playing
        self._session.playback.pause()
        self._state.black = True

    def light(self) -> bool:
        """Show the scene again; return whether the screen was black."""
        was_black, self._state.black = self._state.black, False
        if was_black and self._plays:
            self._session.playback.play()
        return was_black

    def forget(self) -> None:
        """Leave the playlist: the user has opened something else."""
        self.playlist, self.at, self.own = None, -1, None

    @property
    def _owns(self) -> bool:
        """Whether `own` still counts: the scene that is shown is the lecture's, or has no unsaved changes."""
        return self._state.lecture or not self._session.unsaved

    @property
    def unsaved_scene(self) -> Scenario | None:
        """The user's scene if it is not saved, even while a lecture or a tour shows its own; else None."""
        if self.own is not None and self.own.unsaved and self._owns:
            return self.own.scenario
        return self._session.unsaved_scene

    @property
    def last_session(self) -> LastSession:
        """The session that the next start restores if the window closes now; without tours and lectures."""
        ui = vars(self._state) if self.before is None else self.before.ui
        plots, panel = ui["plots"], ui["panel"]
        session, document = self._session, self._session.document
        if self.own is not None and self._owns:
            return replace(self.own, plots=plots, panel=panel)
        found = document.recordings
        recorded = () if found is None else (found.files, found.flight, found.recordings[0].read_as.repair)
        return LastSession(document.scenario, document.path, session.unsaved, plots, panel, *recorded)

    @property
    def item(self) -> Item | None:
        """The item of the playlist that is shown, or None."""
        return self.playlist.items[self.at] if self.playlist is not None and self.at >= 0 else None

    def ask(self, path: str) -> str:
        """Show the control of a field; return the control's name, or "" if the field has no control here."""
        if path in START_FORMS:
            return ""
        field = field_at(path)
        self.asked = Control(path) if isinstance(field, CONTROLS) else None
        return f"##{path}[0]" if isinstance(field, Number) else f"##{path}"

    @property
    def is_listed(self) -> bool:
        """Whether the present tour is an item of the playlist."""
        return self.item is not None and self.item.tour is self._tour.tour

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of the lecture: those of the playlist, or else the presets."""
        return tuple(Item(scene=name) for name in PRESETS) if self.playlist is None else self.playlist.items

    @property
    def place(self) -> int:
        """The number of the item that is shown, or -1 if none is."""
        if self.playlist is not None:
            return self.at
        titles = [preset.title for preset in PRESETS.values()]
        title = self._session.scenario.title
        return titles.index(title) if title in titles else -1
