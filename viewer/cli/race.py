"""`poinsot race`: integrators beside the exact motion, as numbers, plots and a page."""

import argparse
import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli.options import chosen_scene, command_parser, keep_input, number, set_option, whole_number
from viewer.common import console
from viewer.common.errors import InputError, shown
from viewer.common.version import __version__

if TYPE_CHECKING:
    from viewer.race.sweep import Kept, Outcome, Task

MOST_STEPS = 64  # sizes in a sweep


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
    options = _parser().parse_args(argv)
    from viewer.export.race.formats import check_output, write_report
    from viewer.export.race.report import Report
    from viewer.export.race.text import text_table
    from viewer.race.sweep import Kept, tasks
    from viewer.race.trajectory import Course, run_lane
    from viewer.scenario.lanes import parse_lanes

    if options.integrator is not None:
        raise InputError("integrator: a race has lanes; name them with --integrators, as jolt,split")
    if options.output is not None:
        check_output(options.output)
        keep_input(options.scene, options.output)
    scenario = chosen_scene(options)
    lanes = parse_lanes(_lane_names(options, scenario.race.lanes))
    steps = options.steps_per_rotation
    steps = scenario.race.steps_per_rotation if steps is None else number("steps-per-rotation", steps)
    sizes = _sizes(options.sweep)
    course = Course.of(
        scenario,
        steps_per_rotation=steps if options.step is None else None,
        step=None if options.step is None else number("step", options.step),
        seconds=None if options.seconds is None else number("seconds", options.seconds),
        periods=number("periods", options.periods),
    )
    trajectories = tuple(run_lane(course, lane, options.fast) for lane in lanes)
    kept = Kept(_runs_beside(options.output), __version__) if sizes and options.output is not None else None
    with contextlib.nullcontext() if kept is None else contextlib.closing(kept):
        outcomes = _swept(tasks(course, lanes, sizes, options.fast), options, kept) if sizes else {}
        report = Report(scenario, course, trajectories, outcomes)
        if options.output is None:
            print(text_table(report), end="")
            return 0
        write_report(report, options.output)
        if kept is not None:
            kept.done()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "race",
        "Lets integrators turn the same body at the same step and compares them with the exact motion:\n"
        "energy, |L|, direction of L, orientation and phase. Prints a table, or writes a report.",
    )
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file or a preset; without force and friction")
    add("--integrators", metavar="A,B,..", help="lanes: NAME or NAME+STABILISATION (the scene's own)")
    add("--stabilisation", metavar="NAME", help="for every lane that names none")
    add("--steps-per-rotation", metavar="N", help="steps in the time of a turn about L (the scene's own)")
    add("--step", metavar="S", help="step in seconds, in place of steps a rotation")
    add("--periods", default="20", metavar="N", help="length in periods of the motion in the body (20)")
    add("--seconds", metavar="S", help="length in seconds, in place of periods")
    add("--sweep", metavar="A..B:N", help="work against precision as well: N sizes, A to B steps a rotation")
    add("--executor", default="processes", metavar="WHERE",
        help="what runs the sweep: none, processes, or the address of a Dask scheduler")  # fmt: skip
    add("--workers", metavar="N", help="processes (as many as there are cores)")
    add("--fast", action="store_true", help="compiled steps; needs numba: pip install 'poinsot[fast]'")
    add("-o", "--output", metavar="FILE", help="report: .html, .csv, .png; otherwise a table is printed")
    set_option(parser)
    add("--integrator", help=argparse.SUPPRESS)
    return parser


def _lane_names(options: argparse.Namespace, own: tuple[str, ...]) -> list[str]:
    """The lanes that are asked for, else the scene's `own`."""
    names = list(own) if options.integrators is None else options.integrators.split(",")
    if options.stabilisation is not None:
        names = [name if "+" in name else f"{name}+{options.stabilisation}" for name in names if name.strip()]
    return [str(name) for name in names]


def _sizes(text: str | None) -> list[float]:
    """The steps per rotation of "A..B:N", evenly spread on a logarithmic scale; none without a text."""
    if text is None:
        return []
    ends, colon, count = text.partition(":")
    low, dots, high = ends.partition("..")
    if not (colon and dots):
        raise InputError(f"sweep: {shown(text)} is no range; write A..B:N, such as 5..500:12")
    many = whole_number("sweep", count)
    first, last = number("sweep", low), number("sweep", high)
    if not 2 <= many <= MOST_STEPS or not 2.0 <= first < last <= 1e5:
        raise InputError(f"sweep: {shown(text)} is outside 2..1e5 steps a rotation, 2..{MOST_STEPS} sizes")
    return [float(first * (last / first) ** (n / (many - 1))) for n in range(many)]


def _runs_beside(output: str) -> Path:
    """The file that keeps the runs of an interrupted sweep."""
    return Path(os.path.abspath(output) + ".runs")


def _swept(work: "list[Task]", options: argparse.Namespace, kept: "Kept | None") -> "dict[Task, Outcome]":
    """Carries out a sweep with a line of progress; an interrupted one keeps its runs beside the output."""
    from viewer.export.progress import Progress
    from viewer.race.sweep import sweep

    found = {}
    try:
        with _executor(options) as executor, Progress(len(work), "run") as progress:
            for task, outcome in sweep(work, executor, kept):
                found[task] = outcome
                progress.advance()
    except KeyboardInterrupt:
        if kept is not None:
            console.say(f"interrupted; {_what_is_kept(kept, found, work)}")
        raise
    except BrokenExecutor:  # whatever ended it: the system where memory is short, a user
        what = "run it again" if kept is None else _what_is_kept(kept, found, work)
        raise InputError(f"a process that carries out runs was ended from outside; {what}") from None
    return {task: found[task] for task in work}


def _what_is_kept(kept: "Kept", found: "dict[Task, Outcome]", work: "list[Task]") -> str:
    return f"{len(found)} of {len(work)} runs are kept in {kept.path.name}: the same command goes on"


@contextlib.contextmanager
def _executor(options: argparse.Namespace) -> Iterator[Executor | None]:
    if options.executor == "none":
        yield None
    elif options.executor == "processes":
        from viewer.race.workers import workers

        count = (os.cpu_count() or 1) if options.workers is None else whole_number("workers", options.workers)
        if not 1 <= count <= 512:
            raise InputError(f"workers: {count} is outside 1..512")
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
