"""How long what the pointer is over says its name; on a clock of the test."""

from types import SimpleNamespace

import numpy as np
from helpers.frames import picture_of
from helpers.pointing import eye_pixel

from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.layout import Rect
from viewer.ui.names.card import REST, STAYS, NamePointer
from viewer.ui.overlay import Modal, Overlays
from viewer.user.settings import Settings
from viewer.workspace.state import UiState

SIZE = (900, 600)


def pointing(at):
    """A pointer over a point of the world, its state and its clock."""
    frame = picture_of(Session(Scenario.preset("paper-fig1"), playing=False), SIZE)
    state, clock = UiState(), SimpleNamespace(now=10.0)
    layout = SimpleNamespace(areas=SimpleNamespace(scene=Rect(0, 0, *SIZE)), scale=1.0, overlays=Overlays())
    pointer = NamePointer(state, Settings(), layout, SimpleNamespace(frame=frame, count=1), lambda: clock.now)
    x, y = eye_pixel(frame.main, at(frame.main.scene), SIZE)
    pointer.point_at(x - 0.5, y - 0.5, 0)
    pointer.update()
    return pointer, state, clock


def test_a_surface_says_its_name_after_a_rest_and_for_some_seconds():
    pointer, state, clock = pointing(lambda scene: np.array([0.0, 0.0, -0.12]))
    assert state.named is None
    clock.now += REST + 0.01
    assert pointer.wait() is not None
    pointer.update()
    assert state.named.name == "body"
    assert abs(pointer.wait() - (STAYS - REST - 0.01)) < 1e-9
    clock.now += STAYS
    pointer.update()
    assert state.named is None
    assert pointer.wait() is None  # nothing is due while the pointer rests


def test_a_line_says_its_name_as_long_as_the_pointer_is_over_it():
    pointer, state, clock = pointing(lambda scene: 0.8 * next(a.end for a in scene.arrows if a.name == "L"))
    assert state.named.name == "L"
    clock.now += 10.0 * STAYS
    pointer.update()
    assert state.named.name == "L"
    assert pointer.wait() is None


def test_nothing_says_its_name_below_an_overlay_that_takes_the_mouse():
    pointer, state, _ = pointing(lambda scene: 0.8 * next(a.end for a in scene.arrows if a.name == "L"))
    overlay = Modal()
    pointer._layout.overlays.fill(overlay)
    overlay.is_open = True
    assert pointer.wait() is not None
    pointer.update()
    assert state.named is None
    overlay.close()
    pointer.update()
    assert state.named.name == "L"
