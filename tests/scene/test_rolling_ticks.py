"""The ticks on polhode and herpolhode mesh at the contact, stay where they are, and are gone where nothing rolls."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.ticks import LONGER
from viewer.scene.description import SceneDescription, Ticks
from viewer.session.session import Session

SIZE = (1280, 720)
SAG = 5e-4  # of the ellipsoid's largest semi-axis; measured 1.4e-4: between two rows the trail is drawn as a chord


def session_of(preset: str, **changes: object) -> Session:
    values = {path.replace("__", "."): value for path, value in changes.items()}
    return Session(Scenario.preset(preset).with_values(values), playing=False)


def scene_of(session: Session) -> SceneDescription:
    return picture_of(session, SIZE).main.scene


def middles(ticks: Ticks | None) -> np.ndarray:
    assert ticks is not None
    return 0.5 * (ticks.starts + ticks.ends)


def longer(ticks: Ticks | None) -> np.ndarray:
    assert ticks is not None
    return ticks.widths > np.min(ticks.widths)


def test_they_mesh_where_the_ellipsoid_touches_the_plane() -> None:
    """Where a tick of the polhode comes to the contact, it lies on the one that it leaves on the plane."""
    session = session_of("box-80kg")
    session.run_to(3.0)
    for _ in range(60):
        scene = scene_of(session)
        size = float(np.max(scene.shell.semi_axes))
        body, plane = scene.polhode_ticks, scene.trail_ticks
        if np.min(np.linalg.norm(middles(plane) - scene.contact, axis=1)) < 0.01 * size:
            break
        session.scene.run_on_to(session.motion.time + 0.002)
    on_body = int(np.argmin(np.linalg.norm(middles(body) - scene.contact, axis=1)))
    on_plane = int(np.argmin(np.linalg.norm(middles(plane) - scene.contact, axis=1)))
    assert longer(body)[on_body] == longer(plane)[on_plane]
    ends = np.stack([body.starts[on_body], body.ends[on_body]])
    np.testing.assert_allclose(ends, np.stack([plane.starts[on_plane], plane.ends[on_plane]]), atol=SAG * size)


def test_ticks_of_the_plane_stay_put_as_time_goes_on_and_back() -> None:
    session = session_of("box-80kg")
    session.run_to(2.5)
    before = scene_of(session).trail_ticks
    session.scene.run_on_to(3.0)
    later = scene_of(session).trail_ticks
    size = float(np.max(scene_of(session).shell.semi_axes))
    nearest = np.linalg.norm(middles(later)[:, None] - middles(before), axis=2)
    kept = np.min(nearest, axis=0) < SAG * size
    assert np.sum(~kept) <= 6  # the oldest, which have faded
    assert not np.any(~kept & (before.alphas > 0.5))
    same = np.argmin(nearest, axis=0)[kept]
    np.testing.assert_array_equal(longer(before)[kept], longer(later)[same])
    session.motion.seek(2.5)
    session.status.changed()
    again = scene_of(session).trail_ticks
    np.testing.assert_allclose(middles(again), middles(before), atol=1e-9 * size)


def test_every_fifth_is_longer_all_around_the_polhode() -> None:
    ticks = scene_of(session_of("box-80kg")).polhode_ticks
    numbers = np.flatnonzero(longer(ticks))
    np.testing.assert_array_equal(numbers, np.arange(0, len(ticks.starts), LONGER))
    assert len(ticks.starts) % LONGER == 0


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("box-80kg", {"show__rolling_ticks": False}),
        ("box-80kg", {"start__angular_velocity": (0.0, 0.0, 0.0)}),
        ("box-80kg", {"start__angular_velocity": (0.0, 0.0, 3.0)}),
        ("box-80kg", {"loads__torque": (0.0, 0.0, 5.0)}),
        ("sphere", {}),
    ],
)
def test_there_are_none_where_nothing_rolls_or_the_plane_moves(preset: str, changes: dict[str, object]) -> None:
    session = session_of(preset, **changes)
    session.run_to(0.5)
    scene = scene_of(session)
    assert scene.polhode_ticks is scene.trail_ticks is None


def test_without_a_curve_there_are_no_ticks_on_it() -> None:
    scene = scene_of(session_of("box-80kg", show__polhode=False))
    assert scene.polhode_ticks is None
    session = session_of("box-80kg", show__herpolhode=False)
    session.run_to(1.0)
    scene = scene_of(session)
    assert scene.polhode_ticks is not None
    assert scene.trail_ticks is None


@pytest.mark.parametrize("frame", ["ceiling", "floor"])
def test_the_polhode_has_none_on_the_far_side_of_the_ellipsoid(frame: str) -> None:
    session = session_of("box-80kg", view__frame=frame)
    session.run_to(1.0)
    picture = picture_of(session, SIZE)
    scene, ticks = picture.main.scene, picture.main.scene.polhode_ticks
    normals = (middles(ticks) @ scene.world_from_body / scene.shell.semi_axes**2) @ scene.world_from_body.T
    far = np.sum(normals * (picture.main.camera.position - middles(ticks)), axis=1) < 0.0
    assert 10 < np.sum(far) < len(far) - 10
    assert np.all(ticks.alphas[far] == 0.0)
    assert np.median(ticks.alphas[~far]) > 0.9
