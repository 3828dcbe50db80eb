"""All that is known of a body's inertia, in the axes in which it was given: folded, and to be copied."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import marked, tr
from viewer.physics import rotation
from viewer.physics.body import RigidBody
from viewer.scene.words.formatting import columns, full, named, rounded, with_unit
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, row, text, text_right, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets

Array = NDArray[np.float64]

SAME = 1e-11  # of the largest element: what is smaller is round-off
TITLE = marked("Tensor, axes, centre of mass")
COPY = marked("Copy these numbers")


def draw(look: Look, controls: FieldWidgets, body: RigidBody, volume: float | None) -> None:
    """The line that unfolds it, and below it all of it. `volume` [m3]: None: it is not known."""
    flags = imgui.TreeNodeFlags_
    kind = flags.no_tree_push_on_open.value | flags.span_avail_width.value | flags.frame_padding.value
    with scopes.styled(frame_padding=(0.0, imgui.get_style().frame_padding.y)), scopes.colored(look.palette.dim):
        is_open = bool(imgui.tree_node_ex(named(TITLE), kind))
    controls.focus.button(look, TITLE)
    if not is_open:
        return
    _line(look, tr("Mass"), with_unit(body.mass, "kg"))
    if volume is not None:
        _line(look, tr("Volume"), with_unit(volume, "m³"))
    _triple(look, tr("Centre of mass"), body.centre, "m", tr("in the axes in which the body was given"))
    _triple(look, tr("Principal moments"), body.principal_moments, "kg m²", tr("about x′, y′, z′"))
    _grid(look, controls, tr("Tensor"), body.tensor, "kg m²", tr(
        "About the centre of mass, in the axes in which the body was given. Off the diagonal: Ixy = −∫ x y dm, ..."
    ))  # fmt: skip
    _grid(look, controls, tr("Principal axes x′, y′, z′"), body.principal_axes, "", tr(
        "The columns: x′, y′ and z′ in the axes in which the body was given"
    ))  # fmt: skip
    angle, axis = turn_of(body.principal_axes)
    turned = tr("{angle}° about ({axis})").format(angle=_rounded(angle), axis=", ".join(map(_rounded, axis)))
    _line(look, tr("Rotation"), turned if angle else tr("none"))
    if imgui.button(named(COPY), (imgui.get_content_region_avail().x, 0.0)):
        imgui.set_clipboard_text(report(body, volume))
        controls.editor.notice(tr("Copied"))
    controls.focus.button(look, COPY)


def turn_of(axes: Array) -> tuple[float, tuple[float, ...]]:
    """Angle [°] and axis of a rotation (3, 3); no turn has none, and an axis of zeros."""
    vector = rotation.rotation_vectors(rotation.quaternion_from_matrix(axes))
    angle = float(np.linalg.norm(vector))
    if angle < SAME:
        return 0.0, (0.0, 0.0, 0.0)
    return math.degrees(angle), tuple((vector / angle).tolist())


def report(body: RigidBody, volume: float | None) -> str:
    """All numbers with all digits, SI units, a line each."""
    angle, axis = turn_of(body.principal_axes)
    lines = [
        tr("inertia from {source}").format(source=body.inertia_source.text),
        f"m = {body.mass!r} kg",
        *(() if volume is None else (f"V = {volume!r} m³",)),
        f"r = {body.centre.tolist()} m",
        f"I1, I2, I3 = {body.principal_moments.tolist()} kg m²",
        *(f"{name} = {row} kg m²" for name, row in zip(("Ix", "Iy", "Iz"), body.tensor.tolist(), strict=True)),
        *(f"{name}' = {column}" for name, column in zip("xyz", body.principal_axes.T.tolist(), strict=True)),
        f"{angle!r}° [{', '.join(map(repr, axis))}]",
    ]
    return "\n".join(lines)


def _rounded(value: float) -> str:
    return full(float(f"{value:.3g}") + 0.0) if abs(value) >= SAME else "0"


def _line(look: Look, label: str, value: str) -> None:
    """Label and value; below each other where both do not fit side by side."""
    line, room = imgui.get_text_line_height(), imgui.get_content_region_avail().x
    below = 0.0 if width_of(label) + look.px(8) + width_of(value) <= room else line
    left, top, right = row(f"inertia {label}", line + below)
    text(left, top, look.palette.dim, label)
    text_right(right, top + below, look.palette.text, value)


def _triple(look: Look, label: str, values: Array, unit: str, meaning: str) -> None:
    """Label and unit, and below them three numbers."""
    numbers, suited = _columns(values, unit)
    _line_of_unit(look, label, suited, (meaning, *(f"{rounded(float(value))} {unit}" for value in values)))
    _numbers(look, label, numbers)


def _grid(look: Look, controls: FieldWidgets, label: str, values: Array, unit: str, meaning: str) -> None:
    """Label and unit, and below them three rows of three numbers."""
    numbers, suited = _columns(values.ravel(), unit)
    exact = ("   ".join(rounded(float(value)) for value in line) for line in values)
    _line_of_unit(look, label, suited, (meaning, *exact))
    for line in range(3):
        _numbers(look, f"{label} {line}", numbers[3 * line : 3 * line + 3])


def _columns(values: Array, unit: str) -> tuple[list[str], str]:
    """Return the numbers without round-off, and their unit."""
    largest = float(np.max(np.abs(values)))  # 0 of a centred body
    return columns((float(v) if abs(v) > SAME * largest else 0.0 for v in values), unit)


def _line_of_unit(look: Look, label: str, unit: str, meaning: Sequence[str]) -> None:
    left, top, right = row(f"inertia {label}", imgui.get_text_line_height())
    tooltip(look, *meaning)
    text(left, top, look.palette.dim, label)
    text_right(right, top, look.palette.dim, unit)


def _numbers(look: Look, name: str, numbers: Sequence[str]) -> None:
    left, top, right = row(f"inertia numbers {name}", imgui.get_text_line_height())
    for column, number in enumerate(numbers):
        text_right(left + (column + 1) * (right - left) / 3, top, look.palette.text, number)
