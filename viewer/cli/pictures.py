"""`poinsot render`, `contact-sheet`, `stereo-chart`: pictures, pages and films, without a window."""

from argparse import ArgumentTypeError, Namespace
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli.options import (
    changed_scene,
    command_parser,
    duration,
    number,
    picture_options,
    scene_options,
    set_option,
    settings,
    whole,
)
from viewer.common.errors import InputError, shown
from viewer.common.output_files import output_suffix
from viewer.common.quantities import parse_size, value_of
from viewer.export import console
from viewer.scenario.choices.stereo_modes import GLASSES, METHODS, STEREO_MODES
from viewer.scenario.recordings import check_not_an_input
from viewer.scenario.scenario import Scenario
from viewer.user.settings import Settings

if TYPE_CHECKING:
    from viewer.replay.findings import Replay

KINDS = ("presets", "views", "themes", "modes")  # of which a contact sheet shows some or all
OTHER_SPEED = 30.0  # factor between the speeds of a film and of the app: such a film is likely not what is meant
OF_FILMS = "seconds", "loop", "fps", "speed", "shutter"  # options
EPILOG = """The suffix of the file selects the format:
  .png .jpg     a picture in any stereo mode       .jps .mpo   both eyes' pictures
  .gif          both eyes in turn; with --seconds a film
  .mp4 .mkv     a film; needs PyAV: pip install 'poinsot[film]'
  .html         a page that plays in any browser; a playlist becomes tabs
  .glb          the moving figure as a glTF file for other programs
Pictures and pages hold their scene: `poinsot picture.png` opens it. Ctrl-C ends a film early; what is drawn is kept."""


def render(argv: list[str]) -> int:
    """Draw a scene to a picture, a page or a film."""
    parser = command_parser("render", "Draws a scene to a picture, a page or a film; no window is needed.", EPILOG)
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file, a preset, a picture made of one, or a recording; or a playlist")
    add("-o", "--output", required=True, metavar="FILE", help="picture, page or film to write")
    add(
        "--time",
        type=duration,
        default=0.0,
        metavar="SECONDS",
        help="simulated time of the picture, or of the film's start",
    )
    add("--samples", type=whole, default=2, metavar="N", help="samples per pixel across and down, 1..4 (2)")
    add("--transparent", action="store_true", help="no background (.png)")
    add("--seconds", type=duration, metavar="SECONDS", help="length of the film")
    add(
        "--loop",
        metavar="FRAME",
        help="a film of one period that loops without a jump: repeating (the turn about L is taken out) or body",
    )
    add("--fps", type=number, metavar="N", help="pictures per second of film (60; of a GIF 25)")
    add("--speed", type=_speed, metavar="X", help="simulated seconds per second of film (1); auto: as the app plays it")
    add("--shutter", type=number, metavar="DEGREES", help="motion blur of a film: 180 is half a picture's time (0)")
    add(
        "--exposure",
        type=duration,
        metavar="SECONDS",
        help="motion blur of a picture: from its time on the shutter is open so long (0)",
    )
    add(
        "--subframes",
        type=whole,
        metavar="N",
        help="moments while the shutter is open, of which a picture is the mean (64, in a film 16; in fast turns more)",
    )
    scene_options(parser)
    picture_options(parser)
    options = parser.parse_args(argv)
    from viewer.export import film, picture_files
    from viewer.replay.opening import read

    suffix = Path(options.output).suffix.lower()
    if suffix == picture_files.PAGE:
        return _page(options)
    found, recording = read(options.scene, Scenario(), tell=console.report)
    scenario = changed_scene(found, options)
    check_not_an_input(options.output, (options.scene, *scenario.files))
    still, moving = suffix in picture_files.FORMATS, suffix in film.FORMATS
    as_film = moving and not still if options.seconds is None and options.loop is None else moving or not still
    status = _film(options, scenario, recording) if as_film else _picture(options, scenario, recording)
    if scenario.race.show != "off":
        from viewer.session.session import Session

        if (why := Session(scenario, playing=False, recording=recording).scene.race_message) is not None:
            console.report(f"race.show: {why}")
    return status


def _speed(text: str) -> float | str:
    try:
        return text if text == "auto" else value_of(text)
    except ValueError:
        raise ArgumentTypeError(f"{shown(text)} is neither auto nor a number") from None


def _picture(options: Namespace, scenario: Scenario, recording: "Replay | None") -> int:
    from viewer.export import film, offscreen, picture_files

    wanted = picture_files.format_of(options.output)
    if wanted.plays:
        _check_that_plays(options)
    both_eyes = wanted.both_eyes
    for name in OF_FILMS:
        if getattr(options, name) is not None:
            raise InputError(f"{name}: {shown(options.output)} is a picture; films are {', '.join(film.FORMATS)}")
    if options.subframes is not None and not options.exposure:
        raise InputError(f"subframes: {options.subframes} has no effect on a picture without --exposure")
    if both_eyes and options.stereo is not None:
        raise InputError(f"stereo: {shown(options.output)} holds both eyes; modes are for .png, .jpg")
    size = parse_size(options.size)
    offscreen.render_to_file(
        scenario,
        options.output,
        options.time,
        size,
        options.samples,
        options.transparent,
        exposure=options.exposure or 0.0,
        subframes=options.subframes,
        recording=recording,
    )
    mode = STEREO_MODES[scenario.stereo.mode]
    if mode.still and not both_eyes and not wanted.plays:
        console.report(f"stereo.mode: {mode.name}: {mode.reason}; drawn as {mode.still}")
    return 0


def _check_that_plays(options: Namespace) -> None:
    """Raise InputError for what has no effect on a file that plays the motion."""
    for name in (*OF_FILMS, "exposure", "subframes"):
        if getattr(options, name) is not None:
            raise InputError(f"{name}: has no effect on {shown(options.output)}, which plays the motion")
    if options.transparent:
        raise InputError(f"transparent: {shown(options.output)} has no transparency; allowed is .png")


def _page(options: Namespace) -> int:
    """Write a page of a scene, or of a playlist with a tab for each item; of a tour, the scene with which it begins."""
    from viewer.export.page.pages import write_page
    from viewer.export.page.writer import PageScene
    from viewer.export.picture_files import remarks
    from viewer.replay.opening import read
    from viewer.scenario.playlists import Item, Playlist, is_playlist, load

    _check_that_plays(options)
    alone = Playlist("", "", (Item(scene=options.scene),))
    playlist = load(options.scene) if is_playlist(options.scene) else alone
    scenes, size = list[PageScene](), parse_size(options.size)
    for item in playlist.items:
        tour, note, time, recording = item.tour, item.note, options.time, None
        if tour is None:
            found, recording = read(item.scene, Scenario(), tell=console.report)
        else:
            found, note, time = tour.scenario(0, Scenario()), note or tour.summary, time or tour.start_time(0)
        scenario = changed_scene(found, options)
        check_not_an_input(options.output, (options.scene, item.scene, *scenario.files))
        heading = item.title or (tour.title if tour else "")
        scenes.append(PageScene(scenario, time, size, options.samples, heading, note, recording))
    write_page(options.output, scenes, playlist.title or playlist.name)
    for scene in scenes:
        if why := remarks(options.output, scene.scenario):
            console.report(why if playlist is alone else f"{scene.title or scene.scenario.title}: {why}")
    return 0


def _film(options: Namespace, scenario: Scenario, recording: "Replay | None") -> int:
    from viewer.export import film
    from viewer.export.offscreen import offscreen_renderer
    from viewer.session.session import Session

    if options.seconds is None and options.loop is None:
        what = f"{shown(options.output)} is a film; give its length with --seconds, or --loop for one period"
        raise InputError(f"seconds: {what}")
    if options.seconds is not None and options.loop is not None:
        raise InputError("seconds: a loop is one period long; allowed is either --seconds or --loop")
    if options.exposure is not None:
        raise InputError(f"exposure: {shown(options.output)} is a film; give the angle of its shutter with --shutter")
    if options.transparent:
        raise InputError("transparent: a film has no transparency; allowed is .png")
    as_played = Session(scenario, playing=False).scene.speed
    speed = {None: 1.0, "auto": as_played}.get(options.speed, options.speed)
    usual = film.FORMATS[output_suffix(options.output, "film", film.FORMATS)].usual_fps
    rate = usual if options.fps is None else options.fps
    if options.subframes is not None and not options.shutter:
        raise InputError(f"subframes: {options.subframes} has no effect without --shutter")
    fps = Fraction(rate).limit_denominator(1001) if isfinite(rate) else Fraction(0)
    wanted = film.Film(
        scenario,
        options.seconds or 0.0,
        fps,
        parse_size(options.size),
        options.samples,
        options.time,
        speed,
        options.shutter or 0.0,
        options.subframes,
        recording,
    )
    if options.loop is not None:
        wanted = film.closed_loop(wanted, options.loop)
    film.check(options.output, wanted)
    if options.speed is None and not 1.0 / OTHER_SPEED < as_played < OTHER_SPEED:
        console.report(f"speed: 1, though the app plays this motion {as_played:g} times as fast; see --speed auto")
    film.write_film(options.output, wanted, offscreen_renderer)
    return 0


def contact_sheet(argv: list[str]) -> int:
    """Draw presets, views, themes and stereo modes into one picture."""
    parser = command_parser(
        "contact-sheet", "Draws presets in every view, theme and stereo mode into one picture; no window is needed."
    )
    add = parser.add_argument
    add("-o", "--output", required=True, metavar="FILE", help="picture to write: .png")
    for kind in KINDS:
        add(f"--{kind}", metavar="A,B,..", help=f"only these {kind}")
    add("--size", default="960x540", metavar="WxH", help="size in which each picture is drawn (960x540)")
    add("--reduce", type=whole, default=3, metavar="N", help="each picture is reduced to 1/N of that (3)")
    add("--time", type=duration, metavar="TIME", help="simulated time (what the window shows after 5 s)")
    set_option(parser, "any field, in every scene (as in a file)")
    options = parser.parse_args(argv)
    from viewer.export.contact_sheet import ContactSheet, write_contact_sheet
    from viewer.export.offscreen import offscreen_renderer

    names = {
        kind: tuple(name.strip() for name in getattr(options, kind).split(","))
        for kind in KINDS
        if getattr(options, kind) is not None
    }
    sheet = ContactSheet(
        **names,
        drawn=parse_size(options.size),
        reduced=options.reduce,
        time=options.time,
        changes=tuple(settings(options.set)),
    )
    check_not_an_input(options.output, Scenario().with_values(dict(sheet.changes)).files)
    write_contact_sheet(sheet, Path(options.output), offscreen_renderer)
    return 0


def stereo_chart(argv: list[str]) -> int:
    """Draw the picture that shows whether glasses, mode and order of the eyes are right."""
    parser = command_parser(
        "stereo-chart",
        "Draws a chart that shows in ten seconds whether glasses, mode and eyes are right; without --stereo\n"
        "for coloured glasses.",
    )
    add = parser.add_argument
    add("-o", "--output", required=True, metavar="FILE", help="picture to write: .png .jpg")
    add("--glasses", metavar="NAME", help=", ".join(GLASSES))
    add("--method", metavar="NAME", help=", ".join(METHODS))
    picture_options(parser)
    set_option(parser, "any field, such as stereo.left_leak=5")
    options = parser.parse_args(argv)
    usual = Settings.of_user().scene_defaults().with_value("stereo.mode", "anaglyph")
    scenario = changed_scene(usual, options)
    check_not_an_input(options.output, scenario.files)
    size = parse_size(options.size)
    from viewer.export.offscreen import offscreen_renderer
    from viewer.export.picture_files import format_of, save_image

    format_of(options.output)
    save_image(offscreen_renderer().render_chart(scenario.stereo, scenario.view.theme, size), options.output)
    return 0
