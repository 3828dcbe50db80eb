"""Undo and redo of the changes of a document."""

import dataclasses
from collections.abc import Callable, Hashable

from viewer.common.frozen import frozen
from viewer.scenario.scenario import SCREEN_FIELDS, SECTIONS, Scenario
from viewer.session.document import Document

LIMIT = 200  # entries
NOT_UNDONE = ("view", "playback")  # sections: camera and clock
TEXTS = ("title", "summary", "source", "assumed")


@frozen
class Entry:
    """One action: the document before and after it.

    `whole` says that the action opened another scene; undoing it brings back the camera and the clock, too.
    """

    before: Document
    after: Document
    whole: bool


class UndoStack:
    """The actions that can be undone and redone. Undo and redo change only the fields that the action had changed."""

    def __init__(self) -> None:
        self._undo: list[Entry] = []
        self._redo: list[Entry] = []  # undone actions, which redo repeats
        self._open: Hashable = None

    @property
    def possible(self) -> tuple[bool, bool]:
        """Whether there is something to undo, and whether there is something to redo."""
        return bool(self._undo), bool(self._redo)

    def record(self, before: Document, after: Document, key: Hashable, whole: bool = False) -> None:
        """Add an action, unless it has changed nothing; actions with the same `key` merge until `commit` is called."""
        if self.merges(key):
            before = self._undo.pop().before
        elif before == after:
            self.commit()
            return
        self._redo.clear()
        self._undo.append(Entry(before, after, whole))
        del self._undo[:-LIMIT]
        self._open = key

    def merges(self, key: Hashable) -> bool:
        """Return whether an action with this key would merge with the last one."""
        return key is not None and key == self._open

    def commit(self) -> None:
        """End the merging: the next action is an entry of its own."""
        self._open = None

    def cancel(self, now: Document, restore: Callable[[Document, bool], None]) -> None:
        """Undo the action that is still open to merging, without a redo; do nothing if there is none."""
        if self._open is not None:
            self.undo(now, restore)
            del self._redo[-1:]

    def undo(self, now: Document, restore: Callable[[Document, bool], None]) -> None:
        """Undo the last action that still has an effect. `restore` opens the document without it, and may raise."""
        self._take_back(self._undo, self._redo, now, restore)

    def redo(self, now: Document, restore: Callable[[Document, bool], None]) -> None:
        """Repeat the action that was undone last; `restore` is as in `undo`."""
        self._take_back(self._redo, self._undo, now, restore)

    def _take_back(
        self, stack: list[Entry], other: list[Entry], now: Document, restore: Callable[[Document, bool], None]
    ) -> None:
        while stack:
            entry = stack[-1]
            restored = _without(entry, now)
            restore(restored, entry.whole)
            other.append(Entry(now, restored, stack.pop().whole))
            self.commit()
            if restored != now:  # else a later action had removed its effect
                return


def _without(entry: Entry, now: Document) -> Document:
    """Return `now` without the effect of `entry`: the fields that its action changed have their earlier values.

    All other fields are as now. If the action opened a whole scene, the whole document from before is returned.
    """
    before, after = entry.before, entry.after
    if entry.whole:  # only the user's settings for the screen since then are kept
        return dataclasses.replace(before, start=_merged(before.start, entry, now, SCREEN_FIELDS))
    document = dataclasses.replace(now, start=_merged(now.start, entry, now, _PATHS), changes=before.changes)
    if before.motion[0] == after.motion[0]:
        known = set(after.changes)
        for change in now.changes:  # the pulses since then
            if change not in known:
                document = document.with_change(change)
    return document


def _merged(scenario: Scenario, entry: Entry, now: Document, paths: tuple[str, ...]) -> Scenario:
    """Return `scenario` with the fields at `paths` set.

    A field that the action of `entry` changed has the value from before the action; all others have their present
    value.
    """
    before, after = entry.before.start, entry.after.start
    return scenario.with_values(
        {path: (now.start if before.value(path) == after.value(path) else before).value(path) for path in paths}
    )


_PATHS = (
    *(
        f"{section}.{field.name}"
        for section, kind in SECTIONS.items()
        if section not in NOT_UNDONE
        for field in dataclasses.fields(kind)
    ),
    *TEXTS,
    "bodies",
)
