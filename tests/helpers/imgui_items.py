"""Writes down where Dear ImGui puts items, so that a test can find a button or a slider on the screen."""

from collections.abc import Callable
from typing import Any

import pytest

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels
ITEMS = (
    "invisible_button",
    "button",
    "checkbox",
    "radio_button",
    "tree_node_ex",
    "begin_combo",
    "selectable",
    "input_text",
    "input_text_with_hint",
    "input_text_multiline",
)


def record_items(monkeypatch: pytest.MonkeyPatch, note: Callable[[str, Box], None]) -> None:
    """Calls `note(label, box)` for every item that is laid out, of "Text###name" for the name as well."""
    from viewer.ui.platform.imgui_module import imgui

    def record(name: str) -> None:
        original = getattr(imgui, name)

        def recorded(label: str, *args: Any, **more: Any) -> Any:
            result = original(label, *args, **more)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            for name in dict.fromkeys((label, label.partition("###")[2] or label)):
                note(name, (low.x, low.y, high.x, high.y))
            return result

        monkeypatch.setattr(imgui, name, recorded)

    for name in ITEMS:
        record(name)
