"""The command line: lists, tables, and one line for everything that may not be."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.processes import environment
from PIL import Image

import viewer
from viewer import cli
from viewer.cli import window
from viewer.common.resources import folder
from viewer.export.tables.table import COLUMNS
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tours

CLOSED = "poinsot: standard output cannot be written: it is closed\n"
FULL = "poinsot: standard output cannot be written: No space left on device\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(*words: str) -> str:
    """What a process of its own says when it refuses; nothing on standard output, no traceback, no file."""
    before = os.listdir()
    done = subprocess.run(
        [sys.executable, "-m", "viewer", *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment(display=False),
    )
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.count("\n") == 1
    assert os.listdir() == before
    return done.stderr.removeprefix("poinsot: ").rstrip("\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--stereo hologram", "stereo.mode: 'hologram' is unknown; allowed are mono, anaglyph, side-by-side, "),
        (
            "render rod -o a.png --stereo anaglif",
            "stereo.mode: 'anaglif' is unknown; did you mean anaglyph? allowed are",
        ),
        ("--integrator euler", "solver.integrator: 'euler' is unknown; allowed are exact-drift, "),
        ("--theme drak", "view.theme: 'drak' is unknown; did you mean dark? allowed are dark, light"),
        ("--set body.mass=0", "body.mass: 0 kg is outside 0.1..100 kg"),
        ("--set body.mass", "--set: 'body.mass'; write FIELD=VALUE"),
        ("--set body.mas=1", "body.mas: there is no such field; did you mean mass?"),
        ("missing.toml", "missing.toml: there is no such file"),
        ("paperfig1", "scene: 'paperfig1' is neither a preset nor a file; did you mean paper-fig1? presets are"),
        ("--size 1x1", "size: 1x1 is outside 64x64..65536x65536 pixels"),
        ("--size 0x0", "size: 0x0 is outside 64x64..65536x65536 pixels"),
        ("--size big", "size: 'big' is not WIDTHxHEIGHT, such as 1280x720"),
        ("--size", "--size: expected one argument"),
        ("--wrong", "unrecognized arguments: --wrong"),
        ("rod sphere", "unrecognized arguments: sphere"),
        ("render rod", "the following arguments are required: -o/--output"),
        ("render rod -o a.bmp", "output: 'a.bmp' is no picture; allowed are names in .png, .jpg, .jpeg"),
        ("render rod -o no/a.png", "output: there is no folder 'no'"),
        ("render rod -o a.png --size 65536x65537", "size: 65536x65537 is outside 64x64..65536x65536 pixels"),
        ("render rod -o a.png --time -1", "time: -1 s is outside 0..1e+06 s"),
        ("render rod -o a.png --time nan", "time: nan s is outside 0..1e+06 s"),
        ("render rod -o a.png --time soon", "time: 'soon' is not a number"),
        ("render rod -o a.png --samples 9", "samples: 9 is unknown; allowed are 1, 2, 3, 4"),
        ("render rod -o a.png --integrator exact", "solver.integrator: exact is torque-free"),
        ("simulate rod -o a.txt", "output: 'a.txt' is no table; allowed are names in .csv, .npz, .parquet"),
        ("simulate rod -o no/a.csv", "output: there is no folder 'no'"),
        ("simulate rod --every 0", "every: 0 s is outside 0.002..10 s (step..seconds)"),
        ("simulate rod --seconds inf", "seconds: inf s is outside 0.002..1e+09 s"),
        ("simulate rod --seconds 0.001 --every 0.002", "seconds: 0.001 s is outside 0.002..1e+09 s"),
        ("--set masss=1", "masss: there is no such field; allowed is SECTION.FIELD with the sections body, "),
        ("presets now", "unrecognized arguments: now"),
        ("--tour flop", "tour: 'flop' is unknown; did you mean flip? allowed are poinsot, flip, "),
    ],
)
def test_bad_input_is_one_line_and_exit_2(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = os.listdir()
    assert cli.main(words.split()) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"poinsot: {message}")
    assert (err.count("\n"), out) == (1, "")
    assert os.listdir() == before


@pytest.mark.parametrize("setting", ["a\nb=1", "=1", f"{'x' * 900}=1", "body.mass=1\nother=2"])
def test_a_setting_that_is_none_is_one_short_line(setting: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "rod", "--set", setting]) == 2
    out, err = capsys.readouterr()
    assert (err.count("\n"), out) == (1, "")
    assert len(err) < 200
    assert not err.startswith("poinsot: :")


@pytest.mark.parametrize("words", ["render a.png -o a.png --size 64x64", "simulate a.csv -o ./a.csv"])
def test_a_scene_is_not_replaced_by_its_picture(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.png", "a.csv"):
        Path(name).write_text("[body]\nmass = 3\n")
    assert cli.main(words.split()) == 2
    assert "is the scene itself; allowed is another file" in capsys.readouterr().err
    assert {Path(name).read_text() for name in ("a.png", "a.csv")} == {"[body]\nmass = 3\n"}


def test_a_bad_scene_file_is_one_line_and_exit_2() -> None:
    Path("scene.toml").write_text("[body]\n\nmass = 0\n")
    assert refused("scene.toml") == "body.mass: 0 kg is outside 0.1..100 kg (scene.toml, line 3)"
    Path("scene.toml").write_text("[body\n")
    assert refused("simulate", "scene.toml", "-o", "a.csv").startswith("scene.toml: not TOML: ")
    assert refused("render", ".", "-o", "a.png") == ".: is a folder; allowed is a file"


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    for command, names in {
        "presets": PRESETS,
        "tours": tours(),
        "integrators": INTEGRATORS,
        "stereo-modes": STEREO_MODES,
    }.items():
        assert cli.main([command]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines] == list(names)
        assert all(len(line.split()) > 2 for line in lines)


@pytest.mark.parametrize("words", ["--help", "render --help", "simulate --help", "presets --help", "--version"])
def test_help_and_version(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(words.split())
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert out == f"poinsot {viewer.__version__}\n" if words == "--version" else "poinsot" in out


@pytest.mark.usefixtures("gl")
def test_a_mode_that_no_picture_can_have_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for mode, instead in (("quad-buffer", "mono"), ("wiggle", "left")):
        assert cli.main(f"render sphere --size 64x64 --stereo {mode} -o a.png".split()) == 0
        line = capsys.readouterr().err
        assert line.startswith(f"poinsot: stereo.mode: {mode}: ")
        assert line.endswith(f"; drawn as {instead}\n")


@pytest.mark.usefixtures("gl")
def test_the_stereo_chart(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("stereo-chart --stereo checkerboard --size 320x180 -o a.png".split()) == 0
    assert Path("a.png").stat().st_size > 1000
    assert cli.main("stereo-chart --stereo mono --theme light --size 320x180 -o light.png".split()) == 0
    with Image.open("light.png") as image:
        assert np.asarray(image)[0].mean() > 250  # measured: 255; in the dark theme 30
    for words in ("--stereo hologram", "--glasses pink", "--method dull", "--size 9x9"):
        assert cli.main(f"stereo-chart {words} -o b.png".split()) == 2
    assert cli.main("stereo-chart -o b.csv".split()) == 2
    assert len(capsys.readouterr().err.splitlines()) == 5
    assert not Path("b.png").exists()


def test_simulate_writes_the_motion() -> None:
    assert cli.main("simulate paper-fig1 --seconds 7 --every 0.1 -o a.csv".split()) == 0
    assert Path("a.csv").read_text().split("\n")[0] == ",".join(COLUMNS)
    table = np.loadtxt("a.csv", delimiter=",", skiprows=1)
    assert table.shape == (71, len(COLUMNS))
    scenario = Scenario.preset("paper-fig1")
    exact = FreeRotation(scenario.rigid_body(), scenario.start_state()).at(table[:, 0])
    np.testing.assert_allclose(table[:, 0], np.arange(71) * 0.1, atol=scenario.solver.step / 2 + 1e-12)
    np.testing.assert_allclose(table[:, 1:5], exact.orientation_wxyz, atol=1e-11)  # measured: 4e-13
    np.testing.assert_allclose(table[:, 5:8], exact.omega_body, atol=1e-11)
    np.testing.assert_allclose(table[:, 14:16], 0.2368125, rtol=1e-12)
    assert os.listdir() == ["a.csv"]


def test_simulate_fast_is_the_same_motion() -> None:
    pytest.importorskip("numba")
    tables = []
    for words in ("", " --fast"):
        assert cli.main(f"simulate rod --seconds 20 --every 0.5 -o a.csv{words}".split()) == 0
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


def test_simulate_streams_and_takes_a_closed_pipe() -> None:
    command = f"{sys.executable} -m viewer simulate paper-fig1 --seconds 1000 --every 0.01 | head -n 3"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, env=environment(display=False), timeout=60
    )
    assert len(done.stdout.splitlines()) == 3
    assert done.stderr == ""


def test_a_closed_standard_output_is_one_line() -> None:
    command = f"{sys.executable} -m viewer simulate sphere >&-"
    done = subprocess.run(
        command, shell=True, stderr=subprocess.PIPE, text=True, check=False, env=environment(display=False)
    )
    assert (done.returncode, done.stderr) == (2, CLOSED)
    command = f"{sys.executable} -m viewer presets >&-"
    done = subprocess.run(
        command, shell=True, stderr=subprocess.PIPE, text=True, check=False, env=environment(display=False)
    )
    assert (done.returncode, done.stderr) == (2, CLOSED)  # what was asked for is not there


STREAMS = {
    "a pipe without a reader": "({command}; echo $? >code) 2>&1 | true",
    "a full disk": "{command} >/dev/full 2>&1; echo $? >code",
    "all closed": "{command} <&- >&- 2>&-; echo $? >code",
    "standard error closed": "{command} 2>&-; echo $? >code",
}
LONG = {
    "a.csv": "simulate rod --seconds 30 --every .01 -o a.csv",
    "a.gif": "render rod --size 128x96 --samples 1 --seconds .2 -o a.gif",
    "a.html": "race sphere --integrators split --periods 1 --sweep 5..20:3 --workers 1 -o a.html",
}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("streams", STREAMS)
def test_work_goes_on_where_nobody_listens(streams: str, name: str, tmp_path: Path) -> None:
    """Every piece of work speaks of its progress at once; what it was for is there, and nothing else stands in it."""
    talkative = "import viewer.export.progress as p, sys; p.LINE = 0.0; import viewer.__main__ as m; sys.exit(m.main())"
    command = f'{sys.executable} -c "{talkative}" {LONG[name]}'
    script = STREAMS[streams].format(command=command)
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, env=environment(display=False)
    )
    assert Path("code").read_text() == "0\n"
    assert (done.stdout, done.stderr) == ("", "")
    assert sorted(os.listdir()) == [name, "code"]
    content = Path(name).read_bytes()
    assert b"poinsot: " not in content
    assert content.startswith({".csv": b"time_s,", ".gif": b"GIF89a", ".html": b"<!doctype html>"}[Path(name).suffix])


def test_errors_go_nowhere_else_where_standard_error_is_closed() -> None:
    command = f"{sys.executable} -m viewer render nothing -o a.png 2>&-"
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True, check=False, env=environment())
    assert (done.returncode, done.stdout) == (2, "")


def test_a_reader_that_goes_away_gets_no_success() -> None:
    """As of any program in a pipe: `set -o pipefail` tells a script that the table is not all there."""
    command = f"{sys.executable} -m viewer simulate rod --seconds 1000 | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=environment())
    assert (done.stdout.splitlines()[1:], done.stderr) == (["141"], "")


@pytest.mark.parametrize("words", ["presets", "integrators", "stereo-modes", "--help"])
def test_a_terminal_without_greek_letters_gets_the_lists_too(words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "viewer", words],
        capture_output=True,
        text=True,
        check=False,
        env=environment(display=False) | {"PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u03b8" in done.stdout or words != "presets"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["presets", "simulate sphere"])
def test_a_full_disk_behind_standard_output_is_one_line(words: str) -> None:
    command = f"{sys.executable} -m viewer {words} > /dev/full"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, env=environment(display=False)
    )
    assert (done.returncode, done.stderr) == (2, FULL)


def test_settings_and_options_reach_the_scene(capsys: pytest.CaptureFixture[str]) -> None:
    settings = "--set start.angular_velocity=[0,0,3] --set body.shape=box --integrator split"
    assert cli.main(f"simulate sphere --seconds 1 --every 1 {settings}".split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert [float(value) for value in lines[-1].split(",")[5:8]] == pytest.approx([0, 0, 3], abs=1e-12)


def test_a_speed_that_is_set_ends_the_automatic_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures: list[float] = []
    monkeypatch.setattr("viewer.cli.window._no_display", lambda: True)
    monkeypatch.setattr(
        "viewer.export.images.api.render_to_file", lambda _, name, time, size, target: pictures.append(time)
    )
    for words in ("", "--set playback.speed=3", "--set playback.speed=3 --set playback.auto_speed=true"):
        assert cli.main(["dzhanibekov", *words.split()]) == 0
    assert pictures == [window.FALLBACK_SECONDS * speed for speed in (1, 3, 1)]


def test_starting_imports_no_graphics_and_no_scipy() -> None:
    code = (
        "import sys; import viewer, viewer.cli.window; "
        "print([name for name in ('scipy', 'moderngl', 'pyglet', 'imgui_bundle', 'PIL', 'tomlkit', 'difflib')"
        " if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment(display=False)
    )
    assert done.stdout == "[]\n"


def test_public_names() -> None:
    for name in viewer.__all__:
        if name != "render_image":  # tests/export
            assert getattr(viewer, name) is not None
    assert set(viewer.__all__) <= set(dir(viewer))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = viewer.nothing


def test_ctrl_c_while_the_command_is_being_loaded_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from viewer.__main__ import main as start

    class Interrupted:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "viewer.cli", Interrupted())
    assert start() == 130


@pytest.mark.parametrize("words", [["replay", "a\nb"], ["render", "a\nb", "-o", "a.png"], ["a\nb"]])
def test_a_name_with_a_line_break_is_told_in_one_line(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert cli.main(words) == 2
    said = capsys.readouterr().err
    assert said.startswith("poinsot: ")
    assert said.count("\n") == 1


def test_a_log_is_opened_as_the_options_say(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Scenario, dict[str, Any]]] = []
    monkeypatch.setattr(
        "viewer.cli.window._window", lambda scene, options, *rest: opened.append((scene, vars(options)))
    )
    log = str(folder("assets") / "logs" / "mujoco-implicitfast.csv")
    assert cli.main([log, "--stereo", "side-by-side", "--set", "show.plane=false", "--paused"]) == 0
    assert cli.main(["replay", log, "--show"]) == 0
    (wanted, options), (usual, _) = opened
    assert (wanted.stereo.mode, wanted.show.plane, options["paused"]) == ("side-by-side", False, True)
    assert (usual.stereo.mode, usual.show.plane) == (Scenario().stereo.mode, True)
    assert wanted.race == usual.race


def test_a_log_without_a_display_is_refused() -> None:
    log = str(folder("assets") / "logs" / "mujoco-implicitfast.csv")
    assert refused(log).startswith("no display, so there is no window; `poinsot replay FILE` reports")


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_log_is_not_replaced_by_its_own_report(capsys: pytest.CaptureFixture[str]) -> None:
    log = (folder("assets") / "logs" / "mujoco-implicitfast.csv").read_bytes()
    Path("a.csv").write_bytes(log)
    os.symlink("a.csv", "link.csv")
    os.link("a.csv", "hard.csv")
    for output in ("./a.csv", "link.csv", "hard.csv", os.path.abspath("a.csv")):
        assert cli.main(["replay", "a.csv", "-o", output]) == 2
        assert "is the recording itself; allowed is another file" in capsys.readouterr().err
    assert Path("a.csv").read_bytes() == log


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


def test_a_race_leaves_a_strangers_file_alone() -> None:
    Path("o.csv.runs").write_text("mine")
    words = "race sphere --integrators split --periods 1 -o o.csv"
    assert cli.main(words.split()) == 0
    assert cli.main([*words.split(), "--sweep", "5..20:2", "--executor", "none"]) == 2
    assert Path("o.csv.runs").read_text() == "mine"


def test_an_error_of_the_system_says_what_it_is_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that something cannot be written, where it could not be read."""

    def fail(words: list[str]) -> int:
        raise PermissionError(13, "Permission denied", "fonts/panel.ttf")

    monkeypatch.setattr("viewer.cli.lists.presets", fail)
    assert cli.main(["presets"]) == 2
    assert capsys.readouterr().err.startswith("poinsot: fonts/panel.ttf: Permission denied (more in ")


@pytest.mark.skipif(sys.platform != "linux", reason="Mesa's and glcontext's variables")
@pytest.mark.parametrize(
    ("variable", "advice"),
    [
        ("GLCONTEXT_LINUX_LIBEGL=none.so", "on Debian: apt-get install libegl1 libgl1"),
        ("MESA_GL_VERSION_OVERRIDE=2.1", "the graphics driver is too old; with Mesa, LIBGL_ALWAYS_SOFTWARE=1 draws"),
    ],
)
def test_packages_are_advised_only_where_they_are_missing(variable: str, advice: str) -> None:
    name, _, value = variable.partition("=")
    words = [sys.executable, "-m", "viewer", "render", "sphere", "-o", "a.png"]
    env = environment(display=False) | {name: value}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 2
    assert f"); {advice}" in done.stderr
    assert done.stderr.count("apt-get") == ("apt-get" in advice)


def test_one_integrator_for_a_race_is_refused_not_ignored(capsys):
    from viewer.cli import main

    assert main("race sphere --integrator jolt".split()) == 2
    assert "integrator: a race has lanes; name them with --integrators" in capsys.readouterr().err


def test_commands_collect_garbage_but_not_what_is_imported() -> None:
    program = (
        "import gc, sys; from viewer.cli import lists; from viewer.__main__ import main\n"
        "lists.presets = lambda words: 10 + gc.isenabled() + 2 * (gc.get_freeze_count() > 10_000)\n"
        "sys.argv = ['poinsot', 'presets']; sys.exit(main())"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 13
