"""The paths of a camera: even orbits, and key frames that are met and never overshot."""

import numpy as np
import pytest

from viewer.scenario.scenario import Scenario
from viewer.scene.camera.framing import along_path


def scene(text: str) -> Scenario:
    return Scenario.from_text(f"[view]\npolar_angle_deg = 50\nazimuth_deg = 170\n[camera_path]\n{text}")


def test_an_orbit_turns_evenly() -> None:
    orbit = scene("kind = 'orbit'\nturn_rate = 20")
    assert [along_path(orbit, s).view.azimuth_deg for s in (0, 0.25, 1, 18)] == [170, 175, -170, 170]
    assert along_path(orbit, 1).view.polar_angle_deg == 50
    assert along_path(scene("kind = 'still'"), 7.0) == scene("kind = 'still'")
    assert along_path(scene("kind = 'ride'"), 7.0).view.frame == "body"


def test_key_frames_are_met_and_never_overshot() -> None:
    keys = scene("kind='keys'\nkeys = [[1, 40, 0, 1], [2, 60, 90, 4], [4, 60, 350, 4], [5, 30, 370, 2]]")
    for seconds, *expected in keys.camera_path.keys:
        view = along_path(keys, seconds).view
        turned = (view.azimuth_deg - expected[1]) % 360
        assert (view.polar_angle_deg, view.zoom) == pytest.approx((expected[0], expected[2]))
        assert min(turned, 360 - turned) < 1e-9
    views = [along_path(keys, s).view for s in np.linspace(0, 6, 601)]
    polar_angles, zooms = np.array([v.polar_angle_deg for v in views]), np.array([v.zoom for v in views])
    assert (polar_angles.min(), polar_angles.max(), zooms.min(), zooms.max()) == pytest.approx((30, 60, 1, 4))
    assert np.abs(np.diff(polar_angles, 2)).max() < 0.025  # smooth; measured: .018 degrees
    assert views[0] == views[100]
    assert views[-1] == views[500]
