"""`poinsot stereo-chart`: the picture that tells whether glasses, mode and order of the eyes are right."""

from viewer.anaglyph import GLASSES, METHODS
from viewer.cli.options import command_parser, eyes_and_size, set_option, settings
from viewer.export.size import parse_size
from viewer.settings import Settings
from viewer.stereo_modes import STEREO_MODES


def run(words: list[str]) -> int:
    """Reads the words after the command; returns the exit status."""
    parser = command_parser(
        "stereo-chart", "Draws a chart that tells in ten seconds whether glasses, mode and eyes are right."
    )
    add = parser.add_argument
    add("-o", "--output", required=True, metavar="FILE", help="picture to write: .png .jpg")
    add("--stereo", default="anaglyph", metavar="MODE", help=f"{', '.join(STEREO_MODES)} (anaglyph)")
    add("--glasses", metavar="NAME", help=", ".join(GLASSES))
    add("--method", metavar="NAME", help=", ".join(METHODS))
    eyes_and_size(parser)
    set_option(parser, "any field, such as stereo.left_leak=5")
    options = parser.parse_args(words)
    named = {
        "stereo.mode": options.stereo,
        "stereo.glasses": options.glasses,
        "stereo.anaglyph_method": options.method,
        "stereo.exchange_eyes": True if options.swap_eyes else None,
    }
    scenario = Settings.of_user().scene_defaults()
    for path, value in [*named.items(), *settings(options.set)]:
        if value is not None:
            scenario = scenario.with_value(path, value)
    size = parse_size(options.size)
    from viewer.export.offscreen import offscreen_painter
    from viewer.export.picture import save_image
    from viewer.export.picture_files import format_of

    format_of(options.output)
    save_image(offscreen_painter().chart(scenario.stereo, size), options.output)
    return 0
