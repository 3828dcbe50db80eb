"""`poinsot render`: a picture file, without a window."""

from viewer.cli.options import (
    chosen_scene,
    command_parser,
    keep_scene,
    number,
    picture_options,
    scene_options,
    whole_number,
)
from viewer.export.size import parse_size


def run(words: list[str]) -> int:
    """Reads the words after the command; returns the exit status."""
    parser = command_parser("render", "Draws a scene to a picture file; no window is needed.")
    parser.add_argument("scene", metavar="SCENE", help="a scene file or a preset")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="picture to write: .png, .jpg")
    parser.add_argument("--time", default="0", metavar="SECONDS", help="simulated time (0)")
    parser.add_argument("--supersample", default="2", metavar="N", help="1..4 squared samples a pixel (2)")
    scene_options(parser)
    picture_options(parser)
    options = parser.parse_args(words)
    from viewer.export import picture

    scenario, size = chosen_scene(options), parse_size(options.size)
    seconds, supersample = number("time", options.time), whole_number("supersample", options.supersample)
    picture.check_output(options.output)
    keep_scene(options)
    image = picture.render_image(scenario, seconds, size, supersample=supersample)
    picture.save_image(image, options.output)
    return 0
