"""`poinsot simulate`: the motion as numbers, without a window."""

from viewer.cli.options import chosen_scene, command_parser, duration, place, scene_options
from viewer.scenario.recordings import check_not_an_input


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
    parser = command_parser("simulate", "Computes the motion of a scene as a table; no window is needed.")
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file, a preset, or a picture made of one")
    add("--seconds", type=duration, metavar="TIME",
        help="simulated time, such as 10 or '5.41 d' (10; a period that is below 0.1 s or above 100 s)")  # fmt: skip
    add("--every", type=duration, metavar="TIME",
        help="time between two rows (a thousandth of the usual time, or the step where that is longer)")  # fmt: skip
    add("--point", type=place, metavar="X,Y,Z",
        help="adds the velocity of this point of the body: m along its axes from the centre of mass")  # fmt: skip
    add("-o", "--output", metavar="FILE", help="table: .csv .npz .parquet; else CSV on standard output")
    add("--fast", action="store_true", help="compiled steps; needs numba: pip install 'poinsot[fast]'")
    scene_options(parser)
    options = parser.parse_args(argv)
    from viewer.export.tables import formats
    from viewer.export.tables.table import Table, usual_seconds

    scenario = chosen_scene(options)
    if options.output is not None:
        formats.check_output(options.output)
        check_not_an_input(options.output, (options.scene, *scenario.files))
    usual = usual_seconds(scenario)
    every = max(usual / 1000.0, scenario.solver.step) if options.every is None else options.every
    table = Table(scenario, usual if options.seconds is None else options.seconds, every, options.fast, options.point)
    if options.output is None:
        formats.print_table(table)
        return 0
    formats.write_table(options.output, table)
    return 0
