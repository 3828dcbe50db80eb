"""Reports of a race: files that parse and hold the race's numbers, and the command that writes them."""

import csv
import dataclasses
import io
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from PIL import Image

from viewer.cli import main
from viewer.cli.motion import _sizes
from viewer.common.errors import InputError
from viewer.export.race_figures import race_figure
from viewer.export.race_files import html_text, write_report
from viewer.export.race_report import Report, csv_text, text_table
from viewer.race.live import LiveRace
from viewer.race.sweep import sweep, tasks
from viewer.race.trajectory import Course, run_lane
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import parse_lanes


@pytest.fixture(scope="module")
def report():
    scenario = Scenario.preset("paper-fig1")
    course = Course.of(scenario, steps_per_rotation=20, periods=3)
    lanes = parse_lanes(["naive-rotation", "jolt", "split", "first-order+closest-point"])
    trajectories = tuple(run_lane(course, lane) for lane in lanes)
    return Report(scenario, course, trajectories, dict(sweep(tasks(course, lanes, (10, 40)))))


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_table_holds_the_numbers_of_the_trajectories_and_of_the_sweep(report):
    lines = table(csv_text(report))
    assert len(lines) == 4 + 8
    for line, trajectory in zip(lines, report.trajectories, strict=False):
        errors, circling = trajectory.errors, trajectory.circling
        assert line["lane"] == trajectory.lane.name
        assert report.course.every == 1
        assert float(line["largest_relative_energy_error"]) == np.abs(errors.energy).max()
        assert float(line["largest_orientation_error_rad"]) == errors.orientation.max()
        if circling.other is None:
            assert float(line["final_phase_error_rad"]) == errors.phase[-1]
            assert line["circles_another_axis_from_s"] == ""
        else:
            assert line["final_phase_error_rad"] == ""
            assert float(line["circles_another_axis_from_s"]) == circling.other
        assert float(line["step_s"]) == report.course.step
        assert int(line["flips"]) == circling.known_flips
    assert [line["lane"] for line in lines[:4] if line["circles_another_axis_from_s"]] == ["naive-rotation"]
    for line, (task, outcome) in zip(lines[4:], report.sweep.items(), strict=True):
        assert line["lane"] == task.lane.name
        assert float(line["steps_per_rotation"]) == task.steps_per_rotation
        assert float(line["largest_relative_energy_error"]) == outcome.energy


def test_a_lane_that_blew_up_has_infinite_errors_and_its_time():
    scenario = Scenario.preset("dzhanibekov")
    course = Course.of(scenario, steps_per_rotation=10, periods=20)
    trajectory = run_lane(course, parse_lanes(["explicit-euler"])[0])
    report = Report(scenario, course, (trajectory,), {})
    (line,) = table(csv_text(report))
    assert float(line["largest_relative_energy_error"]) == np.inf
    assert float(line["left_finite_range_at_s"]) == trajectory.stopped.time
    assert line["final_phase_error_rad"] == ""
    assert "∞" in text_table(report)
    assert html_text(report).count("<svg") == 1  # no sweep, one figure, and no overflow while drawing


def test_the_page_stands_alone_and_holds_every_lane(report, tmp_path):
    path = tmp_path / "race.html"
    write_report(report, path)
    page = path.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=\"(?!#)", page.replace('xlink:href="#', "")), "nothing is fetched"
    for trajectory in report.trajectories:
        assert f"<td>{trajectory.lane.name}</td>" in page
    figures = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(figures) == 2
    for figure in figures:
        assert len(list(ElementTree.fromstring(figure).iter("{http://www.w3.org/2000/svg}path"))) > 20


@pytest.mark.slow
def test_the_picture_shows_both_figures(report, tmp_path):
    path = tmp_path / "race.png"
    write_report(report, path)
    picture = np.asarray(Image.open(path))
    assert picture.shape == (1606, 1430, 3)
    for color in ((0x44, 0x77, 0xAA), (0xEE, 0x66, 0x77), (0x22, 0x88, 0x33), (0xCC, 0xBB, 0x44)):
        assert (np.abs(picture.astype(int) - color).max(axis=2) < 8).sum() > 100, color


def test_a_log_scale_begins_not_far_below_what_is_drawn(report):
    rough = dataclasses.replace(report, trajectories=report.trajectories[:2])
    energy = race_figure(rough).axes[4]
    drawn = np.concatenate([line.get_ydata() for line in energy.get_lines()])
    assert drawn.min() / 100.0 <= energy.get_ylim()[0] <= drawn.min() / 10.0
    exact = run_lane(report.course, *parse_lanes(["exact"]))
    best = dataclasses.replace(report, trajectories=(*report.trajectories, exact))
    assert race_figure(best).axes[4].get_ylim()[0] < 1e-14


def test_no_curve_bridges_a_gap_of_a_recording(report):
    first, *others = report.trajectories
    time = first.states.time
    gap = float(time[10]), float(time[11])
    broken = dataclasses.replace(report, trajectories=(dataclasses.replace(first, gaps=(gap,)), *others))
    for axes, whole in zip(race_figure(broken).axes, race_figure(report).axes, strict=True):
        counts = [
            sum(int(np.isnan(line.get_ydata()).sum()) for line in each.get_lines() if len(line.get_ydata()) > 11)
            for each in (axes, whole)  # of another motion there is no phase
        ]
        assert counts[0] - counts[1] == any(len(line.get_ydata()) > 11 for line in whole.get_lines())
    x, y = race_figure(broken).axes[1].get_lines()[0].get_data()
    assert np.flatnonzero(np.isnan(y)).tolist() == [10]  # of the curve without its first sample
    assert (x[9], x[11]) == gap


def test_a_flights_drag_is_drawn_beside_its_momentum(report):
    assert not [line for line in race_figure(report).axes[1].get_lines() if line.get_linestyle() == "--"]
    dragged = race_figure(dataclasses.replace(report, drag=0.02))
    (line,) = (line for line in dragged.axes[1].get_lines() if line.get_linestyle() == "--")
    time = line.get_xdata()
    assert line.get_ydata() == pytest.approx(np.exp(-0.02 * time))
    assert "drag 0.02/s" in [text.get_text() for text in dragged.axes[3].get_legend().get_texts()]


def test_the_command_prints_a_table(capsys):
    assert main(["race", "paper-fig1", "--integrators", "jolt,exact", "--periods", "2"]) == 0
    out = capsys.readouterr().out
    assert "phase" in out.splitlines()[0]
    assert "true: every error stays below what can be seen" in out


def test_the_command_races_the_lanes_of_the_scene_in_its_steps(tmp_path):
    """What the window races beside the motion is what the command races, unless options say else."""
    path = tmp_path / "race.csv"
    for words, own in (("race-gyroscopic-torque", True), ("race-hidden-phase", True), ("paper-fig1", True),
                       ("race-hidden-phase --steps-per-rotation 50 --integrators split", False)):  # fmt: skip
        assert main(f"race {words} --periods 1 -o {path}".split()) == 0
        lines, race = table(path.read_text()), Scenario.preset(words.split()[0]).race
        assert [line["lane"] for line in lines] == (list(race.lanes) if own else ["split"])
        live = LiveRace(Scenario.preset(words.split()[0])).course
        steps = live.step if own else live.step * race.steps_per_rotation / 50
        assert [float(line["step_s"]) for line in lines] == pytest.approx(len(lines) * [steps], rel=1e-14)
    assert main(f"race race-hidden-phase --stabilisation closest-point --periods 1 -o {path}".split()) == 0
    assert {line["lane"].partition("+")[2] for line in table(path.read_text())} == {"closest-point"}


def test_the_command_writes_a_swept_table(tmp_path):
    path = tmp_path / "race.csv"
    words = f"race paper-fig1 --integrators jolt,split --periods 2 --sweep 5..50:3 --executor none -o {path}"
    assert main(words.split()) == 0
    lines = table(path.read_text())
    assert [line["lane"] for line in lines] == ["jolt", "split"] * 4
    assert [float(line["steps_per_rotation"]) for line in lines[2:]] == pytest.approx(
        [5, 5, 15.811388, 15.811388, 50, 50]
    )
    assert list(tmp_path.iterdir()) == [path]


def test_a_stabilisation_is_for_every_lane_that_names_none(capsys):
    words = "race paper-fig1 --integrators jolt,split+gradient --stabilisation closest-point --periods 1"
    assert main(words.split()) == 0
    out = capsys.readouterr().out
    assert "jolt+closest-point" in out
    assert "split+gradient" in out


def test_sizes_of_a_sweep():
    assert _sizes(None) == []
    assert _sizes("10..1000:3") == pytest.approx([10, 100, 1000])


@pytest.mark.parametrize("word", ["5", "5..", "5..50", "50..5:3", "1..50:3", "5..50:1", "5..50:x", "a..b:3"])
def test_a_range_that_is_none_is_told(word):
    with pytest.raises(InputError, match="sweep"):
        _sizes(word)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "race paper-fig1 -o race.pdf",
            "output: 'race.pdf' is not a report file; allowed are names ending in .html, .csv, .png",
        ),
        ("race paper-fig1 --integrators jolly", "did you mean jolt?"),
        ("race paper-fig1 --integrators ,", "lanes: 0 is outside 1 to 12"),
        ("race paper-fig1 --step x", "--step: 'x' is not a number"),
        ("race paper-fig1 --set loads.external_friction=1", "loads: a race compares"),
        ("race paper-fig1 --sweep 5..50:2 -o race.csv --workers 0", "workers: 0 is outside 1 to 512"),
        (
            "race paper-fig1 --periods 1 --sweep 5..50:2 -o race.csv --executor nowhere",
            "executor: 'nowhere' cannot be reached",
        ),
        ("race paper-fig1 --set solver.largest_omega=3", "solver.largest_omega: a race compares with the exact motion"),
        ("race nothing", "scene: 'nothing' is neither a preset nor a file"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_what_a_flip_is_stands_below_the_numbers_also_of_a_wobble(capsys):
    """About its largest axis the box wobbles, by less than a degree: the sense about the middle axis reverses."""
    assert (
        main("race dzhanibekov --set start.angular_velocity=[0.1,0.01,6] --integrators split --seconds 5".split()) == 0
    )
    assert "how often the turning about the middle axis has reversed" in capsys.readouterr().out
