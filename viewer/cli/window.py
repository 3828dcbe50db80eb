"""`poinsot SCENE`: the desktop app."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viewer.cli import COMMANDS
from viewer.cli.options import (
    Parser,
    changed_scene,
    chosen_scene,
    command_parser,
    picture_options,
    scene_options,
    whole,
)
from viewer.common import __version__, language, signals
from viewer.common.errors import PACKAGES, GraphicsError, InputError, refusal, shown
from viewer.common.language import marked, tr
from viewer.common.quantities import parse_size
from viewer.physics.solids.limits import SUFFIXES
from viewer.scenario.playlists import Playlist, is_playlist, load
from viewer.scenario.presets import DEFAULT_PRESET, FIRST_PRESET, PRESETS
from viewer.scenario.recordings import RECORDING_SUFFIXES, is_recording
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tour
from viewer.user import last_session
from viewer.user.settings import Settings

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.replay.phone import Phone
    from viewer.scenario.sections.body import Body
    from viewer.workspace.files import Awaited

FALLBACK_SIZE = (1280, 720)
FALLBACK_SECONDS = 5.0  # on the clock: what the window would show after that time
NO_WINDOW = marked("{why}, so there is no window; `poinsot replay FILE` reports as text")

DESCRIPTION = "Shows how a rigid body turns: Poinsot's construction, live and in stereo."


def run(argv: list[str]) -> int:
    """Open the window of the desktop app, or draw a picture if no window can be opened."""
    options, settings = _parser().parse_args(argv), user_settings()
    if options.first and options.scene is not None:
        scene = shown(options.scene)
        raise refusal("--first: shows a scene of its own; allowed is that or {scene}, not both", scene=scene)
    if options.scene is not None and (options.more or is_recording(options.scene)):
        return _open_recordings([options.scene, *options.more], settings, options)
    guest = options.scene is None
    playlist = load(options.scene) if options.scene is not None and is_playlist(options.scene) else None
    if playlist is not None:
        return _show_playlist(playlist, options, settings)
    left, first_start = None, options.first
    if options.scene is None:
        left, first_start = _without_scene(options, settings)
    if left is not None:
        scenario = changed_scene(left.scenario, options)
    else:
        scenario = chosen_scene(options, settings.scene_defaults())
    first = tour(options.tour).scenario(0, scenario) if options.tour is not None else scenario
    guest = guest and left is None
    awaited = _recordings_of(scenario, left, settings)
    missing = _window(scenario, options, settings, first=first_start, last_session=left, guest=guest, awaited=awaited)
    if missing:
        return _picture_instead(options, first, missing)
    return 0


def _recordings_of(scenario: Scenario, left: last_session.LastSession | None, settings: Settings) -> "Awaited | None":
    """Return how to read the recordings that a scene names, or that the last session had; None if there are none."""
    from viewer.workspace.files import Awaited, awaited_by

    named = scenario.recording.files
    if left is not None and left.recordings and left.recordings != named:
        again = partial(_read_again, left, settings.scene_defaults())
        return Awaited(left.recordings, left.flight, again, left.repair)
    return None if left is not None and not left.recordings else awaited_by(scenario)


def _read_again(
    left: last_session.LastSession, base: Scenario, progress: Callable[[float], None], _: object
) -> "Replay | None":
    """Return the replay of the last session's recordings. Raises InputError.

    None is returned if the user had changed the body or the start, as the recordings then do not belong to the scene.
    """
    from viewer.replay.scene import replayed, scene_of
    from viewer.session.document import Recorded

    try:
        found = replayed(*left.recordings, progress=progress, flight=left.flight, repair=left.repair)
        scene = scene_of(found, base)
    except InputError as error:
        raise InputError(tr("The last recording cannot be opened: {error}").format(error=error)) from None
    return Recorded(found, scene.body, scene.start).of(left.scenario)


def user_settings() -> Settings:
    """Return the user's settings, and choose the language of all texts from here on.

    Texts about problems of the settings are in that language, too.
    """
    settings = Settings.of_user()
    language.choose(settings.value("panel.language"))
    return Settings.of_user() if settings.problems else settings


def _show_playlist(playlist: Playlist, options: argparse.Namespace, settings: Settings) -> int:
    """Open the window with a lecture; the `options` about the picture hold for all of its scenes."""
    for name in ("tour", "integrator", "scene_stabilisation", "set"):
        if getattr(options, name):
            option = "stabilisation" if name == "scene_stabilisation" else name
            raise refusal(
                "--{option}: has no effect on a playlist; allowed are --stereo, --theme, --swap-eyes", option=option
            )
    scenario = changed_scene(settings.scene_defaults(), options)
    missing = _window(scenario, options, settings, playlist=playlist, guest=True)
    if missing:
        raise GraphicsError(tr("{why}, so there is no window for a lecture").format(why=missing))
    return 0


def _open_recordings(names: list[str], settings: Settings, options: argparse.Namespace) -> int:
    """Open the window, which reads one recording, or several of one case; `options` are as in `run`.

    Raises InputError if one of them is not there.
    """
    from viewer.replay.files.source import open_source
    from viewer.workspace.files import Request

    for name in names:
        if not is_recording(name):
            raise refusal("{name} is no recording; only recordings are opened together", name=shown(name))
        with open_source(name):
            pass
    options.scene = DEFAULT_PRESET
    scenario = chosen_scene(options, settings.scene_defaults())
    options.swap_eyes = False  # the recordings are shown as the user's screen is by then
    request = Request.of(names, begins=True, changes=partial(changed_scene, options=options))
    missing = _window(scenario, options, settings, guest=True, opening=request)
    if missing:
        raise GraphicsError(tr(NO_WINDOW).format(why=missing))
    return 0


def _without_scene(options: argparse.Namespace, settings: Settings) -> tuple[last_session.LastSession | None, bool]:
    """Return the last session, or None, and whether the window begins as at the very first start.

    `options.scene` is set to the session's file, or to the name of a preset.
    """
    options.scene = DEFAULT_PRESET
    if _no_display() or options.tour is not None:
        return None, False
    if options.first or not (settings.found or last_session.path().exists()):
        options.scene = FIRST_PRESET
        return None, not options.paused
    try:
        left = last_session.load(settings.scene_defaults())
    except InputError as error:
        settings.problems.append(str(error))
        return None, False
    if left is not None and left.problem is not None:
        settings.problems.append(left.problem)
    if left is not None and left.file is not None:
        options.scene = left.file
    return left, False


def show_recordings(found: "Replay", names: Sequence[str], settings: Settings, drawn_as: "Body | None" = None) -> int:
    """Open the window with the recordings `found`, from the files with these names.

    `drawn_as` is the body that was recorded, if the user gives it.
    """
    from viewer.replay.scene import scene_of

    scenario = scene_of(found, settings.scene_defaults(), drawn_as)
    missing = _window(scenario, _parser().parse_args(["--", *names]), settings, recording=found)
    if missing:
        raise GraphicsError(tr(NO_WINDOW).format(why=missing))
    return 0


def show_live(phone: "Phone", settings: Settings) -> int:
    """Open the window in which a phone is followed."""
    from viewer.commands.live import live_scene

    options = _parser().parse_args([])
    missing = _window(live_scene(phone.address, settings.scene_defaults()), options, settings, phone=phone, guest=True)
    if missing:
        raise GraphicsError(tr("{why}, so there is no window; -o FILE.csv records to a file").format(why=missing))
    return 0


def _parser() -> Parser:
    parser = command_parser("[SCENE]", DESCRIPTION, _epilog())
    parser.prog = "poinsot"
    add = parser.add_argument
    add("scene", nargs="?", metavar="SCENE", help="what to open (what was open last)")
    add("more", nargs="*", metavar="RECORDING", help="where SCENE is a recording: others that are compared with it")
    scene_options(parser)
    picture_options(parser, size=None)
    add("--tour", metavar="NAME", help="begin with a guided tour, or one in a file; `poinsot tours` lists them")
    add("--first", action="store_true", help="begin with the scene of the very first start")
    add("--paused", action="store_true", help="begin with the clock stopped")
    add("--version", action="version", version=f"poinsot {__version__}")
    add("--exit-after-frames", type=whole, help=argparse.SUPPRESS)
    return parser


def _epilog() -> str:
    usages = {f"poinsot {name} {command.usage}": command.summary for name, command in COMMANDS.items()}
    width = max(map(len, usages))
    return "\n".join(
        [
            "without a window:",
            *(f"  {usage:<{width}}  {summary}" for usage, summary in usages.items()),
            "",
            "SCENE is a scene file, a picture made of a scene, another engine's recording "
            f"({' '.join(RECORDING_SUFFIXES)}),",
            f"a mesh ({' '.join(SUFFIXES)}), or one of the presets",
            f"{', '.join(PRESETS)}.",
        ]
    )


def _window(scenario: Scenario, options: argparse.Namespace, settings: Settings, **more: Any) -> str | None:
    """Open the window until it is closed; return why if none can be opened. `more` are further arguments of `Start`."""
    size = parse_size(options.size) if options.size else None
    if _no_display():
        return tr("no display")
    try:
        with signals.held():  # libraries that are still being loaded bear no exception
            from viewer.app import app
            from viewer.commands.begin import Start
    except ModuleNotFoundError:
        raise
    except ImportError as error:  # what pyglet raises where a library of the system is missing
        why = tr("no window can be opened ({reason})").format(reason=error)
        raise GraphicsError(f"{why}; {tr(PACKAGES)}") from None
    try:
        with signals.held():  # OpenGL and the window's library bear no exception: the app ends by itself
            start = Start(
                scenario,
                name=None if "playlist" in more else options.scene,
                size=size,
                playing=not options.paused,
                settings=settings,
                exit_after_frames=options.exit_after_frames,
                tour=options.tour,
                **more,
            )
            app.App(start).run()
    except app.NoWindow as error:
        return str(error)
    return None


def _no_display() -> bool:
    return sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _picture_instead(options: argparse.Namespace, scenario: Scenario, why: str) -> int:
    """Draw the scene to a new file, as no window can be opened."""
    from itertools import chain

    from viewer.common.output_files import NewFile, numbered
    from viewer.export.offscreen import render_to_file
    from viewer.session.session import Session

    size = parse_size(options.size) if options.size else FALLBACK_SIZE
    speed = Session(scenario, playing=False).scene.speed
    new = NewFile(Path(), chain(["poinsot.png"], numbered("poinsot-", ".png", 2)))
    render_to_file(scenario, new.path, FALLBACK_SECONDS * speed, size, target=new)
    text = tr("{why}, so the scene is in {path}; another size: {command}")
    command = f"poinsot render {options.scene} --size 1920x1080 -o picture.png"
    print("poinsot: " + text.format(why=why, path=new.path, command=command))
    return 0
