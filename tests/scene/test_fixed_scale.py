"""Fixed scale: what an integrator blows up is seen to grow, and leaves the picture."""

import numpy as np
import pytest

from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.constructions.scale import ARROW_REACH, LARGEST
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session


def frame_at(time: float, **fields):
    """The snapshot and the picture of the blowing-up scene at `time` [s]."""
    fields = {"solver.integrator": "explicit-euler", "view.fixed_scale": True} | fields
    scenario = Scenario.preset("ode-blog").with_values(fields)
    session = Session(scenario, playing=False)
    session.scene.run_on_to(time)
    return session.snapshot(), build_frame(session.snapshot(), Presentation.of(scenario), Display((900, 720)))


def test_ellipsoid_plane_and_momentum_are_those_that_are_computed_in_the_scale_of_the_start():
    start, first = frame_at(0.0)
    scale = np.linalg.norm(first.main.scene.contact) / np.linalg.norm(start.reading.omega_body)
    moments = start.body.principal_moments
    first_arrow = {arrow.name: np.linalg.norm(arrow.end) for arrow in first.main.scene.arrows}["L"]
    for time in (5.0, 8.8, 15.0):
        snapshot, frame = frame_at(time)
        scene, omega = frame.main.scene, snapshot.reading.omega_body
        energy, momentum = 0.5 * omega @ (moments * omega), np.linalg.norm(moments * omega)
        np.testing.assert_allclose(scene.shell.semi_axes, scale * np.sqrt(2.0 * energy / moments), rtol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(scene.plane.centre), scale * 2.0 * energy / momentum, rtol=1e-12)
        contact = scene.world_from_body.T @ scene.contact
        assert np.sum((contact / scene.shell.semi_axes) ** 2) == pytest.approx(1.0, abs=1e-12)
        along = scene.contact @ scene.plane.centre / np.linalg.norm(scene.plane.centre) ** 2
        assert along == pytest.approx(1.0, abs=1e-12)  # omega's tip is on the plane
        arrow = {arrow.name: np.linalg.norm(arrow.end) for arrow in scene.arrows}["L"]
        begun = np.linalg.norm(moments * start.reading.omega_body)
        assert arrow / first_arrow == pytest.approx(momentum / begun, rel=1e-12)
        assert frame.main.camera.distance == first.main.camera.distance
    assert first_arrow == pytest.approx(ARROW_REACH * np.linalg.norm(first.main.scene.plane.centre), rel=1e-12)


def test_it_leaves_the_picture_and_stays_finite():
    """Long before it diverges at 31.6 s the ellipsoid is larger than what the camera sees."""
    _, frame = frame_at(26.0)
    main = frame.main
    seen = main.camera.distance * np.tan(0.5 * main.camera.field_of_view)
    assert np.min(main.scene.shell.semi_axes) > seen
    _, first = frame_at(0.0)
    _, last = frame_at(31.5)
    largest = LARGEST * np.max(first.main.scene.shell.semi_axes)
    assert np.max(last.main.scene.shell.semi_axes) == pytest.approx(largest, rel=1e-12)
    for view in last.main.views:
        assert np.all(np.isfinite(view.clip_from_world))


def test_without_errors_it_changes_nothing():
    for integrator in ("exact", "split"):
        fields = {"solver.integrator": integrator}
        tolerance = 1e-12 if integrator == "exact" else 1e-4  # split errs by 3e-5 in energy
        _, on = frame_at(4.0, **fields)
        _, off = frame_at(4.0, **fields | {"view.fixed_scale": False})
        a, b = on.main.scene, off.main.scene
        np.testing.assert_allclose(a.shell.semi_axes, b.shell.semi_axes, rtol=tolerance)
        np.testing.assert_allclose(a.plane.centre, b.plane.centre, rtol=tolerance)
