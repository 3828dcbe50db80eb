"""The line of messages: nothing is lost, everything can be copied."""

import pytest

from viewer import __version__
from viewer.ui.overlays.messages import LISTED
from viewer.ui.platform.imgui_module import imgui
from viewer.user import log
from viewer.workspace.messages import LISTED as IN_LIST
from viewer.workspace.messages import NOTICE_SECONDS, OFFER_SECONDS, Messages


@pytest.fixture
def copied(monkeypatch):
    texts: list[str] = []
    monkeypatch.setattr(imgui, "set_clipboard_text", texts.append)
    return texts


def shown(messages, session_message):
    messages.follow(session_message)
    message = messages.current
    return message.text, message.error


def test_a_notice_goes_by_itself_and_an_error_stays():
    now = [0.0]
    messages = Messages(clock=lambda: now[0])
    messages.notice("saved")
    assert shown(messages, None) == ("saved", False)
    assert messages.wait() == NOTICE_SECONDS
    now[0] = NOTICE_SECONDS
    assert messages.current is None
    messages.error("broken")
    now[0] = 1e6
    assert shown(messages, None) == ("broken", True)
    assert shown(messages, "from the session") == ("from the session", True)
    messages.follow(None)
    assert messages.current is None
    assert [message.text for message in messages.latest] == ["saved", "broken", "from the session"]


def test_an_error_of_the_session_goes_with_the_next_message_and_comes_when_it_is_given_again():
    """It came back after each notice, for good: that time does not run backwards, long after somebody had tried."""
    now = [0.0]
    messages = Messages(clock=lambda: now[0])
    messages.follow("no way back", number=1)
    assert messages.current.text == "no way back"
    messages.notice("saved")
    messages.follow("no way back", number=1)
    assert messages.current.text == "saved"
    now[0] = NOTICE_SECONDS
    assert messages.current is None
    messages.follow("no way back", number=2)
    assert (messages.current.text, messages.current.error) == ("no way back", True)


def test_what_is_refused_again_is_said_again(stage):
    """A pulse in a race, after its message was closed: nothing came, for the text was the very same."""
    shown = stage()
    shown.workspace.session.change({"race.show": "ghosts"})
    shown.frame(2)
    for _ in range(2):
        shown.workspace.session.pulse(0, 1)
        shown.frame(2)
        assert shown.message == "No torque pulse in a race: its lanes are compared with the free motion"
        shown.click("close")
        shown.frame(2)
        assert shown.message is None


def test_a_doubt_of_the_session_is_a_sentence_that_goes_by_itself():
    now = [0.0]
    messages = Messages(clock=lambda: now[0])
    messages.follow("axes of its own", doubt=True)
    assert (messages.current.text, messages.current.error) == ("Axes of its own", False)
    now[0] = OFFER_SECONDS
    messages.follow("axes of its own", doubt=True)
    assert messages.current is None
    assert [kept.error for kept in messages.latest] == [False]


def test_errors_go_to_the_log():
    Messages().error("body.mass: 0 kg is outside 0.1 to 100 kg")
    assert "error: body.mass: 0 kg is outside" in log.path().read_text("utf-8")


def test_the_list_keeps_the_latest_and_each_once():
    messages = Messages()
    for i in range(IN_LIST + 5):
        messages.error(f"number {i}")
        messages.error(f"number {i}")
    assert len(messages.latest) == IN_LIST
    assert messages.latest[-1].text == f"number {IN_LIST + 4}"
    assert messages.latest[0].text == "number 5"


def test_a_message_is_copied_with_its_detail(stage, copied):
    shown = stage()
    shown.workspace.messages.error("internal error: oh", "Traceback\n  line 1")
    shown.frame(2)
    shown.click("copy")
    (text,) = copied
    assert text.startswith(f"Poinsot {__version__}, ")
    assert text.endswith("internal error: oh\nTraceback\n  line 1")
    assert shown.message == "internal error: oh"


def test_several_in_a_row_stand_in_the_list(stage, copied):
    shown = stage()
    shown.workspace.messages.error("the first")
    shown.frame(2)
    assert "messages" not in shown.boxes  # there is but one
    for i in range(LISTED + 3):
        shown.workspace.messages.error(f"number {i}")
    shown.frame(2)
    shown.click("messages")
    shown.frame(2)
    written = [words for words, _ in shown.texts]
    assert f"number {LISTED + 2}" in written
    assert f"number {3}" in written
    shown.click("Copy all")
    assert "the first" in copied[0]
    shown.click("Close##messages")
    shown.frame(2)
    assert f"number {3}" not in [words for words, _ in shown.texts]


@pytest.mark.parametrize("size", [(800, 600), (640, 300), (1280, 720)])
def test_long_messages_and_the_list_stay_within_the_scene(stage, size):
    shown = stage(size=size)
    for i in range(12):
        shown.workspace.messages.error(f"scene {i}: " + "a very long message that has to be wrapped " * 5)
    shown.workspace.messages.toggle_list()
    shown.frame(3)
    scene = shown.ui.layout.areas.scene
    assert shown.ui.message_card.boxes
    for box in shown.ui.message_card.boxes:
        assert box.x >= 0
        assert box.y >= scene.y
        assert box.x + box.width <= scene.width
        assert box.y + box.height <= scene.y + scene.height
    first, *others = shown.ui.message_card.boxes
    assert all(other.y + other.height <= first.y for other in others)
    assert shown.ui.covers(first.x + 5, first.y + 5)


@pytest.mark.parametrize("text_size", [1.0, 1.6])
@pytest.mark.parametrize("size", [(800, 600), (1000, 600), (1280, 720)])
def test_a_long_message_leaves_the_middle_of_the_scene_and_is_whole_in_the_list(stage, size, text_size):
    """Such as that of a mesh with faults; it stood before the body in the smallest window."""
    shown = stage(size=size)
    shown.workspace.settings.change("panel.text_size", text_size)
    long = "thing.obj: longest extent 18.3 mm; " + "so many edges of three or more faces; " * 9 + "the end"
    shown.workspace.messages.notice(long)
    shown.frame(3)
    scene, (box,) = shown.ui.layout.areas.scene, shown.ui.message_card.boxes
    assert box.y > scene.y + 0.65 * scene.height  # measured .70 to .86; it was .42 to .86
    shown.workspace.messages.toggle_list()
    shown.frame(3)
    assert long in [words for words, _ in shown.texts]


def test_a_message_never_runs_under_its_buttons(stage):
    for width in range(780, 830, 7):
        shown = stage(size=(width, 600))
        shown.workspace.messages.notice("The manual opens in the browser: /somewhere/in/a/folder/manual/index.html")
        for room in range(12):
            shown.size = (width + room, 600)
            shown.frame(2)
            right = next(box[2] for written, box in shown.texts if "manual" in written)
            assert right <= shown.boxes["copy"][0], shown.size


def test_an_offer_goes_when_it_no_longer_holds():
    messages, so = Messages(clock=lambda: 0.0), [True]
    messages.offer("nothing to do", "Do it", lambda: None, lambda: so[0])
    assert shown(messages, None) == ("nothing to do", False)
    so[0] = False
    assert messages.current is None
    so[0] = True
    assert messages.current is None


def test_an_offer_gives_way_to_what_the_session_says():
    messages = Messages(clock=lambda: 0.0)
    messages.offer("nothing to do", "Do it", lambda: None, lambda: True)
    assert shown(messages, "No race") == ("No race", True)
    messages.offer("nothing to do", "Do it", lambda: None, lambda: True)  # asked for after it
    assert shown(messages, "No race") == ("nothing to do", False)


def test_an_offer_of_another_method_ends_with_the_method(stage):
    """K where there is nothing to correct, then an integrator that there is something to correct with."""
    shown = stage("race-of-five")
    toggle = shown.workspace.stabilisation.toggle
    for integrator, says in (("exact", "Nothing to correct: Exact"), ("matrix-euler", "Matrix, Euler takes no")):
        shown.workspace.session.change({"solver.integrator": integrator})
        toggle()
        shown.frame(2)
        assert shown.message.startswith(says)
        shown.workspace.session.change({"solver.integrator": "explicit-euler"})
        shown.frame(2)
        assert shown.message is None or "No race" in shown.message
