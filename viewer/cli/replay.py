"""`poinsot replay`: another engine's log under the same construction."""

import argparse
from typing import TYPE_CHECKING

from viewer.cli.options import command_parser, keep_input
from viewer.export.progress import Progress
from viewer.scenario.lanes import Lane, parse_lanes

if TYPE_CHECKING:
    from viewer.replay.analysis import Replay


def run(words: list[str]) -> int:
    """Reads the words after the command; returns the exit status."""
    options = _parser().parse_args(words)
    from viewer.replay.conventions import parse_conventions
    from viewer.replay.scene import replayed

    wanted = parse_conventions(
        quaternion=options.quaternion or "",
        angular_velocity=options.angular_velocity or "",
        time=options.time_unit or "",
        moments=options.moments or "",
    )
    beside = [] if options.beside is None else list(parse_lanes(options.beside.split(",")))
    if options.output is not None:
        from viewer.export.race.formats import check_output

        check_output(options.output)
        keep_input(options.log, options.output, "recording")
    with Progress(100, "hundredth") as bar:
        found = replayed(options.log, wanted, lambda done: bar.advance(round(100 * done) - bar.done))
    if options.output is not None:
        _write(options.output, found, beside)
    elif not options.show:
        print("\n".join(found.findings()))
    if options.show:
        from viewer.cli.window import show_replay

        return show_replay(found)
    return 0


def _write(path: str, found: "Replay", beside: list[Lane]) -> None:
    """The report of a race in which the log runs beside integrators."""
    import dataclasses

    from viewer.export.race.formats import write_report
    from viewer.export.race.report import Report
    from viewer.race.trajectory import run_lane
    from viewer.scenario.scenario import Scenario

    track = found.trajectory
    scenario = Scenario(title=track.lane.label[:300])
    course = dataclasses.replace(track.course, every=1)
    lanes = tuple(run_lane(course, lane) for lane in beside)
    write_report(Report(scenario, course, (track, *lanes), {}, tuple(found.findings()[1:])), path)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "replay",
        "Reads the motion of a free body from another engine's log, a CSV with columns t and qw, qx, qy, qz,\n"
        "or wx, wy, wz, or both, and says what its energy, momentum and phase do, where it leaves the curve of\n"
        "L in the body, and which known integrator it resembles.",
        epilog="What a log does not say of itself (README: Logs of other engines) is given by options, or found out\n"
        "by what fits, with a remark.",
    )
    add = parser.add_argument
    add("log", metavar="LOG.csv", help="the log")
    add("--quaternion", metavar="WORDS", help="wxyz or xyzw, and world from body or body from world")
    add("--angular-velocity", metavar="WORDS", help="body or world, and rad/s, deg/s or rpm")
    add("--time-unit", metavar="UNIT", help="s, ms, us, ns, min, h, d")
    add(
        "--moments",
        metavar="A,B,C",
        help="principal moments about the log's body axes; otherwise they are fitted",
    )
    add("--beside", metavar="A,B,..", help="integrators that run beside it in the report, as in a race")
    add("--show", action="store_true", help="open the window: the log beside the exact motion, as a race")
    add("-o", "--output", metavar="FILE", help="report to write: .html, .csv, .png; otherwise it is printed")
    return parser
