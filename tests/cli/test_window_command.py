"""`poinsot SCENE`: what is opened, and what there is without a display."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers.logs import short_log
from helpers.processes import environment, refused

from viewer import cli
from viewer.cli import window
from viewer.scenario.scenario import Scenario


def test_a_speed_that_is_set_ends_the_automatic_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures: list[float] = []
    monkeypatch.setattr("viewer.cli.window._no_display", lambda: True)
    monkeypatch.setattr(
        "viewer.export.offscreen.render_to_file", lambda _, name, time, size, target: pictures.append(time)
    )
    for arguments in ("", "--set playback.speed=3", "--set playback.speed=3 --set playback.auto_speed=true"):
        assert cli.main(["dzhanibekov", *arguments.split()]) == 0
    assert pictures == [window.FALLBACK_SECONDS * speed for speed in (1, 3, 1)]


def test_a_recording_is_opened_with_the_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command opens a window that reads it; where it is read already, the window begins with it."""
    opened: list[tuple[Scenario, dict[str, Any], dict[str, Any]]] = []
    monkeypatch.setattr(
        "viewer.cli.window._window", lambda scene, options, *_, **more: opened.append((scene, vars(options), more))
    )
    log = short_log(tmp_path / "log.csv")
    assert cli.main([log, "--stereo", "side-by-side", "--swap-eyes", "--set", "show.plane=false", "--paused"]) == 0
    assert cli.main(["replay", log, "--show"]) == 0
    (stand_in, options, more), (usual, shown, read) = opened
    assert shown["scene"] == log  # what the next start comes back to
    assert options["paused"]
    assert more["guest"]
    assert "recording" in read
    wanted = more["opening"].changes(Scenario().with_screen_of(stand_in))
    assert (wanted.stereo.mode, wanted.stereo.exchange_eyes, wanted.show.plane) == ("side-by-side", True, False)
    assert (usual.stereo.mode, usual.show.plane) == (Scenario().stereo.mode, True)


@pytest.mark.parametrize("name", ["missing.csv", "missing.csv log.csv", "scene.xyz"])
def test_a_file_that_is_not_there_is_refused_without_a_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("viewer.cli.window._no_display", lambda: False)
    monkeypatch.setattr("viewer.cli.window._window", lambda *_, **__: pytest.fail("a window was opened"))
    monkeypatch.chdir(tmp_path)
    short_log(tmp_path / "log.csv")
    assert cli.main(name.split()) == 2


def test_a_recording_without_a_display_is_refused(tmp_path: Path) -> None:
    log = short_log(tmp_path / "log.csv")
    assert refused(log).startswith("no display, so there is no window; `poinsot replay FILE` reports")


def test_a_picture_instead_of_a_window_replaces_nothing() -> None:
    Path("poinsot.png").write_bytes(b"mine")
    for number in (2, 3):
        done = subprocess.run(
            [sys.executable, "-m", "viewer", "sphere", "--size", "64x64"],
            capture_output=True,
            text=True,
            check=True,
            env=environment(display=False),
        )
        assert f"the scene is in poinsot-{number}.png" in done.stdout
    assert Path("poinsot.png").read_bytes() == b"mine"
    assert Scenario.load("poinsot-3.png") == Scenario.preset("sphere")
