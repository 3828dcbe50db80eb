"""Undo and redo: merging, limits, and what is not undone."""

from viewer.scenario import Scenario
from viewer.undo import KEPT, UndoStack

A = Scenario(title="A")
B = A.with_value("body.mass", 2.0)
C = B.with_value("body.mass", 3.0)


def test_undo_and_redo_go_back_and_forth() -> None:
    stack = UndoStack()
    assert stack.undo(A) is None
    assert stack.redo(A) is None
    stack.record(A, key=1)
    stack.record(B, key=2)
    assert stack.undo(C) == B
    stack.confirm_undo(C)
    assert stack.undo(B) == A
    stack.confirm_undo(B)
    assert stack.undo(A) is None
    assert stack.redo(A) == B
    stack.confirm_redo(A)
    assert stack.redo(B) == C
    stack.confirm_redo(B)
    assert stack.undo(C) == B


def test_changes_of_one_key_merge_until_committed() -> None:
    stack = UndoStack()
    stack.record(A, key="mass")
    stack.record(B, key="mass")
    assert stack.undo(C) == A
    stack.commit()
    stack.record(C, key="mass")
    assert stack.undo(C) == C


def test_a_new_change_ends_redo() -> None:
    stack = UndoStack()
    stack.record(A, key=1)
    stack.confirm_undo(B)
    assert stack.redo(A) == B
    stack.record(A, key=2)
    assert stack.redo(C) is None


def test_camera_and_clock_stay_unless_the_whole_scene_was_replaced() -> None:
    moved = B.with_value("view.zoom", 3.0).with_value("playback.speed", 5.0)
    stack = UndoStack()
    stack.record(A, key=1)
    restored = stack.undo(moved)
    assert restored is not None
    assert (restored.body, restored.view, restored.playback) == (A.body, moved.view, moved.playback)
    stack.record(A, key=None, whole=True)
    assert stack.undo(moved) == A


def test_the_memory_is_bounded() -> None:
    stack = UndoStack()
    for key in range(3 * KEPT):
        stack.record(A, key=key)
    count = 0
    while stack.undo(A) is not None:
        stack.confirm_undo(A)
        count += 1
    assert count == KEPT
