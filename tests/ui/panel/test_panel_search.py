"""The panel's search: only the rows and sections that fit what is typed."""

import pytest

from viewer.ui.panel.head import SEARCH
from viewer.ui.platform.imgui_module import imgui


def rows_found(shown, query):
    """The controls of fields in the panel."""
    shown.ui.search()
    assert shown.ui.overlays.takes_keys
    assert shown.ui.overlays.awaits_keyboard
    shown.frame(3)
    imgui.get_io().add_input_characters_utf8(query)
    shown.frame(3)
    left = shown.ui.layout.areas.panel.x
    return [name for name, box in shown.boxes.items() if name.startswith("##") and "." in name and box[0] > left]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("FRICTION", ["##loads.external_friction[0]", "##loads.internal_friction[0]", "##show.loads"]),
        ("k_fi", ["##loads.internal_friction[0]"]),
        ("view.zoom", ["##view.zoom[0]"]),
        ("least corrector", ["##solver.least_corrector[0]"]),
    ],
)
def test_only_what_fits_is_shown(stage, query, found):
    """By label, symbol, path and description; in sections that are closed as well."""
    shown = stage("paper-fig1", size=(1280, 720))
    shown.workspace.session.change({"solver.stabilisation": "gradient"})
    assert rows_found(shown, query) == found
    assert not any(label.endswith("##header") for label in shown.boxes)


def test_a_title_shows_its_whole_section_and_nothing_found_says_so(stage):
    shown = stage("paper-fig1", size=(1280, 1400))
    assert "##camera_path.kind" in rows_found(shown, "Camera p")
    shown.ui.panel.search.clear()
    shown.frame(2)
    assert rows_found(shown, "xyzzy") == []
    assert any("no matches" in words for words, _ in shown.texts)


def test_escape_and_the_cross_show_all_again_and_sections_stay_as_they_were(stage):
    shown = stage("paper-fig1", size=(1280, 720))
    before, opened = set(shown.boxes), shown.workspace.settings.value("panel.open_sections")
    for clear in (lambda: shown.key(imgui.Key.escape), lambda: shown.click("clear search")):
        rows_found(shown, "friction")
        assert set(shown.boxes) != before
        clear()
        shown.frame(3)
        assert set(shown.boxes) == before
    rows_found(shown, "friction")
    shown.key(imgui.Key.enter)
    shown.frame(2)
    assert shown.ui.overlays.dismiss()  # Escape, while the keyboard is elsewhere
    shown.frame(2)
    assert set(shown.boxes) == before
    assert shown.workspace.settings.value("panel.open_sections") == opened


def test_tab_leads_to_the_first_that_was_found_and_a_field_asked_for_ends_the_search(stage):
    shown = stage("paper-fig1", size=(1280, 720))
    rows_found(shown, "friction")
    assert shown.ui.overlays.take_key("Tab")
    shown.frame(2)
    assert shown.ui.controls.focus.at == "##loads.external_friction[0]"
    assert not shown.ui.overlays.takes_keys
    shown.ui.go_to("body.mass")
    shown.frame(4)
    assert shown.ui.controls.focus.at == "##body.mass[0]"
    assert shown.ui.panel.search.query == ""
    assert SEARCH in shown.boxes


def test_one_escape_gives_the_keys_back_and_shows_all(stage):
    shown = stage("paper-fig1", size=(1280, 720))
    rows_found(shown, "friction")
    shown.key(imgui.Key.escape)
    shown.frame(2)
    assert shown.ui.panel.search.query == ""
    assert not shown.ui.overlays.takes_keys


def test_sound_has_a_switch_in_the_panel(stage, monkeypatch):
    pressed = []
    monkeypatch.setattr("viewer.ui.sound.Sound.toggle", lambda _: pressed.append(True))
    shown = stage(size=(1280, 3200), open_all=True)
    shown.click("##sound.on")
    assert pressed
    rows_found(shown, "sound")
    assert "##sound.on" in shown.boxes


def test_what_an_off_value_hides_leads_to_the_field_that_is_off(stage):
    """ "onion" finds the stroboscope at 0, and the switch itself as soon as there is a stroboscope."""
    shown = stage("box-80kg", size=(1280, 720))
    assert rows_found(shown, "strob") == ["##view.stroboscope[0]"]
    shown.ui.panel.search.clear()
    shown.frame(2)
    assert rows_found(shown, "onion") == ["##view.stroboscope[0]"]
    shown.workspace.session.change({"view.stroboscope": 3})
    shown.frame(2)
    assert "##view.onion_skin" in shown.boxes
