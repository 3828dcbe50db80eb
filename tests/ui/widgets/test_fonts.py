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


def test_both_faces_have_the_icons():
    with resources.file("assets", "fonts", "icons.otf") as path:
        icons = list(TTFont(path).getBestCmap())
    context = imgui.create_context()
    try:
        fonts = style.load_fonts()
        for face in (fonts.regular, fonts.medium):
            assert all(map(face.is_glyph_in_font, icons))
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


@pytest.mark.parametrize("words", ["every 4.58 s", "Tumbling, flips every 4.48 s", "0123456789", "illicit fly-by"])
def test_a_letter_takes_the_room_that_its_face_gives_it(stage, words):
    """Not a whole number of pixels, which is up to half a pixel a letter off."""
    shown = stage("dzhanibekov")
    shown.frame()
    with resources.file("assets", "fonts", "panel.ttf") as path:
        face = TTFont(path)
    letters, head = face.getBestCmap(), face["hhea"]
    # ImGui's size of a face is from the ascender to the descender
    per_unit = style.FONT_SIZE / (head.ascent - head.descent)
    wide = per_unit * sum(face["hmtx"][letters[ord(letter)]][0] for letter in words)
    assert imgui.calc_text_size(words).x == pytest.approx(wide, abs=1.0)  # ImGui rounds a whole text up
    with_space, without = (imgui.calc_text_size(text * 50).x / 50 for text in ("y x", "yx"))
    assert with_space - without == pytest.approx(per_unit * face["hmtx"][letters[ord(" ")]][0], abs=0.02)
