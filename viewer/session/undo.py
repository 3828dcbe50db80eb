"""Undo and redo of what was done to a document."""

import dataclasses
from collections.abc import Hashable
from dataclasses import dataclass

from viewer.scenario.scenario import SCREEN_FIELDS, SECTIONS, Scenario
from viewer.session.document import Document

KEPT = 200  # entries
NOT_UNDONE = ("view", "playback")  # sections: camera and clock


@dataclass(frozen=True)
class Entry:
    """What one thing done has made of the document. `whole`: another scene took its place, camera and clock too."""

    before: Document
    after: Document
    whole: bool

    def undone(self, now: Document) -> Document:
        """`now` without it."""
        return _led_over(self.after, self.before, now, self.whole)

    def redone(self, now: Document) -> Document:
        """`now` with it."""
        return _led_over(self.before, self.after, now, self.whole)


class UndoStack:
    """Remembers what was done, the last entry first. Undo and redo touch only what their entry has changed."""

    def __init__(self) -> None:
        self._undo: list[Entry] = []
        self._redo: list[Entry] = []
        self._open: Hashable = None

    def record(self, before: Document, after: Document, key: Hashable, whole: bool = False) -> None:
        """Something was done; what is done under one `key` merges until `commit` is called."""
        self._redo.clear()
        if key is not None and key == self._open:
            before = self._undo.pop().before
        self._undo.append(Entry(before, after, whole))
        del self._undo[:-KEPT]
        self._open = key

    def commit(self) -> None:
        """Ends the merging: what is done next is an entry of its own."""
        self._open = None

    def last(self) -> Entry | None:
        """The entry that undo takes back, or None; `undid` makes it so."""
        return self._undo[-1] if self._undo else None

    def next(self) -> Entry | None:
        """The entry that redo makes again, or None; `redid` makes it so."""
        return self._redo[-1] if self._redo else None

    def undid(self, now: Document, restored: Document) -> None:
        """The last entry was taken back: `now` has become `restored`."""
        self._redo.append(Entry(restored, now, self._undo.pop().whole))
        self._open = None

    def redid(self, now: Document, restored: Document) -> None:
        """The last undone entry was made again: `now` has become `restored`."""
        self._undo.append(Entry(now, restored, self._redo.pop().whole))
        self._open = None

    def begin_anew(self) -> None:
        """The motion begins anew with what acts now: what was done to it on the way was done to its start."""
        self._open = None
        for stack in (self._undo, self._redo):
            for at in range(len(stack) - 1, -1, -1):
                if stack[at].whole:
                    break
                entry = stack[at]
                stack[at] = Entry(entry.before.begun_anew(), entry.after.begun_anew(), whole=False)


def _led_over(before: Document, after: Document, now: Document, whole: bool) -> Document:
    """`now` with what differs between `before` and `after` as `after` has it."""
    if whole:  # only what the user has set for the screen since then stays
        return Document(_merged(after.start, before, after, now, SCREEN_FIELDS), after.changes)
    led = Document(_merged(now.start, before, after, now, _PATHS), after.changes)
    if before.start.body == after.start.body and before.start.start == after.start.start:
        known = set(before.changes)
        for change in now.changes:  # the pulses since then
            if change not in known:
                led = led.with_change(change)
    return led


def _merged(
    scenario: Scenario, before: Document, after: Document, now: Document, paths: tuple[str, ...]
) -> Scenario:
    """The scene with every field at `paths` as in `after` where `before` differs from it, else as `now`."""
    values = {path: after.start.value(path) for path in paths}
    unchanged = (path for path in paths if before.start.value(path) == values[path])
    return scenario.with_values(values | {path: now.start.value(path) for path in unchanged})


_PATHS = tuple(
    f"{section}.{field.name}"
    for section, kind in SECTIONS.items()
    if section not in NOT_UNDONE
    for field in dataclasses.fields(kind)
)
