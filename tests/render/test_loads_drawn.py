"""The arrows of forces and torques, to the pixel, in every stereo mode."""

import numpy as np
import pytest
from helpers.frames import picture_of
from helpers.pointing import box_radius, eye_pixel, force_tip

from viewer.physics.loads import Thruster
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.scenario import Scenario
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.session.session import Session

SIZE = (720, 480)
NOTHING_ELSE = {
    f"show.{name}": False
    for name in (
        "body", "angular_momentum", "angular_velocity", "ellipsoid", "plane", "polhode", "herpolhode", "space_axes",
        "body_axes", "labels",
    )
}  # fmt: skip
LOADS = {
    "loads.force": (4.0, -3.0, 11.0), "loads.arm": (0.5, 0.2, 0.1), "loads.torque": (0.0, 2.0, -1.0),
    "loads.external_friction": 1.5,
}  # fmt: skip
FRACTIONS = np.array([0.25, 0.4, 0.55])  # of the shafts that are looked at: clear of the heads


def opened(**changes: object) -> Session:
    values = NOTHING_ELSE | LOADS | {"stereo.comfort": False, "stereo.convergence": 0.9, "stereo.separation": 4.0}
    session = Session(Scenario.preset("box-80kg").with_values(values | changes), playing=False)
    session.run_to(0.7)
    return session


def arrows(session: Session) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Where each begins and ends, m, by the rule in the manual."""
    scenario, reading = session.scenario, session.snapshot().reading
    rotation, loads, mass = reading.rotation_world_from_body, scenario.loads, scenario.body.mass
    radius = box_radius(scenario)
    point, force = rotation @ np.array(loads.arm), np.array(loads.force)
    torque = np.cross(point, force) + loads.torque
    friction = -loads.external_friction * reading.omega_world

    def arrow(moment: np.ndarray) -> np.ndarray:
        size = np.linalg.norm(moment)
        return moment / size * 1.4 * radius * min(1.0, np.cbrt(size / (mass * radius**2)))

    return {
        "force": (point, force_tip(scenario, rotation, radius)),
        "torque": (np.zeros(3), arrow(torque)),
        "friction": (np.zeros(3), arrow(friction)),
    }


def drawn(renderer, session: Session) -> tuple[np.ndarray, object]:
    frame = picture_of(session, SIZE)
    renderer.draw(frame)
    return renderer.read().astype(int), frame.main


def eyes_of(mode) -> list[tuple[int, tuple[int, int, int, int]]]:
    """Each eye with its part of the picture: left, top, width, height."""
    across, down = mode.halves
    width, height = SIZE[0] // across, SIZE[1] // down
    eyes = mode.eyes[:1] if mode.layout == "frame-sequential" else mode.eyes
    return [(eye, (n % across * width, n // across * height, width, height)) for n, eye in enumerate(eyes)]


@pytest.mark.sweep
@pytest.mark.parametrize("what", ["force", "torque", "friction"])
@pytest.mark.parametrize("name", [name for name, mode in STEREO_MODES.items() if not mode.reason or name == "wiggle"])
def test_its_colour_is_where_geometry_says(renderer, name: str, what: str) -> None:
    session, mode = opened(**{"stereo.mode": name, "stereo.anaglyph_method": "color"}), STEREO_MODES[name]
    picture, layer = drawn(renderer, session)
    theme = theme_of(session.scenario)
    ink = 255.0 * np.array(theme.force if what == "force" else theme.torque)
    start, end = arrows(session)[what]
    looked = 0
    for eye, (left, top, width, height) in eyes_of(mode):
        part = (0, 0, *SIZE) if mode.halves == (1, 1) else (left, top, width, height)
        stretch = np.array(mode.halves) if mode.squeezed else np.ones(2)
        for fraction in FRACTIONS:
            seen = eye_pixel(layer, start + fraction * (end - start), tuple(np.array(part[2:]) * stretch), eye)
            x, y = (seen / stretch + part[:2]).astype(int)
            channels = slice(None)
            if mode.layout == "anaglyph":
                channels = slice(0, 1) if eye < 0 else slice(1, 3)
            around = [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
            if mode.layout == "interlaced":
                pattern = mode.interlacing
                around = [(u, v) for u, v in around if pattern[v % len(pattern)][u % len(pattern[0])] == eye]
            off = min(np.abs(picture[v, u, channels] - ink[channels]).max() for u, v in around)
            # an arrow is darker on the side away from the light, by .22 at most; a thin one does not fill its pixels.
            # The ground is 190 off. Measured: 41, 107 thin
            assert off < (120 if what == "friction" else 50), (eye, fraction, off)
            looked += 1
    assert looked == len(FRACTIONS) * len(eyes_of(mode))


@pytest.mark.parametrize("construction", ["poinsot", "momentum"])
@pytest.mark.parametrize("theme", list(THEMES))
def test_it_is_drawn_in_both_constructions_and_every_theme_and_hidden_by_its_switch(
    renderer, theme: str, construction: str
) -> None:
    more = {"view.theme": theme, "view.construction": construction}
    session = opened(**more)
    picture, layer = drawn(renderer, session)
    without, _ = drawn(renderer, opened(**more, **{"show.loads": False}))
    none = dict.fromkeys(LOADS, (0.0,) * 3) | {"loads.external_friction": 0.0}
    bare, _ = drawn(renderer, opened(**more, **none))
    if construction == "poinsot":
        np.testing.assert_array_equal(without, bare)
    start, end = arrows(session)["force"]
    if construction == "momentum":  # where the body would reach .6 of the way to the sphere
        sphere = picture_of(opened(**more, **{"show.plane": True}), SIZE).main.scene.constraints.radius
        smaller = 0.6 * sphere / box_radius(session.scenario)
        start, end = smaller * start, smaller * end
    for fraction in FRACTIONS:
        x, y = eye_pixel(layer, start + fraction * (end - start), SIZE).astype(int)
        assert np.abs(picture[y, x] - without[y, x]).max() > 60


def test_the_body_hides_what_lies_behind_it(renderer) -> None:
    """An arrow from the far corner: seen dashed through the body, and whole without it."""
    far = {"loads.arm": (0.3, 0.1, 0.0), "loads.force": (0.0, 0.0, 2.0), "loads.torque": (0.0, 0.0, 0.0),
           "loads.external_friction": 0.0}  # fmt: skip
    session = opened(**far, **{"show.body": True})
    whole, layer = drawn(renderer, opened(**far))
    hidden, _ = drawn(renderer, session)
    start, end = np.zeros(3), session.snapshot().reading.rotation_world_from_body @ np.array(far["loads.arm"])
    ink = 255.0 * np.array(layer.scene.theme.force)
    line = [eye_pixel(layer, start + f * (end - start), SIZE).astype(int) for f in np.linspace(0.1, 0.9, 40)]

    def red(picture: np.ndarray) -> float:
        return float(np.mean([np.abs(picture[y, x] - ink).max() < 90 for x, y in line]))

    assert red(whole) > 0.8
    assert red(hidden) < 0.8 * red(whole)


def test_a_torque_that_ends_in_the_body_has_both_heads_there(renderer) -> None:
    """Beside its shaft, where the heads are broader and the dashes are not."""
    small = {"loads.force": (0.0, 0.0, 0.0), "loads.torque": (0.0, 0.3, 0.0), "loads.external_friction": 0.0}
    picture, layer = drawn(renderer, opened(**small, **{"show.body": True}))
    without, _ = drawn(renderer, opened(**small, **{"show.body": True, "show.loads": False}))
    start, end = (eye_pixel(layer, at, SIZE) for at in (layer.scene.arrows[-1].start, layer.scene.arrows[-1].end))
    length = float(np.hypot(*(end - start)))
    ahead = (end - start) / length
    across = np.array([-ahead[1], ahead[0]])
    changed = np.abs(picture - without).max(axis=2) > 20

    def wide(behind: float) -> int:
        """How many pixels change there across the arrow, so far behind its tip, px."""
        at = end - behind * ahead
        return sum(bool(changed[tuple((at + offset * across).astype(int)[::-1])]) for offset in range(-9, 10))

    head = layer.scene.arrows[-1].head * layer.pixel_scale
    assert length > 3.0 * head
    assert wide(0.7 * head) > wide(2.4 * head) + 2
    assert wide(1.6 * head) > wide(2.4 * head) + 2


def test_a_thruster_is_drawn_while_it_is_on(renderer) -> None:
    thruster = Thruster(point=(0.5, 0.0, 0.1), force=(0.0, 0.0, 15.0), times=(0.5, 1.0))
    none = {"loads.force": (0.0,) * 3, "loads.arm": (0.0,) * 3, "loads.torque": (0.0,) * 3}
    session = opened(**none, **{"loads.external_friction": 0.0, "loads.thrusters": (thruster,)})
    names = [arrow.name for arrow in picture_of(session, SIZE).main.scene.arrows]
    assert names == ["r′₁", "F₁", "", "M"]
    session.run_to(1.2)
    assert picture_of(session, SIZE).main.scene.arrows == ()


def test_the_path_of_a_pushed_body_is_its_parabola(renderer) -> None:
    """Force through the centre: x = F t^2 / 2m from where it began, in a picture whose camera stays."""
    push = {"loads.force": (0.0, 0.0, 60.0), "loads.arm": (0.0,) * 3, "loads.torque": (0.0,) * 3,
            "loads.external_friction": 0.0, "view.follow": False, "view.zoom": 0.6, "show.loads": False}  # fmt: skip
    session = opened(**push)
    session.run_to(1.4)
    picture, layer = drawn(renderer, session)
    without, _ = drawn(renderer, session_without_path(push))
    now = 60.0 * 1.4**2 / (2.0 * 80.0)
    changed = np.any(np.abs(picture - without) > 12, axis=2)
    for time in (0.5, 0.9, 1.2):
        x, y = eye_pixel(layer, (0.0, 0.0, 60.0 * time**2 / 160.0 - now), SIZE).astype(int)
        assert changed[y - 1 : y + 2, x - 1 : x + 2].any(), time
    begin = eye_pixel(layer, (0.0, 0.0, -now), SIZE)
    rows, _ = np.nonzero(changed)
    end = eye_pixel(layer, np.zeros(3), SIZE)
    for found, wanted in ((rows.min(), min(begin[1], end[1])), (rows.max(), max(begin[1], end[1]))):
        assert abs(found - wanted) < 4.0


def session_without_path(push: dict[str, object]) -> Session:
    session = opened(**push, **{"show.centre_path": False})
    session.run_to(1.4)
    return session


def test_a_large_torque_has_an_arrow_that_stays_in_the_picture() -> None:
    loads = {"loads.force": (0.0,) * 3, "loads.arm": (0.0,) * 3, "loads.external_friction": 0.0}
    for size in (60.0, 100.0):
        session = opened(**loads, **{"loads.torque": (0.0, size, 0.0)})
        scene = picture_of(session, SIZE).main.scene
        end = next(arrow.end for arrow in scene.arrows if arrow.name == "M")
        np.testing.assert_allclose(end, (0.0, 1.4 * box_radius(session.scenario), 0.0), rtol=1e-12)
