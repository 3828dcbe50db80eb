"""`poinsot race`: files beside its report, and its options."""

from pathlib import Path

import pytest

from viewer import cli


def test_a_race_leaves_a_strangers_file_alone() -> None:
    Path("o.csv.runs").write_text("mine")
    arguments = "race sphere --integrators split --periods 1 -o o.csv"
    assert cli.main(arguments.split()) == 0
    assert cli.main([*arguments.split(), "--sweep", "5..20:2", "--executor", "none"]) == 2
    assert Path("o.csv.runs").read_text() == "mine"


def test_a_sweep_without_a_report_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("race sphere --integrators split --sweep 5..20:2".split()) == 2
    assert "sweep: its runs go into a report; name one with -o" in capsys.readouterr().err


def test_one_integrator_for_a_race_is_refused_not_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("race sphere --integrator jolt".split()) == 2
    assert "integrator: a race has lanes; name them with --integrators" in capsys.readouterr().err
