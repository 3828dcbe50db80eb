"""What a thing in the scene is drawn from, and the lines that are drawn of it."""

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
    """The motion, how it is shown, and the construction in its size.

    `space`: the construction in momentum space, if that is drawn. `plane`: None if the body does not turn.
    `correction`: how many times the next correction is magnified, and where it comes from, (3,) m. `load_scale`: how
    long the arrows of forces and torques are.
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
    """Arrows and straight lines of a thing, lines of it that are drawn over everything else, and its names."""

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
        """Where each line begins and ends, (3,) m in the world."""
        return [(line.start, line.end) for line in (*self.arrows, *self.overlay)]
