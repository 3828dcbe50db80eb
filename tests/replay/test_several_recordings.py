"""Several recordings of one case: NASA's brick by scipy, with known faults, in files of the shape of NASA's."""

import csv
import json
import re
from itertools import permutations

import numpy as np
import pytest
from helpers.bricks import MOMENTS, NAMES, START, brick, write_case
from helpers.logs import LOGS
from scipy.spatial.transform import Rotation

from viewer.cli import main
from viewer.common.errors import InputError
from viewer.replay.conventions import Conventions
from viewer.replay.scene import replayed, scene_of
from viewer.session.session import Session

COARSE, FINE = np.arange(301) * 0.1, np.arange(3001) * 0.01  # s
PUBLISHED = Conventions(moments=tuple(MOMENTS.tolist()))


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    """Paths: two true ones, 10 Hz and 100 Hz; one that starts 1e-6 too fast; one with a moment 1 % too large; a true
    one of 10 s from t = 5.03 s on, with a clock of its own."""
    folder = tmp_path_factory.mktemp("bricks")
    late = np.arange(200) * 0.05
    turn, omega = brick(np.concatenate(((0.0,), late + 5.03)))
    return [
        write_case(folder / "sim_01.csv", COARSE, *brick(COARSE)),
        write_case(folder / "sim_02.csv", FINE, *brick(FINE)),
        write_case(folder / "sim_03.csv", COARSE, *brick(COARSE, START * (1.0 + 1e-6))),
        write_case(folder / "sim_04.csv", COARSE, *brick(COARSE, moments=MOMENTS * (1.01, 1.0, 1.0))),
        write_case(folder / "sim_05.csv", late, turn[1:], omega[1:]),
    ]


def by_name(found):
    return {one.name: one for one in found.compared}


def test_each_is_as_far_off_as_scipy_says(five):
    found = by_name(replayed(*five, wanted=PUBLISHED, tolerance=0.01))
    for name in ("sim_01.csv", "sim_02.csv", "sim_05.csv"):
        assert found[name].largest < 2e-10  # measured 4e-11
        assert found[name].leaves_at is None
    fast = found["sim_03.csv"]
    assert np.abs(fast.trajectory.errors.energy).max() == pytest.approx(2e-6, rel=1e-4)  # E goes with the square
    assert np.abs(fast.trajectory.errors.momentum).max() == pytest.approx(1e-6, rel=1e-4)
    (turn, omega), (wrong_turn, wrong) = brick(COARSE), brick(COARSE, moments=MOMENTS * (1.01, 1.0, 1.0))
    off = np.maximum(
        np.linalg.norm(wrong - omega, axis=1) / np.linalg.norm(omega, axis=1).max(),
        (turn.inv() * wrong_turn).magnitude(),
    )
    heavy = found["sim_04.csv"]
    assert heavy.difference == pytest.approx(off, abs=1e-9)
    assert heavy.leaves_at == pytest.approx(COARSE[np.argmax(off > 0.01)])  # 5.2 s


@pytest.mark.slow
def test_a_faulty_recording_is_outvoted_in_the_body_and_in_the_start(five, tmp_path):
    tilted = write_case(tmp_path / "sim_00.csv", COARSE, *brick(COARSE, START + np.array((0.01, 0.0, 0.0))))
    found = replayed(five[3], tilted, *five[:3])
    assert found.body.principal_moments == pytest.approx(MOMENTS / MOMENTS.max(), abs=1e-9)  # measured 1e-12
    # of those with the right start the first by name stands
    assert found.findings()[2] == "the exact motion starts as sim_01.csv does"
    assert found.course.start.omega_body == pytest.approx(START, abs=1e-9)
    found = replayed(tilted, *five[:3])
    assert found.findings()[2] == "the exact motion starts as sim_01.csv does"
    assert found.ranking[-1].name == "sim_00.csv"


def test_the_ranking_is_one_sentence(five):
    found = replayed(*five, wanted=PUBLISHED)
    assert found.verdict() == (
        "closest to the exact motion: sim_01.csv, sim_02.csv, sim_05.csv (2e-11); furthest: sim_04.csv, off by 4.4 %,"
        " by more than 1 % from t = 5.2 s on"  # as scipy says
    )
    named = by_name(found)
    assert named["sim_04.csv"].leaves_at == pytest.approx(5.2)
    assert {name for name, one in named.items() if one.closest} == {"sim_01.csv", "sim_02.csv", "sim_05.csv"}


@pytest.mark.sweep("members0-wanted0")
@pytest.mark.parametrize("wanted", [Conventions(), PUBLISHED])
@pytest.mark.parametrize("members", [(0, 1), (0, 2), (0, 3), (0, 1, 2), (0, 2, 3), (0, 1, 2, 3)])
def test_the_verdict_does_not_depend_on_the_order_of_the_files(five, members, wanted):
    verdicts, rankings = set(), set()
    for order in permutations(members):
        found = replayed(*(five[n] for n in order), wanted=wanted)
        verdicts.add(found.verdict())
        rankings.add(tuple(one.name for one in found.ranking))
    assert len(verdicts) == len(rankings) == 1
    told = verdicts.pop()
    if members == (0, 1):
        assert told.startswith("all are as close to the exact motion: within ")
    elif {0, 1} <= set(members):
        off = "sim_04.csv, off by 4.4 %, by more than 1 % from t = 5.2 s on" if 3 in members else "sim_03.csv, off by"
        assert told.startswith("closest to the exact motion: sim_01.csv, sim_02.csv (")
        assert f"; furthest: {off}" in told
    elif members == (0, 2, 3) and wanted.moments is None:  # two that differ by 1e-6, and one by percents
        assert told.startswith("closest to the exact motion: sim_01.csv, sim_03.csv (")
        assert "; furthest: sim_04.csv, off by" in told
    elif wanted.moments is None or 3 not in members:
        assert told.endswith("can be called right")
    else:  # with the body declared and two that start alike, the motion is known
        assert told.startswith("closest to the exact motion: sim_01.csv (")


@pytest.mark.sweep
@pytest.mark.parametrize("wanted", [Conventions(), PUBLISHED])
@pytest.mark.parametrize(("digits", "noise"), [(6, 0.0), (3, 0.0), (12, 0.01)])  # noise in deg and deg/s
def test_rounding_and_noise_are_no_difference(tmp_path, digits, noise, wanted):
    chance, paths = np.random.default_rng(1), []
    for number, time in enumerate((COARSE, FINE, COARSE)):
        turn, omega = brick(time)
        rows = np.column_stack((time, turn.as_euler("ZYX", degrees=True), np.degrees(omega)))
        rows[:, 1:] += noise * chance.normal(size=(len(time), 6))
        path = tmp_path / f"{number}.csv"
        lines = [",".join(NAMES), *(",".join(f"{value:.{digits}f}" for value in row) for row in rows.tolist())]
        path.write_text("\n".join(lines) + "\n")
        paths.append(str(path))
    found = replayed(*paths, wanted=wanted)
    assert found.verdict().startswith("all are as close to the exact motion"), found.verdict()
    moved = tmp_path / "moved.csv"
    write_case(moved, COARSE, *brick(COARSE, START * 1.01))
    assert "furthest: moved.csv, off by" in replayed(*paths, moved, wanted=wanted).verdict()


def test_a_recording_with_a_clock_of_its_own_is_put_where_it_belongs(five):
    found = replayed(five[0], five[4], wanted=PUBLISHED)
    assert found.trajectories[1].states.time[0] == pytest.approx(5.03, abs=1e-8)  # measured 2e-11
    assert "sim_05.csv: begins at t = 5.03 s of sim_01.csv, found by its motion" in found.warnings
    assert not [text for text in found.warnings if "axes of space" in text]


def test_a_recording_that_begins_earlier_moves_the_start(five):
    found = replayed(five[4], five[0], wanted=PUBLISHED)
    late, early = found.trajectories
    assert early.states.time[0] == 0.0
    assert late.states.time[0] == pytest.approx(5.03, abs=1e-8)
    assert found.course.start.omega_body == pytest.approx(START, abs=1e-9)


def test_gaps_are_where_they_are_on_the_common_clock(tmp_path):
    """A file's rows between 10.2 and 10.8 s are lost; the other one begins 5 s earlier."""
    time = np.arange(300) * 0.1
    turn, omega = brick(time)
    whole = write_case(tmp_path / "a.csv", time, turn, omega)
    kept = (time > 5.0 - 1e-9) & ((time < 10.2 + 1e-9) | (time > 10.8 - 1e-9))
    found = by_name(replayed(write_case(tmp_path / "b.csv", time[kept] - 5.0, turn[kept], omega[kept]), whole))
    assert found["a.csv"].trajectory.gaps == ()
    np.testing.assert_allclose(found["b.csv"].trajectory.gaps, [(10.2, 10.8)], atol=1e-7)  # measured 3e-9


def test_clocks_that_agree_are_believed(tmp_path):
    turn, omega = brick(COARSE)
    paths = [
        write_case(tmp_path / "whole.csv", COARSE, turn, omega),
        write_case(tmp_path / "rest.csv", COARSE[7:], turn[7:], omega[7:]),
    ]
    found = replayed(*paths, wanted=PUBLISHED)
    assert found.trajectories[1].states.time[0] == pytest.approx(0.7, abs=1e-12)
    assert "rest.csv: begins at t = 0.7 s of whole.csv, by its own clock" in found.warnings
    assert max(one.largest for one in found.compared) < 2e-10  # measured 1e-11


def test_those_that_begin_alike_are_not_shifted_or_turned(tmp_path):
    (turn, omega), (wrong_turn, wrong) = brick(COARSE), brick(COARSE, moments=MOMENTS * (1.0, 1.0, 1.01))
    paths = [
        write_case(tmp_path / "right.csv", COARSE, turn, omega),
        write_case(tmp_path / "wrong.csv", COARSE, wrong_turn, wrong),
    ]
    found = replayed(*paths)
    off = np.linalg.norm(wrong - omega, axis=1) / np.linalg.norm(omega, axis=1).max()  # by scipy: 31 %
    off = np.maximum(off, (turn.inv() * wrong_turn).magnitude())
    assert found.trajectories[1].states.time[0] == 0.0
    assert not [text for text in found.warnings if "begins at" in text or "axes of space" in text]
    assert found.compared[1].difference == pytest.approx(off, abs=1e-9)
    assert found.compared[1].leaves_at == pytest.approx(COARSE[np.argmax(off > 0.01)])  # 1 s


def test_other_axes_of_space_are_told_and_put_right(five, tmp_path):
    turn, omega = brick(COARSE)
    turned = write_case(tmp_path / "turned.csv", COARSE, Rotation.from_euler("z", 40.0, degrees=True) * turn, omega)
    found = replayed(five[0], turned, wanted=PUBLISHED)
    assert "turned.csv: its axes of space are turned by 40° from those of sim_01.csv; put into those" in found.warnings
    assert found.compared[1].largest < 2e-10


@pytest.mark.slow
def test_another_body_is_told_or_refused(five, tmp_path):
    other = write_case(tmp_path / "other.csv", COARSE, *brick(COARSE, moments=MOMENTS[[1, 0, 2]]))
    found = replayed(*five[:3], other)
    assert [text for text in found.warnings if text.startswith("other.csv: its motion fits another body, with moments")]
    assert found.ranking[-1].name == "other.csv"
    declared = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path, moments in zip(declared, ("1, 2, 2.5", "2, 4, 5.1"), strict=True):
        rows = "".join(f"{0.01 * n},{1.0 + 0.001 * n},2,3\n" for n in range(20))
        path.write_text(f"# moments: {moments}\n# angular velocity: body, rad/s\nt,wx,wy,wz\n{rows}")
    with pytest.raises(InputError, match=r"two.csv: moments: 2, 4, 5.1 are of another body than 1, 2, 2.5 of one.csv"):
        replayed(*declared)


def test_they_run_in_a_race_with_the_errors_of_their_rows(five):
    found = replayed(*five, wanted=PUBLISHED)
    session = Session(scene_of(found), playing=False, recording=found)
    session.run_to(9.0)
    lanes = session.snapshot().lanes
    assert [now.lane.name for now in lanes] == [one.name for one in found.compared]
    for now, trajectory in zip(lanes, found.trajectories, strict=True):
        row = int(np.argmin(np.abs(trajectory.states.time - now.time)))
        assert abs(now.time - 9.0) <= 0.026  # the nearest row of each
        for error in ("energy", "momentum", "orientation"):
            value = float(getattr(trajectory.errors, error)[row])
            assert getattr(now, f"{error}_error") == pytest.approx(value, rel=1e-6, abs=1e-13)
    session.run_to(20.0)
    assert session.snapshot().lanes[4].stopped.startswith("The recording ends at t = 14.98 s")
    assert session.snapshot().lanes[0].stopped is None


def test_the_same_name_in_two_folders_is_numbered(five, tmp_path):
    twin = write_case(tmp_path / "sim_01.csv", COARSE, *brick(COARSE))
    assert [one.name for one in replayed(five[0], twin, wanted=PUBLISHED).compared] == [
        "sim_01.csv",
        "sim_01.csv (2)",
    ]


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("suffix", ["csv", "html", "png"])
def test_the_report(five, tmp_path, suffix):
    out = tmp_path / f"report.{suffix}"
    given = ["--moments", ",".join(map(str, MOMENTS)), "--beside", "jolt", "-o", str(out)]
    assert main(["replay", *five, *given]) == 0
    if suffix == "csv":
        rows = list(csv.DictReader(out.read_text().splitlines()))
        assert [row["lane"] for row in rows] == [*(f"sim_0{n}.csv" for n in range(1, 6)), "jolt"]
        assert float(rows[2]["largest_relative_energy_error"]) == pytest.approx(2e-6, rel=1e-4)
    elif suffix == "html":
        text = out.read_text()
        assert "furthest: sim_04.csv" in text
        assert "sim_03.csv: 301 rows" in text
        assert len(re.findall(r"<td>[^<]* µs</td>", text)) == 1  # a CPU time only of what was computed
        assert "recordings of one body beside integrators</title>" in text
        assert main(["replay", *five, *given[:2], "-o", str(out)]) == 0
        text = out.read_text()
        assert "recordings of one body beside the exact motion</title>" in text
        assert "integrator" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    else:
        assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_text(five, capsys):
    assert main(["replay", *five, "--tolerance", "0.01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "5 recordings of one case"
    assert lines[-1].startswith("closest to the exact motion: ")
    assert sum(line.startswith("sim_0") for line in lines) >= 5


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--tolerance", "0"], "--tolerance: 0 is outside 1e-15 to 10"),
        (["--tolerance", "nan"], "--tolerance: 'nan' is not a number"),
    ],
)
def test_bad_options(five, capsys, more, expected):
    assert main(["replay", *five[:2], *more]) == 2
    assert expected in capsys.readouterr().err


def test_too_many_and_a_tolerance_for_one(five, capsys):
    assert main(["replay", *[five[0]] * 13]) == 2
    assert "recordings: 13 cannot be compared; allowed are 2 to 12" in capsys.readouterr().err
    assert main(["replay", five[0], "--tolerance", "0.1"]) == 2
    assert "--tolerance: is for several recordings" in capsys.readouterr().err


def test_a_broken_file_among_them_is_named(five, tmp_path, capsys):
    broken = tmp_path / "broken.csv"
    broken.write_text("t,a\n1,2\n")
    assert main(["replay", five[0], str(broken)]) == 2
    assert "broken.csv" in capsys.readouterr().err


def test_as_json(five, capsys):
    assert main(["replay", *five[:4], "--moments", ",".join(map(str, MOMENTS)), "--tolerance", "0.01", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ranking"][-1] == "sim_04.csv"
    assert found["recordings"][2]["largest_relative_energy_error"] == pytest.approx(2e-6, rel=1e-4)
    assert found["recordings"][3]["leaves_at_s"] == pytest.approx(5.2)
    assert main(["replay", *five[:2], "--flight", "1"]) == 2
    assert "--flight: is for one recording; these are 2" in capsys.readouterr().err


def test_only_ratios_are_known_of_a_body_that_no_recording_declares(five):
    assert replayed(*five[:2], wanted=PUBLISHED).ratios is None
    ratios = [ratio for ratio, _ in replayed(*five[:2]).ratios]
    assert sorted(ratios) == pytest.approx(sorted(MOMENTS / MOMENTS.max()), abs=1e-6)


def test_where_all_stray_far_none_is_called_close():
    """Both engines are half a turn off before the end: "all are as close: within 310 %" was said of that."""
    found = replayed(LOGS / "bullet-explicit.csv", LOGS / "bullet-implicit.csv")
    assert found.verdict() == "none of them stays near the exact motion"
    for one in found.compared:
        assert one.largest > 3.0
        assert 0.0 < one.leaves_at < 5.0
        at = int(np.searchsorted(one.trajectory.states.time, one.leaves_at))
        assert one.difference[at - 1] <= 0.01 < one.difference[at]
