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
    """The motion, how it is shown, and the construction in its size; `space`: of momentum space, where that is drawn;
    `plane`: None where the body does not turn."""

    snapshot: Snapshot
    presentation: Presentation
    built: Construction
    canvas: Canvas
    space: MomentumSpace | None = None
    plane: Plane | None = None

    @cached_property
    def theme(self) -> Theme:
        """The colours of the scene."""
        return self.presentation.theme

    @cached_property
    def correction(self) -> tuple[float, Array]:
        """How many times the next correction is magnified, and where it comes from, as `correction.py` has it."""
        if self.space is None:
            return omega_correction(self.snapshot, self.built)
        return momentum_correction(self.snapshot, self.space)

    @cached_property
    def load_scale(self) -> LoadScale:
        """How long the arrows of forces and torques are."""
        return load_scale(self.snapshot, self.presentation.view)


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
