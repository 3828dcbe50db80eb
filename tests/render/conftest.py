"""A renderer on the offscreen context, and frames of presets."""

from collections.abc import Callable, Iterator

import pytest
from helpers.frames import picture_of

from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.description import Frame
from viewer.scene.presentation import ANYWHERE
from viewer.scene.stereo.views import OnScreen
from viewer.session.session import Session

FrameMaker = Callable[..., Frame]


@pytest.fixture
def renderer(gl) -> Iterator[Renderer]:
    renderer = Renderer(gl)
    yield renderer
    renderer.release()


@pytest.fixture
def frame_of() -> FrameMaker:
    def make(
        preset: str,
        time: float = 0.0,
        size: tuple[int, int] = (320, 240),
        screen: OnScreen = ANYWHERE,
        **changes: object,
    ) -> Frame:
        scenario = Scenario.preset(preset)
        for path, value in changes.items():
            scenario = scenario.with_value(path.replace("__", "."), value)
        session = Session(scenario, playing=False)
        session.run_to(time)
        return picture_of(session, size, screen=screen)

    return make
