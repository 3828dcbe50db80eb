"""The tips of omega and of L, by which the start of the motion is changed."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from viewer.commands.start import PATHS, beyond, start_values
from viewer.common.language import tr
from viewer.scenario.field import Number
from viewer.scenario.scenario import field_at
from viewer.scene.constructions.scale import ARROW_REACH
from viewer.scene.words.formatting import bound
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot
from viewer.ui.input.grab.aim import Aim
from viewer.ui.input.grab.held import Held

Array = NDArray[np.float64]

DIGITS = 5  # to which a dragged vector is rounded
LEAST = 0.02  # of its length when it was taken: an arrow stays so long


class Tip:
    """The tip of an arrow from the middle of the body; it moves in the plane of the view, with Shift along itself."""

    def __init__(self, session: Session, held: Held, end: Callable[[], Array]) -> None:
        """`end`: where it is drawn, (3,) m in the world."""
        self._session, self._held, self._drawn_end = session, held, end
        self._snapshot: Snapshot | None = None  # when it was taken
        self._end = np.zeros(3)  # of the arrow then, m
        self._scale = 0.0  # m per rad/s
        self._reported = False

    def grasp(self, aim: Aim) -> bool:
        """The pointer is over the tip."""
        self._snapshot, self._end, self._reported = self._session.snapshot(), self._drawn_end(), False
        self._scale = self._held.begin()
        return True

    def drag(self, aim: Aim) -> None:
        """The tip is under the pointer, or as near to it as its own line comes."""
        if self._snapshot is None:
            return
        target = self._along(aim) if aim.along else aim.picking.point(aim.pixel, aim.picking.depth(self._end))
        least, length = LEAST * float(np.linalg.norm(self._end)), float(np.linalg.norm(target))
        if length < least:
            target = self._end * LEAST
        rotation = self._snapshot.reading.rotation_world_from_body
        omega = self._omega(rotation.T @ target, self._snapshot)
        if beyond(PATHS[1], omega) and not self._reported:
            most = f"{bound(field_at(PATHS[1], Number).high)} rad/s"
            self._held.notice(tr("ω is at its limit: no component can exceed {most}").format(most=most))
        self._reported = beyond(PATHS[1], omega)
        decimals = DIGITS - math.ceil(math.log10(max(float(np.max(np.abs(omega))), 1e-15)))
        orientation = self._snapshot.reading.orientation_wxyz
        self._held.change(start_values(self._snapshot, orientation, np.round(omega, decimals)))

    def wheel(self, notches: float, aim: Aim) -> None:
        """Moves it towards the eye or away."""
        away = 0.08 * float(np.linalg.norm(self._end))
        self._end = self._end - notches * away * aim.picking.backward
        self.drag(aim)

    def release(self, aim: Aim) -> None:
        """A step of undo."""
        self._snapshot = None
        self._held.end()

    def cancel(self) -> None:
        """As it was."""
        self._snapshot = None
        self._held.cancel()

    @property
    def lost(self) -> bool:
        """Whether another motion is there."""
        return self._held.lost

    def drop(self) -> None:
        """It stays as it is."""
        self._snapshot = None
        self._held.end()

    def _along(self, aim: Aim) -> Array:
        """The point (3,) of the arrow's own line that is nearest to the line of sight."""
        direction = self._end / float(np.linalg.norm(self._end))
        point, away = aim.picking.ray(aim.pixel)
        cosine = float(direction @ away)
        across = max(1.0 - cosine * cosine, 1e-6)
        return np.asarray(float(direction @ point - cosine * (away @ point)) / across * direction)

    def _omega(self, end_body: Array, snapshot: Snapshot) -> Array:
        """The angular velocity (3,) [rad/s] in the body, whose arrow ends there (3,), m, in the body."""
        return np.asarray(end_body / self._scale)


class MomentumTip(Tip):
    """The tip of L, which is drawn as long as ARROW_REACH of the plane's distance, 2E/|L| in units of omega."""

    def _omega(self, end_body: Array, snapshot: Snapshot) -> Array:
        length = float(np.linalg.norm(end_body))
        direction = end_body / length
        per_momentum = direction / snapshot.body.principal_moments  # omega of |L| = 1
        size = length / (ARROW_REACH * self._scale * float(direction @ per_momentum))
        return np.asarray(size * per_momentum)
