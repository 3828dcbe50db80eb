"""Several bodies in the picture: cell k shows body k, in every stereo mode, each name below its own."""

import itertools
from functools import cache

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import rotation_matrix
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.labels import axis_colors
from viewer.scene.constructions.cells import cell_at
from viewer.scene.stereo.views import shown_size
from viewer.session.session import Session

SIZE = (1280, 720)
TIME = 4.3
SCENE = Scenario.preset("twenty-boxes")


def session_of(time: float = TIME, **changes: object) -> Session:
    values = {name.replace("__", "."): value for name, value in changes.items()}
    session = Session(SCENE.with_values(values), playing=False)
    session.run_to(time)
    return session


@cache
def rotations(time: float = TIME) -> list[np.ndarray]:
    """By the closed form, one by one."""
    alone = [SCENE.of_body(number) for number in range(len(SCENE.bodies))]
    motions = [FreeRotation(scene.rigid_body(), scene.start_state()) for scene in alone]
    return [rotation_matrix(motion.at(time).orientation_wxyz) for motion in motions]


def test_each_cell_shows_its_own_body_by_the_pixels_of_its_faces(gl, renderer):
    """The disc in the middle of a face has the colour of its axis, where the closed form puts that face."""
    assert sum(faces_looked_at(renderer, time) for time in (1.7, 4.3, 6.1)) > 30  # measured: 38


def faces_looked_at(renderer, time: float) -> int:
    frame = picture_of(session_of(time), SIZE)
    renderer.draw(frame)
    pixels, looked = renderer.read().astype(float), 0
    for number, (layer, rotation) in enumerate(zip(frame.insets, rotations(time), strict=True)):
        view, body = layer.views[0], SCENE.bodies[number].body
        extents = 0.5 * np.array([body.width, body.depth, body.height])
        moments = SCENE.of_body(number).rigid_body().principal_moments
        colors = np.array(axis_colors(layer.scene.theme, moments))
        for axis, sign in itertools.product(np.flatnonzero(np.ptp(colors, axis=1) > 0.1), (1.0, -1.0)):  # one is white
            normal = sign * rotation[:, axis]
            centre = extents[axis] * normal
            to_eye = view.position - centre
            if normal @ to_eye < 0.45 * np.linalg.norm(to_eye) or abs(normal @ layer.camera.up) > 0.5:
                continue  # turned away, or where the arrows are
            across, up, _, depth = view.clip_from_world @ (*centre, 1.0)
            x, y, width, height = view.rectangle
            at = x + width * (0.5 + 0.5 * across / depth), y + height * (0.5 + 0.5 * up / depth)
            found = pixels[SIZE[1] - 1 - int(at[1]), int(at[0])]
            tints = colors - colors.mean(axis=1, keepdims=True)
            likeness = tints @ (found - found.mean()) / np.linalg.norm(tints, axis=1).clip(1e-3)
            assert int(np.argmax(likeness)) == axis, (number, axis, found)
            looked += 1
    return looked


def test_the_cells_tile_the_picture_and_are_found_by_their_points():
    frame = picture_of(session_of(), SIZE)
    assert len(frame.insets) == len(SCENE.bodies)
    for number, layer in enumerate(frame.insets):
        left, low, width, height = layer.box
        assert cell_at(frame.insets, left + 0.5 * width, low + 0.5 * height) == number
        name = layer.scene.labels[-1]
        assert name.text == SCENE.bodies[number].name
        across, up, _, depth = layer.views[0].clip_from_world @ (*name.anchor, 1.0)
        assert low < 0.5 + 0.5 * up / depth < low + 0.2 * height
        assert 0.5 + 0.5 * across / depth == pytest.approx(left + 0.5 * width, abs=2e-3)
    assert cell_at(frame.insets, 0.5, 1.5) is None
    assert sum(np.prod(layer.box[2:]) for layer in frame.insets) > 0.9  # measured .908: one of 21 is empty


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize(
    ("mode", "bodies"),
    [(mode, "plain") for mode in STEREO_MODES]
    + [(mode, "constructions") for mode in ("mono", "side-by-side", "anaglyph")],
)
def test_every_stereo_mode_shows_every_cell(gl, renderer, mode: str, bodies: str):
    size = (640, 400)
    frame = picture_of(session_of(stereo__mode=mode, view__bodies=bodies), size)
    renderer.draw(frame)
    pixels = renderer.read().astype(int)
    for layer in frame.insets:
        for view in layer.views:
            x, y, width, height = view.window
            cell = pixels[size[1] - y - height : size[1] - y, x : x + width]
            if frame.mode.layout in ("columns", "rows", "anaglyph", "mono"):
                assert cell.max() > 120, (mode, layer.scene.labels[-1].text)
    assert shown_size(frame.mode, size)[0] > 0
    for layer, rotation in zip(frame.insets, rotations(), strict=True):
        np.testing.assert_allclose(layer.scene.world_from_body, rotation, atol=1e-12)


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("frame", ["ceiling", "floor", "space", "body"])
def test_bodies_stay_inside_their_cells(frame: str):
    """By the corners of the boxes and the tips of the arrows, at any time."""
    for time in (0.0, 2.1, 4.3):
        picture = picture_of(session_of(time, view__frame=frame), SIZE)
        for layer, member in zip(picture.insets, SCENE.bodies, strict=True):
            body, view = member.body, layer.views[0]
            signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T
            corners = 0.5 * signs * (body.width, body.depth, body.height) @ layer.scene.world_from_body.T
            points = np.concatenate([corners, [arrow.end for arrow in layer.scene.arrows]])
            clip = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ view.clip_from_world.T
            left, low, width, height = layer.box
            x, y = 0.5 + 0.5 * clip[:, 0] / clip[:, 3], 0.5 + 0.5 * clip[:, 1] / clip[:, 3]
            assert x.min() > left
            assert x.max() < left + width
            assert y.min() > low + 0.05 * height  # above the name
            assert y.max() < low + height


def test_only_the_body_or_its_construction():
    plain = picture_of(session_of(), SIZE).insets[3].scene
    assert plain.shell is plain.plane is plain.trail is plain.contact is None
    assert [arrow.name for arrow in plain.arrows] == ["L", "ω"]
    whole = picture_of(session_of(view__bodies="constructions"), SIZE).insets[3].scene
    assert all(part is not None for part in (whole.shell, whole.plane, whole.trail, whole.contact))
    momentum = picture_of(session_of(view__construction="momentum"), SIZE).insets[3].scene
    assert momentum.constraints is not None
    few = Session(SCENE.with_value("bodies", SCENE.bodies[:4]), playing=False)
    assert all(layer.scene.shell is not None for layer in picture_of(few, SIZE).insets)


@pytest.mark.parametrize("construction", ["poinsot", "momentum"])
def test_cells_say_how_they_are_stabilised_and_how_much_the_correction_is_magnified(construction: str):
    """Without: nothing in them said so, and the arrow's factor was not to be read."""
    session = session_of(0.1, view__construction=construction, view__bodies="constructions")
    values = {"solver.integrator": "explicit-euler", "solver.stabilisation": "closest-point"}
    session.change({**values, "start.angular_velocity": (1.0, 5.0, 1.0)})
    session.run_to(1.0)
    for cell in picture_of(session, SIZE).insets:
        texts = [label.text for label in cell.scene.labels]
        assert any(text.startswith("stabilised: ") for text in texts)
        assert any(text.startswith("correction ") for text in texts)
    session.change({"solver.stabilisation": "off"})
    cell = picture_of(session, SIZE).insets[0]
    assert not any("stabilised" in label.text for label in cell.scene.labels)
