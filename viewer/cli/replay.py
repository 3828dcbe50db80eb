"""`poinsot replay`: another engine's recording under the same construction."""

import argparse
import json
from typing import TYPE_CHECKING

from viewer.cli.options import command_parser, keep_input
from viewer.export.progress import Progress
from viewer.scenario.lanes import Lane, parse_lanes

if TYPE_CHECKING:
    from viewer.replay.analysis import Replay


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
    options = _parser().parse_args(argv)
    settings = None
    if options.show:  # it is read for the window
        from viewer.cli.window import show_replay, user_settings

        settings = user_settings()
    from viewer.replay.conventions import parse_conventions
    from viewer.replay.mapping import parse_mapping
    from viewer.replay.scene import replayed

    columns = None if options.columns is None else parse_mapping(options.columns)
    wanted = parse_conventions(
        quaternion=options.quaternion,
        angular_velocity=options.angular_velocity,
        time=options.time_unit,
        moments=options.moments,
    )
    beside = () if options.beside is None else parse_lanes(options.beside.split(","))
    if options.output is not None:
        from viewer.export.race.formats import check_output

        check_output(options.output)
        keep_input(options.recording, options.output, "recording")
    with Progress(100, "hundredth") as bar:
        found = replayed(
            options.recording, wanted, lambda done: bar.advance(round(100 * done) - bar.done), columns, options.flight
        )
    if options.output is not None:
        _write(options.output, found, beside)
    elif options.json:
        print(json.dumps(found.data(), indent=2, ensure_ascii=False))
    elif not options.show:
        print("\n".join(found.findings()))
    return 0 if settings is None else show_replay(found, options.recording, settings)


def _write(path: str, found: "Replay", beside: tuple[Lane, ...]) -> None:
    """The report of a race in which the recording runs beside integrators."""
    import dataclasses

    from viewer.export.race.formats import write_report
    from viewer.export.race.report import Report
    from viewer.race.trajectory import run_lane
    from viewer.scenario.scenario import Scenario

    scenario = Scenario(title=found.trajectory.lane.label[:300])
    course = dataclasses.replace(found.trajectory.course, every=1)
    trajectories = found.trajectory, *(run_lane(course, lane) for lane in beside)
    write_report(Report(scenario, course, trajectories, {}, tuple(found.findings()[1:])), path)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "replay",
        "Reads the motion of a free body from another program's recording (a phone's, an engine's, a spacecraft's:\n"
        "`poinsot formats` lists what is read) and reports what its energy, momentum and phase do, where it leaves\n"
        "the curve of L in the body, and which known integrator it resembles. In a sensor's recording it finds the\n"
        "free flights, and the body that explains them.",
        epilog="Conventions that a recording does not declare (manual: Recordings of other programs) are given by\n"
        "options, or inferred, with a remark.",
    )
    add = parser.add_argument
    add("recording", metavar="RECORDING", help="the recording: a file, a ZIP archive or a folder")
    add("--columns", metavar="T=..,WX=..", help="which columns are t, qw.., wx.., ax..: names or numbers; remembered")
    add("--quaternion", default="", metavar="TEXT", help="wxyz or xyzw, and world from body or body from world")
    add("--angular-velocity", default="", metavar="TEXT", help="body or world, and rad/s, deg/s or rpm")
    add("--time-unit", default="", metavar="UNIT", help="s, ms, us, ns, min, h, d")
    add("--flight", metavar="N", help="the free flight that is replayed, by its number, or all: one body fitted to all")
    add("--moments", default="", metavar="A,B,C", help="principal moments about its body axes; else fitted")
    add("--beside", metavar="A,B,..", help="integrators that run beside it in the report, as in a race")
    add("--json", action="store_true", help="what is found as JSON, with every digit")
    add("--show", action="store_true", help="open the window: it runs beside the exact motion, as a race")
    add("-o", "--output", metavar="FILE", help="report to write: .html, .csv, .png; otherwise it is printed")
    return parser
