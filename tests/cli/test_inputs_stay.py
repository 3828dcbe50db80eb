"""No command writes over a file that it reads, whatever leads to that file: a scene, a folder, an archive, a link."""

import os
import zipfile

import numpy as np
import pytest

from viewer import cli
from viewer.cli import COMMANDS
from viewer.export.picture_files import png_bytes
from viewer.scenario.scenario import Scenario

OBJ = "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MESH = '[body]\nshape = "mesh"\nfile = "a.obj"\nunit = "cm"\ndensity = 1000.0\n'
PARTS = '[body]\nshape = "composite"\nparts = [{shape = "mesh", file = "a.obj", unit = "cm", density = 1000.0}]\n'
LOOKS = '[body]\nappearance = "a.obj"\nunit = "cm"\n'
SCENES = {  # which file would be written over; the text of the scene; the words of the command that lead to the file
    "scene": ("a.toml", "", "a.toml"),
    "picture": ("a.png", "", "a.png"),
    "recording of the scene": ("a.csv", '[recording]\nfiles = ["a.csv"]\n', "a.toml"),
    "archive of the scene": ("a.zip", '[recording]\nfiles = ["a.zip/a.csv"]\n', "a.toml"),
    "folder of the scene": ("logs/a.csv", '[recording]\nfiles = ["logs"]\n', "a.toml"),
    "mesh": ("a.obj", "", "a.obj"),
    "mesh of the scene": ("a.obj", MESH, "a.toml"),
    "mesh of a part": ("a.obj", PARTS, "a.toml"),
    "mesh it looks like": ("a.obj", LOOKS, "a.toml"),
    "mesh that is set": ("a.obj", "", "a.toml --set body.shape=mesh --set body.unit=cm --set body.file=a.obj"),
}
BODIES = {
    "mesh of a body": ("a.obj", f"[[bodies]]\n[[bodies]]\n{MESH.replace('[body]', '[bodies.body]')}", "a.toml"),
}
RECORDINGS = {
    "recording": ("a.csv", "", "a.csv"),
    "archive": ("a.zip", "", "a.zip"),
    "inside an archive": ("a.zip", "", "a.zip/a.csv"),
    "folder": ("logs/a.csv", "", "logs"),
}
COMPARED = {
    "one of several": ("b.csv", "", "a.csv b.csv"),
    "what it is drawn as": ("a.obj", "", "a.csv --show --body a.obj"),
    "scene it is drawn as": ("a.toml", "", "a.csv --show --body a.toml"),
    "mesh it is drawn as": ("a.obj", MESH, "a.csv --show --body a.toml"),
}
SET = {"mesh that is set": ("a.obj", "", "--set body.shape=mesh --set body.unit=cm --set body.file=a.obj")}
WRITERS = {  # what each command writes, in every form that it has
    "simulate {} --seconds 1 -o out.csv": SCENES | BODIES,
    "simulate {} --seconds 1 -o out.npz": SCENES | BODIES,
    "render {} --size 32x32 -o out.png": SCENES | BODIES | RECORDINGS,
    "render {} --size 32x32 --seconds .1 -o out.gif": SCENES | BODIES | RECORDINGS,
    "render {} --size 64x64 -o out.html": SCENES | BODIES | RECORDINGS,
    "race {} --periods 1 -o out.csv": SCENES,
    "race {} --periods 1 --sweep 10..20:2 --executor none -o out.html": SCENES,
    "replay {} -o out.csv": RECORDINGS | COMPARED,
    "contact-sheet --presets rod --size 64x64 --reduce 1 {} -o out.png": SET,
    "stereo-chart --size 64x64 {} -o out.png": SET,
}
READS_NO_FILE = {"live"}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A recording as it is measured, in each form, and a mesh."""
    folder = tmp_path_factory.mktemp("inputs")
    cli.main(["simulate", "rod", "--seconds", "1", "--every", "0.02", "-o", str(folder / "a.csv")])
    recording = (folder / "a.csv").read_bytes()
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("a.csv", recording)
    picture = png_bytes(np.zeros((2, 2, 3), np.uint8), Scenario().to_text())
    found = {"a.csv": recording, "b.csv": recording, "logs/a.csv": recording, "a.png": picture}
    return found | {"a.zip": (folder / "a.zip").read_bytes(), "a.obj": OBJ.encode()}


CASES = [(command, kind) for command, kinds in WRITERS.items() for kind in kinds]


@pytest.mark.sweep
@pytest.mark.parametrize("link", [os.symlink, os.link], ids=["link", "hard link"])
@pytest.mark.parametrize(("command", "kind"), CASES)
def test_what_is_read_stays(command, kind, link, inputs, tmp_path, capsys) -> None:
    (tmp_path / "logs").mkdir()
    read, text, words = WRITERS[command][kind]
    files = inputs | {"a.toml": (text or Scenario().to_text()).encode()}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    arguments = command.format(words).split()
    link(tmp_path / read, tmp_path / arguments[-1])
    assert cli.main(arguments) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"poinsot: output: {arguments[-1]} is an input (")
    assert said.endswith(f"{read}); allowed is another file")
    assert {name: (tmp_path / name).read_bytes() for name in files} == files
    assert (tmp_path / arguments[-1]).read_bytes() == files[read]


def test_every_command_that_writes_a_file_is_tried(capsys) -> None:
    capsys.readouterr()
    writing = set()
    for name in COMMANDS:
        with pytest.raises(SystemExit):
            cli.main([name, "--help"])
        if "--output" in capsys.readouterr().out:
            writing.add(name)
    assert {command.split()[0] for command in WRITERS} == writing - READS_NO_FILE


def test_the_runs_of_a_sweep_take_no_place_of_an_input(tmp_path, capsys) -> None:
    Scenario.preset("rod").save(tmp_path / "a.csv.runs")
    before = (tmp_path / "a.csv.runs").read_bytes()
    assert cli.main("race a.csv.runs --sweep 10..20:2 --executor none -o a.csv".split()) == 2
    assert "a.csv.runs is an input (a.csv.runs)" in capsys.readouterr().err
    assert (tmp_path / "a.csv.runs").read_bytes() == before


@pytest.mark.slow
def test_a_report_beside_the_recordings_of_a_folder_is_written_again(inputs, tmp_path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.csv").write_bytes(inputs["a.csv"])
    for _ in range(2):
        assert cli.main(["replay", "logs", "-o", "logs/report.html"]) == 0
    assert (tmp_path / "logs" / "a.csv").read_bytes() == inputs["a.csv"]


@pytest.mark.parametrize("name", ["a.csv", "a.obj", "lecture.toml", "tour.toml"])
def test_a_scene_is_not_saved_over_what_it_is_read_from_nor_over_a_playlist(name, inputs, tmp_path) -> None:
    texts = {"lecture.toml": '[[items]]\nscene = "rod"\n', "tour.toml": 'title = "a"\n[[steps]]\ntext = "b"\n'}
    scene = MESH + '[recording]\nfiles = ["a.csv"]\n'
    for each, data in (
        inputs | {key: text.encode() for key, text in texts.items()} | {"a.toml": scene.encode()}
    ).items():
        if "/" not in each:
            (tmp_path / each).write_bytes(data)
    before = (tmp_path / name).read_bytes()
    with pytest.raises(ValueError, match=r"is an input|is a playlist or a tour; a scene is not written over it"):
        Scenario.load("a.toml").save(name)
    assert (tmp_path / name).read_bytes() == before
