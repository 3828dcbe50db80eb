"""The row that plays, steps and restarts the motion, with its clock and speed."""

from typing import Any

from viewer.ui.controls import Controls
from viewer.ui.draw import (
    Look,
    icon_button,
    pause_icon,
    play_icon,
    restart_icon,
    step_icon,
    text_right,
    tooltip,
    width_of,
)
from viewer.ui.native_imgui import imgui
from viewer.ui.style import u32
from viewer.ui.text import short

LAGGING = 0.9  # share of the wanted speed below which the panel says what is reached


def draw(look: Look, app: Any, controls: Controls, snapshot: Any) -> None:
    """Three buttons and the clock; below them the speed."""
    height, gap = look.px(30), look.px(4)
    top = imgui.get_cursor_screen_pos()
    right = top.x + imgui.get_content_region_avail().x
    session = app.session
    for name, icon, width, action, meaning in (
        ("play", pause_icon if snapshot.playing else play_icon, 54, session.toggle, "Play or pause (Space)"),
        ("step", step_icon, 38, session.step_once, "One step of the integration period (.)"),
        ("restart", restart_icon, 38, session.reset, "Back to the start (R)"),
    ):
        if icon_button(look, name, icon, look.px(width), height):
            action()
        tooltip(look, meaning)
        controls.focus.button(look, name)
        imgui.same_line(0, gap)
    y = top.y + (height - imgui.get_text_line_height()) / 2
    unit = text_right(right, y, look.palette.dim, " s")
    text_right(right - unit, y, look.palette.text, f"{snapshot.time:.2f}")
    imgui.new_line()
    _speed(look, controls, snapshot)


def _speed(look: Look, controls: Controls, snapshot: Any) -> None:
    """Speed as a slider, and a box that lets it follow from the period."""
    gap = look.px(8)
    slow = snapshot.playing and snapshot.speed_reached < LAGGING * snapshot.speed
    label = f"Only ×{short(snapshot.speed_reached)}" if slow else "Speed"
    imgui.align_text_to_frame_padding()
    imgui.push_style_color(imgui.Col_.text.value, u32(look.palette.danger if slow else look.palette.dim))
    imgui.text_unformatted(label)
    imgui.pop_style_color()
    imgui.same_line(0, gap)
    box = look.px(22) + width_of("auto") + gap
    width = imgui.get_content_region_avail().x - box - gap
    new = controls.value(look, "playback.speed", snapshot.speed, width)
    if new is not None:
        controls.change_many({"playback.auto_speed": False, "playback.speed": new})
    imgui.same_line(0, gap)
    controls.switch(look, "playback.auto_speed", "auto")
