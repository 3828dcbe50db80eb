"""`poinsot simulate`: the motion as numbers, without a window."""

import signal

from viewer.cli.options import (
    chosen_scene,
    command_parser,
    keep_input,
    number,
    scene_options,
    stabilisation_option,
)
from viewer.common import console, signals


def run(words: list[str]) -> int:
    """Reads the words after the command; returns the exit status."""
    parser = command_parser(
        "simulate", "Computes the motion of a scene and writes it as a table; no window is needed."
    )
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file, a preset, or a picture made of one")
    add("--seconds", default="10", help="simulated time (10)")
    add("--every", default="0.01", metavar="SECONDS", help="time between two rows (0.01)")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="table to write: .csv .npz .parquet; else CSV on standard output",
    )
    add(
        "--fast",
        action="store_true",
        help="compiled steps, for long runs; needs numba: pip install 'poinsot[fast]'",
    )
    scene_options(parser)
    stabilisation_option(parser)
    options = parser.parse_args(words)
    from viewer.export.tables import formats
    from viewer.export.tables.table import Table

    if options.output is not None:
        formats.check_output(options.output)
        keep_input(options.scene, options.output)
    seconds, every = number("seconds", options.seconds), number("every", options.every)
    table = Table(chosen_scene(options), seconds, every, options.fast)
    if options.output is None:
        formats.print_table(table)
    else:
        rows = formats.write_table(options.output, table)
        if rows < table.rows:
            told = f"{options.output} holds the first {rows} of {table.rows} rows"
            console.say(f"interrupted; {told}")
            return 128 + (signals.asked() or signal.SIGINT)
    return 0
