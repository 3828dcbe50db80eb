"""`poinsot simulate`: the motion as numbers, without a window."""

from viewer.cli.options import chosen_scene, command_parser, keep_scene, number, scene_options
from viewer.errors import SceneError
from viewer.fields import shown


def run(words: list[str]) -> int:
    """Reads the words after the command; returns the exit status."""
    parser = command_parser(
        "simulate", "Computes the motion of a scene and writes it as a table (CSV); no window is needed."
    )
    parser.add_argument("scene", metavar="SCENE", help="a scene file or a preset")
    parser.add_argument("--seconds", default="10", help="simulated time (10)")
    parser.add_argument("--every", default="0.01", metavar="SECONDS", help="time between two rows (0.01)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="table to write, .csv; otherwise standard output"
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help="compiled steps, for long runs; needs numba: pip install 'poinsot[fast]'",
    )
    scene_options(parser)
    options = parser.parse_args(words)
    from viewer.export import table

    if options.output is not None and not options.output.lower().endswith(".csv"):
        raise SceneError(f"output: {shown(options.output)} is no table; allowed are names in .csv")
    if options.output is not None:
        keep_scene(options)
    seconds, every = number("seconds", options.seconds), number("every", options.every)
    table.write_csv(chosen_scene(options), seconds, every, options.output, options.fast)
    return 0
