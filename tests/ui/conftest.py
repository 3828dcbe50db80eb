"""The interface without a window: a real session, an offscreen picture, and a record of what was laid out where."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import moderngl
import numpy as np
import pytest
from helpers.imgui_items import Box, record_items

from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.platform.display import Monitor
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.ui import Ui
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.workspace import Workspace

ALL_SECTIONS = (
    "Scene", "Body", "Start", "Loads", "Solver", "Race", "View", "Stereo", "Show", "Camera path",
)  # fmt: skip
RESTING: list[moderngl.Framebuffer] = []


def _raise(error: Exception) -> None:
    """What nobody expected fails the test."""
    raise error


class Stage:
    """An interface with its picture; the mouse and the clock are the test's."""

    def __init__(self, gl: moderngl.Context, scenario: Scenario, size: tuple[int, int], scale: float) -> None:
        self.size, self.scale, self.now = size, scale, 100.0
        self._painted = False
        self.workspace = workspace = Workspace(Session(scenario, playing=False), clock=lambda: self.now)
        self.written: list[str] = []  # what the writer was asked for
        workspace.writer = SimpleNamespace(
            recording=False,
            busy=False,
            seconds=0.0,
            waiting=None,
            job=None,
            picture=lambda: SimpleNamespace(size=(972, 638)),
            check_free=lambda: None,
            save_picture=lambda *_: None,
            save_plots_table=lambda *_: self.written.append("plots"),
            unused=lambda *_: Path("poinsot.mp4"),
        )
        screen = SimpleNamespace(width=1280, height=720)  # of unknown size in the room
        self.window = workspace.window = SimpleNamespace(
            interface_scale=scale, pixels=size, fullscreen=False, ratio=1.0, standing=lambda: (screen, (0, 0))
        )
        self.scene_view = SimpleNamespace(
            marks_scale=1.0,
            body_rect=lambda number: None,
            eyes=None,
            comfort=None,
            unavailable=None,
            due=False,
            frame=None,
        )
        if not RESTING:
            RESTING.append(gl.framebuffer([gl.renderbuffer((1, 1))]))
        self.texture = gl.texture(size, 4)
        self.target = gl.framebuffer([self.texture])
        layout = WindowLayout(workspace, self.window, Monitor())
        self.ui = Ui(gl, workspace, self.window, layout, self.scene_view, _raise)
        self.boxes: dict[str, Box] = {}
        self.texts: list[tuple[str, Box]] = []

    def frame(self, count: int = 1, seconds: float = 0.02) -> None:
        """Lays out `count` frames, of which the first is painted; the records hold what the last one laid out."""
        for _ in range(count):
            self.now += seconds
            self.boxes.clear()
            self.texts.clear()
            self.ui.build()
            if not self._painted:
                self._paint()

    def _paint(self) -> None:
        self._painted = True
        self.target.use()
        self.target.clear(0.0, 0.0, 0.0, 1.0)
        self.ui.paint(self.target)

    def pixels(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The last frame, painted now: (H, W, 3), top row first."""
        self._paint()
        width, height = self.size
        return np.frombuffer(self.target.read(components=3), np.uint8).reshape(height, width, 3)[::-1]

    def move(self, x: float, y: float) -> None:
        imgui.get_io().add_mouse_pos_event(x, y)
        self.frame()

    def over(self, name: str) -> tuple[float, float]:
        """Moves the mouse to the middle of the item with that name, long after the last click."""
        self.frame(1, 0.5)
        left, top, right, bottom = self.boxes[name]
        at = ((left + right) / 2, (top + bottom) / 2)
        self.move(*at)
        return at

    def button(self, down: bool, which: int = 0) -> None:
        imgui.get_io().add_mouse_button_event(which, down)
        self.frame()

    def click(self, name: str, which: int = 0) -> None:
        self.over(name)
        self.button(True, which)
        self.button(False, which)
        self.frame()

    def double_click(self, name: str) -> None:
        self.over(name)
        for down in (True, False, True, False):
            self.button(down)

    def enter(self, name: str, words: str) -> None:
        """Types into a box, which a double click opens, instead of what stands there."""
        self.double_click(name)
        self.frame(2)
        self.type(words)

    def drag(self, name: str, dx: float, release: bool = True) -> None:
        """Presses on an item and moves the mouse by `dx` pixels."""
        x, y = self.over(name)
        self.button(True)
        self.move(x + dx / 2, y)
        self.move(x + dx, y)
        if release:
            self.button(False)

    def key(self, key: Any) -> None:
        for down in (True, False):
            imgui.get_io().add_key_event(key, down)
            self.frame()

    def type(self, words: str) -> None:
        """Double clicks are over: types into the field that has the keyboard, then Enter."""
        imgui.get_io().add_input_characters_utf8(words)
        self.frame()
        self.key(imgui.Key.enter)
        self.frame()

    @property
    def message(self) -> str | None:
        scene, status = self.workspace.session.scene, self.workspace.session.status
        number = 0 if status.event is None else status.number
        messages = self.ui.workspace.messages
        messages.follow(scene.message, scene.message_is_doubt, number)
        line = messages.current
        return line.text if line else None

    def release(self) -> None:
        self.ui.release()
        RESTING[0].use()  # moderngl goes on binding a released framebuffer
        self.target.release()
        self.texture.release()


@pytest.fixture
def stage(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Stage]]:
    """Makes stages: `stage(preset, size, scale, theme=..., open_all=...)`."""
    stages: list[Stage] = []
    _record(monkeypatch, stages)

    def make(
        preset: str = "paper-fig1-fine",
        size: tuple[int, int] = (1280, 720),
        scale: float = 1.0,
        theme: str = "dark",
        open_all: bool = False,
    ) -> Stage:
        scenario = Scenario.preset(preset).with_value("view.theme", theme)
        stages.append(Stage(gl, scenario, size, scale))
        if open_all:
            stages[-1].workspace.settings.change("panel.open_sections", ALL_SECTIONS)
        stages[-1].frame(3)
        return stages[-1]

    yield make
    while stages:
        stages.pop().release()


def _record(monkeypatch: pytest.MonkeyPatch, stages: list[Stage]) -> None:
    """Writes down where ImGui puts items and texts."""

    record_items(monkeypatch, lambda label, box: stages[-1].boxes.__setitem__(label, box))
    add_text, unformatted = imgui.ImDrawList.add_text, imgui.text_unformatted

    def note(words: str, target: Any, box: Box) -> None:
        low, high = target.get_clip_rect_min(), target.get_clip_rect_max()
        seen = (max(box[0], low.x), max(box[1], low.y), min(box[2], high.x), min(box[3], high.y))
        if words.strip() and seen[2] > seen[0] and seen[3] > seen[1]:
            stages[-1].texts.append((words, (box[0], seen[1], box[2], seen[3])))

    def text_drawn(target: Any, *given: Any) -> None:
        if len(given) == 3:  # with a font and a size it is an icon
            at, _, words = given
            size = imgui.calc_text_size(words)
            note(words, target, (at[0], at[1], at[0] + size.x, at[1] + size.y))
        add_text(target, *given)

    def text_written(words: str) -> None:
        unformatted(words)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        note(words, imgui.get_window_draw_list(), (low.x, low.y, high.x, high.y))

    monkeypatch.setattr(imgui.ImDrawList, "add_text", text_drawn)
    monkeypatch.setattr(imgui, "text_unformatted", text_written)
