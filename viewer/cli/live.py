"""`poinsot live`: a phone's sensors as they measure, in the window or into a file."""

import argparse
import time

import numpy as np

from viewer.cli.options import command_parser, duration
from viewer.common import signals
from viewer.common.errors import InputError, brief, refusal
from viewer.export import console
from viewer.replay.phone import Phone

EVERY = 0.1  # s between two questions
LEAST_SECONDS, MOST_SECONDS = 0.1, 3600.0  # that it records


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
    options = _parser().parse_args(argv)
    if not LEAST_SECONDS <= options.seconds <= MOST_SECONDS:  # nan too
        raise refusal(
            "--seconds: {given:g} s is outside {low:g} to {high:g} s",
            given=options.seconds,
            low=LEAST_SECONDS,
            high=MOST_SECONDS,
        )
    phone = Phone(options.url)
    if options.output is not None:
        return _record(phone, options)
    from viewer.cli.window import show_live, user_settings

    settings = user_settings()
    phone.connect()
    return show_live(phone, settings)


def _record(phone: Phone, options: argparse.Namespace) -> int:
    """Writes what the phone measures until the time is over, or until Ctrl-C."""
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


def _parser() -> argparse.ArgumentParser:
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
