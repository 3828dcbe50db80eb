"""What the command line refuses is one line on standard error, and exit status 2."""

import os
import sys
from pathlib import Path

import pytest
from helpers.processes import refused

from viewer import cli
from viewer.common.resources import folder


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--stereo hologram", "stereo.mode: 'hologram' is unknown; allowed are mono, anaglyph, side-by-side, "),
        (
            "render rod -o a.png --stereo anaglif",
            "stereo.mode: 'anaglif' is unknown; did you mean anaglyph? allowed are",
        ),
        ("--integrator euler", "solver.integrator: 'euler' is unknown; allowed are exact-drift, "),
        ("--theme drak", "view.theme: 'drak' is unknown; did you mean dark? allowed are dark, light"),
        ("--set body.mass=0", "body.mass: 0 kg is outside 1e-9 to 1e30 kg"),
        (
            "--set loads.torque_of_time=[{period=.1}]",
            "loads.torque_of_time: '[{period=.1}]' cannot be read as TOML",
        ),
        ("--set start.angular_velocity=[1,", "start.angular_velocity: '[1,' cannot be read as TOML"),
        ("--set body.mass", "--set: 'body.mass' is not FIELD=VALUE"),
        ("--set body.mas=1", "body.mas: field not found; did you mean mass?"),
        ("missing.toml", "missing.toml: file not found"),
        ("paperfig1", "scene: 'paperfig1' is neither a preset nor a file; did you mean paper-fig1? presets are"),
        ("--size 1x1", "size: 1x1 is outside 64x64 to 65536x65536 pixels"),
        ("--size 0x0", "size: 0x0 is outside 64x64 to 65536x65536 pixels"),
        ("--size big", "size: 'big' is not WIDTHxHEIGHT, such as 1280x720"),
        ("--size", "--size: expected one argument"),
        ("--wrong", "unrecognized arguments: --wrong"),
        ("rod sphere", "'rod' is no recording; only recordings are opened together"),
        ("render rod", "the following arguments are required: -o/--output"),
        (
            "render rod -o a.bmp",
            "output: 'a.bmp' is not a picture, page or glTF file; allowed are names ending in .png, .jpg",
        ),
        ("render rod -o no/a.png", "output: folder 'no' not found"),
        ("render rod -o a.png --size 65536x65537", "size: 65536x65537 is outside 64x64 to 65536x65536 pixels"),
        ("render rod -o a.png --time -1", "time: -1 s is outside 0 to 1e6 s"),
        ("render rod -o a.png --time nan", "--time: 'nan' is not a number"),
        ("render rod -o a.png --time soon", "--time: 'soon' is not a number"),
        ("render rod -o a.png --samples 9", "samples: 9 is unknown; allowed are 1, 2, 3, 4"),
        ("render rod -o a.png --integrator exact", "solver.integrator: exact is torque-free"),
        (
            "simulate rod -o a.txt",
            "output: 'a.txt' is not a table file; allowed are names ending in .csv, .npz, .parquet",
        ),
        ("simulate rod -o no/a.csv", "output: folder 'no' not found"),
        ("simulate rod --every 0", "every: 0 s is outside 0.002 to 10 s (step to seconds)"),
        ("simulate rod --seconds inf", "--seconds: 'inf' is not a number"),
        ("simulate rod --seconds 0.001 --every 0.002", "seconds: 0.001 s is outside 0.002 to 1e12 s"),
        ("--set masss=1", "masss: field not found; allowed is SECTION.FIELD; sections: body, "),
        ("presets now", "unrecognized arguments: now"),
        ("--tour flop", "tour: 'flop' is unknown; did you mean flip? allowed are poinsot, flip, "),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = os.listdir()
    assert cli.main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"poinsot: {message}")
    assert (err.count("\n"), out) == (1, "")
    assert os.listdir() == before


@pytest.mark.parametrize("setting", ["a\nb=1", "=1", f"{'x' * 900}=1", "body.mass=1\nother=2"])
def test_a_malformed_setting_is_one_short_line(setting: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "rod", "--set", setting]) == 2
    out, err = capsys.readouterr()
    assert (err.count("\n"), out) == (1, "")
    assert len(err) < 200
    assert not err.startswith("poinsot: :")


def test_a_bad_scene_file_is_one_line_and_exit_2() -> None:
    Path("scene.toml").write_text("[body]\n\nmass = 0\n")
    assert refused("scene.toml") == "body.mass: 0 kg is outside 1e-9 to 1e30 kg (scene.toml, line 3)"
    Path("scene.toml").write_text("[body\n")
    assert refused("simulate", "scene.toml", "-o", "a.csv").startswith("scene.toml: not TOML: ")
    Path("empty").mkdir()
    told = "empty: is a folder or an archive without a recording"  # a recording may be a folder
    assert refused("render", "empty", "-o", "a.png") == told


@pytest.mark.parametrize("arguments", [["replay", "a\nb"], ["render", "a\nb", "-o", "a.png"], ["a\nb"]])
def test_a_name_with_a_line_break_is_shown_on_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert cli.main(arguments) == 2
    message = capsys.readouterr().err
    assert message.startswith("poinsot: ")
    assert message.count("\n") == 1


@pytest.mark.parametrize("arguments", ["render a.png -o a.png --size 64x64", "simulate a.csv -o ./a.csv"])
def test_a_scene_is_not_replaced_by_its_picture(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.png", "a.csv"):
        Path(name).write_text("[body]\nmass = 3\n")
    assert cli.main(arguments.split()) == 2
    assert " is an input (a." in capsys.readouterr().err
    assert {Path(name).read_text() for name in ("a.png", "a.csv")} == {"[body]\nmass = 3\n"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_recording_is_not_replaced_by_its_own_report(capsys: pytest.CaptureFixture[str]) -> None:
    log = (folder("assets") / "logs" / "mujoco-implicitfast.csv").read_bytes()
    Path("a.csv").write_bytes(log)
    os.symlink("a.csv", "link.csv")
    os.link("a.csv", "hard.csv")
    for output in ("./a.csv", "link.csv", "hard.csv", os.path.abspath("a.csv")):
        assert cli.main(["replay", "a.csv", "-o", output]) == 2
        assert "is an input (a.csv); allowed is another file" in capsys.readouterr().err
    assert Path("a.csv").read_bytes() == log


def test_an_error_of_the_system_says_what_it_is_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that something cannot be written, where it could not be read."""

    def fail(arguments: list[str]) -> int:
        raise PermissionError(13, "Permission denied", "fonts/panel.ttf")

    monkeypatch.setattr("viewer.cli.about.presets", fail)
    assert cli.main(["presets"]) == 2
    assert capsys.readouterr().err.startswith("poinsot: fonts/panel.ttf: Permission denied (more in ")
