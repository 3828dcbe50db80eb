"""`poinsot simulate`, `describe`, `race`: the motion as a table, in words, and as a race; without a window."""

import argparse
import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli.options import (
    changed_scene,
    chosen_scene,
    command_parser,
    duration,
    number,
    place,
    scene_options,
    set_option,
    whole,
)
from viewer.common import __version__
from viewer.common.errors import InputError, shown
from viewer.common.language import ENGLISH, choose, languages
from viewer.common.quantities import value_of
from viewer.export import console
from viewer.export.console import json_text
from viewer.scenario.recordings import check_not_an_input

if TYPE_CHECKING:
    from viewer.race.sweep import Outcome, StoredRuns, Task

MOST_STEPS = 64  # sizes in a sweep


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


def race(argv: list[str]) -> int:
    """Run integrators beside the exact motion; print a table or write a report."""
    options = _race_parser().parse_args(argv)
    from viewer.export.race_files import check_output, write_report
    from viewer.export.race_report import Report, text_table
    from viewer.race.sweep import StoredRuns, tasks
    from viewer.race.trajectory import Course, run_lane
    from viewer.scenario.sections.race import parse_lanes

    if options.integrator is not None:
        raise InputError("integrator: a race has lanes; name them with --integrators, such as jolt,split")
    scenario = chosen_scene(options)
    if options.output is not None:
        check_output(options.output)
        for path in (options.output, _runs_beside(options.output)):
            check_not_an_input(path, (options.scene, *scenario.files))
    if scenario.bodies:
        count = len(scenario.bodies)
        raise InputError(f"bodies: {shown(options.scene)} has {count} bodies; a race is of one, without [[bodies]]")
    if scenario.solver.largest_omega:
        raise InputError("solver.largest_omega: a race compares with the exact motion, which has no cap; allowed is 0")
    lanes = parse_lanes(_lane_names(options, scenario.race.lanes))
    sizes = _sizes(options.sweep)
    if sizes and options.output is None:
        raise InputError("sweep: its runs go into a report; name one with -o, such as race.html or race.csv")
    length = {"seconds": options.seconds, "periods": options.periods}
    if options.step is not None or options.steps_per_rotation is not None:
        steps = options.steps_per_rotation if options.step is None else None
        course = Course.of(scenario, steps_per_rotation=steps, step=options.step, **length)
    else:
        course = Course.of_race(scenario, **length)
    trajectories = tuple(run_lane(course, lane, options.fast) for lane in lanes)
    kept = StoredRuns(_runs_beside(options.output), __version__) if sizes and options.output is not None else None
    with contextlib.nullcontext() if kept is None else contextlib.closing(kept):
        outcomes = _swept(tasks(course, lanes, sizes, options.fast), options, kept) if sizes else {}
        by_step = scenario.race.stepping == "fixed" and options.steps_per_rotation is None
        report = Report(scenario, course, trajectories, outcomes, fixed_step=by_step or options.step is not None)
        if options.output is None:
            print(text_table(report), end="")
            return 0
        write_report(report, options.output)
        if kept is not None:
            kept.done()
    return 0


def _race_parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "race",
        "Runs integrators on the same body at the same step and compares them with the exact motion:\n"
        "energy, |L|, direction of L, orientation and phase. Prints a table, or writes a report.",
    )
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file or a preset; without loads, or a symmetric top")
    add("--integrators", metavar="A,B,..", help="lanes: NAME or NAME+STABILISATION (those of the scene)")
    add("--stabilisation", metavar="NAME", help="for every lane without one of its own")
    add("--steps-per-rotation", type=number, metavar="N", help="steps in the time of a turn about L (as in the scene)")
    add("--step", type=duration, metavar="TIME", help='step, such as 0.01 or "5 ms", instead of --steps-per-rotation')
    add("--periods", type=number, default=20.0, metavar="N", help="length in periods of the motion in the body (20)")
    add("--seconds", type=duration, metavar="TIME", help='length, such as 60 or "5.41 d", instead of --periods')
    add("--sweep", metavar="A..B:N", help="work against precision, too: N step sizes, A to B steps per rotation")
    add("--executor", default="processes", metavar="WHERE",
        help="what runs the sweep: none, processes, or the address of a Dask scheduler")  # fmt: skip
    add("--workers", type=whole, metavar="N", help="number of processes (one per core)")
    add("--fast", action="store_true", help="compiled steps; needs numba: pip install 'poinsot[fast]'")
    add("-o", "--output", metavar="FILE", help="report: .html, .csv, .png; otherwise a table is printed")
    set_option(parser)
    add("--integrator", help=argparse.SUPPRESS)
    return parser


def _lane_names(options: argparse.Namespace, own: tuple[str, ...]) -> list[str]:
    """Return the names of the lanes that the options give, or else the scene's `own`."""
    names = list(own) if options.integrators is None else options.integrators.split(",")
    if options.stabilisation is not None:
        names = [name if "+" in name else f"{name}+{options.stabilisation}" for name in names if name.strip()]
    return [str(name) for name in names]


def _sizes(text: str | None) -> list[float]:
    """Return the steps per rotation of "A..B:N", evenly spread on a logarithmic scale, or an empty list for None."""
    if text is None:
        return []
    ends, _, count = text.partition(":")
    low, _, high = ends.partition("..")
    try:
        first, last, many = value_of(low), value_of(high), int(count)
    except ValueError:
        raise InputError(f"sweep: {shown(text)} is not a range; write A..B:N, such as 5..500:12") from None
    if not 2 <= many <= MOST_STEPS or not 2.0 <= first < last <= 1e5:
        raise InputError(f"sweep: {shown(text)} is outside 2 to 1e5 steps a rotation, 2 to {MOST_STEPS} sizes")
    return [float(first * (last / first) ** (n / (many - 1))) for n in range(many)]


def _runs_beside(output: str) -> Path:
    """Return the path of the file that keeps the runs of an interrupted sweep."""
    return Path(os.path.abspath(output) + ".runs")


def _swept(work: "list[Task]", options: argparse.Namespace, kept: "StoredRuns | None") -> "dict[Task, Outcome]":
    """Carry out a sweep with a line of progress; an interrupted one keeps its runs beside the output."""
    from viewer.export.console import Progress
    from viewer.race.sweep import sweep

    found = {}
    try:
        with _executor(options) as executor, Progress(len(work), "run") as progress:
            for task, outcome in sweep(work, executor, kept):
                found[task] = outcome
                progress.advance()
    except KeyboardInterrupt:
        if kept is not None:
            console.report(f"interrupted; {_what_is_kept(kept, found, work)}")
        raise
    except BrokenExecutor:  # whatever ended it: the system where memory is short, a user
        what = "start it again" if kept is None else _what_is_kept(kept, found, work)
        raise InputError(f"a process of the sweep was killed; {what}") from None
    return {task: found[task] for task in work}


def _what_is_kept(kept: "StoredRuns", found: "dict[Task, Outcome]", work: "list[Task]") -> str:
    return f"{len(found)} of {len(work)} runs are kept in {kept.path.name}; the same command continues"


@contextlib.contextmanager
def _executor(options: argparse.Namespace) -> Iterator[Executor | None]:
    if options.executor == "none":
        yield None
    elif options.executor == "processes":
        from viewer.race.workers import workers

        count = (os.cpu_count() or 1) if options.workers is None else options.workers
        if not 1 <= count <= 512:
            raise InputError(f"workers: {count} is outside 1 to 512")
        with workers(count) as pool:
            yield pool
    else:
        yield from _cluster(options.executor)


def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            f"executor: {shown(address)} is neither none nor processes; a Dask scheduler's address needs"
            " distributed: pip install distributed"
        ) from None
    try:
        client = Client(address, timeout="5s")
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"executor: {shown(address)} cannot be reached ({type(error).__name__}); allowed are none, processes,"
            " or a Dask scheduler's address such as tcp://host:8786"
        ) from None
    with client, client.get_executor() as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False)  # which calls off what has not ended
            raise
