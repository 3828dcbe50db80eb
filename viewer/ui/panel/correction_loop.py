"""The block diagram of the paper's Fig. 4: one cycle of the stabilisation, with the boxes lit that act at present."""

from viewer.common.language import tr
from viewer.physics.stepping.projection import GradientSettings
from viewer.scene.words.formatting import short
from viewer.session.snapshot import Snapshot
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import SMALLEST, Look, row, text, text_right, tooltip, width_of
from viewer.ui.widgets.style import FONT_SIZE, mix, u32

BOX, GAP = 24.0, 8.0  # height of a box and of the line between two, at scale 1


def draw(look: Look, snapshot: Snapshot, settings: GradientSettings) -> None:
    """Draw the diagram as wide as there is room; `snapshot` is of a motion stabilised along the gradient."""
    now, corrector = snapshot.reading, snapshot.corrector
    assert corrector is not None
    error = abs(now.energy - now.target_energy)
    needed = error > settings.k_e * now.target_energy
    share = error / now.target_energy if now.target_energy > 0.0 else 0.0
    height, gap = look.px(BOX), look.px(GAP)
    left, y, right = row("corrections", 5 * height + 4 * gap)
    tooltip(look, tr("The paper's Fig. 4: one cycle, once a step"), tr("The lit boxes act at present."))
    middle, inner = (left + right) / 2, gap / 2
    _box(look, left, right, y, True, "ω = J L′", "E = ½ ω·L′")
    _line(look, middle, y + height, gap)
    y += height + gap
    relation = ">" if needed else "≤"
    _box(look, left, right, y, True, tr("Correction needed?"), f"{short(share)} {relation} {short(settings.k_e)}")
    for x in ((left + middle) / 2, (middle + right) / 2):
        _line(look, x, y + height, gap)
    y += height + gap
    lessened = f"× {short(settings.k1)}" if corrector > settings.i_0 else "i_c = i_0"
    amplified = f"× {short(settings.k2)}" if corrector < 1.0 else "i_c = 1"
    _box(look, left, middle - inner, y, not needed, tr("no: lessen"), lessened)
    _box(look, middle + inner, right, y, needed, tr("yes: amplify"), amplified)
    for x in ((left + middle) / 2, (middle + right) / 2):
        _line(look, x, y + height, gap)
    y += height + gap
    _box(look, left, right, y, True, tr("Corrector"), f"i_c = {short(corrector)}")
    _line(look, middle, y + height, gap)
    y += height + gap
    _box(look, left, right, y, error > 0.0, tr("Turn the body"), "−i_c ΔE (ω × L)/|ω × L|²")


def _box(look: Look, left: float, right: float, y: float, lit: bool, name: str, value: str) -> None:
    """Draw one box with its name at the left and its value at the right, in smaller letters where both need room."""
    p, pad = look.palette, look.px(6)
    target, low, high = imgui.get_window_draw_list(), (left, y), (right, y + look.px(BOX))
    target.add_rect_filled(low, high, u32(p.raised), look.px(4))
    target.add_rect(low, high, u32(p.accent if lit else p.line), look.px(4))
    color = p.text if lit else mix(p.raised, p.dim, 0.7)
    room = right - left - 2 * pad
    wide = width_of(name) + width_of(value) + pad
    size = FONT_SIZE * min(1.0, max(SMALLEST, 0.97 * room / wide))  # widths are not quite in proportion
    with scopes.font(look.fonts.regular, size):
        top = y + (look.px(BOX) - imgui.get_text_line_height()) / 2
        if width_of(name) + width_of(value) + pad <= room:
            text(left + pad, top, color, name)
        text_right(right - pad, top, color, value)


def _line(look: Look, x: float, y: float, length: float) -> None:
    imgui.get_window_draw_list().add_line((x, y), (x, y + length), u32(look.palette.dim), look.px(1))
