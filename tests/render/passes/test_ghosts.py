"""Ghosts of a race leave the body as it looks without them, but for their outlines."""

import numpy as np
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
