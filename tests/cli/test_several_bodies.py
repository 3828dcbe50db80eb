"""Scenes of several bodies on the command line: pictures, films and tables of them; a race refuses in one line."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from viewer.cli import main
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.scenario import Scenario

TEXT = """[solver]
integration_period = 0.05
extra_substeps = 0
[[bodies]]
name = "tumbles"
start.angular_velocity = [0.1, 3, 0.1]
[[bodies]]
name = "rests"
start.angular_velocity = [0, 0, 0]
[[bodies]]
name = "sphere"
body.shape = "sphere"
start.linear_velocity = [1, 0, 0]
[[bodies]]
name = "spins"
start.angular_velocity = [0, 0, 5]
"""


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("bodies.toml").write_text(TEXT)
    return "bodies.toml"


def test_a_picture_holds_the_scene_with_all_bodies(gl, scene: str) -> None:
    assert main(["render", scene, "--time", "2", "--size", "400x300", "-o", "bodies.png"]) == 0
    with Image.open("bodies.png") as picture:
        assert picture.size == (400, 300)
    assert Scenario.load("bodies.png").bodies == Scenario.load(scene).bodies


def test_a_film_shows_them_move(gl, scene: str) -> None:
    assert main(["render", scene, "--seconds", "0.3", "--fps", "10", "--size", "200x150", "-o", "bodies.gif"]) == 0
    with Image.open("bodies.gif") as film:
        assert film.n_frames == 3
        first = np.array(film.convert("RGB")).astype(int)
        film.seek(2)
        moved = np.abs(np.array(film.convert("RGB")).astype(int) - first).max(axis=2) > 30
    assert moved[:75, :100].sum() > 20  # tumbles
    assert moved[:75, 100:].sum() == 0  # rests


def test_a_table_has_a_column_of_bodies(scene: str) -> None:
    assert main(["simulate", scene, "--seconds", "1", "--every", "0.25", "-o", "bodies.csv"]) == 0
    table = np.genfromtxt("bodies.csv", delimiter=",", names=True)
    assert table["body"].tolist() == [1.0] * 5 + [2.0] * 5 + [3.0] * 5 + [4.0] * 5
    assert main(["simulate", scene, "--seconds", "1", "--every", "0.25", "-o", "bodies.npz"]) == 0
    np.testing.assert_array_equal(np.load("bodies.npz")["motion"]["body"], table["body"])
    scenario = Scenario.load(scene)
    for number in range(4):
        rows = table[table["body"] == number + 1]
        alone = scenario.of_body(number)
        exact = FreeRotation(alone.rigid_body(), alone.start_state()).at(rows["time_s"])
        assert exact.position is not None
        np.testing.assert_allclose(rows["omega_body_x_rad_per_s"], exact.omega_body[:, 0], atol=1e-12)
        np.testing.assert_allclose(rows["position_x_m"], exact.position[:, 0], atol=1e-12)
    assert table["position_x_m"].max() == 1.0


def test_a_field_is_set_in_every_body(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["simulate", scene, "--seconds", "0.05", "--every", "0.05", "--set", "start.angular_velocity=[0,0,2]"])
        == 0
    )
    lines = [line.split(",") for line in capsys.readouterr().out.splitlines() if line[0].isdigit()]
    assert {line[8] for line in lines} == {"2.0"}
    assert {line[0] for line in lines} == {"1", "2", "3", "4"}


def test_a_race_refuses_in_one_line(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["race", scene]) == 2
    error = capsys.readouterr().err
    assert "bodies: 'bodies.toml' has 4 bodies; a race is of one, without [[bodies]]" in error
    assert len(error.strip().splitlines()) == 1


def test_an_error_names_line_and_entry(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(scene).write_text(TEXT.replace('body.shape = "sphere"', 'body.shape = "spere"'))
    assert main(["simulate", scene]) == 2
    error = capsys.readouterr().err
    assert "bodies[2].body.shape: 'spere' is unknown; did you mean sphere?" in error
    assert "(bodies.toml, line 12)" in error
