"""Body cone and space cone: the surfaces that the line of omega sweeps in the body and in space.

They touch along omega, where both are at rest for an instant, so that the first rolls on the second (Poinsot).
"""

import numpy as np
from numpy.typing import NDArray

from viewer.physics.errors import angle_between
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import rotate
from viewer.scene.constructions.drawing import Drawing
from viewer.scene.constructions.scale import Construction
from viewer.scene.description import Cone
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

THINNEST = 1e-3  # rad: a cone with a smaller angle is a line
POINTS = 512  # of the space cone's rim


def cones(drawing: Drawing) -> tuple[tuple[Cone, ...], Array | None]:
    """Return the cones of the free motion, and `SceneDescription.tangent`."""
    snapshot, built, theme = drawing.snapshot, drawing.built, drawing.theme
    if not (drawing.presentation.show.cones and built.moving) or snapshot.loads.turns:
        return (), None
    polhode, omega = snapshot.curves.polhode, snapshot.reading.omega_world
    axis = snapshot.reading.rotation_world_from_body @ polhode.mean(axis=0)
    pairs = (omega, axis), (omega, built.momentum_axis), (axis, built.momentum_axis)
    body_angle, space_angle, between = (float(angle_between(*pair)) for pair in pairs)
    if min(body_angle, space_angle) < THINNEST:
        return (), None
    body = Cone(built.scale * polhode, theme.polhode, "body cone")
    space = Cone(built.scale * _space_rim(snapshot, built), theme.herpolhode, "space cone", in_space=True)
    if between < body_angle:  # then L is inside the body cone
        return (body, space), None
    return (body, space), built.momentum_axis - (built.momentum_axis @ omega) / (omega @ omega) * omega


def _space_rim(snapshot: Snapshot, built: Construction) -> Array:
    """Return the herpolhode once round L, half of it before the tip of omega and half behind, (POINTS, 3) [rad/s]."""
    free = FreeRotation(snapshot.body, snapshot.reading.state, precise=False)
    turn = abs(free.precession_period or snapshot.turn_time)
    states = free.at(turn * (np.arange(POINTS) / POINTS - 0.5))
    return rotate(states.orientation_wxyz, states.omega_body)
