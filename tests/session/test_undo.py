"""Undo and redo: merging, limits, and that an entry touches only what it has changed."""

from typing import Any

from viewer.scenario.scenario import Scenario
from viewer.session.document import Change, Document
from viewer.session.undo import LIMIT, UndoStack

A = Document(Scenario(title="A"))


def changed(document: Document, **values: Any) -> Document:
    return document.with_fields(
        document.start.with_values({path.replace("__", "."): value for path, value in values.items()})
    )


B = changed(A, body__mass=2.0)
C = changed(B, body__mass=3.0)


def undo(stack: UndoStack, now: Document) -> Document:
    found = [now]
    stack.undo(now, lambda document, _: found.append(document))
    return found[-1]


def redo(stack: UndoStack, now: Document) -> Document:
    found = [now]
    stack.redo(now, lambda document, _: found.append(document))
    return found[-1]


def test_undo_and_redo_go_back_and_forth() -> None:
    stack = UndoStack()
    assert undo(stack, A) is redo(stack, A) is A
    stack.record(A, B, key=1)
    stack.record(B, C, key=2)
    assert undo(stack, C) == B
    assert undo(stack, B) == A
    assert undo(stack, A) == A
    assert redo(stack, A) == B
    assert redo(stack, B) == C
    assert redo(stack, C) == C
    assert undo(stack, C) == B


def test_changes_of_one_key_merge_until_committed() -> None:
    stack = UndoStack()
    stack.record(A, B, key="mass")
    stack.record(B, C, key="mass")
    assert undo(stack, C) == A
    assert redo(stack, A) == C
    stack.record(C, B, key="mass")
    stack.commit()
    stack.record(B, A, key="mass")
    assert undo(stack, A) == B


def test_a_new_change_ends_redo() -> None:
    stack = UndoStack()
    stack.record(A, B, key=1)
    assert undo(stack, B) == A
    stack.record(A, C, key=2)
    assert redo(stack, C) is C


def test_what_an_entry_has_not_changed_stays() -> None:
    stack = UndoStack()
    stack.record(A, B, key=1)
    since = {"view__zoom": 3.0, "playback__speed": 5.0, "title": "Saved", "loads__pulse": 0.05}
    moved = changed(B, **since)
    assert undo(stack, moved) == changed(A, **since)
    stack.record(A, C, key=None, whole=True)
    since["view__theme"] = "light"  # belongs to the screen
    assert undo(stack, changed(C, **since)) == changed(A, view__theme="light")


def test_the_memory_is_bounded() -> None:
    stack = UndoStack()
    for key in range(3 * LIMIT):
        stack.record(A, B, key=key)
    count = 0
    while undo(stack, B) != B:
        count += 1
    assert count == LIMIT


def test_a_change_after_undo_is_one_of_its_own_whatever_its_key() -> None:
    stack = UndoStack()
    stack.record(A, B, key=1)
    stack.record(B, C, key=2)
    assert undo(stack, C) == B
    other = changed(B, body__mass=5.0)
    stack.record(B, other, key=2)
    assert undo(stack, other) == B
    assert undo(stack, B) == A


def test_what_is_undone_leaves_the_changes_that_have_been_made_since() -> None:
    """But a step that begins the motion anew takes those with it."""
    pulse = Change(1.0, impulse=(0.0, 0.1, 0.0))
    shown = changed(A, show__body=False)
    stack = UndoStack()
    stack.record(A, shown, key=1)
    assert undo(stack, shown.with_change(pulse)) == A.with_change(pulse)
    stack = UndoStack()
    stack.record(A, B, key=1)
    assert undo(stack, B.with_change(pulse)).changes == ()
