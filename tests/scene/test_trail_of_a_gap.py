"""Where nothing was recorded the trails break, and neither ticks nor names stand there."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.state import State
from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret
from viewer.replay.scene import scene_of
from viewer.scene.description import Trail
from viewer.scene.naming.spot import _parts
from viewer.session.session import Session

GAP = 3.0, 3.9  # s
SIZE = (900, 700)


@pytest.fixture(scope="module")
def session() -> Session:
    motion = FreeRotation(RigidBody.from_moments((1.0, 2.0, 2.5)), State((1, 0, 0, 0), (0.4, 2.0, 0.3)))
    time = np.arange(1000) * 0.01
    states = motion.at(time[(time <= GAP[0]) | (time >= GAP[1])])
    said = Conventions("wxyz", "world from body", "body", "rad/s", "s", (1.0, 2.0, 2.5))
    found = replay(interpret(RawRecording("a.csv", states.time, states.orientation_wxyz, states.omega_body, said)))
    return Session(scene_of(found), playing=False, recording=found)


def trails(session: Session, time: float, **values: object) -> list[Trail]:
    session.change({path.replace("__", "."): value for path, value in values.items()})
    session.run_to(time)
    return [
        trail
        for layer in picture_of(session, SIZE).layers
        for trail in (layer.scene.trail, *layer.scene.paths)
        if trail is not None
    ]


@pytest.mark.sweep
@pytest.mark.parametrize("shown", ["ghosts", "grid"])
@pytest.mark.parametrize("construction", ["poinsot", "momentum"])
@pytest.mark.parametrize("time", [2.5, 3.2, 3.7, 3.91, 6.0])
def test_a_trail_of_a_recording_breaks_at_its_gap(session, shown, construction, time):
    values = {"race__show": shown, "view__construction": construction, "show__body_path": True}
    recorded = [trail for trail in trails(session, time, **values) if trail.gaps]
    assert recorded
    for trail in recorded:
        np.testing.assert_allclose(trail.gaps, [GAP])
        parts = _parts(trail)
        for part in parts:
            assert not (part[0, 0] < np.mean(GAP) < part[-1, 0])
        # whatever is joined is not far apart: in 0.9 s omega goes further than that
        steps = [np.linalg.norm(np.diff(part[:, 1:], axis=0), axis=1).max() for part in parts]
        assert max(steps) < 0.25
    exact = [trail for trail in trails(session, time, **values) if not trail.gaps]
    assert exact or shown == "ghosts"


def test_no_tick_is_left_where_nothing_is_known(session):
    session.change({"race.show": "ghosts", "view.construction": "poinsot", "show.body_path": False})
    session.run_to(4.5)
    scene = picture_of(session, SIZE).main.scene
    middles = 0.5 * (scene.trail_ticks.starts + scene.trail_ticks.ends)
    points = [part[:, 1:] @ scene.trail.world_from_points.T for part in _parts(scene.trail)]
    known = np.concatenate([p[:-1] + share * np.diff(p, axis=0) for p in points for share in np.linspace(0, 1, 20)])
    apart = [float(np.linalg.norm(known - middle, axis=1).min()) for middle in middles]
    assert len(apart) > 3
    assert max(apart) < 0.01 * np.linalg.norm(scene.trail.world_from_points @ scene.trail.newest[1:])


def test_the_row_after_a_gap_has_its_running_number_whatever_row_is_asked_from(session):
    recorded = [trail for trail in trails(session, 6.0, race__show="ghosts") if trail.gaps]
    assert recorded
    for trail in recorded:
        (after,) = trail.after_gaps(0)
        times = trail.ring.rows(after - 1, after + 1)[:, 0]
        assert times[0] < np.mean(GAP) < times[1]
        assert [list(trail.after_gaps(first)) for first in (1, after - 1, after)] == [[after], [after], []]
