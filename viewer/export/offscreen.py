"""OpenGL without a window."""

import contextlib
import ctypes
import functools
import sys
from collections.abc import Iterator
from typing import Any

import moderngl

from viewer.common import signals
from viewer.common.errors import PACKAGES, GraphicsError
from viewer.common.language import marked, tr
from viewer.export.image_renderer import ImageRenderer

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
    if sys.platform == "linux":  # by name: moderngl would ask ldconfig for them, in processes of its own
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
    """Draw in the block in a context of ours; afterwards the caller's is current again, if EGL knows it."""
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
    """Return the library that makes contexts without a window on Linux, None elsewhere."""
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
