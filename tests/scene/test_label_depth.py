"""Names stand at the depth at which they are drawn: before the opaque body, and titles in the plane of the screen."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.letters import half_size
from viewer.scene.description import Frame, Solid
from viewer.scene.stereo.views import EyeView
from viewer.session.session import Session

SIZE = (900, 600)


def entered(solid: Solid, world_from_body: np.ndarray, eye: np.ndarray, ray: np.ndarray) -> float:
    """The parameter at which a ray enters the solid; infinite where it passes."""
    o, d = ((world_from_body.T @ v) / solid.half_extents for v in (eye, ray))
    spans = []
    if solid.kind in ("box", "cylinder"):
        for i in range(3) if solid.kind == "box" else (2,):
            spans.append(sorted(((-1.0 - o[i]) / d[i], (1.0 - o[i]) / d[i])))
    if solid.kind != "box":
        n = 3 if solid.kind == "ellipsoid" else 2
        a, b, c = d[:n] @ d[:n], o[:n] @ d[:n], o[:n] @ o[:n] - 1.0
        if b * b < a * c:
            return np.inf
        root = np.sqrt(b * b - a * c)
        spans.append([(-b - root) / a, (-b + root) / a])
    near, far = max(span[0] for span in spans), min(span[1] for span in spans)
    return near if near < far else np.inf


def frames(preset: str, **changes: object) -> list[Frame]:
    scenario = Scenario.preset(preset)
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session = Session(scenario, playing=False)
    found = []
    for time in (0.0, 0.4, 0.9, 1.7, 2.6, 4.1):
        session.run_to(time)
        found.append(picture_of(session, SIZE))
    return found


@pytest.mark.parametrize("frame", ["ceiling", "floor"])
@pytest.mark.parametrize("preset", ["paper-fig1", "box-80kg", "disc", "rod", "dzhanibekov"])
def test_no_name_stands_inside_or_behind_the_body_that_it_is_drawn_over(preset: str, frame: str) -> None:
    seen = 0
    for picture in frames(preset, view__frame=frame):
        camera, scene = picture.main.camera, picture.main.scene
        assert scene.solid is not None
        per_unit = 2.0 * np.tan(0.5 * camera.field_of_view) / SIZE[1]
        for label in scene.labels:
            if not label.centred or label.alpha < (0.05 if label.style == "symbol" else 0.2):  # numbers fade
                continue
            depth = (camera.position - label.anchor) @ camera.backward
            for corner in ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)):
                x, y = per_unit * depth * (np.array(label.offset) + corner * np.array(half_size(label)))
                ray = label.anchor + x * camera.right + y * camera.up - camera.position
                hit = entered(scene.solid, scene.world_from_body, camera.position, ray)
                seen += np.isfinite(hit)
                assert hit > 1.0 - 1e-9, (label.text, hit)
    assert seen > 0


def parallax(views: tuple[EyeView, ...], point: np.ndarray) -> float:
    """In widths of the picture."""
    left, right = (view.clip_from_world @ (*point, 1.0) for view in views)
    return float(0.5 * (right[0] / right[3] - left[0] / left[3]))


@pytest.mark.parametrize(
    "changes",
    [
        {"race__show": "grid"},
        {"race__show": "grid", "view__zoom": 2.5},
        {"race__show": "ghosts"},
        {"view__construction": "momentum", "show__inset": True},
        {"view__trail_color": "speed", "view__zoom": 0.4},
    ],
)
def test_titles_and_legends_stand_in_the_plane_of_the_screen(changes: dict[str, object]) -> None:
    for frame in frames("race-of-five", stereo__mode="anaglyph", **changes)[:2]:
        lines = [(layer, label) for layer in frame.layers for label in layer.scene.labels if not label.centred]
        ends = [(layer, stroke.end) for layer in frame.layers for stroke in layer.scene.overlay_strokes[3:]]
        assert lines or ends
        for layer, point in [(layer, label.anchor) for layer, label in lines] + ends:
            assert abs(parallax(layer.views, point)) < 1e-9
