"""The panel as it is laid out: nothing cut off, nothing over something else, in every scene, theme and size."""

from itertools import combinations

import numpy as np
import pytest
from helpers.frames import KINDS
from tools.collect_texts import of_field

from viewer.commands.actions import ACTIONS
from viewer.common.language import tr
from viewer.common.resources import folder
from viewer.physics.body import SHAPES
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS, Scenario
from viewer.scenario.sections.motion import START_AXIS, START_ENERGY, START_MOMENTUM
from viewer.scene.words.formatting import short
from viewer.ui.widgets import scopes, style
from viewer.user.settings import NARROWEST_PANEL

EDGE = 1.0  # pixels that rounding may take


def check_layout(stage) -> None:
    """Texts lie within the panel and do not touch each other."""
    left, top, right = stage.ui.layout.areas.panel.x, stage.ui.layout.areas.panel.y, stage.size[0]
    pad = 8 * stage.scale
    texts = [(words, box) for words, box in stage.texts if box[2] > left and box[3] > top]
    assert len(texts) > 20
    for words, (x0, _, x1, _) in texts:
        assert x0 >= left + pad - EDGE, words
        assert x1 <= right - pad + EDGE, words
        assert "…" not in words.replace("Open…", "").replace("Save as…", "").replace("Other file…", ""), (
            f"shortened: {words}"
        )
    for (a, box), (b, other) in combinations(texts, 2):
        across = min(box[2], other[2]) - max(box[0], other[0])
        down = min(box[3], other[3]) - max(box[1], other[1])
        assert across <= EDGE or down <= EDGE, f"{a!r} lies over {b!r}"


@pytest.mark.parametrize("preset", KINDS)
def test_no_text_is_cut_or_covered(stage, preset):
    check_layout(stage(preset, size=(800, 2800), open_all=True))


def test_the_orthogonality_error_is_read_where_a_matrix_is_kept(stage):
    """Its number is that of the running motion; no other integrator has such a line."""
    shown = stage("dzhanibekov", size=(800, 2000), open_all=True)
    assert not any("orthogonality" in words for words, _ in shown.texts)
    shown.workspace.session.change({"solver.integrator": "matrix-euler"})
    shown.workspace.session.run_to(2.0)
    shown.frame(2)
    check_layout(shown)
    error = shown.workspace.session.snapshot().reading.orthogonality_error
    words = [words for words, _ in shown.texts]
    assert words[words.index("orthogonality error") + 1] == short(error)
    assert error > 1e-4


SIZES = [((1280, 720), 1.0), ((800, 600), 1.0), ((2560, 1440), 1.0), ((2560, 1440), 2.0), ((1200, 3000), 1.25)]


@pytest.mark.parametrize(("size", "scale"), [*SIZES, ((1280, 720), 2.0)])
def test_no_text_is_cut_or_covered_at_other_sizes(stage, size, scale):
    shown = stage(size=size, scale=scale, open_all=True)
    if shown.ui.layout.areas.panel is None:
        shown.ui.layout.show_panel(True)
        shown.frame(2)
    check_layout(shown)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mode", ["mono", "anaglyph"])
def test_no_text_is_cut_or_covered_whatever_is_chosen(stage, shape, mode):
    shown = stage(size=(800, 2800), open_all=True)
    shown.workspace.session.change(
        {
            "body.shape": shape, "stereo.mode": mode, "camera_path.kind": "orbit", "body.mass": 80.0,
            "start.angular_velocity": (-3.33, 0.001, 2.0), "loads.force": (-100.0, 1e-4, 99.9),
            "loads.arm": (0.5, -0.1, 0.0), "loads.internal_friction": 0.01, "solver.stabilisation": "gradient",
        }
    )  # fmt: skip
    shown.workspace.settings.change("panel.tensor", "space")
    shown.frame(3)
    check_layout(shown)


@pytest.mark.parametrize("theme", THEMES)
def test_the_panel_has_the_ground_of_its_theme_and_legible_text(stage, theme):
    shown = stage(theme=theme)
    palette = style.palette_of(THEMES[theme])
    left = shown.ui.layout.areas.panel.x
    corner = shown.pixels()[-3, left + 3] / 255
    assert corner == pytest.approx(palette.background, abs=1 / 255)
    # WCAG asks for 4.5; measured: dark 12.0 and 5.5 or more, light 13.1 and 5.5 or more
    assert contrast(palette.text, palette.raised) > 7
    assert contrast(palette.dim, palette.background) > 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_through_coloured_glasses_the_interface_is_grey_and_as_legible(stage, theme):
    shown = stage(theme=theme)
    shown.workspace.session.change({"stereo.mode": "anaglyph"})
    shown.frame(2)
    left = shown.ui.layout.areas.panel.x
    corner = shown.pixels()[-3, left + 3].astype(int)
    assert np.ptp(corner) == 0
    palette = style.palette_of(THEMES[theme])
    grays = style.neutral(palette)
    for one, other in (("text", "raised"), ("dim", "background"), ("text", "fill")):
        wanted = contrast(getattr(palette, one), getattr(palette, other))
        assert contrast(getattr(grays, one), getattr(grays, other)) == pytest.approx(wanted, rel=1e-6)


def contrast(a, b) -> float:
    """The ratio of luminances as WCAG defines it."""

    def luminance(color) -> float:
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
@pytest.mark.parametrize("method", ["gradient", "closest-point"])
def test_the_method_of_the_stabilisation_is_read_whole(stage, monkeypatch, size, method):
    """The closed list shows its choice without dots."""
    shown = stage("paper-fig1", size=(size[0], 2400), open_all=True)
    shown.workspace.session.change({"solver.stabilisation": method})
    previews = noted_previews(monkeypatch)
    shown.frame(2)
    assert previews["##solver.stabilisation"] == STABILISATIONS[method]


def noted_previews(monkeypatch) -> dict[str, str]:
    """What the closed lists show from now on, by their names."""
    previews, combo = {}, scopes.combo

    def noted(name, text, *more):
        previews[name] = text
        return combo(name, text, *more)

    monkeypatch.setattr(scopes, "combo", noted)
    return previews


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("preset", ["dzhanibekov", "race-of-five", "rod"])
def test_no_numbers_touch_in_the_narrowest_panel(stage, preset, language):
    """As it stands in a small window that is divided between the eyes; readouts lay over each other."""
    shown = stage(preset, size=(1280, 720))
    shown.workspace.settings.change("panel.language", language)
    shown.workspace.settings.change("panel.width", NARROWEST_PANEL)
    shown.workspace.session.run_to(1.0)
    shown.frame(3)
    assert shown.ui.layout.areas.panel.width == NARROWEST_PANEL
    check_layout(shown)
    shown.workspace.settings.change("panel.language", "en")
    shown.frame()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_the_title_of_every_preset_is_whole(stage, monkeypatch, language, scale):
    """In a smaller font where it is long, on which the field's height does not depend."""
    shown = stage(scale=scale)
    shown.workspace.settings.change("panel.language", language)
    previews, heights = noted_previews(monkeypatch), set()
    for name in PRESETS:
        shown.workspace.session.open(Scenario.preset(name))
        shown.frame(2)
        assert previews["##scene"] == tr(shown.workspace.session.scenario.title)
        _, top, _, bottom = shown.boxes["##scene"]
        heights.add(bottom - top)
    assert max(heights) - min(heights) < 0.01
    shown.workspace.settings.change("panel.language", "en")
    shown.frame()


def test_the_dots_of_the_section_show_stand_in_the_panel(stage):
    """Each 3 pixels around 9 behind its label, clear of the scrollbar."""
    shown = stage("paper-fig1", size=(1280, 2400), open_all=True)
    edge = shown.size[0] - 8 * shown.scale
    boxes = [box for name, box in shown.boxes.items() if name.startswith("##show.")]
    assert len(boxes) == len(fields_of(SECTIONS["show"]))
    assert max(box[2] for box in boxes) + 12 <= edge
    starts = sorted({round(box[0]) for box in boxes})
    assert len(starts) == 2
    assert max(box[2] for box in boxes if round(box[0]) == starts[0]) + 12 <= starts[1]


def test_what_is_written_has_its_letters_in_the_fonts():
    fonttools = pytest.importorskip("fontTools.ttLib")
    fonts = folder("assets").joinpath("fonts")
    known: set[int] = set()
    for name in ("panel.ttf", "panel-symbols.ttf"):
        known |= set(fonttools.TTFont(str(fonts.joinpath(name))).getBestCmap())
    fields = [field for section in SECTIONS.values() for field in fields_of(section).values()]
    fields += [START_MOMENTUM, START_ENERGY, START_AXIS]
    words = [text for field in fields for text, _ in of_field(field, "")]
    words += [part for field in fields for part in (field.unit, field.symbol)]
    words += [action.description for action in ACTIONS.values()]
    words += [text for preset in PRESETS.values() for text in (preset.title, preset.summary)]
    missing = {letter for word in words for letter in word if ord(letter) not in known and letter != "\n"}
    assert not missing
