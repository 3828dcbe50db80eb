"""The elements of the ui in their order: who is drawn, who gets a key, a text or Escape, and who covers the scene."""

from types import SimpleNamespace

import pytest

from viewer.ui.overlay import Card, Modal, Overlay, Overlays
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import windows


class Recorder(Overlay):
    """Writes down what it is asked, and takes the keys and texts that it is given."""

    is_open = False

    def __init__(self, takes: str = "") -> None:
        self.takes, self.record = takes, []

    def draw(self, canvas):
        self.record.append("draw")

    def close(self):
        self.is_open = False

    def take_key(self, key):
        self.record.append(key)
        return key in self.takes

    take_text = take_key


class CardRecorder(Recorder, Card):
    pass


class ModalRecorder(Recorder, Modal):
    pass


@pytest.fixture
def fill():
    context = imgui.create_context()

    def make(*elements):
        overlays = Overlays()
        overlays.fill(*elements)
        return overlays

    yield make
    imgui.destroy_context(context)


def test_they_are_drawn_from_back_to_front_and_one_that_fails_leaves_the_others(fill):
    drawn = []
    elements = [Recorder(), Recorder(), Recorder()]
    for number, element in enumerate(elements):
        element.draw = lambda canvas, number=number: drawn.append(number) or 1 // (number - 1)

    def attempt(name, draw):
        try:
            draw()
        except ZeroDivisionError:
            assert name == "Recorder"

    fill(*elements).draw(None, attempt)
    assert drawn == [0, 1, 2]


def test_no_card_is_drawn_over_the_scene_while_another_element_fills_the_window(fill, monkeypatch):
    veils = []
    monkeypatch.setattr(windows, "veil", veils.append)
    card, bar, window = CardRecorder(), Recorder(), ModalRecorder()
    window.fills = True
    overlays = fill(card, bar, window)
    canvas = SimpleNamespace(size=(640, 480))
    overlays.draw(canvas, lambda name, draw: draw())
    window.is_open = True
    overlays.draw(canvas, lambda name, draw: draw())
    assert (card.record, bar.record) == (["draw"], ["draw", "draw"])
    assert veils == [(640, 480)]  # what is behind is dimmed while it is open


@pytest.mark.parametrize("take", ["take_key", "take_text"])
def test_the_foremost_that_takes_it_gets_it(fill, take):
    back, middle, front = Recorder("A"), Recorder("A"), Recorder("B")
    assert getattr(fill(back, middle, front), take)("A")
    assert (back.record, middle.record, front.record) == ([], ["A"], ["A"])


@pytest.mark.parametrize("take", ["take_key", "take_text"])
def test_a_modal_one_keeps_it_from_those_behind_while_it_is_open_and_only_then(fill, take):
    back, modal = Recorder("AB"), ModalRecorder("B")
    overlays = fill(back, modal)
    assert getattr(overlays, take)("B")
    assert (back.record, modal.record) == (["B"], [])
    modal.is_open = True
    assert getattr(overlays, take)("B")
    assert not getattr(overlays, take)("A")
    assert (back.record, modal.record) == (["B"], ["B", "A"])


def test_while_something_is_typed_only_that_element_gets_keys(fill):
    class Field(Recorder):
        typing = True

    back, field, front = Recorder("A"), Field("B"), Recorder("B")
    overlays = fill(back, field, front)
    assert overlays.takes_keys
    assert overlays.take_key("B")
    assert not overlays.take_key("A")
    assert not overlays.take_text("A")
    assert (back.record, field.record, front.record) == ([], ["B", "A"], [])


def test_escape_closes_them_from_front_to_back(fill):
    back, closed, front = Recorder(), Recorder(), ModalRecorder()
    overlays = fill(back, closed, front)
    back.is_open = front.is_open = True
    assert overlays.dismiss()
    assert (back.is_open, front.is_open) == (True, False)
    assert overlays.dismiss()
    assert not overlays.dismiss()
    assert not back.is_open


def test_the_mouse_is_a_cards_where_it_was_drawn_and_a_modal_ones_everywhere(fill):
    from viewer.ui.layout import Rect

    card, modal = Card(), Modal()
    overlays = fill(card, modal)
    assert not overlays.covers(15, 15)
    card.box = Rect(10, 10, 10, 10)
    assert overlays.covers(15, 15)
    assert not overlays.covers(25, 15)
    modal.is_open = True
    assert overlays.covers(25, 15)


def test_the_next_frame_is_due_when_the_first_of_them_needs_it(fill):
    class Timed(Overlay):
        def __init__(self, seconds):
            self.seconds = seconds

        def wait(self):
            return self.seconds

    assert fill(Overlay()).wait() is None
    assert fill(Timed(2.0), Overlay(), Timed(0.5)).wait() == 0.5
