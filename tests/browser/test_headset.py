"""A page in an emulated headset: what each eye is drawn with, what its poses and controllers do. No real headset."""

import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.frames import picture_of
from helpers.playing import PAPER

from viewer.export.page.pages import write_page
from viewer.export.page.writer import PageScene
from viewer.scene.constructions.poinsot import RIM
from viewer.session.session import Session

EMULATOR = Path(sys.prefix) / "npm" / "node_modules" / "iwer" / "build" / "iwer.min.js"
WEARING = """
window.device = new IWER.XRDevice(IWER.metaQuest3, { ipd: 0.08, fovy: 1.5, stereoEnabled: true });
device.installRuntime({ forceInstall: true });
device.position.set(0, 1.6, 0);
const { get } = Object.getOwnPropertyDescriptor(XRView.prototype, "projectionMatrix");
Object.defineProperty(XRView.prototype, "projectionMatrix", { get() {  // an eye sees further to its own side
    return get.call(this).map((value, i) => (i === 8 ? { left: -0.2, right: 0.2 }[this.eye] : value));
} });
const told = WebGL2RenderingContext.prototype.bufferData, eyes = [];
WebGL2RenderingContext.prototype.bufferData = function (target, data, ...more) {
    if (target === this.UNIFORM_BUFFER) eyes.push([[...this.getParameter(this.VIEWPORT)], [...data.slice(0, 20)]]);
    return told.call(this, target, data, ...more);
};
window.pictures = async (count) => {
    for (let i = 0; i < count + 1; i++) await new Promise((done) => device.activeSession.requestAnimationFrame(done));
    return eyes.splice(0).slice(-2);
};
"""
SIZE = 800, 400
EYE = SIZE[0] // 2, SIZE[1]


def head(position, quaternion):
    """The matrices (4, 4) clip from room of the left and the right eye of the emulated device."""
    x, y, z, w = quaternion
    rotation = np.array((
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    ))  # fmt: skip
    near, far, upright = 0.05, 100.0, 1.0 / np.tan(0.75)
    clip = np.zeros((4, 4))
    clip[0, 0], clip[1, 1] = upright * EYE[1] / EYE[0], upright
    clip[2, 2:], clip[3, 2] = ((far + near) / (near - far), 2.0 * far * near / (near - far)), -1.0
    for side in (-0.04, 0.04):
        clip[0, 2] = 5.0 * side
        view = np.eye(4)
        view[:3, :3] = rotation.T
        view[:3, 3] = -rotation.T @ position - np.array((side, 0.0, 0.0))
        yield clip @ view


def placed(found, position=(0.0, 1.6, 0.0), quaternion=(0.0, 0.0, 0.0, 1.0)):
    """Rotation (3, 3), scale and shift (3,) [m] by which the figure stands in the room, the same for both eyes."""
    poses = []
    for number, ((viewport, numbers), expected) in enumerate(zip(found, head(position, quaternion), strict=True)):
        assert viewport == [number * EYE[0], 0, *EYE]
        pose = np.linalg.solve(expected, np.reshape(numbers[:16], (4, 4)).T)
        poses.append(pose / pose[3, 3])
    left, right = poses
    assert left == pytest.approx(right, abs=1e-4)
    scale = np.cbrt(np.linalg.det(left[:3, :3]))
    rotation = left[:3, :3] / scale
    assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-4)
    assert left[3] == pytest.approx((0.0, 0.0, 0.0, 1.0), abs=1e-5)
    for (_, numbers), side in zip(found, (-0.04, 0.04), strict=True):  # the eye's own place in the figure's world
        x, y, z, w = quaternion
        across = (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
        assert rotation @ numbers[16:19] * scale + left[:3, 3] == pytest.approx(
            np.array(position) + side * np.array(across), abs=1e-4
        )
    return rotation, scale, left[:3, 3]


@pytest.fixture
def worn(gl, browser_page, tmp_path):
    """A page of the construction at rest, in the headset."""
    write_page(tmp_path / "scene.html", [PageScene(PAPER, 0.0, (320, 180))])
    page = browser_page("chromium", size=SIZE, reduced_motion="reduce")
    page.page.add_init_script(EMULATOR.read_text("utf-8") + WEARING)
    page.open(tmp_path / "scene.html")
    page.page.click(".tool-headset")
    page.page.wait_for_function("() => device.activeSession?.renderState.baseLayer")
    return page


def test_both_eyes_are_drawn_as_the_device_says_and_the_figure_stands_still(worn):
    rotation, scale, shift = placed(worn.evaluate("() => pictures(2)"))
    plane = picture_of(Session(PAPER, playing=False), SIZE).main.scene.plane
    assert 0.8 < 2.0 * scale * RIM * plane.reach < 1.0  # m, 0.875: what turns in the figure reaches a little further
    upright = PAPER.simulation().angular_momentum_world
    assert rotation @ upright / np.linalg.norm(upright) == pytest.approx((0.0, 1.0, 0.0), abs=1e-4)
    assert shift[[0, 2]] == pytest.approx((0.0, -1.2), abs=1e-4)
    assert 1.0 < shift[1] < 2.0
    assert worn.messages == []
    seen = worn.screenshot().astype(float)
    left, right = seen[:, : EYE[0]], seen[:, EYE[0] :]
    for eye in (left, right):
        assert np.ptp(eye) > 150.0
    assert 1.0 < np.abs(left - right).mean() < 20.0

    position, quaternion = (0.5, 1.9, -0.3), (-0.2, 0.2, 0.4, np.sqrt(0.76))
    move = "(place, turn) => { device.position.set(...place); device.quaternion.set(...turn); }"
    worn.evaluate(move, position, quaternion)
    later = placed(worn.evaluate("() => pictures(2)"), position, quaternion)
    for before, after in zip((rotation, scale, shift), later, strict=True):
        assert after == pytest.approx(before, abs=1e-4)
    assert worn.messages == []


def about(axis, angle):
    """The matrix (3, 3) of a turn about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[[i, j], [i, j]] = np.cos(angle)
    matrix[j, i], matrix[i, j] = np.sin(angle), -np.sin(angle)
    return matrix


def test_a_hand_that_holds_a_button_turns_the_figure(worn):
    worn.evaluate("() => device.controllers.right.position.set(0.2, 1.2, -0.4)")
    rotation, scale, _ = placed(worn.evaluate("() => pictures(2)"))
    worn.evaluate("() => device.controllers.right.updateButtonValue('trigger', 1)")
    worn.evaluate("() => pictures(3)")
    worn.evaluate("() => device.controllers.right.position.set(0.3, 1.2, -0.4)")
    turned, same, _ = placed(worn.evaluate("() => pictures(3)"))
    assert same == pytest.approx(scale, rel=1e-4)
    assert turned == pytest.approx(about(1, 0.4) @ rotation, abs=1e-3)
    worn.evaluate("() => device.controllers.right.position.set(0.3, 1.25, -0.4)")
    raised, _, _ = placed(worn.evaluate("() => pictures(3)"))
    assert raised == pytest.approx(about(0, -0.2) @ turned, abs=1e-3)
    worn.evaluate("() => device.controllers.right.updateButtonValue('trigger', 0)")
    worn.evaluate("() => pictures(3)")
    worn.evaluate("() => device.controllers.right.position.set(0.5, 1.0, -0.4)")
    released, _, _ = placed(worn.evaluate("() => pictures(3)"))
    assert released == pytest.approx(raised, abs=1e-4)
    assert worn.messages == []


def test_two_hands_and_a_thumbstick_scale_the_figure(worn):
    worn.evaluate("""() => { for (const [name, x] of [["left", -0.2], ["right", 0.2]]) {
        device.controllers[name].position.set(x, 1.2, -0.4);
        device.controllers[name].updateButtonValue("squeeze", 1);
    } }""")
    worn.evaluate("() => pictures(3)")
    rotation, scale, _ = placed(worn.evaluate("() => pictures(1)"))
    worn.evaluate("() => device.controllers.right.position.set(0.4, 1.2, -0.4)")
    turned, larger, shift = placed(worn.evaluate("() => pictures(3)"))
    assert larger / scale == pytest.approx(1.5, abs=0.02)  # 1.490: hands grip a little aside of their controllers
    assert turned == pytest.approx(rotation, abs=1e-4)
    assert shift[[0, 2]] == pytest.approx((0.0, -1.2), abs=1e-4)
    worn.evaluate("""() => { for (const name of ["left", "right"]) {
        device.controllers[name].updateButtonValue("squeeze", 0);
        device.controllers[name].updateAxes("thumbstick", 0, 1);
    } }""")
    worn.evaluate("() => pictures(6)")
    worn.evaluate("""() => { for (const name of ["left", "right"]) {
        device.controllers[name].updateAxes("thumbstick", 0, 0);
    } }""")
    _, smaller, _ = placed(worn.evaluate("() => pictures(3)"))
    assert smaller < 0.95 * larger
    assert worn.messages == []


def test_the_page_goes_on_when_the_headset_is_taken_off_or_does_not_start(worn):
    worn.evaluate("() => pictures(2)")
    worn.evaluate("() => device.activeSession.end()")
    worn.page.wait_for_function("([w]) => document.querySelector('#stage > canvas').width === w", arg=SIZE)
    assert worn.page.is_visible(".tool-play")
    worn.page.click(".tool-headset")
    worn.page.wait_for_function("() => device.activeSession?.renderState.baseLayer")
    placed(worn.evaluate("() => pictures(2)"))
    worn.evaluate("() => device.activeSession.end()")
    worn.evaluate("() => { navigator.xr.requestSession = () => Promise.reject(new DOMException('busy')); }")
    worn.page.click(".tool-headset")
    worn.page.wait_for_function("() => document.querySelector('.said').textContent === 'The headset did not start'")
    assert worn.messages == []


def test_without_a_headset_there_is_no_button(gl, browser_page, tmp_path):
    write_page(tmp_path / "scene.html", [PageScene(PAPER, 0.0, (320, 180))])
    page = browser_page("chromium", size=SIZE, reduced_motion="reduce")
    page.open(tmp_path / "scene.html")
    page.page.wait_for_selector(".tool-fullscreen")
    page.page.wait_for_timeout(300)
    assert not page.page.is_visible(".tool-headset")
    assert page.messages == []
