"""Every section of the panel in a real window: its controls dragged, typed into, turned by the wheel, set back."""

import pytest

from viewer.scenario.scenario import Scenario, field_at
from viewer.user.settings import Settings

# section: (a control of it, its field, what is typed, the value then)
NUMBERS = {
    "Body": ("##body.depth[0]", "body.depth", "0.25", 0.25),
    "Start": ("##start.angular_velocity[1]", "start.angular_velocity", "1.5", (0.0, 1.5, 0.3)),
    "Loads": ("##loads.force[2]", "loads.force", "1", (0.0, 0.0, 1.0)),
    "Solver": ("##solver.extra_substeps[0]", "solver.extra_substeps", "3", 3),
    "View": ("##view.field_of_view_deg[0]", "view.field_of_view_deg", "30", 30.0),
    "Stereo": ("##stereo.separation[0]", "stereo.separation", "2", 2.0),
    "Camera path": ("##camera_path.turn_rate[0]", "camera_path.turn_rate", "45", 45.0),
}


@pytest.fixture
def opened(desktop):
    """`opened(section)`: the app with that section alone unfolded."""

    def open_section(section: str):
        settings = Settings()
        settings.change("panel.open_sections", (section,))
        shown = desktop(settings=settings)
        shown.session.change({"stereo.mode": "anaglyph", "camera_path.kind": "orbit"})
        shown.session.commit_change()
        shown.settle()
        return shown

    return open_section


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("section", NUMBERS)
def test_a_number_is_typed_dragged_turned_and_set_back(opened, section):
    name, path, typed, value = NUMBERS[section]
    shown = opened(section)
    shown.click(*shown.middle(name), times=2)
    shown.key("ctrl+a")
    shown.type(typed)
    shown.key("Return")
    assert shown.scenario.value(path) == value
    shown.drag(shown.middle(name), (25, 0))
    dragged = shown.scenario.value(path)
    assert dragged != value
    shown.move(*shown.middle(name))
    shown.hands("keydown", "ctrl", "click", 4, "keyup", "ctrl")
    turned = shown.scenario.value(path)
    assert turned > dragged
    shown.click(*shown.middle(name), button=3)
    default = Scenario().value(path)
    assert shown.scenario.value(path) == default
    shown.click(*shown.middle(name), times=2)
    shown.key("ctrl+a")
    shown.type("1e99")
    shown.key("Return")
    refused = shown.app.ui.controls.numbers.refused
    assert refused.name == name
    assert refused.reason.startswith(f"{field_at(path).label}: a")
    assert shown.scenario.value(path) == default


@pytest.mark.slow
def test_lists_and_switches(opened):
    shown = opened("Show")
    shown.click(*shown.middle("##show.plane"))
    assert not shown.scenario.show.plane
    shown.click(*shown.middle("##show.plane"), button=3)
    assert shown.scenario.show.plane
    shown = opened("Solver")
    shown.click(*shown.middle("##solver.integrator"))
    shown.settle()
    shown.key("Down", "Return")
    assert shown.scenario.solver.integrator == "momentum-first"
    shown.click(*shown.middle("##stabilise"))
    assert shown.scenario.solver.stabilisation == "off"


def test_tab_gives_the_arrows_to_the_panel_and_escape_back_to_the_scene(opened):
    shown = opened("Body")
    shown.key("Tab")
    for _ in range(40):
        if shown.app.ui.controls.focus.at == "##body.depth[0]":
            break
        shown.key("Tab")
    shown.key("Right", "Right", "shift+Left")
    assert shown.scenario.body.depth == pytest.approx(0.519)
    shown.type("0.3")
    shown.key("Return")
    assert shown.scenario.body.depth == 0.3
    shown.key("Escape")
    omega = shown.session.snapshot().reading.omega_body.copy()
    shown.key("Right")
    assert shown.scenario.body.depth == 0.3
    assert shown.session.snapshot().reading.omega_body[0] > omega[0]


def test_a_held_key_goes_on_stepping(opened):
    shown = opened("Body")
    shown.app.ui.go_to("body.depth")
    shown.settle()
    window = shown.app.window
    shown.app.frames.controller.on_key_press(65363, 0)  # as pyglet reports a held key: once, and then as motions
    for _ in range(5):
        window.dispatch_event("on_text_motion", 65363)
    shown.app.frames.controller.on_key_release(65363, 0)
    shown.settle()
    assert shown.scenario.body.depth == pytest.approx(0.55)
