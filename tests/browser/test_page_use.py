"""A page is used by real input events: hand, keys, fingers, sliders, stereo modes, tabs."""

import re

import numpy as np
import pytest
from helpers.browsers import ChromiumPage

from viewer.export.page.pages import write_page
from viewer.export.page.writer import PageScene
from viewer.physics.body import RigidBody
from viewer.scenario.scenario import Scenario
from viewer.session.motion import Motion

FLIP = Scenario.preset("dzhanibekov")
SIZE = (900, 700)
NOTED = """
    window.ownFrame = requestAnimationFrame;
    window.drawn = []; // the times [ms] of the frames that the page has asked for
    window.requestAnimationFrame = (act) => ownFrame((now) => (drawn.push(now), act(now)));
    window.pictures = 0;
    const { clear } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.clear = function (bits) { window.pictures += 1; clear.call(this, bits); };
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "a.html"
    write_page(path, [PageScene(FLIP, 0.0, (96, 64), 1), PageScene(Scenario.preset("disc"), 0.5, (96, 64), 1)])
    return path


class Reader:
    """Somebody who uses a page."""

    def __init__(self, page: ChromiumPage) -> None:
        self.browser, self.page = page, page.page
        self.keyboard, self.mouse = page.page.keyboard, page.page.mouse

    def wait(self) -> None:
        """Waits until what was asked for has been drawn."""
        self.page.evaluate("new Promise((done) => ownFrame(() => ownFrame(() => done(1))))")

    def picture(self) -> np.ndarray:
        """The figure as it is seen, without the numbers, the words and the ring over it."""
        self.wait()
        box = self.page.locator("#canvas").bounding_box()
        x, y, w, h = (round(box[key]) for key in ("x", "y", "width", "height"))
        return self.browser.screenshot()[y + 80 : y + h - 50, x + 6 : x + w - 6].astype(float)

    def middle(self) -> tuple[float, float]:
        box = self.page.locator("#canvas").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, dx: float, dy: float, button: str = "left") -> None:
        x, y = self.middle()
        self.mouse.move(x, y)
        self.mouse.down(button=button)
        self.mouse.move(x + dx, y + dy, steps=4)
        self.mouse.up(button=button)
        self.mouse.move(5, 5)

    def press(self, key: str) -> None:
        self.keyboard.press(key)
        self.wait()

    def time(self) -> float:
        """What the clock shows, s."""
        return float(self.page.locator(".clock").inner_text().split()[0].replace("−", "-"))

    def number(self, name: str) -> float:
        """One of the numbers over the scene."""
        rows = self.page.locator(".readouts div").all_inner_texts()
        return next(float(row.split()[1]) for row in rows if row.split()[0] == name)


@pytest.fixture
def reader(browser_page, written):
    def opened(reduced_motion: str = "reduce", **context):
        page = browser_page("chromium", SIZE, reduced_motion=reduced_motion, **context)
        page.page.add_init_script(NOTED)
        page.open(written)
        page.page.wait_for_selector('[data-state="live"]')
        one = Reader(page)
        one.wait()
        return one

    return opened


def difference(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.mean(np.abs(a - b)))


def test_a_drag_turns_and_moves_the_view_the_wheel_enlarges_it_and_a_double_click_leads_back(reader):
    one = reader()
    first = one.picture()
    one.drag(120, 0)
    turned = one.picture()
    assert difference(first, turned) > 2.0
    one.mouse.dblclick(*one.middle())
    one.mouse.move(5, 5)
    assert difference(first, one.picture()) == 0.0
    one.drag(100, 0, button="right")
    moved = one.picture()
    assert difference(moved[:, 100:], first[:, :-100]) < 0.4 * difference(moved[:, 100:], first[:, 100:])
    one.press("Home")
    one.mouse.move(*one.middle())
    one.mouse.wheel(0, -600)
    one.mouse.move(5, 5)
    larger = one.picture()
    assert difference(first, larger) > 2.0
    assert one.page.evaluate("scrollY") == 0
    one.press("Home")
    assert difference(first, one.picture()) == 0.0
    assert one.browser.messages == []


def test_fingers_turn_enlarge_and_lead_back_and_still_scroll_the_words(reader):
    one = reader(has_touch=True)
    client = one.page.context.new_cdp_session(one.page)
    x, y = one.middle()

    def touch(kind: str, *points: tuple[float, float]) -> None:
        named = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": named})

    first = one.picture()
    touch("touchStart", (x - 30, y), (x + 30, y))
    for apart in (40, 60, 90):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    larger = one.picture()
    assert difference(first, larger) > 2.0
    assert one.page.evaluate("[scrollY, visualViewport.scale]") == [0, 1]
    touch("touchStart", (x, y))
    touch("touchMove", (x, y - 60))
    touch("touchEnd")
    assert difference(larger, one.picture()) > 2.0
    assert one.page.evaluate("scrollY") == 0
    for _ in range(2):
        one.page.touchscreen.tap(x, y)
    one.page.touchscreen.tap(20, 300)  # beside the figure: no name
    assert difference(first, one.picture()) == 0.0
    one.page.touchscreen.tap(x, y)
    one.wait()
    assert one.page.locator(".card").is_visible()
    sizes = one.page.evaluate(
        "[...document.querySelectorAll('#controls :is(button, select)')].filter((e) => e.offsetParent)"
        ".map((e) => [e.offsetWidth, e.offsetHeight])"
    )
    assert np.min(sizes) >= 44


def test_the_clock_by_keys_and_by_the_track(reader):
    one = reader()
    assert one.time() == 0.0
    flip = Motion(FLIP).next_flip()[0]
    one.press("n")
    assert one.time() == pytest.approx(flip, abs=0.005)
    one.press("Space")
    one.page.wait_for_timeout(500)
    assert one.time() > flip
    one.press("b")
    one.page.wait_for_timeout(300)
    one.press("Space")
    stood = one.time()
    one.page.wait_for_timeout(200)
    assert one.time() == stood
    box = one.page.locator(".scrub").bounding_box()
    one.mouse.click(box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2)
    one.wait()
    assert one.time() == pytest.approx(7.0, abs=0.15)
    before = one.time()
    one.press("ArrowRight")
    assert 0.0 < one.time() - before < 0.2
    one.page.locator("#canvas").focus()
    one.press("r")
    assert one.time() == 0.0
    one.press("+")
    assert one.page.locator(".track + .row select").first.input_value() == "1.5"


def test_nothing_is_drawn_while_nothing_moves_or_the_figure_is_scrolled_away(reader):
    one = reader()
    frames = """(async () => {
        window.drawn = [];
        for (let i = 0; i < 20; i++) await new Promise(ownFrame);
        return [window.drawn, parseFloat(document.querySelector(".clock").textContent)];
    })()"""
    one.page.evaluate(frames)
    assert one.page.evaluate("window.pictures") == 1
    assert one.page.evaluate(frames) == [[], 0.0]
    one.press("Space")
    assert len(one.page.evaluate(frames)[0]) > 5
    one.page.evaluate("document.body.style.paddingBottom = '2000px'; scrollTo(0, 1500)")
    _, stood = one.page.evaluate(frames)
    assert one.page.evaluate(frames) == [[], stood]
    one.page.evaluate("scrollTo(0, 0)")
    drawn, time = one.page.evaluate(frames)
    assert stood < time < stood + (drawn[-1] - drawn[0]) / 1000 + 0.02  # the clock did not run on meanwhile


def test_it_plays_from_the_beginning_unless_less_motion_is_wanted(reader):
    one = reader("no-preference")
    one.page.evaluate(
        "(async () => { while (document.querySelector('.clock').innerText === '0.00 s')"
        "await new Promise(ownFrame); })()"
    )
    assert one.time() > 0.0
    assert one.page.get_by_role("button", name="Play or pause").get_attribute("aria-pressed") == "true"


def test_a_slider_makes_the_motion_anew_and_reset_leads_back(reader):
    one = reader()
    first, energy = one.picture(), one.number("E")
    label = one.page.locator(".lesson label", has_text="Height")
    box = label.locator("input").bounding_box()
    one.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + box["height"] / 2)
    one.wait()
    height = float(re.match(r"[\d.]+", label.locator(".value").inner_text())[0])
    assert 0.35 < height < 0.55
    body = RigidBody.box(FLIP.body.mass, FLIP.body.width, FLIP.body.depth, height)
    omega = np.array(FLIP.start.angular_velocity)
    assert one.number("E") == pytest.approx(0.5 * float(body.principal_moments @ omega**2), rel=0.005)
    assert one.number("E") != energy
    one.mouse.move(5, 5)
    assert difference(first, one.picture()) > 1.0
    told = one.page.locator("#changed")
    assert told.is_visible()
    one.page.get_by_role("button", name="Reset what was changed").click()
    assert not told.is_visible()
    one.mouse.move(5, 5)
    assert one.number("E") == energy
    assert difference(first, one.picture()) == 0.0


def test_s_goes_through_the_stereo_modes(reader):
    one = reader()
    mode = one.page.get_by_label("Stereo mode")
    seen = {}
    for _ in range(5):
        seen[mode.input_value()] = one.picture()
        covered = one.page.locator(".readouts").is_visible()  # which one eye alone would see
        assert covered == (mode.input_value() in ("mono", "anaglyph"))
        assert one.page.locator("#changed").is_visible() == (len(seen) > 1)  # the words name the mode
        one.press("s")
    assert list(seen) == ["mono", "anaglyph", "side-by-side", "cross-eyed", "top-bottom"]
    assert mode.input_value() == "mono"
    assert one.page.get_by_role("status").inner_text() == "Mono"
    half = SIZE[0] // 2
    left, right = seen["side-by-side"][:, : half - 12], seen["side-by-side"][:, half:]
    assert difference(left, seen["cross-eyed"][:, half:]) < 0.5 < 1.0 < difference(left, right) < 10.0  # dithered
    assert difference(seen["mono"], seen["anaglyph"]) > 2.0
    one.press("d")
    assert mode.input_value() == "top-bottom"


def test_h_leaves_the_figure_alone_and_f_fills_the_screen(reader):
    one = reader()
    height = one.page.locator("#canvas").bounding_box()["height"]
    one.press("h")
    assert one.page.locator("#canvas").bounding_box()["height"] > height + 100
    assert not one.page.locator(".bar").is_visible()
    one.press("h")
    one.press("f")
    assert one.page.evaluate("document.fullscreenElement.id") == "stage"
    assert one.page.locator(".bar").is_visible()
    one.press("f")
    assert one.page.evaluate("document.fullscreenElement") is None


def test_themes_follow_the_scene_and_change(reader):
    one = reader()
    assert one.page.evaluate("document.body.dataset.theme") == "dark"
    dark = one.picture()
    one.press("t")
    assert one.page.evaluate("document.body.dataset.theme") == "light"
    assert difference(dark, one.picture()) > 50.0
    bar = one.page.evaluate("getComputedStyle(document.querySelector('.bar')).backgroundColor")
    assert np.mean([int(part) for part in re.findall(r"\d+", bar)]) > 200


@pytest.mark.parametrize(
    ("size", "keys", "share"),
    [((360, 640), (), 0.4), ((640, 400), (), 0.55), ((320, 568), ("Shift+N",), 0.15), ((300, 200), (), 0.5)],
)
def test_in_a_small_window_nothing_is_cut_off_and_the_figure_has_room(reader, size, keys, share):
    one = reader()
    one.page.set_viewport_size({"width": size[0], "height": size[1]})
    one.page.evaluate("document.querySelector('.row select').options[0].text = 'auto · 1.5×10⁵ ×'")  # a long one
    for key in keys:
        one.press(key)
    one.wait()
    ends = one.page.evaluate(
        "['right', 'bottom'].map((side) =>"
        "Math.max(...[...document.querySelectorAll('#stage, #stage *')].map((e) => e.getBoundingClientRect()[side])))"
    )
    assert np.all(np.array(ends) <= size)
    height = one.page.locator("#canvas").bounding_box()["height"]
    assert height > share * size[1]
    assert one.page.locator(".readouts").is_visible() == (height > 160)


def test_tabs_are_scenes_each_as_it_was_left(reader):
    one = reader()
    one.press("n")
    left = one.time()
    tabs = one.page.get_by_role("tab")
    assert tabs.all_inner_texts() == [FLIP.title, Scenario.preset("disc").title]
    one.press("s")
    tabs.nth(1).click()
    one.wait()
    assert one.time() == 0.5
    assert one.page.get_by_label("Stereo mode").input_value() == "anaglyph"
    assert one.page.locator("#scene-1").is_visible()
    assert not one.page.locator("#scene-0").is_visible()
    one.press("ArrowLeft")
    assert one.time() == left
    assert tabs.nth(0).get_attribute("aria-selected") == "true"
    assert one.page.evaluate("document.activeElement.id") == "tab-0"
    one.press("End")
    assert one.page.evaluate("[document.activeElement.id, scrollY]") == ["tab-1", 0]
    one.press("Home")
    assert one.page.evaluate("document.activeElement.id") == "tab-0"


def test_the_keyboard_reaches_every_control_and_each_has_a_name(reader):
    one = reader()
    wanted = one.page.evaluate(
        "[...document.querySelectorAll('#controls :is(button, select, input), #canvas')]"
        ".filter((e) => e.getClientRects().length && !e.disabled).length"
    )
    reached, names = set(), []
    for _ in range(wanted + 2):
        one.keyboard.press("Tab")
        at = one.page.evaluate(
            "[[...document.querySelectorAll('*')].indexOf(document.activeElement),"
            "document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText ?? '',"
            "document.activeElement.closest('#controls, #canvas') !== null]"
        )
        if at[2]:
            reached.add(at[0])
            names.append(at[1])
    assert len(reached) == wanted
    assert all(names), names
    assert one.page.get_by_role("application").get_attribute("id") == "canvas"
    one.press("?")
    assert one.page.get_by_role("dialog").get_by_text("arrows, page keys").is_visible()
    one.press("Escape")
    assert not one.page.get_by_role("dialog").is_visible()


def test_a_lost_context_is_restored(reader):
    one = reader()
    first = one.picture()
    one.page.evaluate(
        "window.lost = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');"
        "lost.loseContext()"
    )
    one.page.wait_for_timeout(200)
    one.drag(50, 0)
    one.page.evaluate("lost.restoreContext()")
    one.page.wait_for_timeout(300)
    one.press("Home")
    assert difference(first, one.picture()) == 0.0


def test_what_the_pointer_is_over_says_what_it_is_and_the_legend_lists_all(reader):
    one = reader()
    one.mouse.move(*one.middle())
    assert one.page.locator(".card b").inner_text() in ("Rigid body", "Polhode")
    one.mouse.move(5, 5)
    assert not one.page.locator(".card").is_visible()
    one.press("Shift+N")
    legend, figure = (one.page.locator(name).bounding_box() for name in (".legend", "#canvas"))
    assert legend["y"] >= figure["y"] + figure["height"]  # it covers no eye's picture
    listed = one.page.locator(".legend li").all_inner_texts()
    assert {"Angular momentum L", "Axis of the middle moment", "Polhode", "Rigid body"} <= set(listed)
    assert len(set(listed)) == len(listed)


def test_firefox_shows_the_page_without_a_message(browser_page, written):
    page = browser_page("firefox", SIZE)
    page.open(written)
    page.evaluate("new Promise((done) => setTimeout(() => done(1), 1500))")
    assert page.evaluate("document.body.dataset.state") == "live"
    assert page.evaluate("parseFloat(document.querySelector('.clock').textContent)") > 0.0
    pressed = """new Promise((done) => {
        const play = document.querySelector(".tool-play");
        play.click();
        setTimeout(() => done(play.ariaPressed), 1000);
    })"""
    assert page.evaluate(pressed) == "false"
    assert page.messages == []
