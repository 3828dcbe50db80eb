"""The start of the command line: what it imports, help, lists, the public names."""

import subprocess
import sys

import pytest
from helpers.processes import environment

import viewer
from viewer import cli
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.presets import PRESETS
from viewer.scenario.tours import tours


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


@pytest.mark.parametrize("arguments", ["--help", "render --help", "simulate --help", "presets --help", "--version"])
def test_help_and_version(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments.split())
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert out == f"poinsot {viewer.__version__}\n" if arguments == "--version" else "poinsot" in out


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


def test_commands_collect_garbage_but_not_what_is_imported() -> None:
    program = (
        "import gc, sys; from viewer.cli import about; from viewer.__main__ import main\n"
        "about.presets = lambda arguments: 10 + gc.isenabled() + 2 * (gc.get_freeze_count() > 10_000)\n"
        "sys.argv = ['poinsot', 'presets']; sys.exit(main())"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 13
