"""`poinsot render` and `poinsot stereo-chart`."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.processes import environment
from PIL import Image

from tests.helpers.synthetic_tosses import as_phyphox, tossed_phone
from viewer import cli
from viewer.replay.scene import replayed, scene_of
from viewer.session.session import Session


@pytest.mark.usefixtures("gl")
def test_a_mode_that_no_picture_can_have_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    for mode, instead in (("quad-buffer", "mono"), ("wiggle", "left")):
        assert cli.main(f"render sphere --size 64x64 --stereo {mode} -o a.png".split()) == 0
        line = capsys.readouterr().err
        assert line.startswith(f"poinsot: stereo.mode: {mode}: ")
        assert line.endswith(f"; drawn as {instead}\n")


@pytest.mark.usefixtures("gl")
def test_a_recording_is_drawn_beside_the_exact_motion_and_so_is_a_scene_that_names_it() -> None:
    Path("toss.csv").write_text(as_phyphox(*tossed_phone(1)))
    found = replayed("toss.csv", flight="1")
    Session(scene_of(found), playing=False, recording=found).save("scene.toml")
    scene_of(found).save("without.toml")

    def drawn(scene: str) -> np.ndarray:
        assert cli.main(["render", scene, "--time", "0.3", "--size", "640x480", "-o", "a.png"]) == 0
        with Image.open("a.png") as image:
            return np.asarray(image).astype(int)

    alone, beside = drawn("without.toml"), drawn("scene.toml")
    assert np.mean(np.abs(alone - beside).max(axis=2) > 60) > 0.01  # its points, its ghost and their legends
    assert np.mean(np.abs(alone - drawn("toss.csv")).max(axis=2) > 60) > 0.01


@pytest.mark.usefixtures("gl")
def test_the_stereo_chart(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("stereo-chart --stereo checkerboard --size 320x180 -o a.png".split()) == 0
    assert Path("a.png").stat().st_size > 1000
    assert cli.main("stereo-chart --stereo mono --theme light --size 320x180 -o light.png".split()) == 0
    with Image.open("light.png") as image:
        assert np.asarray(image)[0].mean() > 250  # measured: 255; in the dark theme 30
    for arguments in ("--stereo hologram", "--glasses pink", "--method dull", "--size 9x9"):
        assert cli.main(f"stereo-chart {arguments} -o b.png".split()) == 2
    assert cli.main("stereo-chart -o b.csv".split()) == 2
    assert len(capsys.readouterr().err.splitlines()) == 5
    assert not Path("b.png").exists()


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
    arguments = [sys.executable, "-m", "viewer", "render", "sphere", "-o", "a.png"]
    env = environment(display=False) | {name: value}
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 2
    assert f"); {advice}" in done.stderr
    assert done.stderr.count("apt-get") == ("apt-get" in advice)


@pytest.mark.usefixtures("gl")
def test_a_race_that_is_not_drawn_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    small = "--size 64x64 --samples 1 -o a.png"
    assert cli.main(f"render race-of-five {small}".split()) == 0
    assert capsys.readouterr().err == ""
    assert cli.main([*f"render race-of-five {small} --integrator split --set".split(), "loads.torque=[0, 0.1, 0]"]) == 0
    line = capsys.readouterr().err
    assert line.startswith("poinsot: race.show: No race: ")
    assert line.count("\n") == 1
    assert cli.main([*f"render twenty-boxes {small} --set race.show=grid".split()]) == 0
    assert capsys.readouterr().err == "poinsot: race.show: No race: this scene has 20 bodies\n"
