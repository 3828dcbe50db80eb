"""Gimbals: three rings without mass from which the body seems to hang, each turned by one of Euler's angles.

The outer ring turns about z of space, the middle one in it about a level axis, and the inner one, with the body, about
z' of the body. Where z' comes near to z, outer and inner ring turn about nearly the same axis: gimbal lock.
"""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import marked, tr
from viewer.physics.rotation import gimbal_angles
from viewer.scene.annotations.letters import plain_letters
from viewer.scene.constructions.drawing import Drawing, Lines
from viewer.scene.constructions.scale import Construction
from viewer.scene.description import Curve, Label, Stroke
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

OUTER, MIDDLE, INNER = 1.26, 1.16, 1.06  # radii of the rings, over that of the body
BEARING = 0.06  # of the body's radius: length of the outer ring's bearings
RING_WIDTH, AXLE_WIDTH = 3.4, 1.8  # px
LOCKED = math.radians(10.0)  # between the axes of outer and inner ring: with less the gimbals count as locked
RINGS = marked("outer"), marked("middle"), marked("inner")
NAME_SIZE, NAME_OFFSET = 15.0, (0.0, 16.0)  # px
TURN = np.linspace(0.0, 2.0 * math.pi, 120, endpoint=False)


def ring_angles(snapshot: Snapshot) -> dict[str, float]:
    """Return the angle [deg] of each ring, by its name."""
    angles = gimbal_angles(snapshot.reading.orientation_wxyz)
    return {name: math.degrees(angle) for name, angle in zip(RINGS, angles, strict=True)}


def are_locked(snapshot: Snapshot) -> bool:
    """Return whether the axes of outer and inner ring lie almost along one line."""
    _, middle, _ = gimbal_angles(snapshot.reading.orientation_wxyz)
    return math.sin(middle) < math.sin(LOCKED)


def gimbal_reach(built: Construction) -> float:
    """Return how far the gimbals reach from the middle, m."""
    return (OUTER + BEARING) * built.solid.radius


def gimbal_rings(drawing: Drawing) -> tuple[Curve, ...]:
    """Return the three rings, the outer one first; none if they are not shown."""
    if not drawing.presentation.show.gimbals:
        return ()
    level, up, (x, y, axis) = _axes(drawing)
    color = drawing.theme.force if are_locked(drawing.snapshot) else drawing.theme.text
    planes = (OUTER, level, up), (MIDDLE, level, axis), (INNER, x, y)
    return tuple(
        Curve(
            radius * drawing.built.solid.radius * (np.outer(np.cos(TURN), one) + np.outer(np.sin(TURN), other)), color,
            RING_WIDTH, 1.0, np.zeros(3), "gimbals", in_space=True,
        )
        for radius, one, other in planes
    )  # fmt: skip


def gimbal_lines(drawing: Drawing) -> Lines:
    """Return the axles on which the rings turn and, of locked gimbals, the words."""
    level, up, (x, _, axis) = _axes(drawing)
    radius, color = drawing.built.solid.radius, drawing.theme.text
    across, _, high = drawing.built.solid.reach / radius
    spans = (up, OUTER, OUTER + BEARING), (level, MIDDLE, OUTER), (axis, high, MIDDLE), (x, across, INNER)
    axles = tuple(
        Stroke(side * begin * radius * along, side * end * radius * along, color, 0.9, AXLE_WIDTH, name="gimbals")
        for along, begin, end in spans
        for side in (1.0, -1.0)
    )
    if not are_locked(drawing.snapshot):
        return Lines(axles)
    name, top = plain_letters(tr("gimbal lock")), gimbal_reach(drawing.built) * up
    return Lines(axles, labels=(Label(name, top, drawing.theme.force, NAME_SIZE, NAME_OFFSET, "number"),))


def _axes(drawing: Drawing) -> tuple[Array, Array, Array]:
    """Return the axis of the middle ring, that of the outer ring, and the body axes, all in space."""
    outer, _, _ = gimbal_angles(drawing.snapshot.reading.orientation_wxyz)
    level = np.array((math.cos(outer), math.sin(outer), 0.0))
    return level, np.array((0.0, 0.0, 1.0)), drawing.snapshot.reading.rotation_world_from_body.T
