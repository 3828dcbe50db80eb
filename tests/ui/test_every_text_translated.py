"""Every text that the interface draws comes from the catalogue, and no German one is cut where English is not.

The marking catalogue puts Ж and Ш, which every font has, around each text that it is asked for: what is drawn without
them was not.
"""

import gettext
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib
import pytest
from helpers.frames import picture_of

from viewer.commands import actions
from viewer.commands.documents import ask_picture
from viewer.common import language
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scene.presentation import Display
from viewer.scene.stereo.chart import chart_frame
from viewer.session.session import Session
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.widgets import drawing, number_field
from viewer.workspace.questions import SaveQuestion

LANGUAGES = Path(__file__).parents[2] / "assets" / "languages"
TALL = (1280, 3200)  # all sections of the panel at once
MARKED = re.compile(r"Ж[^ЖШ]*(?:Ш|…|$)")
WORD = re.compile(r"[A-Za-z]{3,}")
# units, symbols of formulas, formats and names that are the same in every language
SAME = {"rad", "min", "max", "mid", "toml", "CSV", "PNG", "JPEG", "poinsot", "Hz", "sin", "norm", "inf", "scene"}
# functions of ImGui that write, each with the place of the text among its arguments
WRITING = {"button": 0, "selectable": 0, "tree_node_ex": 0, "begin_combo": 1, "text_disabled": 0,
           "input_text_with_hint": 1}  # fmt: skip
PIECES = [
    {"kind": "sine", "amplitude": (0.0, 0.0, 0.1), "frequency": 0.5},
    {"kind": "pulse-train", "amplitude": (0.0, 0.1, 0.0), "period": 2.0, "width": 0.5},
    {"kind": "ramp", "amplitude": (0.0, 0.1, 0.0), "start": 0.0, "end": 4.0},
]
THRUSTER = [{"point": (0.0, 0.1, 0.0), "force": (0.1, 0.0, 0.0), "times": (1.0, 2.0)}]


class Marking(gettext.NullTranslations):
    """Every text as it is, between marks."""

    def gettext(self, message: str) -> str:
        return f"Ж{message}Ш"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"Ж{msgid1 if n == 1 else msgid2}Ш"

    def pgettext(self, context: str, message: str) -> str:
        return f"Ж{message}Ш"


@pytest.fixture
def marking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_catalogue", Marking())
    monkeypatch.setattr(language, "_chosen", language.SYSTEM)


@pytest.fixture
def tooltips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the tooltips would say of everything that is drawn, numbers included."""
    lines: list[str] = []

    def noted(look: object, *texts: str) -> None:
        lines.extend(texts)

    original, paint = drawing.tooltip, number_field._paint
    for name, module in list(sys.modules.items()):
        if name.startswith("viewer.ui") and getattr(module, "tooltip", None) is original:
            monkeypatch.setattr(module, "tooltip", noted)

    def painted(look: object, number: object, *more: object) -> None:
        paint(look, number, *more)
        number_field._tooltip(look, number)

    monkeypatch.setattr(number_field, "_paint", painted)
    return lines


def unmarked(text: str) -> list[str]:
    """The words of a text that stand outside of the marks."""
    before = ""
    while before != text:
        before, text = text, MARKED.sub(" ", text)
    return [word for word in WORD.findall(text) if word not in SAME]


@pytest.fixture
def labels(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What ImGui and ImPlot write themselves: on buttons, in lists, in fields, in legends."""
    found: list[str] = []

    def record(module: object, name: str, at: int) -> None:
        original = getattr(module, name)

        def noted(*args: Any, **more: Any) -> Any:
            found.append(args[at].partition("##")[0])
            return original(*args, **more)

        monkeypatch.setattr(module, name, noted)

    for name, at in WRITING.items():
        record(imgui, name, at)
    record(implot, "plot_line", 0)
    return found


def panel(shown) -> None:
    """The panel alone."""


def loads(shown) -> None:
    editor = shown.workspace.editor
    editor.set("loads.torque_of_time", PIECES)
    editor.set("loads.thrusters", THRUSTER)
    editor.set("loads.external_friction", 0.1)


def glasses(shown) -> None:
    shown.workspace.editor.set("stereo.mode", "anaglyph")
    shown.workspace.editor.set("view.construction", "momentum")


def chart(shown) -> None:
    shown.workspace.state.chart = True
    shown.workspace.editor.set("stereo.mode", "anaglyph")


def plots(shown) -> None:
    shown.workspace.session.run_to(1.0)
    shown.workspace.state.plots = True
    for name in shown.ui.plots.shown:
        shown.ui.plots.shown[name] = True


def race(shown) -> None:
    shown.workspace.editor.set("race.show", "grid")
    plots(shown)


def keys(shown) -> None:
    shown.ui.keys.is_open = True


def palette(shown) -> None:
    shown.ui.palette.toggle()


def gallery(shown) -> None:
    shown.ui.gallery.toggle()


def messages(shown) -> None:
    shown.workspace.stabilisation.toggle()
    shown.workspace.editor.set("body.mass", -1.0)
    shown.workspace.messages.listed = True


def dialog(shown) -> None:
    shown.workspace.ask(SaveQuestion(None, lambda paths: None))


def save(shown) -> None:
    ask_picture(shown.workspace, film=True)


def lecture(shown) -> None:
    shown.workspace.state.lecture = True


def first_start(shown) -> None:
    shown.workspace.first_scene.begin()


def tour(shown) -> None:
    shown.workspace.tour.start("flip")


STATES = (panel, loads, glasses, chart, plots, race, keys, palette, gallery, messages, dialog,
          save, lecture, first_start, tour)  # fmt: skip


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_everything_that_is_drawn_comes_from_the_catalogue(
    state: Callable[..., None], stage, marking: None, tooltips: list[str], labels: list[str]
):
    shown = stage(size=TALL, open_all=True)
    state(shown)
    shown.frame(3)
    drawn = {*(text for text, _ in shown.texts), *labels, *tooltips}
    assert len(drawn) > 30
    paths = {text for text in drawn if text.startswith("/") or text.endswith(("/", ".toml"))}
    caps = {key for _, lines in actions.rows() for keys, _ in lines for key in keys.split(", ") if "Ж" in keys}
    assert sorted(text for text in drawn - paths - caps if unmarked(text)) == []


@pytest.mark.parametrize("preset", ["paper-fig1", "paper-fig3", "race-of-five", "race-hidden-phase", "ode-blog"])
def test_the_words_in_the_scene_come_from_the_catalogue(preset: str, marking: None):
    for color in ("age", "speed", "energy-error", "phase"):
        session = Session(Scenario.preset(preset).with_value("view.trail_color", color))
        session.run_to(1.0)
        frame = picture_of(session, (1280, 720))
        labels = [label.text for layer in frame.layers for label in layer.scene.labels]
        assert labels
        assert [text for text in labels if unmarked(text)] == []


def test_the_words_of_the_stereo_chart_come_from_the_catalogue(marking: None):
    stereo = Scenario().with_values({"stereo.mode": "anaglyph", "stereo.exchange_eyes": True}).stereo
    frame = chart_frame(stereo, Display((1280, 720)))
    labels = [label.text for label in frame.main.scene.labels]
    assert len(labels) > 20
    assert [text for text in labels if unmarked(text)] == []


def test_the_check_finds_a_word_that_is_not_marked():
    assert unmarked("ЖBody ЖxШ ofШ 3 rad/s") == []
    assert unmarked("ЖBodyШ of three") == ["three"]


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that were shortened, and buttons narrower than what is on them."""
    found: list[str] = []
    original, button = drawing.shortened, imgui.button

    def noted(text: str, room: float) -> str:
        result = original(text, room)
        if result != text:
            found.append(text)
        return result

    def pressed(label: str, size: Any = (0.0, 0.0)) -> Any:
        if 0.0 < size[0] < imgui.calc_text_size(label, True).x:
            found.append(label.partition("##")[0])
        return button(label, size)

    for name, module in list(sys.modules.items()):
        if name.startswith("viewer.ui") and getattr(module, "shortened", None) is original:
            monkeypatch.setattr(module, "shortened", noted)
    monkeypatch.setattr(imgui, "button", pressed)
    return found


def overlapping(shown) -> list[tuple[str, str]]:
    """Texts of the panel that lie over one another."""
    left = shown.ui.layout.areas.panel.x
    texts = [(text, box) for text, box in shown.texts if box[0] >= left]
    return [
        (a, b)
        for n, (a, p) in enumerate(texts)
        for b, q in texts[:n]
        if min(p[2], q[2]) - max(p[0], q[0]) > 1.0 and min(p[3], q[3]) - max(p[1], q[1]) > 2.0
    ]


@pytest.mark.parametrize("state", [panel, loads, glasses, chart, plots, race], ids=lambda state: state.__name__)
def test_no_german_text_is_cut_or_lies_over_another_where_none_does_in_english(
    state: Callable[..., None], stage, cut: list[str]
):
    """But for titles of scenes, which have all the room that there is."""
    german = polib.pofile(str(LANGUAGES / "de.po"))
    english = {entry.msgstr: entry.msgid for entry in german}
    titles = {preset.title for preset in PRESETS.values()}
    for scale in (1.0, 1.6):
        found = {}
        for code in ("en", "de"):
            shown = stage(size=(1280, round(3200 * scale)), scale=scale, open_all=True)
            shown.workspace.settings.change("panel.language", code)
            state(shown)
            shown.frame(2)
            cut.clear()
            shown.frame(1)
            found[code] = {english.get(text, text) for text in cut} - titles, overlapping(shown)
        assert found["de"][0] <= found["en"][0], scale
        assert not found["de"][1] or found["en"][1], scale


def test_another_language_changes_no_name_of_an_item_no_focus_and_no_open_section(stage):
    shown = stage(open_all=True)
    shown.ui.controls.focus.give("##body.mass[0]")
    shown.frame(3)
    names = {name.partition("###")[2] or name for name in shown.boxes}
    texts = {text for text, _ in shown.texts}
    kept = shown.workspace.settings.value("panel.open_sections"), shown.ui.controls.focus.at
    revision = shown.workspace.session.status.revision
    shown.workspace.settings.change("panel.language", "de")
    shown.frame(3)
    assert {name.partition("###")[2] or name for name in shown.boxes} == names
    assert (shown.workspace.settings.value("panel.open_sections"), shown.ui.controls.focus.at) == kept
    assert kept[1] == "##body.mass[0]"
    assert shown.workspace.session.status.revision > revision  # the scene has words, too
    assert "Masse" in {text for text, _ in shown.texts} - texts


@pytest.mark.sweep
@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize(("width", "scale"), [(1280, 1.0), (800, 1.0), (1280, 1.6), (800, 1.6)])
def test_no_title_in_the_gallery_is_cut(stage, code: str, width: int, scale: float):
    """Each stands whole inside its card, above its summary."""
    shown = stage(size=(width, 2500), scale=scale)
    shown.workspace.settings.change("panel.language", code)
    shown.frame(2)
    shown.ui.gallery.toggle()
    shown.frame(3)
    cards = shown.ui.gallery.cards
    assert len(cards) > 20
    for number, card in enumerate(cards):
        shown.ui.gallery.at, shown.ui.gallery._comes = number, True  # scrolled to
        shown.frame(2)
        drawn = dict(shown.texts)
        outer = shown.boxes[f"{card.title}##card {card.group}"]
        title, summary = drawn[card.title], drawn[card.summary]
        assert outer[0] <= title[0] < title[2] <= outer[2], card.title
        assert outer[1] <= title[1] < title[3] <= summary[1] < summary[3] <= outer[3], card.title
