"""The facts about a machine for a bug report: Python, packages, OpenGL, screens, folders, and a test picture.

Every part is examined separately: if one fails, its entry is the error, and the others are unaffected.
"""

import contextlib
import importlib.metadata
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from viewer.common import __version__, folders
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.presets import DEFAULT_PRESET
from viewer.scenario.scenario import Scenario
from viewer.user import log
from viewer.user.settings import FILE, Settings

if TYPE_CHECKING:
    import moderngl

PACKAGES = ("numpy", "scipy", "mpmath", "pyglet", "moderngl", "glcontext", "imgui-bundle", "pyrr", "pillow", "tomlkit",
            "platformdirs", "numba")  # fmt: skip
LIMITS = ("GL_MAX_TEXTURE_SIZE", "GL_MAX_RENDERBUFFER_SIZE", "GL_MAX_VIEWPORT_DIMS", "GL_MAX_SAMPLES",
          "GL_MAX_UNIFORM_BLOCK_SIZE")  # fmt: skip
VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "LIBGL_ALWAYS_SOFTWARE", "MESA_LOADER_DRIVER_OVERRIDE",
             folders.VARIABLE)  # fmt: skip
PICTURE = (320, 240)
SECONDS = 2.0  # simulated, so that there is a trail
SEEN = ("angular_momentum", "angular_velocity", "herpolhode")  # colours that the test picture must have
CLOSE = 30  # of 255 that a pixel may be off its colour
ENOUGH = 20  # pixels of each; measured: 174, 163 and 147
LAST_LINES = 5

Facts = dict[str, Any]


def examine() -> Facts:
    """Return all facts as plain data for JSON.

    The entry `ok` says that the test picture is right and that, if there is a display, a window can be opened.
    """
    facts: Facts = {"poinsot": {"version": __version__, "in": str(Path(__file__).parents[1])}}
    parts: dict[str, Callable[[], Facts]] = {
        "system": _system,
        "packages": _packages,
        "display": _display,  # before the rest: a window cannot be opened after an offscreen context
        "graphics": _graphics,
        "picture": _picture,
        "folders": _folders,
        "settings": _settings,
        "log": _log,
    }
    for name, look in parts.items():
        try:
            facts[name] = look()
        except Exception as error:
            facts[name] = {"error": " ".join(f"{type(error).__name__}: {error}".split())}
    facts["stereo"] = _stereo(facts["display"])
    facts["ok"] = bool(facts["picture"].get("right")) and not facts["display"].get("error")
    return facts


def _system() -> Facts:
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "executable": sys.executable,
        "system": platform.platform(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }


def _packages() -> Facts:
    found: Facts = dict.fromkeys(PACKAGES, "not installed")
    for name in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def _display() -> Facts:
    """Return facts about the screens and about the OpenGL in a window, which may differ from the one without it."""
    variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}
    if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & variables.keys():
        return {"variables": variables, "available": False, "why": "no display: DISPLAY is not set"}
    from viewer.ui.platform.window import NoWindow, open_window

    try:
        window, context = open_window(lambda error: None, (160, 120), False)
    except NoWindow as error:
        return {"variables": variables, "available": False, "why": str(error), "error": str(error)}
    try:
        screens = [
            {"x": screen.x, "y": screen.y, "width": screen.width, "height": screen.height,
             "rate": getattr(screen.get_mode(), "rate", None)}
            for screen in window.display.get_screens()
        ]  # fmt: skip
        return {
            "variables": variables,
            "available": True,
            "screens": screens,
            "pixels_per_inch": window.dpi,
            "interface_scale": window.interface_scale,
            "buffer_for_each_eye": window.has_two_buffers,
            **_opengl(context),
        }
    finally:
        window.close()


def _graphics() -> Facts:
    """Return facts about the OpenGL without a window, and its limits."""
    from viewer.export.offscreen import offscreen_context

    context = offscreen_context()
    known = [name for name in LIMITS if name in context.info]
    limits = {name.removeprefix("GL_MAX_").lower(): context.info[name] for name in known}
    return _opengl(context) | {"limits": limits}


def _opengl(context: "moderngl.Context") -> Facts:
    names = {"vendor": "GL_VENDOR", "renderer": "GL_RENDERER", "version": "GL_VERSION"}
    return {name: context.info[key] for name, key in names.items()}


def _picture() -> Facts:
    """Draw a small picture, and return whether it has all the colours that it should have."""
    from viewer.export.offscreen import render_image

    scenario = Scenario.preset(DEFAULT_PRESET)
    began = time.perf_counter()
    image = render_image(scenario, SECONDS, PICTURE).astype(int)
    took = time.perf_counter() - began
    theme = THEMES[scenario.view.theme]
    wanted = {name: np.rint(np.multiply(255, getattr(theme, name))) for name in SEEN}
    pixels = {name: int((np.abs(image - color) <= CLOSE).all(axis=2).sum()) for name, color in wanted.items()}
    right = all(count >= ENOUGH for count in pixels.values())
    return {"size": list(PICTURE), "milliseconds": round(1e3 * took), "pixels": pixels, "right": right}


def _folders() -> Facts:
    found = {name: getattr(folders, name)() for name in ("config", "log", "state", "cache")}
    return {name: {"path": str(folder), "writable": _writable(folder)} for name, folder in found.items()}


def _writable(folder: Path) -> bool:
    """Return whether a file can be made in the folder, or the folder itself if it does not exist."""
    while not folder.exists() and folder.parent != folder:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)


def _settings() -> Facts:
    return {"file": str(folders.config() / FILE), "problems": Settings.of_user().problems}


def _log() -> Facts:
    file = log.path()
    lines = file.read_text("utf-8", "replace").splitlines() if file.exists() else []
    return {"file": str(file), "last": [line for line in lines if not line.startswith(" ")][-LAST_LINES:]}


def _stereo(display: Facts) -> Facts:
    """Return, for each stereo mode, whether it works here."""
    if not display.get("available"):
        return dict.fromkeys(STEREO_MODES, "pictures only: no display")
    found = dict.fromkeys(STEREO_MODES, "works")
    if not display["buffer_for_each_eye"]:
        unavailable = [mode.name for mode in STEREO_MODES.values() if mode.layout == "quad-buffer"]
        found |= dict.fromkeys(unavailable, "the driver offers no buffer for each eye")
    return found
