"""The list of keys: every line is whole, in as many columns as the window has room for."""

import numpy as np
import pytest

from viewer.commands import actions


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("size", "scale"), [((320, 240), 1.0), ((800, 600), 1.0), ((800, 600), 1.6), ((1280, 720), 1.0)]
)
def test_no_line_is_cut(stage, size, scale, language):
    """Nor broken into more than four: in a narrow window, too, there is room for what a key does."""
    shown = stage(size=size, scale=scale)
    shown.workspace.settings.change("panel.language", language)
    shown.ui.keys.is_open = True
    shown.frame(3)
    found = [words for _, lines in actions.rows() for line in lines for words in line if words.strip()]
    wanted = {part for words in found for part in (words, *words.split(", "))}
    seen = set()
    for _ in range(90):
        listed = [(words, box) for words, box in shown.texts if words in wanted]
        assert all(box[0] >= 0 and box[2] <= size[0] - 8 * scale for _, box in listed)
        tall = [(box[3] - box[1], words) for words, box in listed if box[3] - box[1] > 4.5 * 17 * scale]
        assert not tall
        seen |= {words for words, _ in listed}
        for _ in range(6):
            shown.ui.keys.take_key("Down")
        shown.frame(2)
    assert all(words in seen or seen >= {*words.split(", ")} for words in found)
    shown.workspace.settings.change("panel.language", "en")
    shown.frame()


@pytest.mark.parametrize("language", ["en", "de"])
def test_there_are_two_columns_in_the_usual_window(stage, language):
    """Where only the longest lines find no room for that, they break."""
    shown = stage(size=(1280, 720))
    shown.workspace.settings.change("panel.language", language)
    shown.ui.keys.is_open = True
    shown.frame(3)
    keys = {keys for _, lines in actions.rows() for keys, _ in lines}
    edges = {round(box[0]) for words, box in shown.texts if words in keys and box[2] - box[0] > 30}
    assert len(edges) >= 2
    shown.workspace.settings.change("panel.language", "en")
    shown.frame()


def test_every_key_has_a_cap_and_no_gesture_of_the_mouse_has_one(stage):
    shown = stage(size=(1280, 1800))
    shown.ui.keys.is_open = True
    shown.frame(3)
    pixels, boxes = shown.pixels().astype(int), dict(shown.texts)

    def has_cap(words: str) -> bool:
        left, top, right, bottom = (round(side) for side in boxes[words])
        row = (top + bottom) // 2
        return all(np.abs(pixels[row, edge - 2 : edge + 2] - pixels[row, left - 2]).max() > 30 for edge in
                   (left - 3, right + 3))  # fmt: skip

    assert all(has_cap(key) for key in ("Dot", "Comma", "+", "-", "F11", "Ctrl+Shift+Z", "Ctrl+Y"))
    assert not any(has_cap(gesture) for gesture in ("wheel", "double click"))
