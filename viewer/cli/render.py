"""`poinsot render`: a picture or a film, without a window."""

from argparse import Namespace
from fractions import Fraction
from math import isfinite
from pathlib import Path

from viewer.cli.options import (
    chosen_scene,
    command_parser,
    exit_status,
    keep_input,
    number,
    picture_options,
    scene_options,
    whole_number,
)
from viewer.common import console
from viewer.common.errors import InputError, shown
from viewer.common.output_files import output_suffix
from viewer.export.size import parse_size
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.scenario import Scenario

EPILOG = """The suffix of the file selects the format:
  .png .jpg     a picture in any stereo mode       .jps .mpo   both eyes' pictures
  .gif          both eyes in turn; with --seconds a film
  .mkv .mp4     a film; needs PyAV: pip install 'poinsot[film]'
A picture holds its scene: `poinsot picture.png` opens it. Ctrl-C ends a film early; what is drawn is kept."""

STILL = (".png", ".jpg", ".jpeg", ".jps", ".mpo")


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
    parser = command_parser("render", "Draws a scene to a picture or a film; no window is needed.", EPILOG)
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file, a preset, or a picture made of one")
    add("-o", "--output", required=True, metavar="FILE", help="picture or film to write")
    add("--time", default="0", metavar="SECONDS", help="simulated time of the picture, or the film's start")
    add("--samples", default="2", metavar="N", help="1..4 squared samples a pixel (2)")
    add("--transparent", action="store_true", help="no background (.png)")
    add("--seconds", metavar="SECONDS", help="length of the film")
    add("--fps", metavar="N", help="pictures a second of the film (60, of a GIF 25)")
    add("--speed", metavar="X", help="simulated seconds a second of the film (1); auto: as the app plays it")
    scene_options(parser)
    picture_options(parser)
    options = parser.parse_args(argv)
    scenario = chosen_scene(options)
    suffix = Path(options.output).suffix.lower()
    if suffix in (".mkv", ".mp4") or (options.seconds is not None and suffix not in STILL):
        return _film(options, scenario)
    return _picture(options, scenario)


def _picture(options: Namespace, scenario: Scenario) -> int:
    from viewer.export.images import api, formats

    both_eyes = formats.format_of(options.output).both_eyes
    for name in ("seconds", "fps", "speed"):
        if getattr(options, name) is not None:
            raise InputError(f"{name}: {shown(options.output)} is a picture; films are .mkv, .mp4, .gif")
    if both_eyes and options.stereo is not None:
        raise InputError(f"stereo: {shown(options.output)} holds both eyes; modes are for .png, .jpg")
    seconds, samples = number("time", options.time), whole_number("samples", options.samples)
    size = parse_size(options.size)
    keep_input(options.scene, options.output)
    api.render_to_file(scenario, options.output, seconds, size, samples, options.transparent)
    mode = STEREO_MODES[scenario.stereo.mode]
    if mode.still and not both_eyes:
        console.say(f"stereo.mode: {mode.name}: {mode.reason}; drawn as {mode.still}")
    return 0


def _film(options: Namespace, scenario: Scenario) -> int:
    from viewer.export.film import film
    from viewer.export.offscreen import offscreen_renderer
    from viewer.session.session import Session

    if options.seconds is None:
        raise InputError(f"seconds: {shown(options.output)} is a film; say how long with --seconds")
    if options.transparent:
        raise InputError("transparent: a film has no transparency; allowed is .png")
    auto = options.speed == "auto"
    speed = Session(scenario, playing=False).speed if auto else number("speed", options.speed or "1")
    usual = film.USUAL_RATE[output_suffix(options.output, "film", film.SUFFIXES)]
    rate = usual if options.fps is None else number("fps", options.fps)
    fps = Fraction(rate).limit_denominator(1001) if isfinite(rate) else Fraction(0)
    wanted = film.Film(
        scenario,
        number("seconds", options.seconds),
        fps,
        parse_size(options.size),
        whole_number("samples", options.samples),
        number("time", options.time),
        speed,
    )
    film.check(options.output, wanted)
    keep_input(options.scene, options.output)
    count = film.write_film(options.output, wanted, offscreen_renderer)
    return exit_status(options.output, count, wanted.count, "pictures")
