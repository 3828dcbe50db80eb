"""A race in the scene: ghosts in their lanes' colours, a grid of cells that fill the picture."""

import dataclasses
import json

import numpy as np
import pytest
from helpers.frames import picture_of
from PIL import ImageFont

from viewer.common import resources
from viewer.common.language import choose
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scenario.sections.race import LANE_COLORS, MOST_LANES, Lane
from viewer.scene.annotations.letters import plain_letters
from viewer.scene.constructions.cells import Cell, _title, grid_boxes
from viewer.scene.constructions.race import TITLE_MARGIN, TITLE_SIZE, lane_color, shortened
from viewer.scene.words.formatting import GAP, format_errors
from viewer.session.session import Session

LANES = ["explicit-euler", "jolt", "first-order+closest-point"]


def frame(show: str, seconds: float = 3.0, size=(1280, 720), preset="dzhanibekov", **changes):
    scenario = Scenario.preset(preset).with_value("race.show", show).with_value("race.lanes", LANES)
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session = Session(scenario, playing=False)
    session.run_to(seconds)
    return session.snapshot(), picture_of(session, size)


def test_each_ghost_has_one_axis_in_the_colour_of_its_lane():
    snapshot, picture = frame("ghosts")
    longest = int(np.argmin(snapshot.body.principal_moments))
    for now in snapshot.lanes:
        name = f"ghost:{now.lane.label}"
        ends = [stroke for stroke in picture.main.scene.strokes if stroke.name == name]
        assert [stroke.color for stroke in ends] == 2 * [lane_color(now.number, "dark", Stereo())]
        for stroke, sign in zip(ends, (1.0, -1.0), strict=True):
            in_lane = now.rotation_world_from_body.T @ (stroke.end - stroke.start)
            np.testing.assert_allclose(in_lane / np.linalg.norm(in_lane), sign * np.eye(3)[longest], atol=1e-12)
    assert not any(stroke.name.startswith("ghost:") for stroke in frame("grid")[1].main.scene.strokes)


@pytest.mark.parametrize("size", [(1280, 720), (320, 240)])
@pytest.mark.parametrize("show", ["ghosts", "off"])
def test_momentum_space_says_that_it_does_not_show_the_ghosts(show, size):
    _, picture = frame(show, size=size, view__construction="momentum")
    words = [label.text for label in picture.main.scene.labels]
    assert ("ghosts of the race are not shown here" in words) == (show == "ghosts")


def test_ghosts_stand_as_their_lanes_do_and_wear_their_colours():
    snapshot, picture = frame("ghosts")
    assert len(picture.main.scene.ghosts) == 3
    for ghost, now in zip(picture.main.scene.ghosts, snapshot.lanes, strict=True):
        np.testing.assert_array_equal(ghost.world_from_body, now.rotation_world_from_body)
        assert ghost.color == lane_color(now.number, "dark", Stereo())
    texts = [label.text for label in picture.main.scene.labels]
    for now in snapshot.lanes:
        assert now.lane.label in texts
        assert format_errors(now) in texts
    assert len(picture.main.scene.arrows) == 2 + 3


def test_hidden_lanes_and_those_that_left_are_not_drawn():
    _, picture = frame("ghosts", race__hidden=["jolt"])
    assert [ghost.color for ghost in picture.main.scene.ghosts] == [
        lane_color(0, "dark", Stereo()),
        lane_color(2, "dark", Stereo()),
    ]
    snapshot, picture = frame("ghosts", seconds=40.0)
    assert [ghost.color for ghost in picture.main.scene.ghosts] == [
        lane_color(1, "dark", Stereo()),
        lane_color(2, "dark", Stereo()),
    ]
    assert "diverged at t = 34.14 s" in [label.text for label in picture.main.scene.labels]
    assert snapshot.lanes[0].stopped


def test_the_errors_in_a_narrow_cell_take_more_lines_and_keep_their_words():
    snapshot, picture = frame("grid", size=(80, 480))
    for cell, now in zip(picture.insets[1:], snapshot.lanes, strict=True):
        lines = [label for label in cell.scene.labels if not label.centred]
        notes = [line for line in lines if line.size == lines[-1].size]
        assert GAP.join(note.text for note in notes) == format_errors(now)
        assert len(notes) > 1
    width = picture.insets[0].views[0].window[2]
    assert max(len(note.text) * note.size for note in notes) * 0.5 * picture.insets[0].pixel_scale < width


def test_when_a_lane_diverged_is_whole_in_a_narrow_cell():
    snapshot, picture = frame("grid", seconds=40.0, size=(360, 150))
    assert snapshot.lanes[0].stopped
    cell = picture.insets[1]
    width = cell.views[0].window[2] / cell.pixel_scale
    _, *lines = [label for label in cell.scene.labels if not label.centred]
    assert " ".join(line.text for line in lines).endswith("diverged at t = 34.14 s")
    assert len(lines) > 1
    assert max(0.53 * len(line.text) * line.size for line in lines) <= width - 2.0 * TITLE_MARGIN


def test_a_grid_shows_the_motion_and_every_lane():
    snapshot, picture = frame("grid")
    assert picture.main.scene.solid is None
    assert len(picture.insets) == 4
    titles = [next(text.text for text in cell.scene.labels if text.style == "number") for cell in picture.insets]
    assert titles[1:] == [now.lane.label for now in snapshot.lanes]
    np.testing.assert_array_equal(picture.insets[0].scene.world_from_body, snapshot.reading.rotation_world_from_body)
    for cell, now in zip(picture.insets[1:], snapshot.lanes, strict=True):
        np.testing.assert_array_equal(cell.scene.world_from_body, now.rotation_world_from_body)
        assert cell.scene.solid is not None


@pytest.mark.parametrize("mode", ["mono", "anaglyph", "side-by-side", "top-bottom-half", "checkerboard"])
def test_every_eye_has_every_cell(mode):
    _, picture = frame("grid", stereo__mode=mode)
    for cell in picture.insets:
        assert len(cell.views) == len(picture.main.views)
        assert all(view.window is not None for view in cell.views)


@pytest.mark.parametrize("count", range(1, MOST_LANES + 2))
@pytest.mark.parametrize("shown", [(1280.0, 720.0), (640.0, 720.0), (320.0, 200.0), (1000.0, 200.0)])
def test_cells_lie_in_the_picture_and_apart(count, shown):
    boxes = grid_boxes(count, shown, 4.0, min)
    assert len(boxes) == count
    for n, (left, low, width, height) in enumerate(boxes):
        assert min(left, low) >= -1e-12
        assert max(left + width, low + height) <= 1.0 + 1e-12
        assert min(width, height) > 0.0
        for x, y, _, _ in boxes[:n]:
            apart = (abs(x - left) - width) * shown[0], (abs(y - low) - height) * shown[1]
            assert max(apart) > 4.0 - 1e-9
    assert sum(width * height for _, _, width, height in boxes) > 0.5  # measured .57 at least


@pytest.mark.parametrize(
    ("preset", "size", "columns", "least"),
    [("twenty-boxes", (1280, 720), 7, 135.0), ("race-of-five", (480, 500), 3, 34.0)],
)
def test_the_columns_are_as_many_as_make_the_bodies_largest(preset, size, columns, least):
    """A metre of each body: at least so many pixels; in cells that are as good as square 112 and 25."""
    session = Session(Scenario.preset(preset), playing=False)
    cells = picture_of(session, size).insets
    assert len({cell.box[0] for cell in cells}) == columns
    for cell in cells:
        high = cell.views[0].window[3]
        assert (
            high / (2.0 * np.tan(0.5 * cell.camera.field_of_view) * cell.camera.distance) > least
        )  # measured 137.5, 35.1


def test_colours_differ():
    assert len(set(LANE_COLORS)) == MOST_LANES


def test_only_the_motion_itself_shows_its_correction() -> None:
    _, picture = frame(
        "grid", view__construction="momentum", solver__integrator="jolt", solver__stabilisation="closest-point"
    )
    corrected = [any(arrow.name == "correction" for arrow in cell.scene.arrows) for cell in picture.insets]
    assert corrected == [True, False, False, False]


def spiral(law, seconds: float, h: float = 1 / 60) -> np.ndarray:
    """(N, 3) [rad/s]: the blog's omega' after each step, in a plain loop: moments 10, 4, 2, omega (1, 2, 3)."""
    moments = np.array([10.0, 4.0, 2.0])
    L = moments * (1.0, 2.0, 3.0)
    found = [L]
    for _ in range(round(seconds / h)):
        found.append(law(found[-1], moments, h))
    return np.array(found) / moments


def explicit(L, moments, h):
    return L + h * np.cross(L, L / moments)


def implicit(L, moments, h):
    x, y, z = L
    return moments * np.linalg.solve(np.diag(moments) - h * np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]), L)


def path_of(scene) -> np.ndarray:
    """The points of a path in metres of the body, as it is drawn, up to the newest one."""
    (path,) = scene.paths
    ring = path.ring
    first = ring.row_at(float(path.newest[0]) - path.length)
    rows = ring.rows(first, ring.count)[:, path.column : path.column + 3]
    return np.concatenate([rows, path.newest[None, 1:]]) @ path.world_from_points.T @ scene.world_from_body


@pytest.mark.parametrize("law", [explicit, implicit])
def test_the_blogs_spiral_is_drawn_beside_the_closed_polhode(law):
    """ode-blog for 20 s: ten turns of it, all the way from the start, to the numbers of a plain loop."""
    scenario = Scenario.preset("ode-blog").with_value(
        "solver.integrator", {explicit: "explicit-euler", implicit: "implicit"}[law]
    )
    session = Session(scenario, playing=False)
    session.run_to(20.0)
    scene = picture_of(session, (1280, 720)).main.scene
    points, omega = path_of(scene), spiral(law, 20.0)
    metres = np.linalg.norm(points[0]) / np.linalg.norm(omega[0])
    apart = np.linalg.norm(points[:, None] / metres - omega[None], axis=2).min(axis=1)
    assert apart.max() < 1e-6  # measured: 3e-12, and every point is one of the loop
    np.testing.assert_allclose(points[[0, -1]] / metres, omega[[0, -1]], rtol=1e-6)
    angle = np.unwrap(np.arctan2(omega[:, 2], omega[:, 1]))
    assert abs(angle[-1] - angle[0]) / (2 * np.pi) > 6.0  # turns about x'
    (polhode,) = scene.curves
    assert polhode.alpha < 1.0
    first, last = (np.linalg.norm(polhode.points / metres - w, axis=1).min() for w in omega[[0, -1]])
    assert first < 0.05  # between two points of the curve
    assert last > 1.0
    growing = np.linalg.norm(omega[-1]) > np.linalg.norm(omega[0])
    assert growing == (law is explicit)


def test_paths_of_cells_and_ghosts_reach_back_to_the_start():
    for show in ("grid", "ghosts"):
        scenario = Scenario.preset("race-gyroscopic-torque").with_values(
            {"race.show": show, "view.construction": "poinsot"}
        )
        session = Session(scenario, playing=False)
        session.run_to(20.0)
        frame, snapshot = picture_of(session, (1280, 720)), session.snapshot()
        paths = [cell.scene.paths[0] for cell in frame.insets] if show == "grid" else frame.main.scene.paths
        assert len(paths) == 4
        for path, now in zip(paths[1:], snapshot.lanes, strict=True):
            assert path.color == lane_color(now.number, "dark", Stereo())
            assert path.ring.row_at(path.newest[0] - path.length) == 0
            assert path.ring.data[0, 0] == 0.0
            assert not path.fades_out
            # in turns of the true motion; cells had .3 of one
            assert path.length / (2.0 * np.pi / np.linalg.norm((1, 2, 3))) > 10.0


@pytest.mark.parametrize("size", [(970, 680), (970, 460), (390, 430), (1500, 900)])
@pytest.mark.parametrize("preset", ["race-gyroscopic-torque", "race-of-five"])
def test_cells_are_filled(preset, size):
    """The ellipsoid, projected by hand: a box around it takes most of the cell's height or width, and stays inside."""
    session = Session(Scenario.preset(preset), playing=False)
    session.run_to(3.0)
    snapshot, frame = session.snapshot(), picture_of(session, size)
    for cell in frame.insets:
        held = cell.scene.shell or cell.scene.constraints
        polar, around = np.meshgrid(np.linspace(0, np.pi, 60), np.linspace(0, 2 * np.pi, 60))
        ball = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], axis=-1)
        points = ball * np.minimum(held.semi_axes, getattr(held, "reach", np.inf)) @ cell.scene.world_from_body.T
        if cell.scene.constraints is not None:
            points = np.concatenate([points, held.radius * ball])
        camera = cell.camera
        seen = (points - camera.position) @ np.array([camera.right, camera.up, camera.backward]).T
        per_unit = 1.0 / np.tan(0.5 * camera.field_of_view)
        _, _, width, height = cell.views[0].window
        u = seen[..., 0] / -seen[..., 2] * per_unit * height / width
        v = seen[..., 1] / -seen[..., 2] * per_unit
        assert max(abs(u).max(), abs(v).max()) < 1.0
        filled = max(np.ptp(u), np.ptp(v)) / 2.0
        assert filled > (0.45 if preset == "race-of-five" else 0.6), (size, filled)  # measured .467 and .64; it was .2
    assert snapshot.lanes


def test_names_are_written_in_the_letters_that_the_scene_has():
    """The atlas has all of them, so that no name leaves a gap."""
    glyphs = set(json.loads(resources.read_text("assets", "fonts", "labels.json"))["glyphs"]["number"])
    glyphs |= {" ", "⁶"}  # drawn as a small 6
    wanted = {
        "Münze": "Münze",
        "Lacoursie\u0300re": "Lacoursière",
        "Dvořák": "Dvořák",
        "ω": "ω",
        "ᾠ": "ω",
        "Ω₀": "Ω?",
        "Джанибеков": "Джанибеков",
        "10⁶ kg": "10⁶ kg",
        "棒": "?",
        "a\u00a0b": "a b",
    }
    for name, plain in wanted.items():
        found = plain_letters(name)
        assert found.replace("\u00a0", " ") == plain
        assert set(found.replace("\u00a0", " ")) <= glyphs


@pytest.mark.parametrize("width", [150.0, 180.0, 236.0, 600.0])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_title_of_a_cell_is_whole_in_any_width(width: float, language: str) -> None:
    """Every integrator's name, by the letters of a font file: each line fits, and together they are the name."""
    font = ImageFont.truetype(str(resources.folder("assets").joinpath("fonts", "panel-medium.ttf")), 100)
    choose(language)
    try:
        names = [Lane(name, method).label for name in INTEGRATORS for method in ("off", "closest-point")]
    finally:
        choose("en")
    for name in names:
        cell = Cell((width, 300.0), 1.0, 1.0)
        lines, size = _title(name, cell), cell.title
        assert " ".join(lines) == name
        for line in lines:
            if " " in line or width > 180.0:  # no word is broken, such as Runge-Kutta-Munthe-Kaas
                assert font.getlength(line) * size / 100 <= width - 2 * TITLE_MARGIN, line
                assert shortened(line, size, width - 2 * TITLE_MARGIN) == line


def test_the_longest_title_of_a_race_has_one_line_in_the_first_window() -> None:
    """A fourth of the scene beside the panel at 1280x720; it read "Implicit (Lacoursièr… ODE)" there."""
    assert len(_title("Implicit (Lacoursière, ODE)", Cell((236.0, 300.0), 1.0, 1.0))) == 1


def test_a_word_too_wide_for_its_cell_ends_in_an_ellipsis() -> None:
    width = 24.5 * 0.53 * TITLE_SIZE  # 24 letters
    assert shortened("a_recording_with_so_long_a_name", TITLE_SIZE, width) == "a_recording_with_so_lon…"


@pytest.mark.parametrize(("count", "named"), [(20, False), (2, True)])
def test_small_cells_have_no_names_but_the_bodys(count: int, named: bool) -> None:
    boxes = Scenario.preset("twenty-boxes").with_value("view.construction", "momentum")
    session = Session(dataclasses.replace(boxes, bodies=boxes.bodies[:count]), playing=False)
    cell = picture_of(session, (975, 640)).insets[1]
    assert ("L′" in [label.text for label in cell.scene.labels]) is named
    assert any(label.style == "number" for label in cell.scene.labels)


@pytest.mark.parametrize("size", [(1280, 720), (640, 400)])
def test_titles_grow_with_the_text_size_as_the_names_do(size):
    session = Session(Scenario.preset("race-of-five"), playing=False)
    session.run_to(3.0)

    def sizes(text_size):
        labels = picture_of(session, size, text_size=text_size).insets[1].scene.labels
        return {label.text: label.size for label in labels if label.text in ("Explicit Euler", "L")}

    plain, large = sizes(1.0), sizes(1.5)
    factors = {large[text] / plain[text] for text in ("Explicit Euler", "L")}
    assert max(factors) - min(factors) < 1e-9  # letters of a cell keep their proportions
    assert 1.2 < min(factors) <= 1.5


def test_the_legend_of_ghosts_grows_with_the_text_size_where_it_has_room():
    session = Session(Scenario.preset("race-hidden-phase"), playing=False)
    session.run_to(1.0)

    def largest(size, text_size):
        labels = picture_of(session, size, text_size=text_size).main.scene.labels
        return max(label.size for label in labels if not label.centred)

    assert largest((1280, 720), 1.5) == pytest.approx(1.5 * largest((1280, 720), 1.0))
    assert largest((560, 420), 1.5) == largest((560, 420), 1.0)


def test_names_are_smaller_in_cells_that_are_small_but_titles_are_not():
    session = Session(Scenario.preset("race-of-five"), playing=False)
    session.run_to(3.0)

    def sizes(size):
        layer = picture_of(session, size).insets[1]
        in_px = {label.text: label.size * layer.pixel_scale for label in layer.scene.labels}
        return in_px["L"], in_px["Explicit Euler"]

    (name, title), (small_name, small_title) = sizes((1280, 720)), sizes((480, 360))
    assert small_title >= 0.75 * title
    assert 0.45 * name < small_name < 0.8 * name
