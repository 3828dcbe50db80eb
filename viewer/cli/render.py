"""`poinsot render`: a picture file, without a window."""

import sys

from viewer.cli.options import (
    chosen_scene,
    command_parser,
    keep_scene,
    number,
    picture_options,
    scene_options,
    stabilisation_option,
    whole_number,
)
from viewer.errors import SceneError
from viewer.export.size import parse_size
from viewer.stereo_modes import STEREO_MODES


def run(words: list[str]) -> int:
    """Reads the words after the command; returns the exit status."""
    parser = command_parser("render", "Draws a scene to a picture file; no window is needed.")
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file, a preset, or a picture made of one")
    add("-o", "--output", required=True, metavar="FILE", help="picture to write: .png .jpg .jps .mpo .gif")
    add("--time", default="0", metavar="SECONDS", help="simulated time (0)")
    add("--samples", default="2", metavar="N", help="1..4 squared samples a pixel (2)")
    add("--transparent", action="store_true", help="no background (.png)")
    scene_options(parser)
    stabilisation_option(parser)
    picture_options(parser)
    options = parser.parse_args(words)
    from viewer.export import picture, picture_files

    scenario, size = chosen_scene(options), parse_size(options.size)
    seconds, samples = number("time", options.time), whole_number("samples", options.samples)
    if picture_files.format_of(options.output).both_eyes and options.stereo is not None:
        raise SceneError(
            f"stereo: {options.output} holds each eye's own picture, so no mode is chosen; allowed are .png, .jpg"
        )
    keep_scene(options)
    picture.draw_to_file(scenario, options.output, seconds, size, samples, options.transparent)
    mode = STEREO_MODES[scenario.stereo.mode]
    if mode.still and not picture_files.format_of(options.output).both_eyes:
        print(f"poinsot: stereo.mode: {mode.name}: {mode.reason}; drawn as {mode.still}", file=sys.stderr)
    return 0
