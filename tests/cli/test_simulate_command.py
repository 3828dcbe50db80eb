"""`poinsot simulate`."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from viewer import cli
from viewer.export.table import COLUMNS
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.scenario import Scenario


def test_simulate_writes_the_motion() -> None:
    assert cli.main("simulate paper-fig2 --seconds 7 --every 0.1 -o a.csv".split()) == 0
    assert Path("a.csv").read_text().split("\n")[0] == ",".join(COLUMNS)
    table = np.loadtxt("a.csv", delimiter=",", skiprows=1)
    assert table.shape == (71, len(COLUMNS))
    scenario = Scenario.preset("paper-fig2")
    exact = FreeRotation(scenario.rigid_body(), scenario.start_state()).at(table[:, 0])
    np.testing.assert_allclose(table[:, 0], np.arange(71) * 0.1, atol=scenario.solver.step / 2 + 1e-12)
    np.testing.assert_allclose(table[:, 1:5], exact.orientation_wxyz, atol=1e-11)  # measured: 4e-13
    np.testing.assert_allclose(table[:, 5:8], exact.omega_body, atol=1e-11)
    np.testing.assert_allclose(table[:, 14:16], 0.2368125, rtol=1e-12)
    assert os.listdir() == ["a.csv"]


@pytest.mark.slow
def test_simulate_fast_is_the_same_motion() -> None:
    pytest.importorskip("numba")
    tables = []
    for arguments in ("", " --fast"):
        assert cli.main(f"simulate rod --seconds 5 --every 0.125 -o a.csv{arguments}".split()) == 0
        tables.append(np.loadtxt("a.csv", delimiter=",", skiprows=1))
    assert tables[0].shape == (41, len(COLUMNS))
    np.testing.assert_allclose(tables[1], tables[0], rtol=1e-9, atol=1e-9)  # measured: 2e-12


@pytest.mark.parametrize("output", ["", " -o a.csv"])
def test_simulate_fast_without_numba_says_what_to_install(
    output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    for scene in ("rod", "paper-fig1 --integrator exact"):
        assert cli.main(f"simulate {scene} --fast{output}".split()) == 2
        out, err = capsys.readouterr()
        assert (out, err) == ("", "poinsot: fast: numba is not installed; pip install 'poinsot[fast]' brings it\n")
    assert os.listdir() == []


def test_settings_and_options_reach_the_scene(capsys: pytest.CaptureFixture[str]) -> None:
    settings = "--set start.angular_velocity=[0,0,3] --set body.shape=box --integrator split"
    assert cli.main(f"simulate sphere --seconds 1 --every 1 {settings}".split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert [float(value) for value in lines[-1].split(",")[5:8]] == pytest.approx([0, 0, 3], abs=1e-12)


def test_a_step_longer_than_a_hundredth_is_the_time_between_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("simulate ode-blog --seconds .1".split()) == 0
    times = [float(line.split(",")[0]) for line in capsys.readouterr().out.splitlines() if line[:1].isdigit()]
    assert times == pytest.approx([n / 60 for n in range(7)], abs=1e-12)
