"""`poinsot simulate`: the motion as numbers, without a window."""

from viewer.cli.options import chosen_scene, command_parser, exit_status, keep_input, scene_options


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
    parser = command_parser("simulate", "Computes the motion of a scene as a table; no window is needed.")
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file, a preset, or a picture made of one")
    add("--seconds", type=float, default=10.0, help="simulated time (10)")
    add("--every", type=float, metavar="SECONDS", help="time between two rows (0.01, or the step where that is longer)")
    add("-o", "--output", metavar="FILE", help="table: .csv .npz .parquet; else CSV on standard output")
    add("--fast", action="store_true", help="compiled steps; needs numba: pip install 'poinsot[fast]'")
    scene_options(parser)
    options = parser.parse_args(argv)
    from viewer.export.tables import formats
    from viewer.export.tables.table import Table

    if options.output is not None:
        formats.check_output(options.output)
        keep_input(options.scene, options.output)
    scenario = chosen_scene(options)
    every = max(0.01, scenario.solver.step) if options.every is None else options.every
    table = Table(scenario, options.seconds, every, options.fast)
    if options.output is None:
        formats.print_table(table)
        return 0
    return exit_status(options.output, formats.write_table(options.output, table), table.rows, "rows")
