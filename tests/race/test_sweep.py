"""Sweeps: the same here, in other processes and on a cluster; interrupted ones go on."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from helpers.processes import environment, heed_interrupts, output

from viewer.common.errors import InputError
from viewer.race import sweep as module
from viewer.race.sweep import StoredRuns, run_task, sweep, tasks
from viewer.race.trajectory import Course
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Lane


@pytest.fixture
def work():
    course = Course.of(Scenario.preset("paper-fig1"), step=0.01, periods=3)
    lanes = [Lane.parse(name) for name in ("explicit-euler", "split", "first-order+closest-point", "exact")]
    return tasks(course, lanes, (10, 40, 160))


def errors(outcomes):
    return {task: (o.steps, o.energy, o.orientation, o.phase) for task, o in outcomes}


@pytest.mark.slow
def test_two_workers_find_what_one_finds(work):
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        assert errors(sweep(work, executor)) == errors(sweep(work))


def test_a_cluster_carries_the_sweep(work):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as executor,
    ):
        assert errors(sweep(work, executor)) == errors(sweep(work))


def test_errors_fall_with_the_order():
    course = Course.of(Scenario.preset("paper-fig1"), step=0.01, periods=3)
    for name, order in (("split", 2.0), ("split4", 4.0)):
        found = [outcome.orientation for _, outcome in sweep(tasks(course, [Lane.parse(name)], (50, 100, 200)))]
        slopes = np.log2(np.array(found[:-1]) / found[1:])
        assert slopes == pytest.approx(order, abs=0.02)  # measured 2.000, 2.000; 3.993, 3.998


def test_a_run_that_leaves_the_finite_range_has_infinite_errors(work):
    course = Course.of(Scenario.preset("dzhanibekov"), steps_per_rotation=5, periods=20)
    (task,) = tasks(course, [Lane.parse("explicit-euler")], (5,))
    outcome = run_task(task)
    assert outcome.energy == outcome.orientation == np.inf
    assert outcome.phase is None


def test_an_interrupted_sweep_goes_on(work, tmp_path, monkeypatch):
    path = tmp_path / "report.csv.runs"
    beginning = StoredRuns(path, "1")
    begun = sweep(work, kept=beginning)
    first = [next(begun) for _ in range(5)]
    begun.close()
    beginning.close()
    with path.open("a") as file:
        file.write('{"task": {"integr')  # killed in the middle of a line
    again = StoredRuns(path, "1")
    (after,) = (run for run in sweep(work[:6], kept=again) if run not in first)
    again.close()
    first.append(after)  # it does not stand in the torn line
    made = []
    monkeypatch.setattr(module, "run_task", lambda task: made.append(task) or run_task(task))
    kept = StoredRuns(path, "1")
    rest = dict(sweep(work, kept=kept))
    assert made == [task for task in work if task not in dict(first)]
    assert errors(rest.items()) == errors(sweep(work))
    assert {task: rest[task] for task, _ in first} == dict(first)
    kept.done()
    assert not path.exists()


def test_runs_of_another_sweep_or_another_version_are_not_taken(work, tmp_path):
    path = tmp_path / "runs"
    kept = StoredRuns(path, "1")
    assert len(list(sweep(work[:1], kept=kept))) == 1
    kept.close()
    heading, line, end = path.read_text().split("\n")
    values = json.loads(line)
    values["task"]["seconds"] += 1.0
    path.write_text("\n".join((heading, json.dumps(values), end)))
    kept = StoredRuns(path, "1")
    assert work[0] not in kept.outcomes
    assert len(kept.outcomes) == 1
    kept.close()
    kept = StoredRuns(path, "2")
    assert not kept.outcomes
    kept.close()
    assert not path.exists()  # it holds nothing


@pytest.mark.parametrize("letters", [0, 1, 9, 35])
def test_a_sweep_that_was_killed_within_the_heading_begins_anew(work, tmp_path, letters):
    path = tmp_path / "runs"
    path.write_text(f"{module.HEADING}1\n"[:letters])
    kept = StoredRuns(path, "1")
    assert len(list(sweep(work[:1], kept=kept))) == 1
    kept.close()
    again = StoredRuns(path, "1")
    assert work[0] in again.outcomes
    again.close()


def test_a_strangers_file_is_left_alone(tmp_path):
    path = tmp_path / "runs"
    path.write_text("my own\nruns\n")
    with pytest.raises(InputError, match="is not a file of kept runs"):
        StoredRuns(path, "1")
    assert path.read_text() == "my own\nruns\n"
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a regular file"):
        StoredRuns(tmp_path / "pipe", "1")


def test_two_sweeps_do_not_write_into_one_file(work, tmp_path):
    kept = StoredRuns(tmp_path / "runs", "1")
    with pytest.raises(InputError, match="another sweep is writing to the same output"):
        StoredRuns(tmp_path / "runs", "1")
    kept.close()


def race(folder, *words, **more):
    """`poinsot race` with a sweep of minutes in a process of its own."""
    script = folder.with_name(f"{folder.name} bin") / "poinsot"  # as it is installed: in a folder of its own
    script.parent.mkdir()
    script.write_text("import sys; from viewer.__main__ import main\nif __name__ == '__main__': sys.exit(main())")
    command = [sys.executable, script, "race", "paper-fig1", "--integrators", "jolt,split4", "--workers", "2", *words]
    env = environment() | {"PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.PIPE, text=True, **more)


LONG = ("--periods", "30", "--sweep", "20..20000:8")


def children(pid):
    """The processes below one that Python's spawn has started to work."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            found.append(int(child))
    return found


def running(folder):
    """A race that has kept its first runs."""
    process = race(folder, *LONG, "-o", "o.csv", preexec_fn=heed_interrupts)
    until = time.monotonic() + 60
    runs = folder / "o.csv.runs"
    while not runs.exists() or runs.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.02)
    return process


def ended(pids):
    """Whether all of them end soon."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if not any(Path(f"/proc/{pid}").exists() for pid in pids):
            return True
        time.sleep(0.02)
    return False


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.mark.sweep(most=1)
@linux
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"])
def test_the_workers_end_with_the_program(tmp_path, name):
    process = running(tmp_path)
    below = children(process.pid)
    assert len(below) == 2
    process.send_signal(getattr(signal, name))
    _, said = output(process)
    assert process.returncode == {"SIGKILL": -9, "SIGTERM": 143, "SIGHUP": 129, "SIGINT": 130}[name]
    assert ended(below)
    assert os.listdir(tmp_path) == ["o.csv.runs"]
    if name != "SIGKILL":
        assert said.startswith("poinsot: interrupted; ")
        assert said.endswith(" runs are kept in o.csv.runs; the same command continues\n")
        assert said.count("\n") == 1


@linux
def test_a_killed_worker_is_told_with_what_is_kept(tmp_path):
    process = running(tmp_path)
    below = children(process.pid)
    os.kill(below[0], signal.SIGKILL)
    _, said = output(process)
    assert process.returncode == 2
    assert said.startswith("poinsot: a process of the sweep was killed; ")
    assert said.endswith(" of 16 runs are kept in o.csv.runs; the same command continues\n")
    assert ended(below)


@pytest.mark.slow
def test_code_from_the_working_folder_does_not_run(tmp_path):
    for name in ("multiprocessing", "pickle", "numpy", "random"):
        (tmp_path / f"{name}.py").write_text("open('it ran', 'w'); raise SystemExit(7)")
    process = race(tmp_path, "--periods", "1", "--sweep", "5..20:2", "-o", "o.csv")
    _, said = output(process)
    assert (process.returncode, said) == (0, "")
    assert (tmp_path / "o.csv").exists()
    assert not (tmp_path / "it ran").exists()


def test_the_runs_that_an_earlier_version_kept_are_made_again(tmp_path):
    """Its largest errors, flips and phases came from some of the steps."""
    kept = tmp_path / "sweep.csv.runs"
    kept.write_bytes((Path(__file__).parents[1] / "data" / "before" / "sweep.csv.runs").read_bytes())
    with closing(StoredRuns(kept, "0.1.0")) as runs:
        assert runs.outcomes == {}
