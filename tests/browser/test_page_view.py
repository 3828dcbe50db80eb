"""The page's clock and hand do what the app's do: speeds, a drag, the wheel, the way back to the first view."""

import random
from dataclasses import replace

import numpy as np
import pytest
from helpers.browsers import page_of
from helpers.page_frames import frame_as_json

from viewer.export.page.figure_data import shared_data
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import View
from viewer.scene.build import build_frame
from viewer.scene.naming.spot import seen_at
from viewer.scene.presentation import Display, Presentation
from viewer.scene.words.formatting import clock
from viewer.session.playback import automatic_speed, faster, slower, speed_limit
from viewer.session.session import Session
from viewer.workspace.transitions import ViewTransition, orbit, pan, turning_point, zoom

SIZE = 900, 600
GENERATOR = random.Random(5)


def in_page(view: View) -> dict[str, object]:
    """The fields of a view that a hand changes, as the page has them."""
    return {
        "azimuthDeg": view.azimuth_deg,
        "polarAngleDeg": view.polar_angle_deg,
        "zoom": view.zoom,
        "pan": list(view.pan),
        "fieldOfViewDeg": view.field_of_view_deg,
    }


def same(found: dict[str, object], view: View) -> bool:
    wanted = in_page(view)
    return all(found[name] == pytest.approx(wanted[name], rel=1e-12, abs=1e-12) for name in wanted)


def after(view: View, changes: dict[str, object]) -> View:
    return replace(view, **{path.partition(".")[2]: value for path, value in changes.items()})


def any_view() -> View:
    uniform = GENERATOR.uniform
    return View(
        polar_angle_deg=uniform(0, 180), azimuth_deg=uniform(-180, 180), zoom=10 ** uniform(-1, 1),
        pan=(uniform(-1, 1), uniform(-1, 1)),
    )  # fmt: skip


@pytest.fixture
def modules(browser_page):
    page = browser_page("chromium")
    page.open(page_of(["camera", "transport", "gestures"]))
    return page


def test_the_speed_is_the_apps(modules):
    cases = [(10 ** GENERATOR.uniform(-7, 8), GENERATOR.choice([None, 10 ** GENERATOR.uniform(-3, 3)]), rate)
             for rate in (0.0, 3.0, 50.0, 1e5) for _ in range(50)]  # fmt: skip
    found = modules.evaluate("(cases) => cases.map(([period, now, rate]) => automaticSpeed(period, now, rate))", cases)
    assert found == [automatic_speed(period, now, speed_limit([(rate, 0.0)])) for period, now, rate in cases]
    assert len(set(found)) > 20
    speeds = [found[0], 1.0, 0.0123, 7.0, 1e-6, 1e10]
    stepped = modules.evaluate("(speeds) => speeds.map((s) => [nextSpeed(s, 1), nextSpeed(s, -1)])", speeds)
    assert stepped == [[faster(speed), slower(speed)] for speed in speeds]


def test_a_drag_and_the_wheel_change_the_view_as_in_the_app(modules):
    for _ in range(30):
        view, home = any_view(), (GENERATOR.uniform(-0.2, 0.2), GENERATOR.uniform(-0.2, 0.2))
        dx, dy, height = GENERATOR.uniform(-300, 300), GENERATOR.uniform(-300, 300), GENERATOR.uniform(1, 900)
        given = in_page(view)
        seen = np.array([GENERATOR.uniform(-0.3, 0.3) for _ in range(3)])
        about = turning_point(view, seen)
        turned = modules.evaluate("(v, dx, dy, h, about) => orbited(v, dx, dy, h, about)", given, dx, dy, height,
                                  about.tolist())  # fmt: skip
        assert same(turned, after(view, orbit(view, dx, dy, height, about)))
        moved = modules.evaluate("(v, dx, dy, h) => panned(v, dx, dy, h)", given, dx, dy, height)
        assert same(moved, after(view, pan(view, dx, dy, height)))
        places = [(GENERATOR.uniform(-1, 1), GENERATOR.uniform(-1, 1)) for _ in range(3)]
        factor = max(10 ** GENERATOR.uniform(-0.5, 0.5), 0.05 / view.zoom)  # the field's least zoom
        larger = modules.evaluate("(v, f, places, home) => enlarged(v, f, places, home)", given, factor, places, home)
        assert same(larger, after(view, zoom(view, view.zoom * factor, places, home)))


def test_enlarged_a_drag_turns_about_what_one_looks_at(modules):
    for zoom_now, shift in ((1.0, (0.1, 0.0)), (1.6, (0.1, -0.1)), (6.0, (0.2, -1.5)), (6.0, (0.2, 8.0))):
        view = {"view.zoom": zoom_now, "view.pan": shift}
        scenario = Scenario.preset("dzhanibekov").with_values(view | {"show.body": False})
        session = Session(scenario, playing=False)
        frame = build_frame(session.snapshot(), Presentation.of(scenario), Display(SIZE))
        about = turning_point(scenario.view, seen_at(frame, 0, (1.0, 1.0), SIZE, 1.0))
        layer = frame_as_json(frame)["layers"][0]
        given = in_page(scenario.view), layer, SIZE[0] / SIZE[1]
        found = modules.evaluate("(view, layer, aspect) => turningPoint(view, layer, aspect)", *given)
        assert np.allclose(found, about, rtol=0.0, atol=1e-12)


def test_the_way_back_to_the_first_view_is_the_apps(modules):
    for share in (0.0, 0.3, 0.99, 1.0):
        start, end = any_view(), any_view()
        found = modules.evaluate("(a, b, s) => viewBetween(a, b, s)", in_page(start), in_page(end), share)
        assert same(found, after(start, ViewTransition(start, end).at(0.3 * share)))


def test_a_motion_known_for_a_time_ends_there_and_plays_again(modules):
    end = modules.evaluate(
        """() => {
        const motion = { period: null, largestRate: 3, until: 2 };
        const clock = new Transport(motion, { speed: 10, autoSpeed: true }, true);
        const states = [];
        for (let i = 0; i < 3; i++) states.push(clock.advance(0.15), clock.time, clock.playing);
        clock.press(1);
        states.push(clock.time, clock.playing);
        clock.press(-1);
        clock.advance(0.1);
        return [...states, clock.time, clock.playing, clock.last];
    }"""
    )
    assert end == [True, 1.5, True, True, 2, False, False, 2, False, 0, True, 1, True, 2]


def test_the_clock_shows_what_the_apps_does(modules):
    spans = [1e-4, 5e-3, 0.5, 10.0, 3600.0, 1.8e5, 305 * 86400.0, 2.7e10, 1e13]
    shown = """(spans, shared) => {
        useShared(shared, {});
        return spans.map((span) => {
            const { unit, text } = clockOf(span);
            return [text(-span / 7), unit];
        });
    }"""
    assert modules.evaluate(shown, spans, shared_data()) == [list(clock(-span / 7, span)) for span in spans]
