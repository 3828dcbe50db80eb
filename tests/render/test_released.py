"""Nothing that a picture needed stays behind in OpenGL when another takes its place."""

import gc
from collections.abc import Callable, Iterator
from typing import Any

import moderngl
import pytest
from helpers.frames import picture_of

from viewer.render.renderer import Renderer
from viewer.replay.opening import read
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scene.presentation import Display
from viewer.scene.stereo.chart import chart_frame
from viewer.session.session import Session

SIZES = ((320, 240), (401, 133), (64, 300))


@pytest.fixture
def lost(gl: Any) -> Iterator[Callable[[], list[Any]]]:
    """The OpenGL objects of this test of which nobody knows any more, and that were not deleted."""
    others = [kept.mglo for kept in gc.get_objects() if type(kept).__module__ == "moderngl" and hasattr(kept, "mglo")]
    known = {id(other) for other in others}

    def found() -> list[Any]:
        gc.collect()
        return [kept for kept in gl.objects if not isinstance(kept, moderngl.InvalidObject) and id(kept) not in known]

    gl.gc_mode = "context_gc"
    yield found
    gl.gc_mode = None
    gl.objects.clear()
    others.clear()


def test_it_tells_what_is_lost(gl: Any, lost: Callable[[], list[Any]]) -> None:
    kept, deleted = gl.buffer(reserve=16), gl.buffer(reserve=16)
    deleted.release()
    del deleted
    assert lost() == []
    del kept
    assert len(lost()) == 1
    lost()[0].release()


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("preset", ["paper-fig1", "paper-fig3", "race-of-five"])
def test_sizes_modes_and_scenes_leave_nothing(preset: str, lost: Callable[[], list[Any]], renderer: Renderer) -> None:
    session = Session(Scenario.preset(preset), playing=False)
    for number, mode in enumerate(STEREO_MODES):
        session.change({"stereo.mode": mode})
        session.scene.run_on_to(session.motion.time + 0.3)
        for size in SIZES[number % 2 :]:
            renderer.draw(picture_of(session, size))
    renderer.draw(chart_frame(session.scenario.stereo, Display(SIZES[0])))  # more words than any scene has
    session.open(*read(list(PRESETS)[-1], session.scenario))
    for length in (0.5, 2.0):
        session.scene.run_on_to(length)
        for color in ("age", "speed"):
            session.change({"view.trail_color": color})
            renderer.draw(picture_of(session, SIZES[0]))
    assert lost() == []
