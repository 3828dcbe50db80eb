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
    opened: list[tuple[Scenario, dict[str, Any]]] = []
    monkeypatch.setattr(
        "viewer.cli.window._window", lambda scene, options, *_, **more: opened.append((scene, vars(options)))
    )
    log = short_log(tmp_path / "log.csv")
    assert cli.main([log, "--stereo", "side-by-side", "--set", "show.plane=false", "--paused"]) == 0
    assert cli.main(["replay", log, "--show"]) == 0
    (wanted, options), (usual, shown) = opened
    assert options["scene"] == shown["scene"] == log  # what the next start comes back to
    assert (wanted.stereo.mode, wanted.show.plane, options["paused"]) == ("side-by-side", False, True)
    assert (usual.stereo.mode, usual.show.plane) == (Scenario().stereo.mode, True)
    assert wanted.race == usual.race


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
