"""What a recorded body looks like: a phone in the axes of its sensors, or what the user has given."""

from dataclasses import replace

import numpy as np
import pytest

from viewer.common.resources import file, folder
from viewer.physics.body import RigidBody
from viewer.physics.solids.composite import Part
from viewer.physics.solids.mesh_body import mesh_source
from viewer.replay.opening import with_flight
from viewer.replay.scene import replayed, scene_of
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.body import Body
from viewer.session.session import Session

HAMMER = (
    Part("cylinder", density=700.0, radius=0.015, height=0.3, position=(0.0, 0.0, 0.15)),
    Part("box", density=7850.0, width=0.12, depth=0.03, height=0.03, position=(0.0, 0.0, 0.3)),
)


@pytest.fixture(scope="module")
def found():
    with file("assets", "logs", "tossed-phone.csv") as path:
        return replayed(path)


def drawn(session):
    """The corners of what is drawn, in the axes of the sensor."""
    body = session.snapshot().body
    return body.mesh.vertices @ body.principal_axes.T


def test_a_phone_is_drawn_in_the_axes_of_its_sensors_with_the_screen_towards_z(found):
    session = Session(scene_of(found), playing=False, recording=found)
    mesh, corners = session.snapshot().body.mesh, drawn(session)
    np.testing.assert_allclose(np.ptp(corners, axis=0), (0.0726, 0.148, 0.0109), atol=1e-4)  # x right, y up, z out
    shown = mesh.vertex_colors[:, 2].astype(int) - mesh.vertex_colors[:, 0] > 60  # the screen is blue
    assert corners[shown, 2].min() > 0.004
    assert np.ptp(corners[shown, 1]) > 0.12
    np.testing.assert_allclose(session.motion.body.principal_axes, found.selection.fit.axes, atol=1e-12)
    np.testing.assert_allclose(session.motion.body.principal_moments, found.selection.fit.moments, rtol=1e-12)


def test_its_motion_is_that_of_the_fitted_moments_whatever_it_looks_like(found):
    for look in (None, Body(shape="composite", parts=HAMMER), Body(shape="mesh", file="toutatis.ply", unit="km")):
        session = Session(scene_of(found, None, look), playing=False, recording=found)
        session.run_to(0.5)
        (lane,) = session.snapshot().lanes
        assert abs(lane.orientation_error) < 0.1  # of 2.5 turns; measured .067: the drag is no part of the scene


def test_a_composite_and_a_mesh_turn_about_their_centre_of_mass(found):
    session = Session(scene_of(found, None, Body(shape="composite", parts=HAMMER)), recording=found)
    hammer = RigidBody.composite(HAMMER)
    own = hammer.mesh.vertices @ hammer.principal_axes.T
    np.testing.assert_allclose(drawn(session), own, atol=1e-15)
    session = Session(scene_of(found, None, Body(shape="mesh", file="wing-nut.ply", unit="m")), recording=found)
    path = str(folder("assets") / "bodies" / "wing-nut.ply")
    centre = RigidBody.from_mesh(path, unit="m", mass=1.0).centre
    np.testing.assert_allclose(drawn(session), mesh_source(path).triangles().vertices - centre, atol=1e-9)


def test_what_the_user_has_opened_is_what_has_been_recorded_and_stays_it(found, tmp_path):
    session = Session(Scenario.preset("t-handle"), playing=False)
    assert session.document.given_body is None  # comes with the program
    session.open(replace(Scenario(), body=Body(shape="composite", parts=HAMMER)))
    given = session.document.given_body
    session.open(scene_of(found, session.scenario, given), found)
    assert session.document.given_body.parts == HAMMER
    session.open(*with_flight(session.document.recording, "3", session.scenario))
    assert session.scenario.body.show_parts
    session.change({"body.show_parts": False, "body.appearance": "phone.ply"})
    assert session.document.recording is not None  # only the look has changed
    assert session.document.given_body is None
    session.undo()
    session.save(tmp_path / "hammer.toml")
    again = Scenario.load(tmp_path / "hammer.toml")
    assert again.body == session.scenario.body
