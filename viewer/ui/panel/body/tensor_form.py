"""The six numbers of a tensor: kept while no solid has them, applied as soon as one has; or pasted as a list."""

from collections.abc import Sequence

from viewer.common.errors import InputError, brief
from viewer.common.language import tr
from viewer.physics.body import RigidBody
from viewer.scenario.scenario import field_at
from viewer.session.session import Session
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.fields import DEFAULT, FieldWidgets
from viewer.workspace.state import UiState

PATH = "body.tensor"
ROWS = ((0, 3, 4), (3, 1, 5), (4, 5, 2))  # which of the six numbers stands where in the tensor
LISTS = (3, 6, 9)  # numbers: the principal moments, the six, the whole tensor
Tensor = tuple[float, ...]


class TensorForm:
    """`UiState.tensor` has what is typed and not yet applied."""

    def __init__(self, session: Session, controls: FieldWidgets, state: UiState) -> None:
        self._session, self._controls, self._state = session, controls, state
        self._typed_over: Tensor = ()  # the body's tensor when that was typed

    def draw(self, look: Look) -> None:
        """The boxes, and why what stands in them is not applied."""
        controls, applied = self._controls, self._session.scenario.body.tensor
        if self._typed_over != applied:
            self._state.tensor, self._typed_over = None, applied
        shown = self._state.tensor or applied
        new = controls.vector(look, PATH, field_at(PATH), shown, DEFAULT.body.tensor, takes_lists=True)
        if (listed := controls.numbers.listed) is not None and listed[0].startswith(f"##{PATH}["):
            controls.numbers.listed = None
            controls.editor.commit()
            try:
                new = _six(listed[1])
            except ValueError as error:
                controls.numbers.refuse(listed[0], str(error))
        if new is not None:
            self._take(new)
        if self._state.tensor is not None and (why := _refused(self._state.tensor)) is not None:
            with scopes.colored(look.palette.danger), scopes.wrapped(0.0):
                imgui.text_unformatted(tr("Not applied: {why}. Escape drops it").format(why=why))

    def _take(self, tensor: Tensor) -> None:
        """Applies it, or keeps it where no solid has it."""
        if _refused(tensor) is not None:
            self._state.tensor = tensor
        elif self._controls.editor.change({PATH: tensor}):
            self._state.tensor = None


def _refused(tensor: Tensor) -> str | None:
    """Why it is no tensor of a solid."""
    try:
        RigidBody.from_tensor(tensor)
    except InputError as error:
        return str(error).partition(": ")[2]
    return None


def _six(ways: Sequence[Sequence[float]]) -> Tensor:
    """The six numbers of a list; raises ValueError where it is none of LISTS, or can be read in two ways."""
    fitting = [numbers for numbers in ways if len(numbers) in LISTS]
    name = tr(field_at(PATH).label)
    if len(fitting) != 1:
        text = (
            tr("{name}: the commas can be decimal ones or separate numbers; write 1.5, or 1; 5")
            if fitting
            else tr("{name}: {count} numbers; allowed are 3 (the principal moments), 6, or 9 (the whole tensor)")
        )
        raise ValueError(text.format(name=name, count=len(ways[0])))
    numbers = fitting[0]
    if len(numbers) == 3:
        return (*numbers, 0.0, 0.0, 0.0)
    if len(numbers) == 6:
        return tuple(numbers)
    six = [0.0] * 6
    for row, places in enumerate(ROWS):
        for column, place in enumerate(places):
            here, across = numbers[3 * row + column], numbers[3 * column + row]
            if here != across:
                text = tr("{name}: {here} and {across} must be the same, as the tensor is symmetric")
                raise ValueError(text.format(name=name, here=brief(here), across=brief(across)))
            six[place] = here
    return tuple(six)
