"""A recording's omega as points on its inertia ellipsoid, coloured by what the exact motion leaves of them."""

from pathlib import Path

import numpy as np
import pytest
from helpers.frames import picture_of
from helpers.tosses import euler

from viewer.replay.findings import Replay
from viewer.replay.scene import replayed, scene_of
from viewer.scenario.choices.stereo_modes import GLASSES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scene.annotations.ticks import BINS, bin_colors
from viewer.scene.constructions.race import color_of
from viewer.scene.description import SceneDescription
from viewer.scene.presentation import Presentation
from viewer.scene.stereo.anaglyph_theme import LIMIT, rivalry
from viewer.session.session import Session

SIZE = 900, 700
MOMENTS = np.array((0.8, 0.3, 1.0))
START = np.array((6.0, 1.0, 0.5))
OFF = slice(60, 80)  # rows with an error
ERROR = 0.09  # of the largest omega


def read(folder: Path, rows: int = 301) -> tuple[Replay, np.ndarray]:
    """A recording by DOP853, and its omega; in the rows OFF it is wrong by ERROR."""
    time = np.linspace(0.0, 3.0, rows)
    omega = euler(MOMENTS, START, time)
    omega[OFF] += ERROR * np.linalg.norm(omega, axis=1).max() / np.sqrt(3.0)
    path = folder / "toss.csv"
    lines = ["# moments: 0.8, 0.3, 1.0", "t,wx,wy,wz"]
    lines += [",".join(repr(float(value)) for value in row) for row in np.column_stack((time, omega))]
    path.write_text("\n".join(lines))
    return replayed(path), omega


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[Replay, np.ndarray]:
    return read(tmp_path_factory.mktemp("recording"))


@pytest.fixture
def omega(recording: tuple[Replay, np.ndarray]) -> np.ndarray:
    return recording[1]


@pytest.fixture
def session(recording: tuple[Replay, np.ndarray]) -> Session:
    return session_of(recording[0])


def session_of(found: Replay) -> Session:
    return Session(scene_of(found), playing=False, recording=found)


def scene_now(session: Session) -> SceneDescription:
    return picture_of(session, SIZE).main.scene


def in_body(scene: SceneDescription) -> np.ndarray:
    """The points as angular velocities [rad/s], by the ellipsoid's semi-axes sqrt(2E / I)."""
    assert scene.measured is not None
    assert scene.shell is not None
    scale = scene.shell.semi_axes * np.sqrt(MOMENTS / (MOMENTS @ START**2))
    np.testing.assert_allclose(scale, scale[0], rtol=1e-6)
    return 0.5 * (scene.measured.starts + scene.measured.ends) @ scene.world_from_body / scale[0]


def test_the_points_are_what_was_recorded_in_the_body(session: Session, omega: np.ndarray) -> None:
    scene = scene_now(session)
    points = in_body(scene)
    assert len(points) == len(omega)
    found = points[np.lexsort(points.T)]
    np.testing.assert_allclose(found, omega[np.lexsort(omega.T)], atol=1e-6)
    right = np.delete(omega, OFF, axis=0)  # on the ellipsoid and on the sphere of L: on the polhode
    np.testing.assert_allclose(right**2 @ MOMENTS, START**2 @ MOMENTS, rtol=1e-9)


def test_in_momentum_space_they_are_the_recorded_momenta_and_keep_their_colours(
    session: Session, omega: np.ndarray
) -> None:
    beside = scene_now(session).measured
    session.change({"view.construction": "momentum"})
    scene = scene_now(session)
    assert scene.measured is not None
    assert scene.constraints is not None
    points = 0.5 * (scene.measured.starts + scene.measured.ends) @ scene.world_from_body
    momenta = points * (np.linalg.norm(MOMENTS * START) / scene.constraints.radius)  # kg m2/s
    found, expected = momenta[np.lexsort(momenta.T)], omega * MOMENTS
    np.testing.assert_allclose(found, expected[np.lexsort(expected.T)], atol=1e-6)
    right = np.delete(expected, OFF, axis=0)  # on the sphere
    np.testing.assert_allclose(np.linalg.norm(right, axis=1), np.linalg.norm(MOMENTS * START), rtol=1e-9)
    np.testing.assert_array_equal(scene.measured.colors, beside.colors)
    assert "measured ω: residual" in [label.text for label in scene.labels]
    session.change({"show.measured": False})
    assert scene_now(session).measured is None


def test_the_colour_is_the_residual_and_the_present_one_is_larger_and_on_top(
    session: Session, omega: np.ndarray
) -> None:
    session.run_to(2.0)
    scene = scene_now(session)
    measured, points = scene.measured, in_body(scene)
    assert measured is not None
    assert measured.colors is not None
    rows = np.argmin(np.linalg.norm(points[:, None] - omega, axis=-1), axis=1)
    good, *_, bad = bin_colors(Presentation.of(session.scenario))
    wrong = (rows >= OFF.start) & (rows < OFF.stop)
    assert np.all(measured.colors[~wrong] == good)
    assert np.all(measured.colors[wrong] == bad)
    assert rows[-1] == 200  # at 2 s
    assert measured.widths[-1] > np.max(measured.widths[:-1])
    texts = [label.text for label in scene.labels]
    assert "measured ω: residual" in texts
    assert "10 %" in texts  # 0.09 of the largest omega, which changes little


def test_the_curves_of_the_recording_have_another_colour_than_the_ghost_of_the_exact_motion(session: Session) -> None:
    session.run_to(1.0)
    scene, (now,) = scene_now(session), session.snapshot().lanes
    (ghost,) = scene.ghosts
    curve = color_of(now.lane, now.number, [now.lane], session.scenario)
    assert curve != ghost.color
    titles = {label.text: label.color for label in scene.labels}
    assert titles["toss.csv"] == curve
    assert titles["Exact (closed form)"] == ghost.color
    session.change({"race.show": "grid"})
    assert color_of(now.lane, now.number, [now.lane], session.scenario) == ghost.color  # there no other has it


def test_they_belong_to_this_motion(session: Session) -> None:
    assert scene_now(session).measured is not None
    for values in ({"show.measured": False}, {"start.angular_velocity": (1.0, 2.0, 3.0)}, {"body.moments": (1, 2, 2)}):
        session.change(values)
        assert scene_now(session).measured is None
        session.undo()
        if "show.measured" in values:
            session.change({"show.measured": True})
        assert scene_now(session).measured is not None
    session.change({"solver.integrator": "rkmk4", "loads.torque": (0.0, 0.1, 0.0)})
    assert scene_now(session).measured is None
    session.open(Scenario.preset("paper-fig1"))
    assert scene_now(session).measured is None


def test_of_a_long_recording_some_hundreds_are_shown(tmp_path: Path) -> None:
    found, omega = read(tmp_path, 20_001)
    session = session_of(found)
    points = in_body(scene_now(session))
    assert len(points) == 400
    assert np.max(np.min(np.linalg.norm(points[:, None] - omega[::10], axis=-1), axis=1)) < 0.02


def light(color: np.ndarray) -> float:
    """WCAG's relative luminance of sRGB, 0..1."""
    return float(np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722))


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize("glasses", [None, *GLASSES])
def test_each_colour_stands_out_from_the_ground_and_is_seen_by_both_eyes(theme: str, glasses: str | None) -> None:
    scenario = Scenario().with_value("view.theme", theme)
    if glasses is not None:
        scenario = scenario.with_values({"stereo.mode": "anaglyph", "stereo.glasses": glasses})
    inks = np.array(bin_colors(Presentation.of(scenario)))
    assert inks.shape == (BINS, 3)
    if glasses is not None:
        stereo: Stereo = scenario.stereo
        assert np.abs(rivalry(inks, stereo.anaglyph_method, glasses)).max() <= LIMIT + 1e-9
        return
    ground = light(np.array(THEMES[theme].background_centre))
    lights = [light(ink) for ink in inks]
    assert min((max(own, ground) + 0.05) / (min(own, ground) + 0.05) for own in lights) >= 3.0
    away = [abs(own - ground) for own in lights]
    assert away == sorted(away)  # the worst ones stand out most
