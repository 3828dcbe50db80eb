"""The dialog for a table with unknown columns; it shows the first numbers and a curve of each, and asks its meaning."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.physics.body import broken_triangle
from viewer.scene.words.formatting import named, parse, printable
from viewer.ui.overlay import FormDialog
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import form, scopes
from viewer.ui.widgets.drawing import Look, shortened, text, tooltip
from viewer.workspace.messages import (
    AXES_FIELD,
    DIRECTION_FIELD,
    MOMENTS_FIELD,
    RATE_UNIT_FIELD,
    STEP_FIELD,
    TIME_UNIT_FIELD,
)
from viewer.workspace.questions import ColumnsQuestion, Moments
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.replay.mapping import ColumnMapping

NOT_USED, INFERRED = marked("Not used"), marked("Found from the numbers")
LABELS = {"t": marked("Time"), "wx": "ωx", "wy": "ωy", "wz": "ωz", "roll": marked("Roll"), "pitch": marked("Pitch"),
          "yaw": marked("Yaw")}  # fmt: skip
"""The labels of the quantities whose names are not their labels."""
UNIT_LABELS = {"t": TIME_UNIT_FIELD, "qw": DIRECTION_FIELD, "roll": marked("Unit of the angles"),
               "frame": AXES_FIELD, "wx": RATE_UNIT_FIELD, "ax": marked("Unit of a")}  # fmt: skip
TURNS = {"x": marked("roll"), "y": marked("pitch"), "z": marked("yaw")}
FOLLOWING = {"wx": ("wy", "wz"), "ax": ("ay", "az"), "qw": ("qx", "qy", "qz"), "qx": ("qy", "qz", "qw"),
             "roll": ("pitch", "yaw"), "yaw": ("pitch", "roll")}  # fmt: skip
"""The quantities that usually follow a quantity in the next columns."""
STEP, MOMENTS, TIME_OR_STEP = "step", "moments", marked("Time or step")
ORDER = marked("Order of q")
SEQUENCE = marked("Order of the turns")
KNOWN = marked("What are these columns?")
UNKNOWN = marked("What are these columns? Their names do not tell.")
CURVE, CHOICE = 96.0, 108.0  # widths at scale 1


class ColumnsDialog(FormDialog[ColumnsQuestion]):
    """The dialog that asks what the columns of a table are."""

    kind = ColumnsQuestion

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, "Columns")

    def _show_question(self, question: ColumnsQuestion) -> None:
        from viewer.replay import conventions, mapping  # here: few windows read a recording

        self._conventions, self._mapping, self._units_known = conventions, mapping, mapping.UNITS
        columns = question.columns
        self._columns, self._name = columns, printable(Path(question.path).name)
        self._roles = [column.role for column in columns]
        self._units = {
            role: column.unit
            for role, column in zip(self._roles, columns, strict=True)
            if column.unit in self._units_known.get(role, ())
        }
        self._turned = [False] * len(columns)
        moments = "" if question.moments is None else ", ".join(map(repr, question.moments))
        self._form.refused, self._form.typed = question.error, {STEP: "", MOMENTS: moments}
        if question.before is not None:
            self._take(question.before)

    def _take(self, mapping: "ColumnMapping") -> None:
        """Take over what the user has declared before, which may be units and a step alone."""
        names, count = [column.name for column in self._columns], len(self._columns)
        try:
            places = mapping.indices(names, count, "")
        except InputError:  # a name that was given differs in its capitals, say
            return
        if places:
            self._roles, self._units = [""] * count, {}
        for role, (index, sign) in places.items():
            self._roles[index], self._turned[index] = role, sign < 0.0
        self._units.update(mapping.units)
        self._form.typed[STEP] = "" if mapping.step is None else repr(mapping.step)

    def _contents(self, look: Look) -> None:
        with self._form.rows():
            self._rows(look)
        mapping, moments, missing = self._chosen()
        if self._form.refused or not missing:
            form.refused(look, self._form.refused)
        else:
            form.remark(look, missing)
        imgui.dummy((0.0, look.px(2)))
        taken, question = self._form.answer(look, named("Open"), possible=mapping is not None), self._question
        if taken is not None:
            self.close()  # opened again if the answer is refused, which may be later
        if taken and mapping is not None:
            question.error = self._workspace.messages.for_dialog(lambda: question.answer(mapping, moments)) or ""
            if question.error:
                self._form.refused, self._workspace.question = question.error, question

    def _chosen(self) -> "tuple[ColumnMapping | None, Moments | None, str]":
        """Return the chosen mapping, the moments and "", or None and a text that says what is missing or wrong."""
        chosen = {
            role: f"-{column.text}" if turned and role != "t" else column.text
            for role, column, turned in zip(self._roles, self._columns, self._turned, strict=True)
            if role
        }
        step = "t" not in chosen and self._form.typed[STEP].strip()
        lacking = [role for role in self._mapping.missing_roles(chosen) if not (role == "t" and step)]
        missing = ", ".join(tr(TIME_OR_STEP if role == "t" else _label(role)) for role in lacking)
        if not set(self._mapping.MOTION) & set(chosen):
            motion = tr("ωx, ωy, ωz, or an orientation: qw, qx, qy, qz or roll, pitch, yaw")
            missing = f"{missing}; {motion}" if missing else motion
        if missing:
            return None, None, tr("Still to be chosen: {columns}").format(columns=missing)
        try:
            seconds = parse(self._mapping.STEP, step) if step else None
            moments = self._conventions.parse_conventions(self._form.typed[MOMENTS]).moments
            if moments and (unsolid := broken_triangle(np.array(moments), " kg m²")):
                return None, None, unsolid
            return self._mapping.mapping_of(chosen, self._units, seconds), moments, ""
        except InputError as error:  # such as two orientations
            return None, None, str(error)

    def _rows(self, look: Look) -> None:
        self._form.heading(look, self._name)
        form.remark(look, tr(KNOWN if self._question.known else UNKNOWN))
        for index in range(len(self._columns)):
            self._row(look, index)
        if "t" not in self._roles:
            self._form.field(look, STEP, tr(STEP_FIELD), "s")
            tooltip(look, tr("The time between two rows, where no column has the times"))
        self._choose_order(look)
        of = {more: role for role, more in self._mapping.BESIDE.items()}
        for role, label in UNIT_LABELS.items():
            if of.get(role, role) in self._roles:
                units = {"": tr(INFERRED)} | {unit: tr(unit) for unit in self._units_known[role]}
                self._choose_unit(look, role, label, units)
        if "roll" in self._roles:
            role = self._mapping.SEQUENCE
            turns = {order: ", ".join(tr(TURNS[axis]) for axis in order) for order in self._units_known[role]}
            self._choose_unit(look, role, SEQUENCE, turns)
            tooltip(look, tr("The body turns in this order, each time about its own axis as it stands by then"))
        self._form.field(look, MOMENTS, tr(MOMENTS_FIELD), "kg m²")
        tooltip(look, tr("Three moments of inertia about the body axes, such as 1, 2, 2.5; empty: from the motion"))

    def _choose_order(self, look: Look) -> None:
        """Draw the list of the orders in which the parts of a quaternion may stand in its columns."""
        w, *others = "qw", *FOLLOWING["qw"]
        places = [place for place, role in enumerate(self._roles) if role in (w, *others)]
        own = [self._roles[place] for place in places]
        if len(own) <= len(others):
            return
        orders = {", ".join(order): order for order in ([w, *others], [*others, w], own)}
        chosen = self._form.choose(look, "order", {name: name for name in orders}, ", ".join(own), tr(ORDER))
        for place, role in zip(places, orders[chosen], strict=True):
            self._roles[place] = role

    def _row(self, look: Look, index: int) -> None:
        """Draw the row of a column: its name above its first numbers, its curve, its sign, and the list of roles."""
        column, gap = self._columns[index], look.px(8)
        at, line = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
        height, room = 2 * line + look.px(2), imgui.get_content_region_avail().x
        sign = imgui.get_frame_height()
        wide = room - look.px(CURVE) - look.px(CHOICE) - sign - 3 * gap
        name = printable(column.name) or tr("Column {number}").format(number=index + 1)
        numbers = ", ".join(f"{number:.4g}" for number in column.first) or tr("no numbers")
        imgui.dummy((wide, height))
        tooltip(look, name, numbers)
        text(at.x, at.y, look.palette.text, shortened(name, wide))
        text(at.x, at.y + line, look.palette.dim, shortened(numbers, wide))
        imgui.set_cursor_screen_pos((at.x + wide + gap, at.y))
        with scopes.colored(look.palette.accent if self._roles[index] else look.palette.dim, what="plot_lines"):
            curve = without_gaps(-column.curve if self._turned[index] else column.curve)
            low, high = (float(least(curve)) if len(column.first) else 0.0 for least in (np.nanmin, np.nanmax))
            flat = 1.0 if low == high else 0.0  # a constant column has its line in the middle
            imgui.plot_lines(
                f"##curve {index}",
                curve,
                scale_min=low - flat,
                scale_max=high + flat,
                graph_size=(look.px(CURVE), height),
            )
        middle, role = at.y + (height - imgui.get_frame_height()) / 2, self._roles[index]
        imgui.set_cursor_screen_pos((at.x + wide + look.px(CURVE) + 2 * gap, middle))
        with scopes.disabled(role in ("", "t")):
            label = f"{'−' if self._turned[index] else '+'}##sign_{index + 1}"
            if imgui.button(label, (sign, 0.0)):
                self._turned[index], self._form.refused = not self._turned[index], ""
        tooltip(look, tr("Sign"), tr("− turns it round, as for a sensor whose axes are left-handed"))
        imgui.set_cursor_screen_pos((at.x + room - look.px(CHOICE), middle))
        roles = {other: tr(_label(other)) for other in ("", *self._mapping.ROLES)}
        with scopes.disabled(not column.first):
            chosen = self._form.choose(look, f"column_{index + 1}", roles, role, width=look.px(CHOICE))
        if chosen != role:
            self._choose(index, chosen)
        imgui.set_cursor_screen_pos(at)
        imgui.dummy((room, height))

    def _choose(self, index: int, role: str) -> None:
        """Give a column a role, which no other column keeps; unused ones after it get the roles that usually follow."""
        self._roles = ["" if own == role else own for own in self._roles]
        self._roles[index] = role
        for at, following in enumerate(FOLLOWING.get(role, ()), index + 1):
            free = at < len(self._roles) and not self._roles[at] and self._columns[at].first
            if not free or following in self._roles:
                break
            self._roles[at] = following
        unit = self._columns[index].unit
        if unit in self._units_known.get(role, ()):
            self._units[role] = unit

    def _choose_unit(self, look: Look, role: str, label: str, units: dict[str, str]) -> None:
        """Draw the list of these units, with their names; the first unit is the usual one."""
        chosen = self._units.get(role, next(iter(units)))
        self._units[role] = self._form.choose(look, f"unit_{role}", units, chosen, tr(label))
        if not self._units[role]:
            del self._units[role]


def without_gaps(curve: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return a curve (N,) with its missing values interpolated, except before its first value and after its last."""
    numbers, there = np.arange(len(curve)), np.flatnonzero(np.isfinite(curve))
    if not len(there):
        return curve.astype(np.float32)
    return np.interp(numbers, there, curve[there], left=np.nan, right=np.nan).astype(np.float32)


def _label(role: str) -> str:
    return LABELS.get(role, role) or NOT_USED
