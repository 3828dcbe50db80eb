"""The door for what comes in: what is no regular file is refused at once, what is damaged is not opened."""

import os
import random
import socket
from pathlib import Path

import pytest
from helpers.hostile_inputs import pictures

from viewer import cli
from viewer.common import input_files
from viewer.common.errors import InputError
from viewer.replay.reader import read_recording
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


@pytest.mark.parametrize("kind", range(4), ids=["png", "packed png", "jpeg", "gif"])
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
