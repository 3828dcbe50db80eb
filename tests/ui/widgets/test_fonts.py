"""The interface's fonts have every letter that it writes."""

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
