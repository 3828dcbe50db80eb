"""The stroboscope's outlines stand where the integrated motion was, and will be, at those moments."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import rotation_matrix
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session

SIZE = (320, 180)


def at(seconds: float, preset: str = "dzhanibekov", **fields: object) -> Session:
    scene = Scenario.preset(preset).with_values({path.replace("__", "."): value for path, value in fields.items()})
    session = Session(scene, playing=False)
    session.run_to(seconds)
    return session


def test_the_outlines_are_where_the_motion_is_at_moments_20_degrees_apart() -> None:
    """By the closed form; measured: 6e-14, of the integration over 2 s in 16,000 steps."""
    session = at(2.0, view__stroboscope=3, view__onion_skin=True)
    reading, scene = session.snapshot().reading, picture_of(session, SIZE).main.scene
    rate = float(reading.omega_world @ reading.angular_momentum_world) / float(
        np.linalg.norm(reading.angular_momentum_world)
    )
    spacing = np.radians(20.0) / rate
    exact = FreeRotation(session.scenario.rigid_body(), session.scenario.start_state())
    last = int(2.0 // spacing)
    moments = sorted((spacing * (last + k) for k in range(-2, 4)), key=lambda t: -abs(t - 2.0))
    assert [ghost.color == scene.theme.herpolhode for ghost in scene.ghosts] == [t > 2.0 for t in moments]
    for ghost, moment in zip(scene.ghosts, moments, strict=True):
        there = rotation_matrix(exact.at(moment).orientation_wxyz)
        np.testing.assert_allclose(ghost.world_from_body, there, rtol=0, atol=2e-13)


def test_over_the_construction_an_outline_is_faint_and_has_the_end_of_one_axis() -> None:
    """That of the smallest moment, x' of this box, by the closed form; with faces and full edges they were a tangle."""
    session = at(2.0, view__stroboscope=4)
    scene = picture_of(session, SIZE).main.scene
    plain = picture_of(at(2.0, view__stroboscope=4, show__ellipsoid=False, show__body_axes=False), SIZE).main.scene
    assert scene.solid is not None
    hue, reach = scene.theme.axes[0], scene.solid.half_extents[0]
    axes = [stroke for stroke in scene.strokes if stroke.color == hue and not stroke.name]
    assert len(axes) == len(scene.ghosts) == len(plain.ghosts) == 4
    assert not [stroke for stroke in plain.strokes if stroke.color == hue and not stroke.name]
    for axis, ghost, other in zip(axes, scene.ghosts, plain.ghosts, strict=True):
        direction = (axis.end - axis.start) / np.linalg.norm(axis.end - axis.start)
        np.testing.assert_allclose(direction, ghost.world_from_body[:, 0], atol=1e-12)
        np.testing.assert_allclose(axis.start, reach * direction, atol=1e-12)  # it begins at the outline
        assert ghost.faces == 0.0
        assert ghost.outline == pytest.approx(0.8 * axis.alpha)
        assert other.outline == pytest.approx(axis.alpha)


def test_they_stand_still_fade_and_cost_nothing_when_off() -> None:
    early, late = (picture_of(at(t, view__stroboscope=4), SIZE).main.scene.ghosts for t in (2.000, 2.001))
    np.testing.assert_allclose([g.world_from_body for g in early], [g.world_from_body for g in late], atol=1e-9)
    outlines = [ghost.outline for ghost in late]
    assert all(0.0 <= outline < 1.0 for outline in outlines)
    assert outlines[:3] == sorted(outlines[:3])
    assert picture_of(at(2.0), SIZE).main.scene.ghosts == ()


@pytest.mark.parametrize("preset", ["rod", "apophis-2029"])
def test_there_are_none_under_loads(preset: str) -> None:
    assert picture_of(at(0.0, preset, view__stroboscope=4), SIZE).main.scene.ghosts == ()
