"""The panel as it is laid out: nothing cut off, nothing over something else, in every scene, theme and size."""

from itertools import combinations

import numpy as np
import pytest
import trimesh
from helpers.frames import KINDS

from viewer.common.errors import InputError
from viewer.common.language import tr
from viewer.common.resources import folder
from viewer.physics.body import SHAPES
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS, Scenario
from viewer.scenario.sections.forms import START_AXIS, START_ENERGY, START_MOMENTUM
from viewer.scene.words.spin import rank_names
from viewer.ui.input.actions import ACTIONS
from viewer.ui.layout import panel_width
from viewer.ui.widgets import scopes, style
from viewer.ui.widgets.fields import NOT_SHOWN
from viewer.ui.widgets.formatting import short
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
    shown.app.session.change({"solver.integrator": "matrix-euler"})
    shown.app.session.run_to(2.0)
    shown.frame(2)
    check_layout(shown)
    error = shown.app.session.snapshot().reading.orthogonality_error
    words = [words for words, _ in shown.texts]
    assert words[words.index("orthogonality error") + 1] == short(error)
    assert error > 1e-4


@pytest.mark.parametrize("integrator", ["explicit-euler", "averaged", "implicit"])
def test_the_energy_lies_between_its_bounds_where_the_momentum_drifts(stage, integrator):
    """E(min) = |L|^2/(2 I max), E(max) = |L|^2/(2 I min), of the |L| below; explicit: 4 times that of the start."""
    shown = stage("ode-blog", size=(800, 2000), open_all=True)
    shown.app.session.change({"solver.integrator": integrator})
    shown.app.session.run_to(30.0)
    shown.frame(2)
    now = shown.app.session.snapshot()
    size = np.linalg.norm(now.reading.angular_momentum_world)
    least, most = size**2 / 20, size**2 / 4  # of (10, 4, 2) kg m2
    assert least <= now.reading.energy <= most
    words = [words for words, _ in shown.texts]
    assert words[words.index("E(min) ") + 1] == short(least)
    assert short(most) in words
    assert words[words.index("|L|") + 1] == short(size)


def test_a_motion_that_has_diverged_is_said_to_have(stage):
    """It stood there as tumbling, with a flip every 1e-89 s."""
    shown = stage("dzhanibekov", size=(800, 2000))
    session = shown.app.session
    session.change({"solver.integrator": "explicit-euler", "solver.integration_period": 0.1})
    with pytest.raises(InputError, match="diverged"):
        session.run_to(5000.0)
    session.playback.play()
    session.scene.advance(0.25)
    shown.frame(2)
    words = [words for words, _ in shown.texts]
    assert "Diverged: this is the last state" in words
    assert not any("flips every" in line for line in words)


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
    shown.app.session.change(
        {
            "body.shape": shape, "stereo.mode": mode, "camera_path.kind": "orbit", "body.mass": 80.0,
            "start.angular_velocity": (-3.33, 0.001, 2.0), "loads.force": (-100.0, 1e-4, 99.9),
            "loads.arm": (0.5, -0.1, 0.0), "loads.internal_friction": 0.01, "solver.stabilisation": "gradient",
        }
    )  # fmt: skip
    shown.app.settings.change("panel.tensor", "space")
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
    shown.app.session.change({"stereo.mode": "anaglyph"})
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


@pytest.mark.parametrize("shape", SHAPES)
def test_the_body_shows_the_dimensions_that_its_shape_uses_and_no_others(stage, shape):
    shown = stage(size=(800, 2800), open_all=True)
    shown.app.session.change({"body.shape": shape})
    shown.frame(2)
    numbers = {name.split(".")[1].split("[")[0] for name in shown.boxes if name.startswith("##body.")} - {
        "shape",
        "material",
    }
    scenario = shown.app.session.scenario
    drawn = {name for name in SHAPES[shape].dimensions if fields_of(SECTIONS["body"])[name].kind not in NOT_SHOWN}
    if shape == "mesh":  # its weight is its mass here, and a closed mesh is no shell
        drawn = drawn - {"density", "shell_thickness"} | {"weight"}
    assert numbers == {name for name in drawn if name == "weight" or scenario.has_effect(f"body.{name}")}


def test_every_field_has_a_widget(stage):
    shown = stage(size=(800, 2800), open_all=True)
    assert "##stereo.separation[0]" not in shown.boxes
    shown.app.session.change({"stereo.mode": "anaglyph"})
    shown.frame(2)
    shown.app.session.change({"camera_path.kind": "orbit", "view.stroboscope": 3})
    shown.frame(2)
    shown.app.session.change({"bodies": Scenario.preset("twenty-boxes").bodies})
    shown.frame(2)
    for section in ("start", "loads", "solver", "view", "stereo", "show", "camera_path"):
        for name, field in fields_of(SECTIONS[section]).items():
            if field.kind in NOT_SHOWN:
                continue
            assert any(box.startswith(f"##{section}.{name}") for box in shown.boxes), f"{section}.{name}"


def test_moments_that_no_solid_has_are_told(stage):
    shown = stage(size=(800, 2000))
    shown.app.session.change({"body.shape": "moments", "body.moments": (1.0, 1.0, 5.0)})
    shown.frame(2)
    warning = shown.app.session.snapshot().body.warning
    assert warning
    assert any(words.lower() == warning.lower() for words, _ in shown.texts)


def test_the_tensor_of_a_body_in_the_axes_that_it_came_in(stage):
    shown = stage(size=(800, 2000))
    shown.app.settings.change("panel.tensor", "file")
    shown.app.session.change({"body.shape": "tensor", "body.tensor": (2.0, 3.0, 4.0, 0.125, 0.25, -0.375)})
    shown.frame(2)
    written = [words for words, _ in shown.texts]
    assert all(written.count(number) >= 2 for number in ("0.125", "0.250", "−0.375"))


def test_the_panel_says_what_the_inertia_of_a_mesh_comes_from(stage, tmp_path):
    box = trimesh.creation.box((30.0, 20.0, 10.0))
    trimesh.Trimesh(box.vertices, box.faces[1:], process=False).export(tmp_path / "open.stl")
    shown = stage(size=(800, 2000))
    shown.app.session.open(Scenario.load(tmp_path / "open.stl"))
    shown.frame(2)
    shown.click("##body.weight")
    shown.frame(2)
    shown.click("A density")
    shown.frame(2)
    shown.click("##body.material")
    shown.frame(2)
    shown.click("Steel")
    shown.frame(2)
    assert shown.app.session.scenario.body.density == 7850.0
    written = " ".join(words for words, _ in shown.texts)
    assert "open.stl: inertia from the convex hull of the mesh (3 open edges)" in written


def test_sections_fold(stage):
    shown = stage(size=(1280, 1600))
    assert "##loads.force[0]" not in shown.boxes
    shown.click("Loads##header")
    shown.frame(2)
    assert "##loads.force[0]" in shown.boxes
    shown.click("Loads##header")
    shown.frame(2)
    assert "##loads.force[0]" not in shown.boxes


def test_the_wheel_scrolls_what_is_too_tall(stage):
    shown = stage(size=(800, 500))
    before = shown.boxes["##body.mass[0]"]
    shown.over("##body.mass[0]")
    from viewer.ui.platform.imgui_module import imgui

    imgui.get_io().add_mouse_wheel_event(0.0, -2.0)
    shown.frame(3)
    assert shown.boxes["##body.mass[0]"][1] < before[1] - 20


def test_buttons_of_the_title_and_the_scene(stage):
    shown = stage()
    for name in ("Open…", "Save", "Save as…"):
        shown.click(name)
    assert shown.app.done == ["ask_open", "save", "ask_save"]
    shown.click("?")
    assert shown.app.state.keys


def test_a_preset_is_chosen_in_the_title(stage):
    shown = stage()
    shown.click("##scene")
    shown.frame(2)
    ends = tuple(f"##{preset}" for preset in PRESETS)
    choices = [name for name in shown.boxes if name.endswith(ends) and "###" not in name]
    assert len(choices) == len(PRESETS)
    shown.click(choices[1])  # the last ones want scrolling
    assert shown.app.done == ["open"]


@pytest.mark.parametrize(
    ("width", "scale", "wanted"),
    [
        (1280, 1, 308),
        (800, 1, 308),
        (400, 1, 300),
        (334, 1, 250),
        (332, 1, 0),
        (64, 1, 0),
        (1, 1, 0),
        (2560, 2, 616),
        (1280, 2, 616),
    ],
)
def test_the_panel_leaves_a_quarter_to_the_scene(width, scale, wanted):
    assert panel_width(width, scale) == wanted


@pytest.mark.parametrize(("width", "is_open"), [(1280, True), (800, True), (640, False), (400, False)])
def test_the_panel_folds_by_itself_where_it_would_take_too_much(stage, width, is_open):
    shown = stage(size=(width, 720))
    layout = shown.ui.layout.areas
    assert (layout.panel is not None, layout.strip is not None) == (is_open, not is_open)
    shown.ui.layout.show_panel(not is_open)
    shown.frame(2)
    layout = shown.ui.layout.areas
    assert (layout.panel is not None, layout.strip is not None) == (not is_open, is_open)
    assert ("##body.mass[0]" in shown.boxes, "unfold" in shown.boxes) == (not is_open, is_open)


def test_a_panel_in_use_does_not_fold_before_the_pointer_leaves(stage):
    shown = stage()
    shown.app.session.change({"stereo.mode": "side-by-side"})
    shown.frame(2)
    assert "unfold" in shown.boxes
    shown.app.session.change({"stereo.mode": "mono"})
    shown.ui.pointed(shown.over("##body.mass[0]"))
    shown.frame()
    shown.app.session.change({"stereo.mode": "side-by-side"})
    assert shown.ui.layout.areas.panel is not None
    shown.ui.pointed(None)
    shown.frame(2)
    assert "unfold" in shown.boxes


@pytest.mark.parametrize("why", ["asked for", "in use"])
def test_halves_without_room_fold_any_panel(stage, why):
    """1000 pixels: the open panel would leave each eye 180 px of scene and no bar of time."""
    shown = stage(size=(1000, 700))
    if why == "asked for":
        shown.ui.layout.show_panel(False)
        shown.ui.layout.show_panel(True)
    else:
        shown.ui.pointed(shown.over("##body.mass[0]"))
    shown.frame(2)
    assert shown.ui.layout.areas.panel is not None
    shown.app.session.change({"stereo.mode": "side-by-side"})
    shown.frame(2)
    areas = shown.ui.layout.areas
    assert (areas.panel, areas.scene.width) == (None, 500 - 38)
    assert areas.timeline is not None
    shown.ui.layout.show_panel(True)  # asked for as it is now, it comes
    assert shown.ui.layout.areas.panel is not None


def test_the_strip_unfolds_and_shows_the_keys(stage):
    shown = stage(size=(400, 600))
    shown.click("?")
    assert shown.app.state.keys
    shown.app.state.keys = False
    shown.click("unfold")
    assert shown.app.state.panel


@pytest.mark.parametrize("size", [(1, 1), (64, 64), (300, 40), (3000, 20)])
def test_windows_of_any_size(stage, size):
    shown = stage(size=size)
    shown.ui.messages.error("a message that has no room here")
    shown.app.state.keys = True
    shown.ui.dialog.ask_open(None, lambda path: None)
    shown.frame(4)


def test_ranks_of_moments():
    assert rank_names((0.0145, 0.052, 0.0625)) == ("smallest", "middle", "largest")
    assert rank_names((5.0, 1.0, 3.0)) == ("largest", "smallest", "middle")
    assert rank_names((2.0, 2.0, 2.0)) == ("equal",) * 3
    assert rank_names((2.0, 2.0, 1.0)) == ("equal", "equal", "smallest")
    assert rank_names((1.0, 2.0, 1.0)) == ("equal", "largest", "equal")


def test_what_is_written_has_its_letters_in_the_fonts():
    fonttools = pytest.importorskip("fontTools.ttLib")
    fonts = folder("assets").joinpath("fonts")
    known: set[int] = set()
    for name in ("panel.ttf", "panel-symbols.ttf"):
        known |= set(fonttools.TTFont(str(fonts.joinpath(name))).getBestCmap())
    fields = [field for section in SECTIONS.values() for field in fields_of(section).values()]
    words = [part for field in (*fields, START_MOMENTUM, START_ENERGY, START_AXIS)
             for part in (field.label, field.description, field.unit, field.symbol, field.formula, *field.labels,
                          *field.meanings, *(label for _, label in field.choices))]  # fmt: skip
    words += [action.description for action in ACTIONS.values()]
    words += [text for preset in PRESETS.values() for text in (preset.title, preset.summary)]
    missing = {letter for word in words for letter in word if ord(letter) not in known and letter != "\n"}
    assert not missing


def test_every_number_has_a_meaning_a_range_and_most_a_unit():
    for section, kind in SECTIONS.items():
        for name, field in fields_of(kind).items():
            assert field.description, f"{section}.{name}"
            if field.kind in ("number", "integer", "vector"):
                assert field.low < field.high, f"{section}.{name}"
                assert field.low <= field.soft_low < field.soft_high <= field.high, f"{section}.{name}"


def test_a_force_at_an_arm_has_its_moment_in_the_panel(stage):
    shown = stage(size=(800, 2600), open_all=True)
    shown.app.session.change({"loads.force": (0.0, 2.0, 0.0), "loads.arm": (0.5, 0.0, 0.0)})
    shown.frame(2)
    assert "1.00 N m" in [words for words, _ in shown.texts]


def test_the_interface_is_hidden_by_a_button(stage):
    shown = stage(size=(800, 3200), open_all=True)
    shown.click("Hide the interface (H)")
    assert shown.app.state.hidden


def test_the_section_under_the_pointer_is_known_else_the_one_with_the_keyboard(stage):
    shown = stage(open_all=True, size=(1280, 1900))
    shown.frame(3)
    for path, section in (("##body.mass[0]", "Body"), ("##solver.integrator", "Solver"), ("Race##header", "Race")):
        shown.move(*shown.over(path))
        shown.frame(2)
        assert shown.ui.panel.section == section
    shown.move(100, 100)  # over the scene
    shown.frame(2)
    assert shown.ui.panel.section is None
    shown.ui.controls.focus.give("##loads.arm[1]")
    shown.frame(2)
    assert shown.ui.panel.section == "Loads"


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
@pytest.mark.parametrize("method", ["gradient", "closest-point"])
def test_the_method_of_the_stabilisation_is_read_whole(stage, monkeypatch, size, method):
    """The closed list shows its choice without dots."""
    shown = stage("paper-fig1", size=(size[0], 2400), open_all=True)
    shown.app.session.change({"solver.stabilisation": method})
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
    shown.app.settings.change("panel.language", language)
    shown.app.settings.change("panel.width", NARROWEST_PANEL)
    shown.app.session.run_to(1.0)
    shown.frame(3)
    assert shown.ui.layout.areas.panel.width == NARROWEST_PANEL
    check_layout(shown)
    shown.app.settings.change("panel.language", "en")
    shown.frame()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_the_title_of_every_preset_is_whole(stage, monkeypatch, language, scale):
    """In a smaller font where it is long, on which the field's height does not depend."""
    shown = stage(scale=scale)
    shown.app.settings.change("panel.language", language)
    previews, heights = noted_previews(monkeypatch), set()
    for name in PRESETS:
        shown.app.session.open(Scenario.preset(name))
        shown.frame(2)
        assert previews["##scene"] == tr(shown.app.session.scenario.title)
        _, top, _, bottom = shown.boxes["##scene"]
        heights.add(bottom - top)
    assert max(heights) - min(heights) < 0.01
    shown.app.settings.change("panel.language", "en")
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
