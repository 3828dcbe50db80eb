"""The contact sheet: every combination once, in its place; wrong names get one line."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from viewer.cli import main
from viewer.common.errors import InputError
from viewer.export.contact_sheet import CAPTION, GAP, GROUND, VIEWS, ContactSheet
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.presets import PRESETS
from viewer.scenario.sections.picture import View

pytestmark = pytest.mark.usefixtures("gl")


def test_by_default_it_has_every_preset_view_and_theme_in_three_modes() -> None:
    sheet = ContactSheet()
    assert sheet.count == len(PRESETS) * len(VIEWS) * len(THEMES) * 3
    frames = [name for name, _ in View.__dataclass_fields__["frame"].metadata["field"].choices]
    assert set(frames) <= set(VIEWS)


def test_each_picture_stands_in_its_place_with_its_caption(tmp_path: Path) -> None:
    path = tmp_path / "sheet.png"
    chosen = "--presets sphere,disc --views ceiling,momentum --themes dark,light --modes mono,anaglyph"
    words = f"contact-sheet -o {path} --size 192x96 --reduce 2 --time 1 {chosen}"
    assert main(words.split()) == 0
    with Image.open(path) as image:
        sheet = np.asarray(image).astype(int)
    assert sheet.shape == (4 * (48 + CAPTION + GAP) + GAP, 4 * (96 + GAP) + GAP, 3)
    means = np.zeros((4, 4))
    for row in range(4):
        for column in range(4):
            x, y = GAP + column * (96 + GAP), GAP + row * (48 + CAPTION + GAP)
            picture, caption = sheet[y : y + 48, x : x + 96], sheet[y + 48 : y + 48 + CAPTION, x : x + 96]
            means[row, column] = picture.mean()
            assert np.ptp(picture) > 60
            assert caption.max() > 180
            assert (sheet[y, x - 1] == GROUND).all()
    assert (means[:, 2:] > 150).all()  # the light theme
    assert (means[:, :2] < 100).all()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--presets spere", "presets: 'spere' is unknown; did you mean sphere?"),
        ("--views side", "views: 'side' is unknown"),
        ("--themes grey", "themes: 'grey' is unknown"),
        ("--modes stereo", "modes: 'stereo' is unknown"),
        ("--reduce 99", "reduced: 99 is outside"),
        ("--size 9", "size: '9' is not WIDTHxHEIGHT"),
        ("--set view.zoom=0", "view.zoom: 0 "),
    ],
)
def test_a_wrong_word_gets_one_line_and_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, line: str
) -> None:
    path = tmp_path / "sheet.png"
    assert main(["contact-sheet", "-o", str(path), *words.split()]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"poinsot: {line}")
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_it_is_a_png_in_a_folder_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contact-sheet", "-o", str(tmp_path / "sheet.jpg")]) == 2
    assert "allowed are names ending in .png" in capsys.readouterr().err
    assert main(["contact-sheet", "-o", str(tmp_path / "none" / "sheet.png")]) == 2
    assert "not found" in capsys.readouterr().err


def test_a_sheet_with_an_unknown_name_is_none() -> None:
    with pytest.raises(InputError, match="presets: 'x' is unknown"):
        ContactSheet(presets=("x",))


def test_momentum_space_is_never_empty_and_leaves_the_other_views_as_they_are(tmp_path: Path) -> None:
    """Of a scene that shows the body alone."""
    sheets = []
    for views in ("momentum,ceiling", "ceiling"):
        path = tmp_path / f"{views}.png"
        words = f"contact-sheet -o {path} --size 192x96 --reduce 2 --presets t-handle --themes dark --modes mono"
        assert main([*words.split(), "--views", views]) == 0
        with Image.open(path) as image:
            sheets.append(np.asarray(image).astype(int))
    both, ceiling = sheets
    middle = both[GAP + 8 : GAP + 40, GAP + 24 : GAP + 72]
    assert (middle.max(axis=-1) > 75).mean() > 0.3  # the sphere
    np.testing.assert_array_equal(both[-(48 + CAPTION + GAP) :], ceiling[-(48 + CAPTION + GAP) :])
