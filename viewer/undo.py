"""Undo and redo of changes to a scene."""

import dataclasses
from collections.abc import Hashable
from dataclasses import dataclass

from viewer.scenario import Scenario

KEPT = 200  # entries


@dataclass(frozen=True)
class _Entry:
    scenario: Scenario
    whole: bool


class UndoStack:
    """Remembers scenes. The camera and the playback clock are not undone, unless a whole scene was replaced."""

    def __init__(self) -> None:
        self._undo: list[_Entry] = []
        self._redo: list[_Entry] = []
        self._open: Hashable = None

    def record(self, before: Scenario, key: Hashable, whole: bool = False) -> None:
        """Remembers the scene before a change; changes of one `key` merge until `commit` is called."""
        self._redo.clear()
        if key is not None and key == self._open:
            return
        self._undo.append(_Entry(before, whole))
        del self._undo[:-KEPT]
        self._open = key

    def commit(self) -> None:
        """Ends the merging: the next change is an entry of its own."""
        self._open = None

    def undo(self, now: Scenario) -> Scenario | None:
        """The scene before the last change, or None where there is none; `confirm_undo` makes it so."""
        return _restored(self._undo[-1], now) if self._undo else None

    def redo(self, now: Scenario) -> Scenario | None:
        """The scene before the last undo, or None; `confirm_redo` makes it so."""
        return _restored(self._redo[-1], now) if self._redo else None

    def confirm_undo(self, now: Scenario) -> None:
        """Takes back the last entry; `now` is the scene before that."""
        self._redo.append(_Entry(now, self._undo.pop().whole))
        self._open = None

    def confirm_redo(self, now: Scenario) -> None:
        """Makes the last undone entry again; `now` is the scene before that."""
        self._undo.append(_Entry(now, self._redo.pop().whole))
        self._open = None


def _restored(entry: _Entry, now: Scenario) -> Scenario:
    if entry.whole:
        return entry.scenario
    return dataclasses.replace(entry.scenario, view=now.view, playback=now.playback)
