"""Sweeps: the same here, in other processes and on a cluster; interrupted ones go on."""

import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from viewer.lanes import Lane
from viewer.race import sweep as module
from viewer.race.sweep import Kept, run_task, sweep, tasks
from viewer.race.track import Course
from viewer.scenario import Scenario


@pytest.fixture
def work():
    course = Course.of(Scenario.preset("paper-fig1"), step=0.01, periods=3)
    lanes = [Lane.parse(name) for name in ("explicit-euler", "split", "first-order+closest-point", "exact")]
    return tasks(course, lanes, (10, 40, 160))


def errors(outcomes):
    return {task: (o.steps, o.energy, o.orientation, o.phase) for task, o in outcomes}


def test_two_workers_find_what_one_finds(work):
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        assert errors(sweep(work, executor)) == errors(sweep(work))


def test_a_cluster_carries_the_sweep(work):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as executor,
    ):
        assert errors(sweep(work, executor)) == errors(sweep(work))


def test_errors_fall_with_the_order():
    course = Course.of(Scenario.preset("paper-fig1"), step=0.01, periods=3)
    for name, order in (("split", 2.0), ("split4", 4.0)):
        found = [
            outcome.orientation for _, outcome in sweep(tasks(course, [Lane.parse(name)], (50, 100, 200)))
        ]
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
    begun = sweep(work, kept=Kept(path))
    first = [next(begun) for _ in range(5)]
    begun.close()
    with path.open("a") as file:
        file.write('{"task": {"integr')  # killed in the middle of a line
    made = []
    monkeypatch.setattr(module, "run_task", lambda task: made.append(task) or run_task(task))
    kept = Kept(path)
    rest = dict(sweep(work, kept=kept))
    assert made == [task for task in work if task not in dict(first)]
    assert errors(rest.items()) == errors(sweep(work))
    assert {task: rest[task] for task, _ in first} == dict(first)
    kept.done()
    assert not path.exists()


def test_runs_of_another_sweep_are_not_taken(work, tmp_path):
    path = tmp_path / "runs"
    assert len(list(sweep(work[:1], kept=Kept(path)))) == 1
    values = json.loads(path.read_text())
    values["task"]["seconds"] += 1.0
    path.write_text(json.dumps(values) + "\n")
    kept = Kept(path)
    assert work[0] not in kept.outcomes
    assert len(kept.outcomes) == 1
