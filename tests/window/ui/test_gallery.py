"""The gallery in a real window: opened and used by keys alone, by mouse alone, and small."""

import pytest

from viewer.commands.documents import open_named
from viewer.scenario.playlists import playlists
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tours
from viewer.user.settings import Settings


def test_arrows_and_enter_open_what_they_lead_to(desktop):
    shown = desktop()
    gallery = shown.app.ui.gallery
    shown.key("a")
    assert shown.app.ui.gallery.is_open
    shown.key("Right", "Down")
    columns = len(gallery._rows[0])
    assert 2 <= columns < len(PRESETS)
    wanted = list(PRESETS)[columns + 1]
    shown.key("Return")
    assert not shown.app.ui.gallery.is_open
    assert shown.scenario.title == PRESETS[wanted].title
    assert shown.scenario.loads == Scenario.preset(wanted).loads  # no arrow has pushed the body
    shown.key("a", "Escape")
    assert not shown.app.ui.gallery.is_open
    shown.key("shift+a", "Return")
    assert shown.app.workspace.tour.tour is next(iter(tours().values()))


def test_a_click_opens_and_one_beside_closes(desktop):
    shown = desktop()
    shown.app.ui.gallery.toggle()
    shown.settle()
    title = PRESETS["disc"].title
    shown.click(*shown.middle(f"{title}##card "))
    assert shown.scenario.title == title
    shown.app.ui.gallery.toggle()
    shown.settle()
    shown.click(3, 3)
    assert not shown.app.ui.gallery.is_open
    shown.app.ui.gallery.toggle()
    shown.settle()
    shown.click(*shown.middle("Open file…"))
    assert shown.app.ui.dialog.is_open


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("mode", ["mono", "side-by-side", "anaglyph"])
def test_every_card_is_reached_in_a_small_window(desktop, mode):
    """By keys, scrolled to, whole within the gallery."""
    shown = desktop(size=(800, 600))
    shown.app.workspace.editor.set("stereo.mode", mode)
    shown.app.ui.gallery.toggle()
    shown.settle()
    gallery = shown.app.ui.gallery
    assert len(gallery.cards) == len(PRESETS) + len(tours()) + len(playlists())
    for number, card in enumerate(gallery.cards):
        assert gallery.at == number
        place, (left, top, right, bottom) = gallery.rect, shown.boxes[f"{card.title}##card {card.group}"]
        assert place.x <= left < right <= place.x + place.width
        assert place.y <= top < bottom <= place.y + place.height
        shown.key("Right")


def test_recent_files_are_in_it(desktop, tmp_path):
    path = tmp_path / "mine.toml"
    Scenario.preset("rod").with_value("body.mass", 7.0).save(path)
    shown = desktop(settings=Settings.of_user())
    assert open_named(shown.app.workspace, str(path)) is None
    open_named(shown.app.workspace, "sphere")
    shown.key("a")
    shown.key("End")
    shown.settle()
    shown.click(*shown.middle("mine.toml##card recent"))
    assert shown.scenario.body.mass == 7.0
    assert shown.app.workspace.files.path == str(path)


def test_the_list_in_the_panel_leads_to_it(desktop):
    shown = desktop()
    shown.click(*shown.middle("##scene"))
    shown.click(*shown.middle("All scenes and tours… (A)"))
    assert shown.app.ui.gallery.is_open
