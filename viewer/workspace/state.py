"""The state of the ui: which elements are open, and what the pointer is over."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from viewer.scene.naming.spot import Spot
from viewer.scene.presentation import Pull

Element = Literal["plots", "chart", "hidden", "hand"]
LECTURE_TEXT = 1.6  # text size in lecture mode, to begin with


@dataclass
class UiState:
    """The state of the ui; an element is open if its field is True. A frame is drawn when the state has changed.

    Attributes
    ----------
    panel
        Whether the panel is open; None: it is open if it leaves the scene enough room, else folded to its strip.
    panel_modes
        The same for stereo modes that give each eye a part of the window, by the mode's name. In those of them that are
        missing here, because the user has neither opened nor folded the panel there, it is folded.
    chart
        Whether the stereo chart is shown in place of the scene.
    hidden
        Whether the interface is hidden, and the scene has the whole window.
    hand
        Whether the hand, the tool that takes hold of the body, is on.
    quiz_open
        Whether a tour's question waits for an answer; meanwhile nothing is shown that could reveal it.
    lecture, lecture_text, lecture_legend
        Whether lecture mode is on, its text size, and whether it shows the legend.
    black, spot
        Whether the screen is black in a lecture, and whether the pointer is a spotlight there.
    handle, pull
        The name of the handle that the pointer is over or drags in the scene, and the spring's pull on the body.
    opening, faint
        Whether the very first scene is still unchanged, and the opacity of the arrows and the ellipsoid that it adds.
    named
        The thing under the pointer in the scene, whose name is shown.
    pointed
        The readout or field under the pointer in the panel; the thing in the scene that belongs to it glows.
    part
        The number of the selected part of a composite body.
    tensor
        The numbers typed for the body's inertia tensor, as long as no solid can have that tensor.
    """

    panel: bool | None = None
    panel_modes: Mapping[str, bool] = field(default_factory=dict)
    plots: bool = False
    chart: bool = False
    hidden: bool = False
    hand: bool = False
    quiz_open: bool = False
    lecture: bool = False
    lecture_text: float = LECTURE_TEXT
    lecture_legend: bool = False
    black: bool = False
    spot: bool = False
    handle: str = ""
    pull: Pull | None = None
    opening: bool = False
    faint: float = 0.0
    named: Spot | None = None
    pointed: str = ""
    part: int | None = None
    tensor: tuple[float, ...] | None = None

    def toggle(self, element: Element) -> None:
        """Open or close an element that needs no preparation."""
        setattr(self, element, not getattr(self, element))
