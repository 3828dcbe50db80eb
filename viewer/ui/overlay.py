"""What `Ui` asks of each of its elements, and what an element is drawn on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from viewer.ui.layout import Areas, Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import windows
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.form import Form
from viewer.workspace.questions import Question
from viewer.workspace.workspace import Workspace

Asked = TypeVar("Asked", bound=Question)


@dataclass
class UiCanvas:
    """What the elements are drawn on in one layout. Positions are ui pixels (see `viewports`).

    `free` is the part of the scene that the elements drawn so far leave to messages and cards; `pointer` is the
    position of the mouse, or None outside the window. `gray`: the ui has no colours, for coloured glasses. `hidden`:
    the scene has the whole window. `chart`: the stereo chart is shown in place of the scene. `touring`: a tour or a
    lecture explains the scene.
    """

    look: Look
    size: tuple[int, int]
    areas: Areas
    free: Rect
    pointer: tuple[float, float] | None = None
    gray: bool = False
    hidden: bool = False
    chart: bool = False
    touring: bool = False

    def room_for(self, width: float, height: float) -> Rect:
        """Return the part of the scene where a card of this size goes: what the others leave or, without room, all."""
        fits = width <= self.free.width and height <= self.free.height
        return self.free if fits else self.areas.scene


class Overlay:
    """An element of the ui, from the panel to a dialog.

    By default it is closed, takes no input, covers nothing and needs no frame by itself. A new element overrides what
    differs and gets one entry in the list of `Ui`.
    """

    to_read = False  # whether it has to be read or filled in while it is open
    fills = False  # whether it fills the window while it is open, so that no card is shown over the scene
    is_card = False  # whether it is a card over the scene

    @property
    def is_open(self) -> bool:
        """Whether there is something that Escape closes."""
        return False

    @property
    def modal(self) -> bool:
        """Whether it takes the mouse everywhere and keeps keys and text from the elements behind it."""
        return False

    @property
    def typing(self) -> bool:
        """Whether the keyboard belongs to a text field or a list of this element."""
        return False

    @property
    def waiting(self) -> bool:
        """Whether one of its text fields is about to get the keyboard, so that typed text has to wait for the field."""
        return False

    def draw(self, canvas: UiCanvas) -> None:
        """Lay the element out, if it is shown."""

    def close(self) -> None:
        """Close it, as Escape does."""

    def take_key(self, key: str) -> bool:
        """Act on a key, written as in the table of actions; return whether the key is for this element."""
        return False

    def take_text(self, typed: str) -> bool:
        """Act on typed text; return whether the text is for this element."""
        return False

    def covers(self, x: float, y: float) -> bool:
        """Return whether the element takes the mouse at (x, y) of the scene."""
        return False

    def wait(self) -> float | None:
        """Return the seconds until the element needs a frame even without input; None if it needs none."""
        return None


class Card(Overlay):
    """A card over the scene, which takes the mouse where it was drawn last."""

    is_card = True
    box: Rect | None = None  # where it was drawn last

    def covers(self, x: float, y: float) -> bool:
        return self.box is not None and self.box.holds(x, y)


class Modal(Overlay):
    """An element that takes mouse and keyboard while it is open, and only then; Escape closes it."""

    to_read = True
    is_open = False

    @property
    def modal(self) -> bool:
        return self.is_open

    def close(self) -> None:
        self.is_open = False


class Dialog(Overlay, Generic[Asked]):
    """A modal popup of Dear ImGui's for the questions of one kind; it is open while such a question waits."""

    to_read = True
    kind: type[Asked]

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._shown: Question | None = None  # the question that it was opened for last
        self._seen = False  # whether it was drawn in the last frame

    @property
    def is_open(self) -> bool:
        return isinstance(self._workspace.question, self.kind)

    @property
    def _question(self) -> Asked:
        """The question that is shown."""
        assert isinstance(self._shown, self.kind)
        return self._shown

    @property
    def modal(self) -> bool:
        return self.is_open

    @property
    def typing(self) -> bool:
        return self.is_open

    def close(self) -> None:
        self._seen = False
        if self.is_open:
            self._workspace.question = None

    @property
    def growing(self) -> bool:
        """Whether the dialog was last drawn higher or lower than its contents need."""
        return False

    def take_key(self, key: str) -> bool:
        """Close the dialog on Escape, unless a list in it is open: Dear ImGui then closes that list."""
        popups = imgui.get_current_context().open_popup_stack
        if key != "Escape" or popups.size() > 1:
            return False
        self.close()
        if popups.size():  # there is none if the dialog was opened since the last frame
            imgui.internal.close_popup_to_level(0, True)  # a dialog opened before the next frame is a new one
        return True

    def draw(self, canvas: UiCanvas) -> None:
        question = self._workspace.question
        if not isinstance(question, self.kind):
            self._seen = False
            return
        new = question is not self._shown
        if new:
            self._shown = question
            self._show_question(question)
        self._seen = self._draw_window(canvas, opening=new or not self._seen)
        if not self._seen and self._workspace.question is question:  # ImGui has closed it
            self.close()

    def _show_question(self, question: Asked) -> None:
        """Show a question that is asked for the first time."""
        raise NotImplementedError

    def _draw_window(self, canvas: UiCanvas, opening: bool) -> bool:
        """Draw the window, for the first time if `opening`; return whether it is still open."""
        raise NotImplementedError

    def _goes_on(self, look: Look) -> bool:
        """Draw the contents; return whether the dialog is still open."""
        self._contents(look)
        return self.is_open

    def _contents(self, look: Look) -> None:
        """Draw the contents of the dialog; a button that closes the dialog calls `close`."""
        raise NotImplementedError


class FormDialog(Dialog[Asked]):
    """A dialog of rows above its buttons."""

    def __init__(self, workspace: Workspace, name: str) -> None:
        super().__init__(workspace)
        self._form = Form(name)

    @property
    def growing(self) -> bool:
        return self.is_open and self._form.growing

    def _draw_window(self, canvas: UiCanvas, opening: bool) -> bool:
        self._form.opening = self._form.opening or opening
        return self._form.draw(canvas.look, canvas.size, lambda: self._goes_on(canvas.look))


class Overlays:
    """The elements of one ui, ordered from back to front: they are drawn forwards, and asked for input backwards."""

    def __init__(self) -> None:
        self._all: tuple[Overlay, ...] = ()
        self._context: Any = None  # Dear ImGui's
        self._took_keys = False  # `takes_keys` as it was when the elements were laid out last

    def fill(self, *overlays: Overlay) -> None:
        """Set the elements, and note Dear ImGui's current context.

        The elements are set after this list is made, because some of them refer to it.
        """
        self._all, self._context = overlays, imgui.get_current_context()

    def draw(self, canvas: UiCanvas, attempt: Callable[[str, Callable[[], object]], object]) -> None:
        """Lay the elements out, each in an `attempt`, so that if one fails, the others are still laid out."""
        filled = any(overlay.fills and overlay.is_open for overlay in self._all)
        for overlay in self._all:
            if isinstance(overlay, Modal) and overlay.is_open:
                windows.veil(canvas.size)
            if not (filled and overlay.is_card):
                attempt(type(overlay).__name__, partial(overlay.draw, canvas))

    def laid_out(self) -> None:
        """Note, at the end of a layout, whether the elements take the keys."""
        self._took_keys = self.takes_keys

    @property
    def open(self) -> tuple[bool, ...]:
        """Whether each element is open."""
        return tuple(overlay.is_open for overlay in self._all)

    @property
    def reading(self) -> bool:
        """Whether an element is open that has to be read or filled in."""
        return any(overlay.is_open and overlay.to_read for overlay in self._all)

    @property
    def modal(self) -> bool:
        """Whether an element is open that takes the mouse everywhere."""
        return any(overlay.modal for overlay in self._all)

    @property
    def dialogs(self) -> list[Dialog[Any]]:
        """The dialogs that are open."""
        return [overlay for overlay in self._all if isinstance(overlay, Dialog) and overlay.is_open]

    @property
    def growing(self) -> bool:
        """Whether a dialog was last drawn higher or lower than its contents need."""
        return any(dialog.growing for dialog in self.dialogs)

    def close_all(self) -> None:
        """Close all elements that have to be read or filled in."""
        for overlay in self._all:
            if overlay.to_read:
                overlay.close()

    # -- the mouse and the keyboard ---------------------------------------------------------------------------------

    @property
    def popup_open(self) -> bool:
        """Whether a list or another popup of Dear ImGui's is open."""
        return bool(self._context.open_popup_stack.size())

    @property
    def takes_keys(self) -> bool:
        """Whether the keyboard belongs to a text field, an open list or a dialog."""
        wanted = self._context.want_text_input_next_frame > 0 or self._moving
        return wanted or self.popup_open or any(overlay.typing for overlay in self._all)

    @property
    def awaits_keyboard(self) -> bool:
        """Whether a text field, a list or a dialog is about to get the keyboard, so that typed text has to wait."""
        opening = self.takes_keys and not self._took_keys
        return opening or self._moving or any(overlay.waiting for overlay in self._all)

    @property
    def _moving(self) -> bool:
        """Whether Dear ImGui gives the keyboard to another of its items in the next frame."""
        return bool(self._context.nav_move_submitted)

    def covers(self, x: float, y: float) -> bool:
        """Return whether an element takes the mouse at (x, y) of the scene."""
        return self.popup_open or any(overlay.modal or overlay.covers(x, y) for overlay in self._all)

    @property
    def _from_front(self) -> Iterator[Overlay]:
        """The elements to ask for keys and text, from front to back; modal ones and dialogs only if they are open."""
        return (
            overlay for overlay in reversed(self._all) if overlay.is_open or not isinstance(overlay, Modal | Dialog)
        )

    def take_key(self, key: str) -> bool:
        """Let the elements act on a key, written as in the table of actions; return whether it was for one of them.

        While text is being typed, only the element in which it is typed and modal elements get the key.
        """
        imgui.set_current_context(self._context)
        typing = self.takes_keys
        for overlay in self._from_front:
            if (overlay.modal or overlay.typing or not typing) and overlay.take_key(key):
                return True
            if overlay.modal:
                return False
        return False

    def take_text(self, typed: str) -> bool:
        """Let the elements act on typed text; return whether it was for one of them."""
        if self.takes_keys:
            return False
        for overlay in self._from_front:
            if overlay.take_text(typed):
                return True
            if overlay.modal:
                return False
        return False

    def dismiss(self) -> bool:
        """Close the foremost element that is open, as Escape does; return whether there was one."""
        opened = next((overlay for overlay in reversed(self._all) if overlay.is_open), None)
        if opened is not None:
            opened.close()
        return opened is not None

    # -- frames -----------------------------------------------------------------------------------------------------

    def wait(self) -> float | None:
        """Return the seconds until an element needs a frame even without input; None if none does."""
        return min((wait for overlay in self._all if (wait := overlay.wait()) is not None), default=None)
