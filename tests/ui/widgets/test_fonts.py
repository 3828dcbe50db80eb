"""The interface's fonts and the letters of the scene have every letter that is written with them."""

import json
from pathlib import Path

import polib
import pytest
from fontTools.ttLib import TTFont

from viewer.common import resources
from viewer.scenario.presets import PRESETS
from viewer.scenario.tours import tours
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import style


def test_both_faces_have_the_letters_of_titles_and_sentences():
    words = "".join(preset.title + preset.summary for preset in PRESETS.values())
    words += "".join(tour.title + tour.summary + "".join(s.text for s in tour.steps) for tour in tours().values())
    context = imgui.create_context()
    try:
        fonts = style.load_fonts()
        for face in (fonts.regular, fonts.medium):
            assert not {letter for letter in words if not face.is_glyph_in_font(ord(letter))}
    finally:
        imgui.destroy_context(context)


ALPHABETS = {
    "German": "abcdefghijklmnopqrstuvwxyzäöüß",
    "French": "àâæçéèêëîïôœùûüÿ",
    "Spanish": "áéíñóúü",
    "Polish": "ąćęłńóśźż",
    "Czech": "áčďéěíňóřšťúůýž",
    "Turkish": "çğıöşü",
    "Romanian": "ăâîșț",
    "Greek": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ",
    "Russian": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "Ukrainian": "ґєії",
    "Serbian": "ђјљњћџ",
}
LANGUAGES = Path(__file__).parents[3] / "assets" / "languages"


@pytest.mark.parametrize("language", ALPHABETS)
def test_panel_and_scene_have_the_alphabets_of_latin_greek_and_cyrillic(language):
    small = ALPHABETS[language]
    letters = set(small) | set(small.upper())
    for name in ("panel.ttf", "panel-medium.ttf"):
        with resources.file("assets", "fonts", name) as path:
            assert not letters - set(map(chr, TTFont(path).getBestCmap())), name
    assert not letters - set(json.loads(resources.read_text("assets", "fonts", "labels.json"))["glyphs"]["number"])


def test_both_faces_have_the_letters_of_every_translation():
    catalogues = map(polib.pofile, map(str, LANGUAGES.glob("*.po")))
    words = "".join(entry.msgstr + "".join(entry.msgstr_plural.values()) for po in catalogues for entry in po)
    context = imgui.create_context()
    try:
        fonts = style.load_fonts()
        for face in (fonts.regular, fonts.medium):
            missing = {letter for letter in words if not face.is_glyph_in_font(ord(letter))}
            assert not missing - {"\n"}
    finally:
        imgui.destroy_context(context)
