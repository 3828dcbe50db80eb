"""What `Ui` asks of each of its elements, and what an element is drawn on."""

from collections.abc import Iterator
from dataclasses import dataclass

from viewer.ui.layout import Areas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.form import Form


@dataclass
class Canvas:
    """What the elements are drawn on in one layout. Positions are ui pixels (see `viewports`).

    `pointer`: where the mouse is, None outside of the window. `gray`: the ui has no colours, for coloured glasses.
    """

    look: Look
    size: tuple[int, int]
    areas: Areas
    pointer: tuple[float, float] | None
    gray: bool


class Overlay:
    """An element of the ui, from the panel to a dialog.

    By default it is closed, takes no input, covers nothing and needs no frame by itself. A new element overrides what
    differs and gets one entry in the list of `Ui`.
    """

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
        """Whether one of its text fields is about to get the keyboard, so that what is typed has to wait for it."""
        return False

    def draw(self, canvas: Canvas) -> None:
        """Lay the element out, if it is shown."""

    def close(self) -> None:
        """Close it, as Escape does."""

    def take_key(self, key: str) -> bool:
        """Return whether a key, written as in the table of actions, is for this element, which then has acted on it."""
        return False

    def take_text(self, typed: str) -> bool:
        """Return whether typed text is for this element, which then has acted on it."""
        return False

    def covers(self, x: float, y: float) -> bool:
        """Return whether the element takes the mouse at (x, y) of the scene."""
        return False

    def wait(self) -> float | None:
        """Return in how many seconds it needs a frame by itself; None if it needs none."""
        return None


class Modal(Overlay):
    """An element that takes mouse and keyboard while it is open; Escape closes it."""

    is_open = False

    @property
    def modal(self) -> bool:
        return self.is_open

    def close(self) -> None:
        self.is_open = False


class Dialog(Modal):
    """A modal popup of Dear ImGui's, in which text is typed."""

    @property
    def typing(self) -> bool:
        return self.is_open

    @property
    def growing(self) -> bool:
        """Whether it was drawn with another height than its contents need."""
        return False

    def take_key(self, key: str) -> bool:
        """Escape closes the dialog, unless one of its lists is open, which Dear ImGui closes."""
        popups = imgui.get_current_context().open_popup_stack
        if key != "Escape" or popups.size() > 1:
            return False
        self.close()
        if popups.size():  # none where the dialog was opened since the last frame
            imgui.internal.close_popup_to_level(0, True)  # what opens before the next frame is another one
        return True

    def _goes_on(self, look: Look) -> bool:
        """Draw the contents; return whether the dialog stays open."""
        self._contents(look)
        return self.is_open

    def _contents(self, look: Look) -> None:
        """Draw what stands in the dialog; what closes it calls `close`."""
        raise NotImplementedError


class FormDialog(Dialog):
    """A dialog of rows above its buttons."""

    def __init__(self, name: str) -> None:
        self._form = Form(name)

    def open(self) -> None:
        """Open the dialog in the next frame."""
        self._form.opening = self.is_open = True

    @property
    def growing(self) -> bool:
        return self.is_open and self._form.growing

    def draw(self, canvas: Canvas) -> None:
        if self.is_open:
            self.is_open = self._form.draw(canvas.look, canvas.size, lambda: self._goes_on(canvas.look))


class Overlays:
    """The elements of one ui, ordered from back to front: they are drawn forwards, and asked for input backwards."""

    def __init__(self) -> None:
        self._all: tuple[Overlay, ...] = ()

    def __iter__(self) -> Iterator[Overlay]:
        return iter(self._all)

    def __reversed__(self) -> Iterator[Overlay]:
        return reversed(self._all)

    def fill(self, *overlays: Overlay) -> None:
        """Set the elements, once the parts of the ui are made that already ask this list."""
        self._all = overlays

    @property
    def open(self) -> tuple[bool, ...]:
        """For each element whether it is open."""
        return tuple(overlay.is_open for overlay in self._all)

    @property
    def modal(self) -> bool:
        """Whether an element is open that takes the mouse everywhere."""
        return any(overlay.modal for overlay in self._all)

    @property
    def dialogs(self) -> list[Dialog]:
        """The dialogs that are open."""
        return [overlay for overlay in self._all if isinstance(overlay, Dialog) and overlay.is_open]

    def close_dialog(self) -> None:
        """Close the dialog that is open, if there is one."""
        for dialog in self.dialogs:
            dialog.close()
