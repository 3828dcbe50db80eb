"""Which elements of the ui are open."""

from dataclasses import dataclass
from typing import Literal

Element = Literal["plots", "keys", "chart", "hidden"]


@dataclass
class UiState:
    """True: open. A frame is drawn when it has changed.

    `panel` None: open where it leaves the scene enough room, else folded to its strip. `chart`: the stereo chart in
    place of the scene. `messages`: the list of the latest ones. `dialog`: the file dialog.
    `hidden`: the scene has the whole window. `handle`: of the force that the pointer is over or drags, by its name.
    """

    panel: bool | None = None
    plots: bool = False
    keys: bool = False
    palette: bool = False
    gallery: bool = False
    chart: bool = False
    messages: bool = False
    dialog: bool = False
    hidden: bool = False
    handle: str = ""

    def toggle(self, element: Element) -> None:
        """Opens or closes an element with nothing else to prepare; hiding the ui also closes the list of keys."""
        setattr(self, element, not getattr(self, element))
        if element == "hidden":
            self.keys = False
