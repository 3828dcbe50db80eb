"""`poinsot SCENE`: the desktop app."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from viewer import timings

timings.mark("Python itself")

from viewer import __version__  # noqa: E402
from viewer.cli.options import (  # noqa: E402
    chosen_scene,
    command_parser,
    picture_options,
    scene_options,
    stabilisation_option,
)
from viewer.errors import PACKAGES, GraphicsError  # noqa: E402
from viewer.export.size import parse_size  # noqa: E402
from viewer.scenario import DEFAULT_PRESET, PRESETS, Scenario  # noqa: E402
from viewer.settings import Settings  # noqa: E402
from viewer.tours import tour  # noqa: E402

timings.mark("numpy, scene and physics")

if TYPE_CHECKING:
    from viewer.replay.analysis import Replay

FALLBACK_PICTURE = "poinsot.png"
FALLBACK_SIZE = (1280, 720)
FALLBACK_SECONDS = 5.0  # on the clock: what the window would show after that time

DESCRIPTION = """Shows how a rigid body turns: Poinsot's construction, live and in stereo."""
EPILOG = f"""without a window:
  poinsot render SCENE -o picture.png    a picture (--time, --size, --stereo, ...)
  poinsot contact-sheet -o sheet.png     every preset, view, theme and stereo mode
  poinsot simulate SCENE -o table.csv    the motion as numbers (--seconds, --every)
  poinsot presets | tours | integrators | stereo-modes
  poinsot doctor                         what a bug report needs to know of this machine

SCENE is a scene file or one of the presets {", ".join(PRESETS)}."""


def run(words: list[str]) -> int:
    """The desktop app."""
    parser = command_parser("[SCENE]", DESCRIPTION, EPILOG)
    parser.prog = "poinsot"
    parser.add_argument(
        "scene", nargs="?", default=DEFAULT_PRESET, metavar="SCENE", help="a scene file or a preset"
    )
    scene_options(parser)
    stabilisation_option(parser)
    picture_options(parser)
    parser.add_argument("--tour", metavar="NAME", help="begin with a guided tour; `poinsot tours` lists them")
    parser.add_argument("--paused", action="store_true", help="begin with the clock stopped")
    parser.add_argument("--version", action="version", version=f"poinsot {__version__}")
    parser.add_argument("--timings", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--exit-after-frames", type=int, help=argparse.SUPPRESS)
    parser.set_defaults(size=None)
    options = parser.parse_args(words)
    if options.scene.lower().endswith(".csv") and options.scene not in PRESETS:
        from viewer.replay.scene import replayed

        return show_replay(replayed(options.scene))
    settings = Settings.of_user()
    scenario = chosen_scene(options, settings.scene_defaults())
    first = tour(options.tour) if options.tour is not None else None
    size = parse_size(options.size) if options.size else None
    if _no_display():
        return _picture_instead(
            options, first.scenario(0, scenario) if first else scenario, size, "no display"
        )
    try:
        from viewer import app
    except ModuleNotFoundError:
        raise
    except ImportError as error:  # what pyglet raises where a library of the system is missing
        raise GraphicsError(f"no window can be opened ({error}); {PACKAGES}") from None
    try:
        app.run(
            scenario,
            size=size,
            playing=not options.paused,
            scene_name=options.scene,
            settings=settings,
            tour=options.tour,
            exit_after_frames=options.exit_after_frames,
        )
    except app.NoWindow as error:
        return _picture_instead(options, scenario, size, str(error))
    if options.timings:
        print(timings.report())
    return 0


def show_replay(found: "Replay") -> int:
    """Opens the window with another engine's log in it."""
    from viewer.replay.scene import scene_of

    if _no_display():
        raise GraphicsError("no display, so there is no window; without --show the replay is told in words")
    settings = Settings.of_user()
    from viewer import app

    app.run(scene_of(found, settings.scene_defaults()), settings=settings, log=found.track)
    return 0


def _no_display() -> bool:
    return sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _picture_instead(
    options: argparse.Namespace, scenario: Scenario, size: tuple[int, int] | None, why: str
) -> int:
    """Draws the scene to a file where no window can be opened."""
    from viewer.export.picture import draw_to_file
    from viewer.session import Session

    speed = Session(scenario, playing=False).speed
    draw_to_file(scenario, FALLBACK_PICTURE, FALLBACK_SECONDS * speed, size or FALLBACK_SIZE)
    print(
        f"poinsot: {why}, so the scene is in {FALLBACK_PICTURE}; another size: "
        f"poinsot render {options.scene} --size 1920x1080 -o picture.png"
    )
    return 0
