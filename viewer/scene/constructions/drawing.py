"""The data from which the things in the scene are drawn, and the lines that are drawn of them."""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scenario.choices.themes import Theme
from viewer.scene.camera.camera import Canvas
from viewer.scene.constructions.correction import momentum_correction, omega_correction
from viewer.scene.constructions.scale import Construction, LoadScale, MomentumSpace, load_scale
from viewer.scene.description import Label, Plane, Stroke
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]


@frozen
class Drawing:
    """The motion, its presentation, and the construction in the size at which it is drawn.

    `space` is the construction in momentum space, or None if Poinsot's is drawn. `plane` is the invariable plane, or
    None if there is none. `correction` has the magnification of the next correction and the vector (3,) [m] from its
    end to its start. `load_scale` sets the lengths of the arrows of forces and torques.
    """

    snapshot: Snapshot
    presentation: Presentation
    built: Construction
    canvas: Canvas
    space: MomentumSpace | None
    plane: Plane | None
    correction: tuple[float, Array]
    load_scale: LoadScale

    @classmethod
    def of(
        cls, snapshot: Snapshot, presentation: Presentation, built: Construction, canvas: Canvas,
        space: MomentumSpace | None = None, plane: Plane | None = None,
    ) -> "Drawing":  # fmt: skip
        """Return the drawing of a snapshot."""
        correction = omega_correction(snapshot, built) if space is None else momentum_correction(snapshot, space)
        loads = load_scale(snapshot, presentation.view)
        return cls(snapshot, presentation, built, canvas, space, plane, correction, loads)

    @cached_property
    def theme(self) -> Theme:
        """The colours of the scene."""
        return self.presentation.theme


@frozen
class Lines:
    """The arrows and straight lines of a thing, its lines that are drawn over everything else, and its names."""

    arrows: tuple[Stroke, ...] = ()
    overlay: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()

    @classmethod
    def joined(cls, parts: Iterable["Lines"]) -> "Lines":
        """Return all lines of several things, in their order."""
        all_of_them = list(parts)
        return cls(*(sum((getattr(part, name) for part in all_of_them), ()) for name in cls.__dataclass_fields__))

    @property
    def ends(self) -> list[tuple[Array, Array]]:
        """Start and end of each line, (3,) m in the world."""
        return [(line.start, line.end) for line in (*self.arrows, *self.overlay)]
