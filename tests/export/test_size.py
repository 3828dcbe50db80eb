"""Sizes as one types them, and whether there is room for such a picture."""

import shutil
from types import SimpleNamespace

import pytest

from viewer.common.errors import InputError
from viewer.common.quantities import parse_size
from viewer.export import picture_files
from viewer.export.offscreen import render_to_file
from viewer.scenario.scenario import Scenario


@pytest.mark.parametrize("text", ["1920x1080", "1920 x 1080", " 1920 × 1080 ", "1920X1080", "1920*1080"])
def test_a_size_is_read_with_and_without_spaces(text):
    assert parse_size(text) == (1920, 1080)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "size: is empty; allowed is WIDTHxHEIGHT, such as 1280x720"),
        ("  ", "size: is empty; allowed is WIDTHxHEIGHT, such as 1280x720"),
        ("1920", "size: '1920' is not WIDTHxHEIGHT, such as 1280x720"),
        ("1920x", "size: '1920x' is not WIDTHxHEIGHT, such as 1280x720"),
        ("19 20x1080", "size: '19 20x1080' is not WIDTHxHEIGHT, such as 1280x720"),
        ("9x9", "size: 9x9 is outside 64x64 to 65536x65536 pixels"),
        ("٣٢٠x٢٤٠", "size: '٣٢٠x٢٤٠' is not WIDTHxHEIGHT, such as 1280x720"),
    ],
)
def test_what_is_no_size_is_refused_in_one_line(text, why):
    with pytest.raises(InputError) as refused:
        parse_size(text)
    assert str(refused.value) == why


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_the_estimate_is_about_as_large_as_the_file(tmp_path, suffix):
    path = tmp_path / f"picture{suffix}"
    render_to_file(Scenario.preset("paper-fig1"), path, 0.0, (1000, 800))
    pixels, size = picture_files.needed(path, (1000, 800))
    assert pixels == 800_000
    assert 0.5 < path.stat().st_size / size < 2.0  # measured: 1.2 and 1.2


@pytest.mark.parametrize(
    ("size", "free", "why"),
    [
        ((20000, 20000), 100_000_000, "20000x20000 needs about 240 MB; the disk has 100 MB left"),
        ((20000, 20000), 239_900_000, "20000x20000 needs about 240 MB; the disk has 239 MB left"),
        ((640, 480), 150_000, "640x480 needs about 0.2 MB; the disk has 0.1 MB left"),
        ((640, 480), 0, "640x480 needs about 0.2 MB; the disk has 0 MB left"),
    ],
)
def test_a_picture_for_which_the_disk_has_no_room_is_refused(tmp_path, monkeypatch, size, free, why):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    with pytest.raises(InputError) as refused:
        render_to_file(Scenario.preset("sphere"), tmp_path / "large.png", 0.0, size)
    assert str(refused.value) == f"size: {why}"
    assert not list(tmp_path.iterdir())
