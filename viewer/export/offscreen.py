"""Pictures of a scene, drawn without a window."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, BinaryIO

import moderngl

from viewer.common import signals
from viewer.common.errors import PACKAGES, GraphicsError, check_range
from viewer.common.language import marked, tr
from viewer.export.image_renderer import (
    STILL_SUBFRAMES,
    Image,
    ImageRenderer,
    Shot,
    check_subframes,
    open_moments,
    subframes_for,
)
from viewer.export.picture_files import png_bytes, write_image
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session

if TYPE_CHECKING:
    from viewer.replay.findings import Replay

NOTEBOOK_SIZE = (640, 360)
EGL_DRAW, EGL_READ = 0x3059, 0x305A
ADVICE = {  # by part of the message of glcontext
    "not loaded": PACKAGES,
    "eglCreateContext failed": marked(
        "the graphics driver is too old; with Mesa, LIBGL_ALWAYS_SOFTWARE=1 draws without it"
    ),
}


def offscreen_renderer() -> ImageRenderer:
    """Return the one renderer of this process that needs no window, with its context current. Raises GraphicsError."""
    offscreen_context().__enter__()
    return _renderer()


@functools.cache
def _renderer() -> ImageRenderer:
    context = offscreen_context()
    with signals.held():
        return ImageRenderer(context)


@functools.cache
def offscreen_context() -> Any:
    """Return the one OpenGL context of this process that needs no window. Raises GraphicsError."""
    options: dict[str, Any] = {}
    if sys.platform == "linux":  # by name: moderngl would look for them with ldconfig, in processes of its own
        options = {"backend": "egl", "libgl": "libGL.so.1", "libegl": "libEGL.so.1"}
    try:
        with signals.held():  # a context whose functions were not all found ends in a segmentation fault
            return moderngl.create_context(standalone=True, require=330, **options)
    except Exception as error:  # whatever glcontext raises: it has no class of its own
        reason = " ".join(str(error).split())
        advice = next((f"; {tr(advice)}" for part, advice in ADVICE.items() if part in reason), "")
        raise GraphicsError(
            tr("no OpenGL 3.3 without a window ({reason}){advice}").format(reason=reason, advice=advice)
        ) from None


@contextlib.contextmanager
def guest() -> Iterator[None]:
    """Let the block draw in our own context; afterwards the caller's context is current again, if EGL knows it."""
    egl = _egl()
    before = None
    if egl is not None and egl.eglGetCurrentContext():
        surfaces = egl.eglGetCurrentSurface(EGL_DRAW), egl.eglGetCurrentSurface(EGL_READ)
        before = egl.eglGetCurrentDisplay(), *surfaces, egl.eglGetCurrentContext()
    try:
        yield
    finally:
        if offscreen_context.cache_info().currsize:
            offscreen_context().__exit__(None, None, None)
        if egl is not None and before is not None:
            egl.eglMakeCurrent(*before)


@functools.cache
def _egl() -> Any:
    """Return the library that makes contexts without a window on Linux; None if there is none, and on other systems."""
    if sys.platform != "linux":
        return None
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError:
        return None
    for name, count in (
        ("eglGetCurrentDisplay", 0),
        ("eglGetCurrentSurface", 1),
        ("eglGetCurrentContext", 0),
        ("eglMakeCurrent", 4),
    ):
        function = getattr(egl, name)
        function.restype = ctypes.c_void_p if count < 4 else ctypes.c_int
        function.argtypes = [ctypes.c_int] if count == 1 else [ctypes.c_void_p] * count
    return egl


def render_image(
    scenario: Scenario,
    time: float = 0.0,
    size: tuple[int, int] = (1280, 720),
    stereo: str | None = None,
    samples: int = 2,
    transparent: bool = False,
) -> Image:
    """Return the picture of a scene, drawn without a window, whichever OpenGL context is current.

    A view that is neither zoomed nor moved fits the moment.

    Parameters
    ----------
    scenario : Scenario
        The scene.
    time : float, optional
        The time of the motion [s].
    size : tuple of int, optional
        Width and height in pixels.
    stereo : str, optional
        A stereo mode in place of the scene's own.
    samples : int, optional
        Every pixel is the mean of `samples` x `samples` drawn ones.
    transparent : bool, optional
        Whether the background is left out.

    Returns
    -------
    ndarray
        (H, W, 3) uint8, sRGB, top row first; (H, W, 4) if it is transparent.

    Raises
    ------
    InputError
        For values that are not allowed.
    GraphicsError
        Without OpenGL.

    Examples
    --------
    >>> from viewer import Scenario, render_image
    >>> render_image(Scenario.preset("t-handle"), size=(96, 64)).shape
    (64, 96, 3)
    """
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
    with guest():
        shot = shot_of(scenario, time, size, samples, transparent, exposure, subframes, recording)
        write_image(path, offscreen_renderer, shot, target)


@functools.lru_cache(maxsize=16)
def notebook_image(scenario: Scenario) -> bytes | None:
    """Return a small PNG file of the scene at its start, or None if this machine has no OpenGL."""
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

    If `exposure` [s of the motion] is not 0, the shutter is open from `time` on for so long. The exposure is divided
    into `subframes` equal parts, by default into as many as the turning needs; the picture is the mean light at their
    middles. `recording` has the recordings, one or several, from which the scene was made.
    """
    if subframes is not None:
        check_subframes(subframes)
    session = Session(scenario, playing=False, recording=recording)
    session.run_to(time)
    longest = session.scene.latest - time
    check_range("exposure", exposure, 0.0, longest, " s")
    first = session.snapshot()
    count = subframes or subframes_for(first, exposure, size[1], STILL_SUBFRAMES)
    moments = open_moments(exposure, count) if exposure > 0.0 else []
    exposed = tuple(session.scene.snapshot_at(time + later) for later in moments)
    return Shot(first, session.scenario, size, samples, transparent, exposed=exposed, fitted=True)
