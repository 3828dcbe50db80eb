"""The parts of pyglet that the interface uses, imported after the options that must be set first."""

import sys
from typing import Any

import pyglet
import pyglet.lib

pyglet.options["shadow_window"] = False
pyglet.options["debug_gl"] = False
pyglet.options["dpi_scaling"] = "platform" if sys.platform == "darwin" else "scaled"

SONAMES = {"X11": 6, "Xext": 6, "Xxf86vm": 1, "Xinerama": 1, "Xrandr": 2, "Xrender": 1, "GL": 1}
if sys.platform == "linux":  # pyglet asks ldconfig for each library in a process of its own: 30 ms in all
    _search = pyglet.lib.loader.find_library
    pyglet.lib.loader.find_library = lambda name: f"lib{name}.so.{SONAMES[name]}" if name in SONAMES else _search(name)

import pyglet.app as pyglet_app  # noqa: E402
from pyglet import gl  # noqa: E402
from pyglet.display import get_display  # noqa: E402
from pyglet.event import EVENT_HANDLED  # noqa: E402
from pyglet.gl import Config  # noqa: E402
from pyglet.window import NoSuchConfigException, Window, key, mouse  # noqa: E402

toolkit: Any = pyglet_app

__all__ = [
    "EVENT_HANDLED", "Config", "NoSuchConfigException", "Window", "get_display", "gl", "key", "mouse", "toolkit",
]  # fmt: skip
