"""A race in the scene: ghosts over the true body, each in its lane's colour, with the tip of its omega."""

import numpy as np

from viewer.lanes import LANE_COLORS
from viewer.race.live import LaneNow
from viewer.scene.construction import Construction, within
from viewer.scene.description import Ghost, Stroke
from viewer.session import Snapshot
from viewer.themes import Color, srgb

OMEGA_WIDTH = 1.8
OMEGA_HEAD = 9.0
FURTHEST = 3.0  # times the construction's size: no lane's arrow is longer


def lane_color(number: int) -> Color:
    """The colour of the lane with that number."""
    return srgb(LANE_COLORS[number % len(LANE_COLORS)])


def shown_lanes(snapshot: Snapshot) -> tuple[LaneNow, ...]:
    """The lanes that are not hidden and still run."""
    hidden = snapshot.scenario.race.hidden
    return tuple(now for now in snapshot.lanes if now.lane.name not in hidden and now.left is None)


def ghosts(snapshot: Snapshot) -> tuple[Ghost, ...]:
    """The twins of the body."""
    if snapshot.scenario.race.show != "ghosts":
        return ()
    return tuple(Ghost(now.rotation_world_from_body, lane_color(now.number)) for now in shown_lanes(snapshot))


def lane_arrows(snapshot: Snapshot, built: Construction) -> list[Stroke]:
    """Where each lane's omega points, thin."""
    if snapshot.scenario.race.show != "ghosts" or not snapshot.scenario.show.angular_velocity:
        return []
    arrows = []
    for now in shown_lanes(snapshot):
        tip = within(built.scale * now.omega_world, FURTHEST * built.radius)
        if float(np.linalg.norm(tip)) > 0.0:
            arrows.append(Stroke(np.zeros(3), tip, lane_color(now.number), 0.95, OMEGA_WIDTH, OMEGA_HEAD))
    return arrows
