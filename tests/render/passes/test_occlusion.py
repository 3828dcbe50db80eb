"""The invariable plane keeps light from the side of the body that faces it: as much as a hemisphere of rays says."""

from dataclasses import replace

import numpy as np
from helpers.frames import with_scene
from test_metal import SIZE, colors_at
from test_surfaces import only

OPACITY, GRAY = 0.8, 0.1
STEPS = 400


def fraction_behind(normal: np.ndarray, away: np.ndarray) -> float:
    """Of all directions around a normal, weighted with their cosine, the fraction that meets the plane: by summing."""
    turn, square = np.meshgrid((np.arange(STEPS) + 0.5) * 2.0 * np.pi / STEPS, (np.arange(STEPS) + 0.5) / STEPS)
    across = np.linalg.svd(normal[None])[2][1:]
    sine = np.sqrt(square)  # equal steps of its square are of equal weight
    rays = (sine * np.cos(turn))[..., None] * across[0] + (sine * np.sin(turn))[..., None] * across[1]
    rays += np.sqrt(1.0 - square)[..., None] * normal
    return float(np.mean(rays @ away < 0.0))


def test_the_plane_keeps_off_what_an_integral_over_the_hemisphere_says(renderer, frame_of) -> None:
    frame = frame_of("paper-fig1", 0.5, SIZE, view__frame="floor", **only("body", "plane"))
    scene = frame.main.scene
    sheet = {"plane_alpha": OPACITY, "plane": (GRAY, GRAY, GRAY)}
    theme = replace(scene.theme, name="all around", ambient=0.88, rim_light=0.0, **sheet)  # no other light
    extents = scene.solid.half_extents
    units = np.random.default_rng(1).normal(size=(4000, 3))
    units /= np.linalg.norm(units, axis=1)[:, None]
    places, normals = (units * extents) @ scene.world_from_body.T, (units / extents) @ scene.world_from_body.T
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    halfway = scene.key_light - scene.camera_forward
    dull = normals @ halfway / np.linalg.norm(halfway) < 0.5  # beside the highlight
    away = -scene.plane.world_from_plane[:, 2]
    shown = np.flatnonzero(dull & (normals @ scene.camera_forward < -0.3))
    ten = shown[np.argsort(normals[shown] @ away)][np.linspace(0, len(shown) - 1, 10).astype(int)]
    frames = (with_scene(frame, theme=theme, plane=plane) for plane in (None, scene.plane))
    free, under = (colors_at(renderer, each, places[ten]).mean(axis=-1) for each in frames)
    wanted = np.array([OPACITY * (1.0 - GRAY) * fraction_behind(normal, away) for normal in normals[ten]])
    assert np.ptp(wanted) > 0.3
    np.testing.assert_allclose(1.0 - under / free, wanted, atol=0.004)  # measured .0013: colours have steps of 1 / 255
