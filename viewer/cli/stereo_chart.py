"""`poinsot stereo-chart`: the picture that shows whether glasses, mode and order of the eyes are right."""

from viewer.cli.options import changed_scene, command_parser, picture_options, set_option
from viewer.common.quantities.arithmetic import parse_size
from viewer.scenario.choices.anaglyph import GLASSES, METHODS
from viewer.scenario.recordings import check_not_an_input
from viewer.user.settings import Settings


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
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
    from viewer.export.images.formats import format_of, save_image
    from viewer.export.offscreen import offscreen_renderer

    format_of(options.output)
    save_image(offscreen_renderer().render_chart(scenario.stereo, scenario.view.theme, size), options.output)
    return 0
