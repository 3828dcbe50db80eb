"""The nearest and the farthest point that is seen, against a solver for convex problems and against dense samples."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from viewer.scene.camera.camera import Camera, look
from viewer.scene.camera.sight import Extent, Oval

ASPECT = 1.6
NO_LINES = np.zeros((0, 2, 3))


def camera_at(polar_angle: float, distance: float, field_of_view: float, pan: tuple[float, float]) -> Camera:
    return look(np.eye(3), np.zeros(3), polar_angle, 0.7, distance, field_of_view, pan)


def inside(camera: Camera, points: np.ndarray) -> np.ndarray:
    """How far inside of the picture's sides: (..., 4)."""
    x, y, depth = ((points - camera.position) @ v for v in (camera.right, camera.up, -camera.backward))
    up, (right, above) = depth * math.tan(0.5 * camera.field_of_view), camera.shift
    x, y = x + 2.0 * right * up, y + 2.0 * above * up
    return np.stack([ASPECT * up - x, ASPECT * up + x, up - y, up + y], axis=-1)


def solved(oval: Oval, camera: Camera, sign: float) -> float | None:
    """The depth of the nearest (sign 1) or farthest (-1) point, by a solver."""
    forward = -camera.backward
    place = lambda u: oval.centre + oval.spread @ u  # noqa: E731
    found = []
    rng = np.random.default_rng(3)
    for start in (np.zeros(oval.spread.shape[1]), *rng.uniform(-0.6, 0.6, size=(4, oval.spread.shape[1]))):
        result = minimize(
            lambda u: sign * forward @ (place(u) - camera.position),
            start,
            jac=lambda u: sign * forward @ oval.spread,
            constraints=[
                {"type": "ineq", "fun": lambda u: 1.0 - u @ u, "jac": lambda u: -2.0 * u},
                {"type": "ineq", "fun": lambda u: inside(camera, place(u))},
            ],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 300},
        )
        if result.x @ result.x <= 1.0 + 1e-7 and np.all(inside(camera, place(result.x)) >= -1e-7):
            found.append(sign * float(result.fun))
    return None if not found else sign * min(sign * value for value in found)


def random_oval(rng: np.random.Generator, dimensions: int) -> Oval:
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    extents = np.exp(rng.uniform(-1.5, 0.7, size=dimensions))
    if dimensions == 2:
        extents[:] = extents[0]
    return Oval(rng.normal(scale=0.6, size=3), turn[:, :dimensions] * extents)


@pytest.mark.sweep
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("distance", [0.3, 1.0, 3.0, 12.0])
def test_an_oval_seen_within_the_sides_of_a_picture(dimensions: int, distance: float) -> None:
    rng = np.random.default_rng(int(10 * distance) + dimensions)
    seen = 0
    for _ in range(12):
        oval = random_oval(rng, dimensions)
        pan = tuple(rng.uniform(-0.5, 0.5, size=2))
        camera = camera_at(rng.uniform(0.2, 2.8), distance, rng.uniform(0.15, 1.0), pan)
        spans = Extent(((oval,),), NO_LINES).seen(camera, ASPECT)
        nearest, farthest = solved(oval, camera, 1.0), solved(oval, camera, -1.0)
        if nearest is None or farthest is None:
            assert not spans or spans[0][1] < 1e-6
            continue
        seen += 1
        assert spans[0][:2] == pytest.approx((max(nearest, 0.0), farthest), abs=2e-6 * distance)
    assert seen > 2


@pytest.mark.sweep
@pytest.mark.parametrize("dimensions", [2, 3])
def test_no_point_at_which_a_side_cuts_an_oval_is_nearer_than_reported(dimensions: int) -> None:
    rng, gaps = np.random.default_rng(dimensions), []
    for _ in range(60):
        oval = random_oval(rng, dimensions)
        camera = camera_at(rng.uniform(0.2, 2.8), 5.0, rng.uniform(0.1, 0.3), tuple(rng.uniform(-0.5, 0.5, size=2)))
        cut = min((span[2] for span in Extent(((oval,),), NO_LINES).seen(camera, ASPECT)), default=math.inf)
        on_sides = np.concatenate([met_by_a_side(oval, camera, side) for side in (-1.0, 1.0)])
        if len(on_sides):
            gaps.append(on_sides.min() - cut)
    assert len(gaps) > 15
    assert min(gaps) > -1e-9  # measured -2e-14
    assert np.quantile(gaps, 0.5) < 1e-9  # measured 4e-15: most are cut nowhere nearer by


def test_what_comes_near_a_side_is_reported_as_cut_without_a_jump() -> None:
    for sizes in ((1.0, 1.0, 1.0), (1.5, 1.5, 0.2), (0.3, 1.2, 0.8), (1.0, 1.0)):
        turn, _ = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))
        extent, before = Extent(((Oval(np.zeros(3), turn[:, : len(sizes)] * sizes),),), NO_LINES), None
        for field_of_view in np.geomspace(0.6, 0.05, 2000):
            cut = extent.seen(camera_at(1.1, 8.0, field_of_view, (0.0, 0.0)), ASPECT)[0][2]
            assert before is None or abs(cut - before) < 0.004  # measured 0.0028, of a depth of 8
            before = cut


def met_by_a_side(oval: Oval, camera: Camera, side: float) -> np.ndarray:
    """Depths at which lines of sight along the left (-1) or right (1) side meet an oval."""
    up = math.tan(0.5 * camera.field_of_view)
    x, y = up * (side * ASPECT - 2.0 * camera.shift[0]), up * (np.linspace(-1.0, 1.0, 2001) - 2.0 * camera.shift[1])
    rays = x * camera.right + y[:, None] * camera.up - camera.backward
    start = camera.position - oval.centre
    if oval.spread.shape[1] == 2:
        normal = np.cross(oval.spread[:, 0], oval.spread[:, 1])
        depth = -(start @ normal) / (rays @ normal)
        on_disc = (start + depth[:, None] * rays) @ oval.spread / (oval.spread**2).sum(axis=0)
        return depth[((on_disc**2).sum(axis=1) <= 1.0) & (depth > 0.0)]
    ray, eye = np.linalg.solve(oval.spread, rays.T).T, np.linalg.solve(oval.spread, start)
    a, b, c = (ray**2).sum(axis=1), ray @ eye, eye @ eye - 1.0
    hit = b**2 >= a * c
    return (-b[hit] - np.sqrt(b[hit] ** 2 - a[hit] * c)) / a[hit]


def test_a_disc_upright_to_the_line_of_sight_and_one_beyond_all_sides() -> None:
    camera = camera_at(0.0, 4.0, 0.4, (0.0, 0.0))
    for radius in (0.01, 0.5, 1.0, 50.0):
        level = Oval(np.array([0.0, 0.0, 0.3]), radius * np.eye(3)[:, :2])
        assert Extent(((level,),), NO_LINES).seen(camera, ASPECT)[0][:2] == pytest.approx((3.7, 3.7))


def test_lines_are_cut_off_at_the_sides() -> None:
    rng = np.random.default_rng(5)
    camera = camera_at(1.1, 2.0, 0.4, (0.1, 0.0))
    for _ in range(50):
        lines = rng.normal(scale=1.5, size=(3, 2, 3))
        shares = np.linspace(0.0, 1.0, 20001)[:, None, None]
        points = (lines[:, 0] + shares * (lines[:, 1] - lines[:, 0])).reshape(-1, 3)
        within = points[np.all(inside(camera, points) >= 0.0, axis=1)]
        spans = Extent((), lines).seen(camera, ASPECT)
        if len(within) == 0:
            assert not spans or spans[0][1] - spans[0][0] < 1e-3
            continue
        depth = -((within - camera.position) @ camera.backward)
        assert spans[0][:2] == pytest.approx((depth.min(), depth.max()), abs=5e-4)  # 20001 points a line
        assert spans[0][2] == math.inf


def test_what_lies_in_several_ovals_is_no_deeper_than_any_and_nothing_behind_the_eye_is_seen() -> None:
    camera = camera_at(1.0, 5.0, 0.4, (0.0, 0.0))
    one, other = (Oval(np.zeros(3), np.diag(semi)) for semi in ((2.0, 1.0, 0.5), (0.7, 0.9, 3.0)))
    (a,), (b,) = (Extent(((oval,),), NO_LINES).seen(camera, ASPECT) for oval in (one, other))
    common = (max(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]))
    assert Extent(((one, other),), NO_LINES).seen(camera, ASPECT) == [common]
    thin = Extent(((one,),), NO_LINES, ((one, other),)).seen(camera, ASPECT)
    assert thin == [a, (*common[:2], math.inf)]
    behind = Oval(camera.position + 3.0 * camera.backward, np.eye(3))
    lines = np.array([[behind.centre, behind.centre + camera.right]])
    assert Extent(((behind,), (one, behind)), lines).seen(camera, ASPECT) == []
    assert Extent(((Oval(camera.position, np.eye(3)),),), NO_LINES).seen(camera, ASPECT)[0][0] == 0.0
