"""OpenGL without a window."""

import functools
import sys
from typing import Any

import moderngl

from viewer.errors import PACKAGES, GraphicsError
from viewer.export.painter import Painter


@functools.cache
def offscreen_painter() -> Painter:
    """The one painter of this process that needs no window; raises GraphicsError where there can be none."""
    return Painter(offscreen_context())


@functools.cache
def offscreen_context() -> Any:
    """The one OpenGL context of this process that needs no window."""
    options: dict[str, Any] = {"backend": "egl"} if sys.platform == "linux" else {}
    try:
        return moderngl.create_context(standalone=True, require=330, **options)
    except Exception as error:  # whatever glcontext raises: it has no class of its own
        reason = " ".join(str(error).split())
        if sys.platform == "linux":
            raise GraphicsError(f"no OpenGL 3.3 without a window ({reason}); {PACKAGES}") from None
        raise GraphicsError(f"no OpenGL 3.3 without a window ({reason})") from None
