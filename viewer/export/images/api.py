"""Pictures of a scene, drawn without a window."""

from __future__ import annotations

import functools
import os
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, BinaryIO

from viewer.common.errors import GraphicsError, brief, refusal
from viewer.export.exposure import STILL_SUBFRAMES, check_subframes, open_moments, subframes_for
from viewer.export.image_renderer import Image, Shot
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session

if TYPE_CHECKING:
    from viewer.replay.findings import Replay

NOTEBOOK_SIZE = (640, 360)


def render_image(
    scenario: Scenario,
    time: float = 0.0,
    size: tuple[int, int] = (1280, 720),
    stereo: str | None = None,
    samples: int = 2,
    transparent: bool = False,
) -> Image:
    """The picture of a scene at `time` seconds: (H, W, 3) uint8, sRGB, top row first; no window.

    `stereo` replaces the scene's own mode. Every pixel is the mean of `samples` squared ones. `transparent` leaves the
    background out: (H, W, 4). Raises InputError for values that are not allowed, GraphicsError without OpenGL.
    It is drawn in a context of its own, whichever is current.
    """
    from viewer.export.offscreen import guest, offscreen_renderer

    if stereo is not None:
        scenario = scenario.with_value("stereo.mode", stereo)
    shot = shot_of(scenario, time, size, samples, transparent)
    with guest():
        return offscreen_renderer().render(shot)


def render_to_file(
    scenario: Scenario,
    path: str | os.PathLike[str],
    time: float = 0.0,
    size: tuple[int, int] = (1280, 720),
    samples: int = 2,
    transparent: bool = False,
    target: AbstractContextManager[BinaryIO] | None = None,
    exposure: float = 0.0,
    subframes: int | None = None,
    recording: Replay | None = None,
) -> None:
    """Draw a scene at `time` seconds to a picture file that holds the scene, whole or not at all.

    `target` is as for `write_image`; `exposure`, `subframes` and `recording` are as for `shot_of`.
    """
    from viewer.export.images.formats import write_image
    from viewer.export.offscreen import guest, offscreen_renderer

    with guest():
        shot = shot_of(scenario, time, size, samples, transparent, exposure, subframes, recording)
        write_image(path, offscreen_renderer, shot, target)


@functools.lru_cache(maxsize=16)
def notebook_image(scenario: Scenario) -> bytes | None:
    """Return a small PNG file of the scene at the start, None if this machine has no OpenGL."""
    from viewer.export.images.formats import png_bytes

    try:
        return png_bytes(render_image(scenario, size=NOTEBOOK_SIZE), scenario.to_text())
    except GraphicsError:
        return None


def shot_of(
    scenario: Scenario,
    time: float,
    size: tuple[int, int] = (1280, 720),
    samples: int = 2,
    transparent: bool = False,
    exposure: float = 0.0,
    subframes: int | None = None,
    recording: Replay | None = None,
) -> Shot:
    """Return the shot of a scene at `time` seconds.

    The shutter is open from then on for `exposure` seconds of the motion: the picture is the mean light of the middles
    of `subframes` equal parts of them, by default of as many as the turning needs; at 0 it shows one moment.
    `recording`: the recording, or several, whose scene this is.
    """
    if subframes is not None:
        check_subframes(subframes)
    session = Session(scenario, playing=False, recording=recording)
    session.run_to(time)
    longest = session.scene.latest - time
    if not 0.0 <= exposure <= longest:
        raise refusal(
            "exposure: {exposure} s is outside 0 to {longest} s", exposure=brief(exposure), longest=brief(longest)
        )
    first = session.snapshot()
    count = subframes or subframes_for(first, exposure, size[1], STILL_SUBFRAMES)
    moments = open_moments(exposure, count) if exposure > 0.0 else []
    exposed = tuple(session.scene.snapshot_at(time + later) for later in moments)
    return Shot(first, session.scenario, size, samples, transparent, exposed=exposed)
