"""The body turns as a recording says, also between its rows; the exact motion is a ghost beside it."""

from pathlib import Path

import numpy as np
import pytest
from helpers.frames import picture_of
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer.replay.scene import replayed, scene_of
from viewer.scene.description import SceneDescription
from viewer.session.session import Session

SIZE = 900, 700
MOMENTS = np.array((0.8, 0.3, 1.0))
DECLARED = "0.8, 0.32, 1.0"  # not quite: so the exact motion is another one
STEP, END = 0.01, 2.0
BETWEEN = 2e-4  # rad, of the body between two rows; measured 2.7e-5
DISTINCT = 0.03  # rad; measured .054 to .127


def turned(times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(quaternions wxyz (N, 4), omega in the body (N, 3)) of a free body at times, by DOP853."""

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        w, x, y_, z = y[:4]
        p, q, r = y[4:]
        turn = 0.5 * np.array((-x * p - y_ * q - z * r, w * p + y_ * r - z * q, w * q + z * p - x * r,
                               w * r + x * q - y_ * p))  # fmt: skip
        return np.concatenate((turn, np.cross(MOMENTS * y[4:], y[4:]) / MOMENTS))

    start = np.array((1.0, 0.0, 0.0, 0.0, 6.0, 1.0, 0.5))
    found = solve_ivp(slope, (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12).y.T
    return found[:, :4], found[:, 4:]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    times = np.arange(0.0, END + 0.5 * STEP, STEP)
    lines = [f"# moments: {DECLARED}", "t,qw,qx,qy,qz,wx,wy,wz"]
    lines += [",".join(repr(float(v)) for v in row) for row in np.column_stack((times, *turned(times)))]
    path = tmp_path / "flight.csv"
    path.write_text("\n".join(lines))
    found = replayed(path)
    return Session(scene_of(found), playing=False, recording=found)


def scene_now(session: Session) -> SceneDescription:
    return picture_of(session, SIZE).main.scene


def apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(Rotation.from_matrix(a.T @ b).magnitude())


def test_the_body_turns_as_recorded_and_the_exact_motion_is_the_ghost(session: Session) -> None:
    for time in (0.5, 1.0, 1.504):
        session.run_to(time)
        scene, exact = scene_now(session), session.snapshot().reading.rotation_world_from_body
        q, _ = turned(np.array((0.0, session.snapshot().reading.time)))
        recorded = Rotation.from_quat(q[1][[1, 2, 3, 0]]).as_matrix()
        assert apart(scene.world_from_body, recorded) < BETWEEN
        (ghost,) = scene.ghosts
        assert apart(ghost.world_from_body, exact) < 1e-9
    assert apart(ghost.world_from_body, scene.world_from_body) > DISTINCT
    texts = [label.text for label in scene.labels]
    assert texts.index("flight.csv") < texts.index("Exact (closed form)") < texts.index("reference")


def test_hidden_or_at_its_end_it_leaves_the_body_to_the_exact_motion(session: Session) -> None:
    session.run_to(1.0)
    (lane,) = session.snapshot().lanes
    session.change({"race.hidden": (lane.lane.name,)})
    exact = session.snapshot().reading.rotation_world_from_body
    assert apart(scene_now(session).world_from_body, exact) == 0.0
    assert scene_now(session).ghosts == ()
    session.change({"race.hidden": ()})
    assert len(scene_now(session).ghosts) == 1
    session.run_to(END + 0.5)
    exact = session.snapshot().reading.rotation_world_from_body
    assert apart(scene_now(session).world_from_body, exact) == 0.0


def test_the_snapshot_itself_stays_that_of_the_exact_motion(session: Session) -> None:
    session.run_to(1.0)
    scene_now(session)
    assert session.snapshot().recorded is None
    (lane,) = session.snapshot().lanes
    assert lane.orientation_error > DISTINCT / 2
