"""The gallery's cards: titles that fit in every language, measured by another library, and all that a card says."""

from pathlib import Path

import polib
import pytest
from PIL import ImageFont

from viewer.common.resources import folder
from viewer.scenario.presets import GROUPS, PRESETS
from viewer.scene.words.sources import sources
from viewer.ui.overlays.gallery import HEADINGS, NARROWEST_CARD, PAD
from viewer.ui.widgets.style import FONT_SIZE

LANGUAGES = sorted(Path(str(folder("assets"))).joinpath("languages").glob("*.po"))


@pytest.mark.parametrize("catalogue", [None, *LANGUAGES], ids=lambda path: "en" if path is None else path.stem)
def test_no_word_of_a_title_is_wider_than_the_narrowest_card(catalogue: Path | None) -> None:
    known = {} if catalogue is None else {entry.msgid: entry.msgstr for entry in polib.pofile(str(catalogue))}
    font = ImageFont.truetype(str(folder("assets").joinpath("fonts", "panel-medium.ttf")), FONT_SIZE)
    number = font.getlength("9") + 6  # the key of the first nine stands beside it
    for at, preset in enumerate(PRESETS.values()):
        room = NARROWEST_CARD - 2 * PAD - (number if at < 9 else 0)
        for word in known.get(preset.title, preset.title).split():  # titles break between words
            assert font.getlength(word) <= room, word


def test_presets_are_listed_group_by_group() -> None:
    groups = [preset.group for preset in PRESETS.values()]
    assert list(dict.fromkeys(groups)) == list(GROUPS)
    assert groups == sorted(groups, key=list(GROUPS).index)
    assert set(groups) <= HEADINGS.keys()


def test_what_is_said_of_the_numbers() -> None:
    racket = sources(PRESETS["tennis-racket"])
    assert [line.partition(":")[0] for line in racket] == ["Source", "Assumed"]
    assert "Brody" in racket[0]
    assert [line.partition(":")[0] for line in sources(PRESETS["hammer"])] == ["Assumed"]
    assert sources(PRESETS["disc"]) == []


@pytest.mark.parametrize(("size", "scale", "least"), [((800, 600), 1.0, 3), ((800, 600), 1.6, 2)])
def test_no_card_fills_the_window(stage, size, scale, least):
    """In large letters there was one in a row, and nothing below its picture was seen."""
    shown = stage(size=size, scale=scale)
    shown.ui.gallery.toggle()
    shown.frame(3)
    assert len(shown.ui.gallery._rows[0]) >= least


def test_the_gallery_dims_what_is_behind_it(stage):
    shown = stage(size=(1280, 720))
    shown.frame(2)
    before = shown.pixels()[200:600, -20:].mean()  # of the panel, beside the gallery
    shown.ui.gallery.toggle()
    shown.frame(3)
    assert shown.pixels()[200:600, -20:].mean() < 0.7 * before  # 0.55 of it
    shown.ui.gallery.close()
    shown.frame(3)
    assert shown.pixels()[200:600, -20:].mean() == before
