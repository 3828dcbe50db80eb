"""`poinsot replay`, `live`: other programs' recordings, and a phone's sensors as they measure."""

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np

from viewer.cli.options import command_parser, duration, number
from viewer.common import signals
from viewer.common.errors import InputError, brief, refusal, shown
from viewer.export import console
from viewer.export.console import Progress, json_text
from viewer.scenario.field import Number
from viewer.scenario.recordings import check_not_an_input
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Lane, parse_lanes

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.replay.phone import Phone

EVERY = 0.1  # s between two requests to a phone
SECONDS = Number("Seconds", "how long a phone is recorded", unit="s", low=0.1, high=3600.0)
TOLERANCE = Number("Tolerance", "from which difference on a recording is off", low=1e-15, high=10.0)


def replay(argv: list[str]) -> int:
    """Read another program's recordings and report what they do, or open the window with them."""
    options = _replay_parser().parse_args(argv)
    settings = None
    if options.show:  # it is read for the window
        from viewer.cli.window import show_recordings, user_settings

        settings = user_settings()
    from viewer.replay.conventions import parse_conventions
    from viewer.replay.mapping import STEP, parse_mapping
    from viewer.replay.scene import replayed

    columns = None if options.columns is None else parse_mapping(options.columns)
    wanted = parse_conventions(
        quaternion=options.quaternion,
        angular_velocity=options.angular_velocity,
        time=options.time_unit,
        moments=options.moments,
    )
    beside = () if options.beside is None else parse_lanes(options.beside.split(","))
    files = options.recordings
    drawn = None if options.body is None else Scenario.find(options.body)
    body = None if drawn is None else drawn.body
    if body is not None and (settings is None or len(files) > 1):
        raise refusal("--body: is what one recording is drawn as; allowed with --show and one recording")
    tolerance = _tolerance(options.tolerance, files)
    if options.step is not None:
        STEP.check("--step", options.step)
    if options.flight is not None and len(files) > 1:
        raise refusal("--flight: is for one recording; these are {count}", count=len(files))
    if options.flight is not None and wanted.moments is not None:
        raise refusal("--flight: its moments are fitted; not allowed with --moments, which declares them")
    if options.output is not None:
        from viewer.export.race_files import check_output

        check_output(options.output)
        drawn_from = () if drawn is None else (options.body, *drawn.files)
        check_not_an_input(options.output, (*files, *drawn_from))
    with Progress(100, "hundredth") as bar:

        def advance(done: float) -> None:
            bar.advance(round(100 * done) - bar.done)

        found = replayed(
            *files,
            wanted=wanted,
            progress=advance,
            columns=columns,
            flight=options.flight,
            tolerance=tolerance,
            step=options.step,
            repair=options.repair,
        )
    if options.output is not None:
        _write(options.output, found, beside)
    elif options.json:
        print(json_text(found.data()))
    elif not options.show:
        print("\n".join(found.findings()))
    if settings is None:
        return 0
    return show_recordings(found, files, settings, drawn_as=body)


def _tolerance(given: float | None, files: list[str]) -> float | None:
    """Return the difference beyond which one of several recordings counts as wrong, or None.

    Raises InputError if the number is not allowed, or if there is only one recording.
    """
    if given is None:
        return None
    if len(files) == 1:
        raise refusal("--tolerance: is for several recordings; {file} is one", file=shown(files[0]))
    TOLERANCE.check("--tolerance", given)
    return given


def _write(path: str, found: "Replay", beside: tuple[Lane, ...]) -> None:
    """Write the report of a race between the recordings and the integrators in `beside`."""
    import dataclasses

    from viewer.export.race_files import write_report
    from viewer.export.race_report import Report
    from viewer.race.trajectory import run_lane

    scenario = Scenario(title=found.title[:300])
    recorded = found.trajectories
    course = dataclasses.replace(recorded[0].course, every=1)
    trajectories = *recorded, *(run_lane(course, lane) for lane in beside)
    drag = found.drag
    remarks, relative = tuple(found.findings()[1:]), found.ratios is not None
    write_report(Report(scenario, course, trajectories, {}, remarks, relative=relative, drag=drag), path)


def _replay_parser() -> argparse.ArgumentParser:
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
    add("recordings", metavar="RECORDING", nargs="+", help="a file, a ZIP archive, a folder; several are compared")
    add("--columns", metavar="T=..,WX=..", help="which columns are t, qw.., roll.., wx.., ax..: names or numbers; kept")
    add("--quaternion", default="", metavar="TEXT", help="wxyz or xyzw, and world from body or body from world")
    add("--angular-velocity", default="", metavar="TEXT", help="body or world, and rad/s, deg/s or rpm")
    add("--time-unit", default="", metavar="UNIT", help="s, ms, us, ns, min, h, d")
    add("--step", type=duration, metavar="TIME", help="time between the rows of a table without times")
    add("--flight", metavar="N", help="the free flight that is replayed, by its number, or all: one body fitted to all")
    add(
        "--moments",
        default="",
        metavar="A,B,C",
        help="principal moments about its body axes; else fitted, as to a --flight always",
    )
    add(
        "--repair",
        action="store_true",
        help="read rates and orientations that disagree so that they agree; says how",
    )
    add("--body", metavar="FILE", help="a mesh or a scene: what has been recorded, in the axes of the sensor (--show)")
    add("--tolerance", type=number, metavar="X", help="from which difference on one of several is off; else 0.01, 1 %%")
    add("--beside", metavar="A,B,..", help="integrators that run beside it in the report, as in a race")
    add("--json", action="store_true", help="what is found as JSON, with every digit")
    add("--show", action="store_true", help="open the window: it runs beside the exact motion, as a race")
    add("-o", "--output", metavar="FILE", help="report to write: .html, .csv, .png; otherwise it is printed")
    return parser


def live(argv: list[str]) -> int:
    """Show a phone's sensors as they measure, in the window, or write them to a file."""
    options = _live_parser().parse_args(argv)
    SECONDS.check("--seconds", options.seconds)
    from viewer.replay.phone import Phone  # here: replay does not need its network code

    phone = Phone(options.url)
    if options.output is not None:
        return _record(phone, options)
    from viewer.cli.window import show_live, user_settings

    settings = user_settings()
    phone.connect()
    return show_live(phone, settings)


def _record(phone: "Phone", options: argparse.Namespace) -> int:
    """Write what the phone measures until the time is over, or until Ctrl-C."""
    import io

    from viewer.common.output_files import WholeFile, output_suffix
    from viewer.replay.live_recording import LiveRecording

    output_suffix(options.output, "table", (".csv",))
    recording = LiveRecording(kept=None)
    lost = 0
    phone.connect()
    end = time.monotonic() + options.seconds
    try:
        while time.monotonic() < end:
            answer = phone.poll()
            with signals.held():
                recording.add(answer)
            time.sleep(EVERY)
    except (KeyboardInterrupt, InputError) as error:  # what was measured until then is kept
        if not len(recording.time):
            raise
        if isinstance(error, InputError):
            console.report(str(error))
            lost = 2
    if not len(recording.time) and recording.left_out:
        raise refusal("{address}: gives no numbers that a gyroscope measures", address=phone.address)
    if not len(recording.time):
        raise refusal("{address}: has measured nothing; press Play in phyphox", address=phone.address)
    target = WholeFile(options.output)
    with target as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        recording.write(text)
        text.detach()
        target.complete = not lost
    left_out = f"; {recording.left_out} without numbers left out" if recording.left_out else ""
    print(f"{target.path}: {len(recording.time)} rows over {brief(float(np.ptp(recording.time)), 4)} s{left_out}")
    return lost if signals.asked() is None else 128 + (signals.asked() or 0)


def _live_parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "live",
        "Shows how a phone turns while it turns: in the app phyphox open an experiment with the gyroscope, switch on\n"
        "'Allow remote access' in its menu, press Play, and give the address that it shows. Nothing else is contacted.",
    )
    add = parser.add_argument
    add("url", metavar="URL", help="such as http://192.168.0.42:8080")
    add("-o", "--output", metavar="FILE.csv", help="record to a file instead of opening the window")
    add("--seconds", type=duration, default=10.0, metavar="TIME", help="how long it records (10)")
    return parser
