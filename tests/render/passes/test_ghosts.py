"""Ghosts of a race leave the body as it looks without them, but for their outlines."""

import numpy as np
import pytest
from helpers.frames import with_scene
from test_surfaces import only

from viewer.common.color import oklab_from_srgb

SIZE = (800, 600)


def test_three_ghosts_do_not_veil_the_body(renderer, frame_of) -> None:
    frame = frame_of("race-hidden-phase", 3.0, SIZE, **only("body"))
    ghosts = frame.main.scene.ghosts
    plain = with_scene(frame, ghosts=())
    pictures = []
    for drawn in (plain, frame, with_scene(frame, solid=None, ghosts=())):
        renderer.draw(drawn)
        pictures.append(oklab_from_srgb(renderer.read() / 255.0))
    bare, seen, empty = pictures
    body = np.linalg.norm(bare - empty, axis=-1) > 0.05
    veiled = np.linalg.norm(seen - bare, axis=-1) > 0.01
    assert len(ghosts) == 3
    assert 0.005 < np.mean(veiled[body]) < 0.12  # measured .09; .63 where their faces are filled
    for ghost in ghosts:
        renderer.draw(with_scene(frame, ghosts=(ghost,)))
        own = np.linalg.norm(oklab_from_srgb(renderer.read() / 255.0) - bare, axis=-1) > 0.05
        assert np.count_nonzero(own) > 300  # px: its outline is seen


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_stroboscope_is_seen_from_the_back_row(renderer, frame_of, theme: str) -> None:
    """The outline of the youngest moment, over the ellipsoid."""
    show = only("body", "ellipsoid")
    frame = frame_of("dzhanibekov", 9.0, SIZE, view__stroboscope=6, view__theme=theme, **show)
    young = max(frame.main.scene.ghosts, key=lambda ghost: ghost.outline)
    pictures = []
    for ghosts in ((), (young,)):
        renderer.draw(with_scene(frame, ghosts=ghosts))
        pictures.append(oklab_from_srgb(renderer.read() / 255.0))
    apart = np.linalg.norm(pictures[1] - pictures[0], axis=-1)
    # px; measured 1293 (dark), 908 (light); with the edges within 2087 and 2563, of a hairline with those 211 and 190
    assert np.count_nonzero(apart > 0.2) > 800
