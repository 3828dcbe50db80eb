"""The command palette: everything is in it, a few letters find it, the keyboard alone does it."""

import math

import pytest

from viewer.commands.actions import ACTIONS
from viewer.scenario import presets
from viewer.scenario import tours as guided
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS
from viewer.scene.words.formatting import sentence, titled
from viewer.ui.overlays.command_palette import LISTED
from viewer.ui.overlays.commands import SYNONYMS, commands, find, score
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.fields import has_widget

KEYS = {
    "Down": imgui.Key.down_arrow, "Up": imgui.Key.up_arrow, "PageUp": imgui.Key.page_up, "Enter": imgui.Key.enter,
    "Backspace": imgui.Key.backspace, "Tab": imgui.Key.tab,
}  # fmt: skip


def press(shown, *keys: str) -> None:
    for key in keys:
        assert not shown.ui.overlays.take_key(key), key
        assert shown.ui.overlays.takes_keys
        shown.key(KEYS[key])


def palette(shown, query: str):
    shown.ui.palette.toggle()
    assert shown.ui.overlays.awaits_keyboard
    shown.frame(3)
    assert not shown.ui.overlays.awaits_keyboard
    imgui.get_io().add_input_characters_utf8(query)
    shown.frame(2)
    return shown.ui.palette


def test_it_is_typed_into_and_a_letter_taken_back(stage):
    shown = stage()
    opened = palette(shown, "res")
    assert not shown.ui.overlays.take_text("e")
    imgui.get_io().add_input_characters_utf8("et")
    shown.frame(2)
    assert opened.query == "reset"
    press(shown, "Backspace")
    assert opened.query == "rese"


def test_after_a_click_on_no_line_it_is_still_typed_into(stage):
    shown = stage()
    opened = palette(shown, "qxzzy")
    left, _, right, bottom = shown.boxes["##query"]
    shown.move((left + right) / 2, bottom + 10)
    shown.button(True)
    shown.button(False)
    shown.frame(3)
    assert opened.found == []
    imgui.get_io().add_input_characters_utf8("mass")
    shown.frame(2)
    assert opened.query == "mass"


def test_every_action_preset_and_field_is_there(stage):
    shown = stage()
    shown.workspace.session.change({"stereo.mode": "anaglyph", "body.shape": "moments"})
    titles = [command.title for command in commands(shown.workspace)]
    for action in ACTIONS.values():
        assert action.group == "Presets" or sentence(action.description) in titles
    for preset in PRESETS.values():
        assert f"Open {preset.title}" in titles
    for section, kind in SECTIONS.items():
        for name, field in fields_of(kind).items():
            matters = shown.workspace.session.scenario.has_effect(f"{section}.{name}")
            if matters and section not in ("body", "recording") and has_widget(field):
                assert any(title.startswith(f"{titled(section)}: {field.label}") for title in titles)
    assert len(titles) == len(set(titles))


def test_with_nothing_typed_it_lists_the_actions_in_the_order_of_the_keys(stage):
    workspace = stage().workspace
    assert [command.title for command in find(workspace, " ", 3)] == [
        sentence(action.description) for action in list(ACTIONS.values())[:3]
    ]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("undo", "Undo"),
        ("full", "Full screen"),
        ("mass", "Body: Mass …"),
        ("light theme", "View: Theme: Light"),
        ("jolt", "Solver: Integrator: Jolt"),
        ("dzhan", "Open Dzhanibekov effect"),
        ("anagl", "Stereo: Mode: Anaglyph"),
        ("torque x", "Torque pulse along x′"),
        ("qxzzy", None),
        ("reset", "Reset motion"),
        ("reset view", "Back to the first view"),
        ("export", "Save a picture"),
        ("screenshot", "Save a picture"),
        ("page", "Save a page"),
        ("html", "Save a page"),
        ("gltf", "Save a glTF file"),
        ("video", "Record a film"),
        ("help", "List of keys"),
        ("fullscreen", "Full screen"),
        ("font", "Larger text"),
        ("exit", "Quit"),
        ("load", "Open a scene"),
        ("import", "Open a scene"),
        ("kick", "Torque pulse"),
        ("rod", "Open "),
        ("friction", "Loads: "),
        ("language german", "Language: Deutsch"),
    ],
)
def test_a_few_letters_find_it(stage, query, first):
    found = find(stage().workspace, query, 20)
    if first is None:
        assert found == []
    else:
        assert found[0].title.lower().startswith(first.lower()), [command.title for command in found[:4]]


# A word of the subject: what is to be among the first five in the palette, and what in the panel's search.
SUBJECT = {
    "precession": ("Tour: Why it does not fall", "Open Bicycle wheel on a string"),
    "nutation": ("Tour: What the nutation does", "start.angular_velocity"),
    "gyroscope": ("Open Gyroscope in gimbals", "loads.torque"),
    "gravity": ("Loads: Gravity …", "loads.gravity"),
    "cones": ("Manual: Tops",) * 2,
    "pivot": ("Body: Pivot …", "body.pivot"),
    "gimbal": ("Open Gyroscope in gimbals", "show.gimbals"),
    "gimbal lock": ("Show: Gimbals", "show.gimbals"),
    "tops": ("Manual: Tops",) * 2,
    "top": ("Open Sleeping top", "body.pivot"),
    "kinetic": ("Start: Angular velocity …", "start.energy"),
    "quaternion": ("Start: Orientation …", "start.orientation_deg"),
    "latitude": ("View: Polar angle …", "view.polar_angle_deg"),
    "steps": ("Solver: Integration period …", "solver.integration_period"),
    "Fig. 1": ("Open Ellipsoid near its middle axis",) * 2,
    "Fig. 2": ("Open Why ω ends on the plane",) * 2,
    "Fig. 3": ("Open Why L′ keeps to its curve",) * 2,
    "Fig. 4": ("Tour: How the stabilisation works",) * 2,
    "energy factor": ("Race: Shown as: Ghosts", "race.show"),
    "torque": ("Loads: Torque …", "loads.torque"),
    "slow motion": ("Slower", "Slower"),
    "screenshot": ("Save a picture", "Save a picture"),
    "record": ("Record a film, or end it",) * 2,
    "sound": ("Sound on or off: pitch of ω, a click at each flip",) * 2,
    "spring": ("Ctrl + left drag of the body: pull it by a spring",) * 2,
    "contact drag": ("Left drag of the contact point: move along the curve in time",) * 2,
    "moment of inertia": ("Body: Shape: Box", "body.shape"),
    "damping": ("Loads: External friction …", "loads.external_friction"),
    "heavy top": ("Loads: Torque …", "loads.torque"),
    "body cone": ("Show: Polhode", "show.polhode"),
    "space cone": ("Show: Herpolhode", "show.herpolhode"),
    "separatrix": ("Tour: Why it flips", "show.polhode"),
    "symplectic": ("Tour: Why explicit integrators blow up",) * 2,
    "Euler equations": ("Tour: Lagrange's equation in the body",) * 2,
    "torque-free": ("Tour: Poinsot's construction",) * 2,
    "asteroid": ("Open Apophis",) * 2,
    "background": ("View: Theme: Dark", "view.theme"),
    "table": ("Open or close the plots",) * 2,
    "loop": ("Loop over one period, or over a recording",) * 2,
    "playlist": ("Playlist: A lecture on free rotation",) * 2,
}


@pytest.mark.parametrize("word", SUBJECT)
def test_a_word_of_the_subject_finds_what_it_is_about(stage, word):
    shown = stage("dzhanibekov", size=(1280, 1600))
    found, row = SUBJECT[word]
    assert found in [command.title for command in find(shown.workspace, word, 5)]
    shown.ui.search()
    shown.frame(3)
    imgui.get_io().add_input_characters_utf8(word)
    shown.frame(3)
    listed = [command.title for command in shown.ui.panel._commands[1]]
    assert len([name for name in shown.boxes if "###found" in name]) == len(listed)
    assert row in listed or {f"##{row}", f"##{row}[0]"} & shown.boxes.keys()


def test_what_the_panel_finds_beside_its_rows_is_done(stage):
    shown = stage("dzhanibekov", size=(1280, 720))
    shown.ui.search()
    shown.frame(3)
    imgui.get_io().add_input_characters_utf8("legend")
    shown.frame(3)
    name = next(name for name in shown.boxes if name.endswith("###found 0"))
    shown.click(name)
    assert shown.workspace.settings.value("names.legend")


def test_words_of_the_subject_are_of_presets_and_tours_that_there_are():
    assert presets.KEYWORDS.keys() <= PRESETS.keys()
    assert guided.KEYWORDS.keys() <= guided.tours().keys()


@pytest.mark.parametrize("preset", ["paper-fig1", "race-of-five"])
def test_no_unrelated_word_changes_the_motion(stage, preset):
    """Whatever common word is typed: what fits by scattered letters only is no push, no other scene, no other body."""
    shown = stage(preset)
    words = (
        "settings preset print report sort rotate port reset test set tree rest pot plus pulse preferences options "
        "tools edit copy paste cut delete select about update restore export import close window tab new project "
        "search find replace zoom pan color font share email print sound volume record data table energy plot"
    ).split()
    for word in words:
        for command in find(shown.workspace, word, 1):
            if command.disruptive:
                begins = [
                    part for part in f"{command.title} {command.synonyms}".lower().split() if part.startswith(word)
                ]
                assert begins, (word, command.title)


def test_every_synonym_is_of_an_action_and_finds_it(stage):
    assert set(SYNONYMS) <= set(ACTIONS)
    workspace = stage().workspace
    for name, words in SYNONYMS.items():
        for word in words.split():
            titles = [command.title for command in find(workspace, word, 30)]
            assert sentence(ACTIONS[name].description) in titles, (word, titles[:5])


def test_letters_with_gaps_fit_worse_than_words():
    ranks = [score("step", title) for title in ("Step", "One step, then pause", "Stepped", "Sit, Emma, play")]
    assert ranks == sorted(ranks, reverse=True)
    assert all(ranks)
    assert score("step", "Undo") == 0.0


@pytest.mark.parametrize(
    ("query", "path", "value"),
    [
        ("set mass 3", "body.mass", 3.0),
        ("mass = 2,5 kg", "body.mass", 2.5),
        ("angular velocity 1 2 −0.5", "start.angular_velocity", (1.0, 2.0, -0.5)),
        ("force 0, 0, 1 N", "loads.force", (0.0, 0.0, 1.0)),
        ("angular velocity 0 0 2 s", "start.angular_velocity", (0.0, 0.0, math.pi)),
        ("extra substeps 7", "solver.extra_substeps", 7),
        ("polar angle 1/2", "view.polar_angle_deg", 0.5),
    ],
)
def test_a_value_typed_behind_a_name_is_set(stage, query, path, value):
    shown = stage()
    opened = palette(shown, query)
    assert opened.found[0].title.startswith("Set ")
    press(shown, "Enter")
    assert shown.workspace.session.scenario.value(path) == value
    assert not shown.ui.palette.is_open


def test_a_value_that_may_not_be_says_why_and_changes_nothing(stage):
    shown = stage()
    opened = palette(shown, "mass 1e31")
    assert opened.found[0].hint == "Mass: a number from 10⁻⁹ to 10³⁰ kg"
    press(shown, "Enter")
    assert shown.workspace.session.scenario.body.mass == 1.0
    shown.frame(3)
    assert shown.ui.controls.focus.at == "##body.mass[0]"
    assert shown.message == "Mass: a number from 10⁻⁹ to 10³⁰ kg"


def test_a_field_is_gone_to_and_has_the_keyboard(stage):
    shown = stage(size=(1280, 600))
    palette(shown, "external friction")
    press(shown, "Enter")
    shown.frame(4)
    assert shown.ui.controls.focus.at == "##loads.external_friction[0]"
    _, top, _, bottom = shown.boxes["##loads.external_friction[0]"]
    assert 0 <= top < bottom <= 600
    assert shown.ui.overlays.take_key("Right")
    shown.frame(2)
    assert shown.workspace.session.scenario.loads.external_friction > 0.0


def test_keys_lead_through_the_list(stage):
    shown = stage()
    opened = palette(shown, "")
    assert len(opened.found) > 2 * LISTED
    press(shown, "Down", "Down", "Up")
    assert opened.at == 1
    press(shown, "Up", "Up")
    assert opened.at == len(opened.found) - 1
    written = [words for words, _ in shown.texts]
    assert any(opened.found[-1].title.startswith(words.rstrip("…")) for words in written if words)
    press(shown, "PageUp")
    assert opened.at == len(opened.found) - 1 - LISTED
    press(shown, "Tab")
    assert opened.at == len(opened.found) - LISTED
    imgui.get_io().add_input_characters_utf8("x")
    shown.frame(2)
    assert (opened.query, opened.at) == ("x", 0)
    assert shown.ui.overlays.take_key("Escape")
    assert not shown.ui.palette.is_open
    assert not shown.ui.overlays.take_text("x")


def test_the_mouse_does_it_too_and_a_click_beside_closes(stage):
    shown = stage()
    opened = palette(shown, "keys")
    shown.click(f"{opened.found[0].title}##0")
    assert shown.ui.keys.is_open
    palette(shown, "keys")
    shown.move(20, 700)
    shown.button(True)
    shown.button(False)
    assert not shown.ui.palette.is_open


@pytest.mark.parametrize("size", [(1280, 720), (800, 600), (300, 200), (64, 64)])
def test_it_fits_every_window(stage, size):
    shown = stage(size=size)
    palette(shown, "")
    shown.frame(2)
    lines = [box for name, box in shown.boxes.items() if "##" in name and name.split("##")[1].isdigit()]
    assert lines
    if size[1] >= 200:
        for left, top, right, bottom in lines:
            assert left >= 0
            assert top >= 0
            assert right <= size[0]
            assert bottom <= size[1]


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.0), ((800, 600), 1.0), ((2560, 1440), 2.0)])
def test_the_keys_fit_and_what_does_not_is_scrolled_to(stage, size, scale):
    shown = stage(size=size, scale=scale)
    shown.ui.keys.toggle()
    shown.frame(4)
    seen = {words for words, _ in shown.texts}
    for _ in range(6):
        assert shown.ui.overlays.take_key("PageDown")
        shown.frame(3)
        for words, box in shown.texts:
            if words in {action.description for action in ACTIONS.values()}:
                assert box[0] >= 0, words
                assert box[2] <= size[0], words
        seen |= {words for words, _ in shown.texts}
    for action in ACTIONS.values():
        assert action.group == "Presets" or action.description in seen, action.name


@pytest.mark.parametrize(("query", "field"), [("thruster", "thrusters"), ("torque in time", "torque_of_time")])
def test_it_adds_to_the_lists_of_loads(stage, query, field):
    shown = stage()
    palette(shown, query)
    press(shown, "Enter")
    shown.frame(2)
    assert len(getattr(shown.workspace.session.scenario.loads, field)) == 1


def test_of_two_fields_that_fit_alike_the_first_is_meant(stage):
    assert find(stage().workspace, "velocity 0 5 0.1", 1)[0].title == "Set Angular velocity to 0 5 0.1"


def test_what_does_something_comes_before_the_page_that_explains_it(stage):
    shown = stage()
    titles = [command.title for command in find(shown.workspace, "ste", LISTED)]
    assert titles.index("Next stereo mode") < titles.index("Manual: Stereo")
    assert find(shown.workspace, "manual stereo", LISTED)[0].title == "Manual: Stereo"
