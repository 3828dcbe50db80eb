"""The row of buttons of the torque pulses: a push either way about each of the body's axes."""

from functools import partial

from viewer.common.language import tr
from viewer.scenario.sections.motion import XYZ_BODY
from viewer.scene.words.formatting import MINUS, sentence, with_unit
from viewer.session.session import Session
from viewer.ui.input.actions import ACTIONS, keys_shown
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look, tooltip
from viewer.ui.widgets.fields import FieldWidgets


def draw(look: Look, session: Session, controls: FieldWidgets) -> None:
    """Six buttons, in one row."""
    gap = look.px(3)
    width = (imgui.get_content_region_avail().x - 5 * gap) / 6
    size = with_unit(session.scenario.loads.pulse, "N m s")
    for axis, name in enumerate(XYZ_BODY):
        for sign in (1, -1):
            if axis or sign < 0:
                imgui.same_line(0, gap)
            label = f"{'+' if sign > 0 else MINUS}{name.lower()}##pulse"
            if imgui.button(label, (width, 0.0)):
                controls.editor.attempt(partial(session.pulse, axis, sign))
            action = ACTIONS[f"pulse-{'xyz'[axis]}{'+-'[sign < 0]}"]
            tooltip(look, f"{sentence(tr(action.description))} ({keys_shown(action.keys)})", f"ΔL = {size}")
            controls.focus.button(look, label)
