"""`poinsot simulate`, `describe`: the motion as numbers and in words, without a window."""

from viewer.cli.options import changed_scene, chosen_scene, command_parser, duration, place, scene_options
from viewer.common.language import ENGLISH, choose, languages
from viewer.export.console import json_text
from viewer.scenario.recordings import check_not_an_input


def simulate(argv: list[str]) -> int:
    """Compute the motion of a scene as a table."""
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
    from viewer.export import table_files
    from viewer.export.table import Table, usual_seconds

    scenario = chosen_scene(options)
    if options.output is not None:
        table_files.check_output(options.output)
        check_not_an_input(options.output, (options.scene, *scenario.files))
    usual = usual_seconds(scenario)
    every = max(usual / 1000.0, scenario.solver.step) if options.every is None else options.every
    table = Table(scenario, usual if options.seconds is None else options.seconds, every, options.fast, options.point)
    if options.output is None:
        table_files.print_table(table)
        return 0
    table_files.write_table(options.output, table)
    return 0


def describe(argv: list[str]) -> int:
    """Describe a scene and its motion in plain words, for a screen reader or a stream."""
    parser = command_parser("describe", "Describes a scene and its motion in plain words; no window is needed.")
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file, a preset, a picture made of one, or a recording")
    add("--time", type=duration, default=0.0, metavar="TIME", help='the simulated time, such as 10 or "5.41 d" (0)')
    add("--stereo", metavar="MODE", help="the stereo mode, as `poinsot stereo-modes` lists them")
    add("--language", choices=languages(), default=ENGLISH, help=f"{', '.join(languages())} ({ENGLISH})")
    add("--json", action="store_true", help="as JSON, with every digit")
    scene_options(parser)
    options = parser.parse_args(argv)
    choose(options.language)
    from viewer.export import console
    from viewer.replay.opening import read
    from viewer.scenario.scenario import Scenario
    from viewer.scene.words.describe import describe as in_words
    from viewer.scene.words.describe import facts
    from viewer.session.session import Session

    scenario, recording = read(options.scene, Scenario(), tell=console.report)
    session = Session(changed_scene(scenario, options), playing=False, recording=recording)
    session.run_to(options.time)
    print(json_text(facts(session)) if options.json else in_words(session))
    return 0
