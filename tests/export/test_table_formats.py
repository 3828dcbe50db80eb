"""Tables: every kind of file holds the motion and its scene; a long one needs no more memory; none is left half."""

import gc
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.playing import PAPER
from helpers.processes import environment, heed_interrupts, on_small_disk, output, written

import viewer
from viewer import angular_acceleration, cli
from viewer.common.errors import InputError
from viewer.export.console import Progress, duration
from viewer.export.table import COLUMNS, MOVING_COLUMNS, TORQUE_COLUMNS, Table
from viewer.export.table_files import FORMATS, ROOM, write_table
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session

LOADED = (
    PAPER.with_value("title", "Mit Kraft – Ω")
    .with_value("loads.force", [0.1, 0.0, 0.02])
    .with_value("loads.arm", [0.0, 0.3, 0.0])
    .with_value("loads.external_friction", 0.01)
)
SCENES = {
    "free": PAPER,
    "loaded": LOADED,
    "stabilised": Scenario.preset("rod").with_value("solver.stabilisation", "gradient"),
    "exact": Scenario.preset("box-80kg").with_value("solver.integrator", "exact"),
}


def read(path: Path) -> tuple[dict[str, Any], str]:
    """The columns by name, and the scene's text."""
    if path.suffix == ".csv":
        columns = np.genfromtxt(path, delimiter=",", names=True)
        scene = "".join(line[2:] for line in path.read_text().splitlines(True) if line.startswith("# "))
        return {name: columns[name] for name in columns.dtype.names}, scene
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            assert str(archive["version"]) == viewer.__version__
            motion, scene = archive["motion"], str(archive["scene"])
        return {name: motion[name] for name in motion.dtype.names}, scene
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(path)
    return {name: table[name].to_numpy() for name in table.column_names}, table.schema.metadata[b"scene"].decode()


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("suffix", FORMATS)
def test_every_kind_of_file_holds_the_motion_and_its_scene(tmp_path: Path, suffix: str, name: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    scenario = SCENES[name]
    path = tmp_path / f"a{suffix}"
    write_table(path, Table(scenario, 2.0, 0.01))
    columns, scene = read(path)
    assert tuple(columns) == (COLUMNS + MOVING_COLUMNS + TORQUE_COLUMNS if name == "loaded" else COLUMNS)
    assert Scenario.from_text(scene) == scenario
    found = np.stack(list(columns.values()), axis=1)
    assert found.shape == (201, len(columns))
    session = Session(scenario, playing=False)
    for row in found[:: 25 if scenario.solver.integrator != "exact" else 100]:
        session.scene.run_on_to(row[0])
        snapshot = session.snapshot()
        now = snapshot.reading
        torque = scenario.loads_value().torque_at(now.time, now.state) + scenario.loads_value().friction_at(now.state)
        alpha = angular_acceleration(snapshot.body, now.state, torque)
        expected = [
            now.time, *now.orientation_wxyz, *now.omega_body, *now.omega_world, *now.angular_momentum_world,
            now.energy, now.target_energy, *now.position, *alpha, *now.linear_momentum,
            snapshot.translational_energy, *torque,
        ][: len(columns)]  # fmt: skip
        np.testing.assert_allclose(row, expected, rtol=1e-13, atol=1e-13)  # measured: 3e-15
    assert os.listdir(tmp_path) == [path.name]


def test_rows_stand_at_the_step_nearest_to_their_time() -> None:
    scenario = SCENES["free"]
    step, every = scenario.solver.step, 10.37 * scenario.solver.step
    times = np.concatenate(list(Table(scenario, 1.0, every).blocks()))[:, 0]
    np.testing.assert_allclose(times, np.arange(len(times)) * every, atol=0.5000001 * step)
    assert len(times) == int(1.0 / every) + 1


@pytest.mark.parametrize("integrator", ["explicit-euler", "buss"])
@pytest.mark.parametrize("suffix", FORMATS)
def test_the_rows_before_an_integrator_blows_up_are_kept(tmp_path: Path, suffix: str, integrator: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    scenario = SCENES["free"].with_value("solver.integrator", "explicit-euler")
    scenario = scenario.with_value("solver.integration_period", 0.5).with_value("solver.extra_substeps", 0)
    if integrator == "buss":  # under loads, with rows that are many steps apart
        scenario = scenario.with_value("loads.external_friction", 1e-6)
    every = 0.5 if integrator == "buss" else 1.0
    path, part = tmp_path / f"a{suffix}", tmp_path / f"a.part{suffix}"
    path.write_bytes(b"whole")
    with pytest.raises(InputError, match=r"solver\.integrator: Explicit Euler diverged") as told:
        write_table(path, Table(scenario, 100.0, every))
    gc.collect()
    assert sorted(os.listdir(tmp_path)) == sorted((path.name, part.name))
    assert path.read_bytes() == b"whole"
    motion, scene = read(part)
    assert Scenario.from_text(scene) == scenario
    assert str(told.value).endswith(f"; {part} holds the first {len(motion['time_s'])} of {int(100 / every) + 1} rows")
    running = Session(scenario, playing=False)
    for n, time_s in enumerate(motion["time_s"].tolist()):
        running.scene.run_on_to(n * every)
        assert time_s == running.motion.time
        assert motion["omega_body_y_rad_per_s"][n] == running.snapshot().reading.omega_body[1]
    with pytest.raises(InputError, match="diverged"):
        running.scene.run_on_to(len(motion["time_s"]) * every)


@pytest.mark.skipif(sys.platform != "linux", reason="a small disk as Linux has it")
@pytest.mark.parametrize("suffix", FORMATS)
def test_the_rows_that_a_full_disk_takes_are_kept(tmp_path: Path, suffix: str) -> None:
    """A disk of 5 MB in memory, which the table fills but for what is kept free."""
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    words = f"simulate paper-fig1 --set solver.extra_substeps=0 --seconds 700 --every .017 -o a{suffix}"
    done = on_small_disk(tmp_path, 5, words, f"a.part{suffix}")
    motion, _ = read(tmp_path / f"a.part{suffix}")
    rows = len(motion["time_s"])
    assert done.stderr.splitlines()[-1].endswith(f"; a.part{suffix} holds the first {rows} of 41177 rows")
    assert rows > 1000
    np.testing.assert_allclose(motion["time_s"], np.arange(rows) * 0.017, atol=0.01)


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"\.parquet needs pyarrow; pip install pyarrow brings it"):
        write_table(tmp_path / "a.parquet", Table(SCENES["free"], 1.0, 0.1))
    assert os.listdir(tmp_path) == []


def test_options_reach_the_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = "simulate rod --seconds 1 --integrator jolt --stabilisation closest-point -o a.csv"
    assert cli.main(words.split()) == 0
    scene = Scenario.from_text(read(Path("a.csv"))[1])
    assert (scene.solver.integrator, scene.solver.stabilisation) == ("jolt", "closest-point")


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "most"), [(".csv", 8), (".npz", 8), (".parquet", 16)])
def test_a_long_table_needs_no_more_memory(tmp_path: Path, suffix: str, most: float) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    code = (
        "import resource; from viewer import Scenario; from viewer.export.table import Table;"
        "from viewer.export.table_files import write_table; scene = Scenario.preset('paper-fig1');"
        "used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024;"
        "step = scene.solver.step;"
        f"write_table('a{suffix}', Table(scene, 10_000 * step, step)); before = used();"
        f"write_table('a{suffix}', Table(scene, 200_000 * step, step)); print(used() - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < most  # MB; measured: 1.3, in Parquet 6.1, while the rows have 30


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_an_interrupted_table_keeps_its_rows(tmp_path: Path, name: str, status: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "viewer", "simulate", "rod", "--seconds", "100000", "-o", "a.npz"],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    )
    written(process.pid, tmp_path, ROOM + 100_000)  # more than the scene takes: rows as well
    process.send_signal(getattr(signal, name))
    _, said = output(process)
    assert process.returncode == status
    assert os.listdir(tmp_path) == ["a.part.npz"]
    motion, _ = read(tmp_path / "a.part.npz")
    rows = len(motion["time_s"])
    assert rows >= 1
    np.testing.assert_allclose(motion["time_s"], np.arange(rows) * 0.01, atol=0.01)
    assert said.decode() == f"poinsot: interrupted; a.part.npz holds the first {rows} of 10000001 rows\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_is_one_line_that_goes_away() -> None:
    clock, out = iter([0.0, 0.5, 2.0, 2.01, 4.0, 9.0]), Terminal()
    with Progress(100, "frame", out, lambda: next(clock)) as progress:
        progress.advance(5)
        assert out.getvalue() == ""
        progress.advance(15)
        assert out.getvalue().endswith("20 of 100 frames, 20 %, 10 a second, 8 s left")
        progress.advance(1)
        progress.advance(29)
        assert out.getvalue().endswith(
            "[###############...............] 50 of 100 frames, 50 %, 12.5 a second, 4 s left"
        )
    assert out.getvalue().endswith("\r")
    assert "\n" not in out.getvalue()


def test_nothing_is_foretold_from_the_first_rows() -> None:
    clock, out = iter([0.0, 20.0, 40.0]), io.StringIO()
    with Progress(1000, "row", out, lambda: next(clock)) as progress:  # compiled first, then fast
        progress.advance(2)
        progress.advance(498)
    assert out.getvalue() == ("poinsot: 2 of 1000 rows\npoinsot: 500 of 1000 rows, 50 %, 12.5 a second, 40 s left\n")


def test_progress_elsewhere_is_now_and_then_a_line() -> None:
    clock, out = iter([0.0, 2.0, 16.0, 17.0, 40.0]), io.StringIO()
    with Progress(10, "row", out, lambda: next(clock)) as progress:
        for _ in range(4):
            progress.advance()
    assert out.getvalue() == (
        "poinsot: 2 of 10 rows, 20 %, 0.125 a second, 1 min 04 s left\n"
        "poinsot: 4 of 10 rows, 40 %, 0.1 a second, 1 min 00 s left\n"
    )
    assert [duration(seconds) for seconds in (0.4, 59.4, 61, 7300)] == ["0 s", "59 s", "1 min 01 s", "2 h 01 min"]
