"""The door for what comes in: what is no regular file is refused at once, what is damaged is not opened."""

import errno
import io
import os
import random
import socket
import zipfile
from pathlib import Path
from typing import Any

import pytest
from helpers.hostile.scenes import pictures

from viewer import cli
from viewer.common import input_files
from viewer.common.errors import InputError
from viewer.physics.solids import mesh_body
from viewer.replay.formats.formats import read_recording
from viewer.scenario import embedded
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.user.settings import Settings

READERS = {"scene": Scenario.load, "log": read_recording, "text": lambda path: input_files.read_text(path, 100)}


@pytest.fixture(params=["pipe", "link to a pipe", "/dev/zero", "/dev/urandom", "socket", "folder"])
def irregular(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Something that a program which simply reads would wait for, or read for ever."""
    kind, path = request.param, tmp_path / "a.csv"
    if kind.startswith("/dev"):
        path.symlink_to(kind)
    elif kind == "socket":
        monkeypatch.chdir(tmp_path)  # a socket's name is short
        with socket.socket(socket.AF_UNIX) as it:
            it.bind("a.csv")
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(tmp_path / "pipe")
        if kind == "pipe":
            (tmp_path / "pipe").rename(path)
        else:
            path.symlink_to(tmp_path / "pipe")
    return path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
@pytest.mark.parametrize("reader", READERS)
def test_only_regular_files_are_read(irregular: Path, reader: str) -> None:
    with pytest.raises(InputError, match=r"is not a regular file|is a folder") as caught:
        READERS[reader](irregular)
    assert str(irregular) in str(caught.value) or irregular.name in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_settings_that_are_a_pipe_are_told_and_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    os.mkfifo(path)
    settings = Settings(path)
    assert "is not a regular file" in settings.problems[0]
    settings.change("panel.width", 300.0)
    assert settings.save() is None
    assert Settings(path).value("panel.width") == 300.0


class Failing(io.FileIO):
    """A file of which one read fails."""

    count, fails = 0, 0

    def readinto(self, buffer: Any, /) -> int:
        Failing.count += 1
        if Failing.count == Failing.fails:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().readinto(buffer)


def inputs(folder: Path) -> dict[str, list[str]]:
    """Files of each kind that is read, and the words of a command that reads them."""
    table = "time,qw,qx,qy,qz,wx,wy,wz\n" + "".join(f"{n}.5,1,0,0,0,0.1,2,{n}\n" for n in range(2000))
    (folder / "a.csv").write_text(table)
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("b.csv", table)
    (folder / "a.png").write_bytes(pictures()[0])
    (folder / "a.gif").write_bytes(pictures()[3])
    (folder / "a.obj").write_text("v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    Scenario.preset("rod").save(folder / "a.toml")
    readers = {name: ["describe", name] for name in ("a.toml", "a.png", "a.gif")}
    readers |= {name: ["replay", name] for name in ("a.csv", "a.zip")}
    return readers | {"a.obj": ["body", "a.obj", "--density", "1", "--unit", "m"]}


def test_a_read_that_fails_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    readers = inputs(tmp_path)
    monkeypatch.setattr(input_files, "open", lambda path, mode: io.BufferedReader(Failing(path, mode)), raising=False)
    found = dict.fromkeys(readers, 0)
    for name, words in readers.items():
        for fails in range(1, 9):
            Failing.count, Failing.fails = 0, fails
            mesh_body._kept.clear()
            status = cli.main(words)
            said = capsys.readouterr().err
            if Failing.count < fails:
                break
            if status == 2:  # else what only looks at the file goes on, and it is read again
                found[name] += 1
                assert said.startswith(f"poinsot: {name}: ")
                assert said.count("\n") == 1
                assert "more in" not in said
    assert min(found.values()) >= 1, found


def test_what_is_not_there_and_what_is_too_large() -> None:
    with pytest.raises(input_files.MissingFile, match="nothing: file not found"):
        input_files.read_bytes("nothing", 10)
    with pytest.raises(input_files.MissingFile, match="file not found"):
        input_files.read_bytes("a\0b", 10)
    with pytest.raises(InputError, match="is larger than 10 bytes"):
        input_files.read_bytes(__file__, 10)


LONG = [
    "a." * 40_000 + "a = 1",
    '"a".' * 20_000 + "a = 1",
    "b = 2\n[a" + " . a" * 20_000 + "]",
    "c = {" + "a." * 999 + "a=1}",
]


@pytest.mark.parametrize("text", LONG, ids=["bare", "quoted", "header", "inline"])
def test_a_key_that_would_take_seconds_to_parse_is_refused(text: str) -> None:
    line = text.count("\n") + 1
    with pytest.raises(InputError, match=f"^scene, line {line}: a key has more than 8 parts"):
        input_files.parse_toml(text, "scene")


@pytest.mark.parametrize("name", PRESETS)
def test_no_scene_of_ours_has_such_a_key(name: str) -> None:
    assert input_files.parse_toml(Scenario.preset(name).to_text(), name)["title"]


def test_a_text_with_dots_is_a_text() -> None:
    summary = "see docs.python.org ... or 1.2.3.4 = four numbers."
    assert input_files.parse_toml(f'summary = "{summary}"', "scene")["summary"] == summary


@pytest.mark.parametrize("kind", range(5), ids=["png", "packed png", "jpeg", "gif", "page"])
def test_no_damaged_picture_opens_as_another_scene(kind: int, tmp_path: Path) -> None:
    path, whole = tmp_path / "a.png", pictures()[kind]
    path.write_bytes(whole)
    scene = Scenario.load(path)
    chance, refused = random.Random(kind), 0
    begin = whole.index(b"\n", whole.find(embedded.MARK.encode())) if kind != 1 else whole.index(embedded.PNG_KEYWORD)
    for _ in range(500):
        at = chance.randrange(begin, len(whole) - 60)
        damaged = bytes([whole[at] ^ (1 << chance.randrange(8))])
        path.write_bytes(whole[:at] + damaged + whole[at + 1 :])
        try:
            assert Scenario.load(path) == scene
        except InputError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 300


def test_a_name_with_control_characters_is_quoted() -> None:
    assert input_files.name_shown("a\x1b[31m.toml") == "'a\\x1b[31m.toml'"
    assert input_files.name_shown("a.toml") == "a.toml"


@pytest.mark.parametrize("command", [["{name}"], ["render", "{name}", "-o", "a.png"], ["replay", "{name}.csv"]])
def test_a_name_cannot_steer_the_terminal(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([word.format(name="a\x1b[2J\x07\udcff.toml") for word in command]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.rstrip("\n").isprintable()
    assert "\\x1b[2J\\x07\\udcff" in said
