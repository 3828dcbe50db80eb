"""The ellipsoid's two surfaces, drawn at once or one after the other."""

from dataclasses import replace

import numpy as np
import pytest

from viewer.render.passes.surfaces import ShellPass
from viewer.scene.description import Ghost

UNSEEN = Ghost(np.eye(3), (0.0, 0.0, 0.0), outline=0.0, faces=0.0)


@pytest.mark.parametrize("preset", ["paper-fig1", "disc", "sphere", "box-80kg"])
@pytest.mark.parametrize(("theme", "polar_angle"), [("dark", 62.0), ("light", 110.0)])
def test_both_surfaces_at_once_look_as_one_after_the_other(
    renderer, frame_of, monkeypatch, preset: str, theme: str, polar_angle: float
) -> None:
    calls = []
    monkeypatch.setattr(ShellPass, "draw_both", lambda *given, do=ShellPass.draw_both: (calls.append(1), do(*given)))
    frame = frame_of(preset, 2.0, (480, 320), view__theme=theme, view__polar_angle_deg=polar_angle)
    pictures = []
    for ghosts in ((), (UNSEEN,)):  # what may stand between the surfaces parts them
        (layer,) = frame.layers
        renderer.draw(replace(frame, layers=(replace(layer, scene=replace(layer.scene, ghosts=ghosts)),)))
        pictures.append(renderer.read().astype(int))
    assert len(calls) == 1
    difference = np.abs(pictures[0] - pictures[1])
    assert difference.mean() < 0.15  # measured .02 to .12: another dither
    assert difference.max() <= 4  # measured 4
