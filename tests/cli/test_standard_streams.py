"""Standard output and standard error that are closed, full, or read by nobody."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.processes import environment

CLOSED = "poinsot: standard output cannot be written: it is closed\n"
FULL = "poinsot: standard output cannot be written: No space left on device\n"
STREAMS = {
    "a pipe without a reader": "({command}; echo $? >code) 2>&1 | true",
    "a full disk": "{command} >/dev/full 2>&1; echo $? >code",
    "all closed": "{command} <&- >&- 2>&-; echo $? >code",
    "standard error closed": "{command} 2>&-; echo $? >code",
}
LONG = {
    "a.csv": "simulate rod --seconds 3 --every .01 -o a.csv",
    "a.gif": "render rod --size 128x96 --samples 1 --seconds .2 -o a.gif",
    "a.html": "race sphere --integrators split --periods 1 --sweep 5..20:3 --workers 1 -o a.html",
}


def test_simulate_streams_and_takes_a_closed_pipe() -> None:
    command = f"{sys.executable} -m viewer simulate paper-fig1-fine --seconds 1000 --every 0.01 | head -n 3"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, env=environment(display=False), timeout=60
    )
    assert len(done.stdout.splitlines()) == 3
    assert done.stderr == ""


def test_a_closed_standard_output_is_one_line() -> None:
    command = f"{sys.executable} -m viewer simulate sphere >&-"
    done = subprocess.run(
        command, shell=True, stderr=subprocess.PIPE, text=True, check=False, env=environment(display=False)
    )
    assert (done.returncode, done.stderr) == (2, CLOSED)
    command = f"{sys.executable} -m viewer presets >&-"
    done = subprocess.run(
        command, shell=True, stderr=subprocess.PIPE, text=True, check=False, env=environment(display=False)
    )
    assert (done.returncode, done.stderr) == (2, CLOSED)  # what was asked for is not there


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("streams", "name"), [(streams, "a.csv") for streams in STREAMS] + [("all closed", name) for name in LONG][1:]
)
def test_work_goes_on_where_nobody_listens(streams: str, name: str, tmp_path: Path) -> None:
    """Every piece of work speaks of its progress at once; what it was for is there, and nothing else stands in it."""
    talkative = "import viewer.export.console as p, sys; p.LINE = 0.0; import viewer.__main__ as m; sys.exit(m.main())"
    command = f'{sys.executable} -c "{talkative}" {LONG[name]}'
    script = STREAMS[streams].format(command=command)
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, env=environment(display=False)
    )
    assert Path("code").read_text() == "0\n"
    assert (done.stdout, done.stderr) == ("", "")
    assert sorted(os.listdir()) == [name, "code"]
    content = Path(name).read_bytes()
    assert b"poinsot: " not in content
    assert content.startswith({".csv": b"time_s,", ".gif": b"GIF89a", ".html": b"<!doctype html>"}[Path(name).suffix])


def test_errors_go_nowhere_else_where_standard_error_is_closed() -> None:
    command = f"{sys.executable} -m viewer render nothing -o a.png 2>&-"
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True, check=False, env=environment())
    assert (done.returncode, done.stdout) == (2, "")


def test_a_reader_that_goes_away_gets_no_success() -> None:
    """As of any program in a pipe: `set -o pipefail` tells a script that the table is not all there."""
    command = f"{sys.executable} -m viewer simulate rod --seconds 1000 | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=environment())
    assert (done.stdout.splitlines()[1:], done.stderr) == (["141"], "")


@pytest.mark.parametrize("arguments", ["presets", "integrators", "stereo-modes", "--help"])
def test_a_terminal_without_greek_letters_gets_the_lists_too(arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "viewer", arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment(display=False) | {"PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u03b8" in done.stdout or arguments != "presets"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", ["presets", "simulate sphere"])
def test_a_full_disk_behind_standard_output_is_one_line(arguments: str) -> None:
    command = f"{sys.executable} -m viewer {arguments} > /dev/full"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, env=environment(display=False)
    )
    assert (done.returncode, done.stderr) == (2, FULL)


def test_what_python_would_print_by_itself_goes_to_the_log(tmp_path: Path) -> None:
    code = (
        "import sys, threading, warnings; from viewer import cli; status = cli.main(['presets']);"
        "warnings.warn('overflow', RuntimeWarning); thread = threading.Thread(target=lambda: 1 / 0);"
        "thread.start(); thread.join(); sys.exit(status)"
    )
    mine = environment(display=False) | {"POINSOT_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=mine)
    (file,) = tmp_path.rglob("poinsot.log")
    log = file.read_text()
    assert done.returncode == 0
    assert done.stderr == f"poinsot: internal error: ZeroDivisionError: division by zero (more in {file})\n"
    assert "notice: RuntimeWarning: overflow" in log
    assert "in <lambda>" in log
