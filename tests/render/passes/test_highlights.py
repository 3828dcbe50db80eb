"""The highlight of the ellipsoid lies where a mirror shows the light, and both eyes see it at the same place."""

import numpy as np
import pytest
from test_metal import SIZE, colors_at
from test_surfaces import only

from viewer.render.passes import surfaces
from viewer.scenario.choices.themes import THEMES
from viewer.scene.description import Frame

ANGLES = np.linspace(-0.3, 0.3, 41)  # rad of the sphere's, around the highlight's middle


def places_around(frame: Frame, semi_axes: np.ndarray) -> np.ndarray:
    """Points (41, 41, 3) of an ellipsoid, m in the world, around the one that mirrors the key light to the camera."""
    scene = frame.main.scene
    between = scene.key_light - scene.camera_forward  # law of reflection: the normal halves the angle
    along = (between / np.linalg.norm(between)) @ scene.world_from_body * semi_axes
    unit = along / np.linalg.norm(along)  # of a point of the unit sphere: the normal there is unit / semi-axes
    first = np.cross(unit, [0.0, 0.0, 1.0])
    first /= np.linalg.norm(first)
    across, up = np.meshgrid(np.tan(ANGLES), np.tan(ANGLES))
    units = unit + across[..., None] * first + up[..., None] * np.cross(unit, first)
    units /= np.linalg.norm(units, axis=-1, keepdims=True)
    return np.asarray((units * semi_axes) @ scene.world_from_body.T)


def test_the_softbox_is_mirrored_by_the_law_of_reflection_at_one_place_for_both_eyes(
    renderer, frame_of, monkeypatch
) -> None:
    monkeypatch.setattr(surfaces, "SECTION_ALPHA", (0.0, 0.0))  # far lines are seen elsewhere through the near glass
    view = {"view__frame": "floor", **only("ellipsoid")}
    frames = [frame_of("paper-fig1", 0.5, SIZE, stereo__mode=mode, **view) for mode in ("left", "right")]
    places = places_around(frames[0], frames[0].main.scene.shell.semi_axes)
    left, right = (colors_at(renderer, frame, places).mean(axis=-1) for frame in frames)
    assert np.ptp(left) > 30.0
    assert np.abs(left - right).max() < 4.0  # of 255; measured 2.3; 42.8 where each eye has a reflection of its own
    bright = np.argwhere(left > left.max() - 5.0)
    off = (bright.mean(axis=0) - (len(ANGLES) - 1) / 2) * (ANGLES[1] - ANGLES[0])
    assert np.abs(off).max() < 0.01  # rad; measured .0007


@pytest.mark.parametrize("theme", list(THEMES))
def test_the_softbox_is_faint_and_has_no_edge(renderer, frame_of, monkeypatch, theme: str) -> None:
    frame = frame_of("paper-fig1", 0.5, SIZE, view__frame="floor", view__theme=theme, **only("ellipsoid"))
    places = places_around(frame, frame.main.scene.shell.semi_axes)
    lit = colors_at(renderer, frame, places).mean(axis=-1)
    monkeypatch.setattr(surfaces, "GLOSS", 0.0)
    bare = colors_at(renderer, frame, places).mean(axis=-1)
    opacity = np.maximum(lit - bare - 1.0, 0.0) / (255.0 - bare)  # the colours are rounded
    assert 0.1 < opacity.max() < 0.22  # measured .18 to .20; it was .45
    steepest = max(np.abs(np.diff(opacity, axis=axis)).max() for axis in (0, 1))
    assert steepest < 0.1  # from one place to the next; measured .04, rounded on white .084; it was .21
