"""Stereo films: tags that other programs read, and colours that eyes in one picture keep."""

import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.films import SCENE, SIZE, pictures, short

from viewer.common.errors import InputError
from viewer.export import video
from viewer.export.film import write_film
from viewer.export.offscreen import offscreen_renderer
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.sections.picture import Stereo

TAGS = {  # mode: Matroska's name (left eye first, right eye first), and whether MP4 has one
    "mono": (None, None, True),
    "anaglyph": ("anaglyph_cyan_red", "anaglyph_cyan_red", True),
    "side-by-side": ("left_right", "right_left", True),
    "side-by-side-half": ("left_right", "right_left", True),
    "cross-eyed": ("right_left", "left_right", False),
    "top-bottom": ("top_bottom", "bottom_top", True),
    "top-bottom-half": ("top_bottom", "bottom_top", True),
    "row-interlaced": ("row_interleaved_lr", "row_interleaved_rl", False),
    "column-interlaced": ("col_interleaved_lr", "col_interleaved_rl", False),
    "checkerboard": ("checkerboard_lr", "checkerboard_rl", False),
    "quad-buffer": (None, None, True),
    "left": (None, None, True),
    "right": (None, None, True),
    "wiggle": (None, None, True),
}


@pytest.mark.parametrize("mode", STEREO_MODES)
def test_every_stereo_mode_has_its_tag_or_is_refused(mode: str) -> None:
    left, right, in_mp4 = TAGS[mode]
    assert video.stereo_tag(Stereo(mode=mode)) == left
    assert video.stereo_tag(Stereo(mode=mode, exchange_eyes=True)) == right
    video.check(".mkv", Stereo(mode=mode), SIZE)
    if in_mp4:
        video.check(".mp4", Stereo(mode=mode), SIZE)
    else:
        with pytest.raises(InputError, match=r"stereo\.mode: MP4 has no tag for .*, or write \.mkv"):
            video.check(".mp4", Stereo(mode=mode), SIZE)


@pytest.mark.skipif(shutil.which("mkvinfo") is None, reason="mkvinfo (Debian: mkvtoolnix) is not installed")
@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("side-by-side", "side by side (left first)"),
        ("cross-eyed", "side by side (right first)"),
        ("top-bottom", "top bottom (left first)"),
        ("row-interlaced", "row interleaved (left first)"),
        ("checkerboard", "checkerboard (left first)"),
        ("anaglyph", "anaglyph (cyan/red)"),
        ("mono", None),
    ],
)
def test_another_program_reads_matroskas_tag(gl: Any, tmp_path: Path, mode: str, told: str | None) -> None:
    write_film(tmp_path / "a.mkv", short(SCENE.with_value("stereo.mode", mode)), offscreen_renderer)
    said = subprocess.run(["mkvinfo", tmp_path / "a.mkv"], capture_output=True, text=True, check=True).stdout
    found = [line.split(":")[1] for line in said.splitlines() if "Stereo mode" in line]
    assert [told] == [line.split(" ", 2)[2].removeprefix("(")[:-1] for line in found] if told else found == []


@pytest.mark.skipif(shutil.which("ffprobe") is None, reason="ffprobe (Debian: ffmpeg) is not installed")
@pytest.mark.parametrize(
    ("mode", "told"), [("side-by-side", "side by side"), ("top-bottom", "top and bottom"), ("mono", None)]
)
def test_another_program_reads_the_box_of_mp4(gl: Any, tmp_path: Path, mode: str, told: str | None) -> None:
    path = tmp_path / "a.mp4"
    write_film(path, short(SCENE.with_value("stereo.mode", mode)), offscreen_renderer)
    said = subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", path], capture_output=True, check=True
    )
    assert said.stderr == b""
    data = json.loads(said.stdout)["streams"][0].get("side_data_list", [])
    assert [entry["type"] for entry in data if entry["side_data_type"] == "Stereo 3D"] == ([told] if told else [])
    _, box, rest = path.read_bytes().partition(b"st3d")  # then version and flags, and the layout
    assert (rest[4] if box else None) == {"side-by-side": 2, "top-bottom": 1, "mono": None}[mode]
    assert len(pictures(path)) == 10


def test_a_file_that_is_no_mp4_stays_as_it_is(tmp_path: Path) -> None:
    for data in (b"", b"moov", b"\0\0\0\x08moov", b"\0\0\0\x10moov\0\0\0\x08trak", b"\0\0\0\0ftyp" * 3):
        file = io.BytesIO(data)
        assert not video.mark_stereo(file, 1)
        assert file.getvalue() == data


@pytest.mark.parametrize(
    ("mode", "bound"),  # measured below 2.4 and 3.01 of 255; with shared colours 3.26 and 5.25
    [("row-interlaced", 2.4), ("anaglyph", 3.3)],
)
def test_eyes_that_share_a_picture_keep_their_colours(gl: Any, tmp_path: Path, mode: str, bound: float) -> None:
    """With colours shared by 2 x 2 pixels each eye would get those of the other."""
    scene = SCENE.with_value("stereo.mode", mode).with_value("stereo.separation", 20.0)
    write_film(tmp_path / "a.mkv", short(scene), offscreen_renderer)
    drawn = offscreen_renderer().render(next(short(scene).shots()))
    assert np.abs(pictures(tmp_path / "a.mkv")[0].astype(int) - drawn).mean() < bound
