"""The line of messages: nothing is lost, everything can be copied."""

import pytest

from viewer import __version__
from viewer.common.errors import InputError
from viewer.ui.overlays.messages import LISTED
from viewer.ui.platform.imgui_module import imgui
from viewer.workspace.messages import Messages


@pytest.fixture
def copied(monkeypatch):
    texts: list[str] = []
    monkeypatch.setattr(imgui, "set_clipboard_text", texts.append)
    return texts


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "a.csv: moments: this motion does not determine them, it turns by 1°; declare them, such as --moments"
            " 1,2,2.5; not declared, so taken as usual: us",
            "a.csv: moments: this motion does not determine them, it turns by 1°; not declared, so taken as usual: us;"
                " Moments can be declared in the dialog “Columns...”",
        ),
        (
            "a.csv: turns at 800 rad/s, as no sensor shows: if these are deg/s, say so by --angular-velocity deg/s",
            "a.csv: turns at 800 rad/s, as no sensor shows; Axes of ω, Unit of ω can be declared in the dialog"
            " “Columns...”",
        ),
        ("line 1: no column of times; --step SECONDS says how far its rows are apart",
         "line 1: no column of times; No time: step can be declared in the dialog “Columns...”"),
        ("a--b.csv: is empty: no table", "a--b.csv: is empty: no table"),
    ],
)  # fmt: skip
def test_what_the_command_can_do_is_no_advice_in_the_window(text, shown):
    messages = Messages()

    def refuse():
        raise InputError(text)

    assert messages.attempt(refuse) == messages.current.text == shown


def test_doubts_about_a_recording_are_whole_sentences():
    messages = Messages()
    messages.follow("nothing turns; as with --step\ny is reversed: repair it", doubt=True)
    assert messages.current.text == (
        "Nothing turns; No time: step can be declared in the dialog “Columns...”. y is reversed: repair it"
    )
