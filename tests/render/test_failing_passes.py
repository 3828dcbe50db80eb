"""Whatever OpenGL refuses in the middle of a picture, the next one is drawn as if nothing had been."""

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.description import Frame
from viewer.scene.stereo.views import rectangles
from viewer.session.session import Session

SIZE = (96, 64)


class Refused(Exception):
    """Raised in place of a call to OpenGL."""


def frame_at(time: float, **changes: Any) -> Frame:
    scenario = Scenario.preset("box-80kg")
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session = Session(scenario, playing=False)
    session.run_to(time)
    return picture_of(session, SIZE)


def refusing(monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> tuple[Callable[[int], None], list[int]]:
    """Lets the n-th call from now on fail; and what counts the calls."""
    whole, left, calls = getattr(kind, name), [0], [0]

    def call(*arguments: Any, **named: Any) -> Any:
        left[0] -= 1
        calls[0] += 1
        if left[0] == 0:
            raise Refused
        return whole(*arguments, **named)

    def refuse(number: int) -> None:
        left[0], calls[0] = number, 0

    monkeypatch.setattr(kind, name, call)
    return refuse, calls


@pytest.mark.sweep("inset-render", "anaglyph-write", "grid-use")
@pytest.mark.parametrize(
    ("kind", "name"),
    [(moderngl.VertexArray, "render"), (moderngl.Buffer, "write"), (moderngl.Framebuffer, "use")],
    ids=["render", "write", "use"],
)
@pytest.mark.parametrize(
    "changes",
    [{"show__inset": True}, {"stereo__mode": "anaglyph"}, {"stereo__mode": "side-by-side", "race__show": "grid"}],
    ids=["inset", "anaglyph", "grid"],
)
def test_a_picture_after_a_failed_one_is_whole(
    gl: Any, monkeypatch: pytest.MonkeyPatch, kind: type, name: str, changes: dict[str, Any]
) -> None:
    first, second = (frame_at(time, **changes) for time in (0.3, 0.6))
    screen = gl.simple_framebuffer(SIZE)
    places = list(dict.fromkeys(rectangles(first.mode, SIZE)))
    window = SIZE if first.mode.layout == "anaglyph" else (2 * SIZE[0], 2 * SIZE[1])  # so something is left to it

    def shown(renderer: Renderer, frame: Frame) -> np.ndarray:
        renderer.draw(frame, window=window)
        screen.clear()
        renderer.present(screen, places)
        return np.frombuffer(screen.read(), np.uint8).copy()

    fresh = Renderer(gl)
    wanted = shown(fresh, second)
    renderer = Renderer(gl)
    for _ in range(2):  # from the second on the background is kept
        shown(renderer, second)
    refuse, calls = refusing(monkeypatch, kind, name)
    shown(renderer, first)
    count = calls[0]
    assert count > 3
    for number in range(1, count + 1):
        refuse(number)
        with pytest.raises(Refused):
            shown(renderer, first)
        np.testing.assert_array_equal(shown(renderer, second), wanted, f"after call {number} of {count}")
    for used in (fresh, renderer):
        used.release()
    screen.release()
