"""The legend in a picture: where the window has it, in each eye's picture alike."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.labels import TRIAD_SIZE
from viewer.scene.annotations.letters import plain_letters
from viewer.scene.annotations.picture_legend import (
    ARC_PIECES,
    HALF,
    NAME_SIZE,
    WIDE,
    LegendEntry,
    sign_lines,
    with_legend,
)
from viewer.scene.annotations.trails import LEGEND_END, corner
from viewer.scene.camera.camera import Canvas
from viewer.scene.naming.spot import Sign
from viewer.scene.naming.things import THINGS
from viewer.session.session import Session

FORMS = ("surface", "ring", "arrow", "axis", "curve", "trail", "ticks")


@pytest.mark.parametrize(
    ("mode", "size"), [("mono", (900, 600)), ("side-by-side", (1800, 600)), ("mono", (3600, 2400))]
)
def test_names_and_signs_stand_at_their_distance_from_the_nearest_edges(mode, size):
    session = Session(Scenario.preset("dzhanibekov").with_value("stereo.mode", mode), playing=False)
    plain = picture_of(session, size)
    entries = [LegendEntry(form, Sign(form, (0.2, 0.4, 0.6)), -200.0, 20.0 + 18.0 * i) for i, form in enumerate(FORMS)]
    entries.append(LegendEntry("low", Sign("arrow", (0.2, 0.4, 0.6)), 30.0, -40.0))
    frame = with_legend(plain, entries)
    main, before = frame.main, plain.main.scene
    width, height = 900.0 * size[1] / 600.0 / main.pixel_scale, size[1] / main.pixel_scale
    canvas = Canvas(main.camera, (width, height), main.eyes.convergence)
    labels = main.scene.labels[len(before.labels) :]
    assert [label.text for label in labels] == [entry.name for entry in entries]
    for entry, label in zip(entries, labels, strict=True):
        x, y = canvas.project(label.anchor) + np.array((width / 2, height / 2))
        left, down = entry.x if entry.x > 0 else width + entry.x, entry.y if entry.y > 0 else height + entry.y
        assert x == pytest.approx(left + WIDE + 6.0, abs=1e-6)
        assert height - y == pytest.approx(down, abs=1e-6)
        assert label.size == NAME_SIZE
    drawn = len(main.scene.overlay_strokes) - len(before.overlay_strokes)
    assert len(main.scene.backings) - len(before.backings) == 2  # a surface and a ring
    assert drawn == 2 * 3 + 1 + ARC_PIECES + 4 + 6  # two arrows, an axis, a curve, a trail, ticks
    eyes = np.dot(labels[0].anchor - main.camera.position, -main.camera.backward)
    assert eyes == pytest.approx(main.eyes.convergence * main.camera.distance)  # no parallax


def test_every_name_has_letters_in_the_scene():
    assert not [thing.name for thing in THINGS.values() if "?" in plain_letters(thing.name)]


def test_the_signs_are_as_wide_and_the_middle_tick_is_the_tallest():
    ticks = list(sign_lines("ticks"))[1:]
    heights = [end[1] - start[1] for start, end, _ in ticks]
    assert heights[2] == 2.0 * HALF == max(heights)
    assert heights == heights[::-1]
    np.testing.assert_allclose([start[0] for start, _, _ in ticks], WIDE * np.array([0.1, 0.3, 0.5, 0.7, 0.9]))
    for form in ("arrow", "axis", "curve", "trail", "ticks"):
        ends = [point for start, end, _ in sign_lines(form) for point in (start, end)]
        assert min(x for x, _ in ends) == 0.0
        assert max(x for x, _ in ends) == pytest.approx(WIDE)
        assert max(abs(y) for _, y in ends) <= HALF
    assert [opacity for *_, opacity in sign_lines("trail")] == [0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(
    ("construction", "color", "measured", "axes", "wide"),
    [
        ("poinsot", "speed", False, True, True),
        ("momentum", "speed", False, True, False),
        ("poinsot", "age", False, True, False),
        ("poinsot", "age", True, False, True),
        ("poinsot", "age", False, False, None),
    ],
)
def test_the_lower_left_corner_is_wide_where_the_colours_or_the_points_have_a_legend(
    construction, color, measured, axes, wide
):
    fields = {"view.construction": construction, "view.trail_color": color, "show.space_axes": axes}
    found = corner(Scenario().with_values({**fields, "show.measured": True}), measured)
    assert found == ((0.0, 0.0) if wide is None else (LEGEND_END if wide else TRIAD_SIZE, TRIAD_SIZE))


def test_the_error_of_the_energy_colours_no_path_under_loads():
    """Under the weight of a top E wanders without any error."""
    for preset, tinted in (("paper-fig1", True), ("top-with-cusps", False)):
        session = Session(Scenario.preset(preset).with_value("view.trail_color", "energy-error"), playing=False)
        session.run_to(0.5)
        frame = picture_of(session, (900, 600))
        trails = [trail for layer in frame.layers for trail in (layer.scene.trail, *layer.scene.paths) if trail]
        assert trails
        assert all((trail.tint is not None) is tinted for trail in trails)
        texts = {label.text for layer in frame.layers for label in layer.scene.labels}
        assert ("error of E" in texts) is tinted
