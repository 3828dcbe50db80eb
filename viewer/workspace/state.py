"""Which elements of the ui are open."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from viewer.scene.naming.spot import Spot
from viewer.scene.presentation import Pull

Element = Literal["plots", "chart", "hidden", "hand"]
LECTURE_TEXT = 1.6  # text size in lecture mode, to begin with


@dataclass
class UiState:
    """True: open. A frame is drawn when it has changed.

    `panel` None: open where it leaves the scene enough room, else folded to its strip. `panel_modes`: whether it is, in
    the stereo modes with a part of the window for each eye in which it was opened or folded; in the others of them it
    is folded. `chart`: the stereo chart in place of the scene.
    `lecture`: lecture mode; `lecture_text`: its text size; `lecture_legend`: with the
    legend; `black`: its screen is black; `spot`: its pointer is a spotlight. `hidden`: the scene has the whole window.
    `hand`: the tool that takes hold of the body. `quiz_open`: a question of a tour waits for an answer, and beside the
    scene nothing that could be the answer is shown. `handle`: what the pointer is over or drags in the scene, by its
    name; `pull`: how it pulls the body. `opening`: the very first scene is shown, and nobody has changed it;
    `faint`: the opacity of what it shows beside the body then. `named`: what the pointer is over in the scene,
    which says its name; `pointed`: the readout or field of the panel that the pointer is over, whose thing glows.
    `part`: the number of the selected part of a composite body. `tensor`: what is typed for the body's tensor while
    no solid has it.
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
        """Open or close an element with nothing else to prepare."""
        setattr(self, element, not getattr(self, element))
