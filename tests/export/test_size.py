"""Sizes as one types them, and whether there is room for such a picture."""

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
