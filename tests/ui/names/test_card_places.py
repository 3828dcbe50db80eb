"""Where the card of a name goes: beside the pointer, clear of the body and of what else should be seen."""

import itertools

import numpy as np
import pytest
from helpers.frames import picture_of
from helpers.pointing import eye_pixel

from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.layout import Rect
from viewer.ui.names.card import best, body_circle, places, to_spare

POINTERS = list(itertools.product((10.0, 250.0, 450.0, 700.0, 890.0), (40.0, 200.0, 330.0, 620.0)))
AREA, SIZE, BESIDE = Rect(0, 34, 900, 600), (290.0, 120.0), (18.0, 20.0)


def overlap(a, b):
    """Pixels counted one by one."""
    xs = np.arange(max(a.x, b.x), min(a.x + a.width, b.x + b.width))
    ys = np.arange(max(a.y, b.y), min(a.y + a.height, b.y + b.height))
    return len(xs) * len(ys)


def chosen(pointer, spared, size=SIZE, area=AREA):
    found = places(area, pointer, size, BESIDE)
    x, y = found[best(found, size, pointer, spared)]
    return Rect(round(x), round(y), *map(round, size))


def test_with_nothing_to_spare_it_is_at_the_lower_right():
    assert chosen((300.0, 200.0), []) == Rect(318, 220, 290, 120)


@pytest.mark.parametrize(("x", "y"), POINTERS)
def test_it_stays_within_the_scene_and_leaves_the_pointer_free(x, y):
    card = chosen((x, y), [Rect(300, 200, 300, 260)])
    assert overlap(card, AREA) == card.width * card.height
    assert not card.holds(x, y)


@pytest.mark.parametrize("pointer", [(300.0, 400.0), (640.0, 420.0), (450.0, 500.0), (420.0, 130.0), (250.0, 250.0)])
def test_beside_the_body_it_covers_nothing_of_it(pointer):
    body = Rect(320, 180, 260, 260)
    assert overlap(chosen(pointer, [body]), body) == 0


def test_it_leaves_the_name_of_the_stereo_mode_free():
    shown, pointer = Rect(250, 90, 400, 80), (420.0, 250.0)
    assert overlap(chosen(pointer, [shown]), shown) == 0
    body = Rect(430, 180, 260, 260)
    assert overlap(chosen(pointer, [body, shown]), shown) == overlap(chosen(pointer, [body, shown]), body) == 0


def test_what_is_spared_is_where_the_picture_has_it():
    session = Session(Scenario.preset("dzhanibekov"), playing=False)
    frame = picture_of(session, (900, 600))
    body, *spots = to_spare(frame, AREA, 1.0)
    x, y, radius = body_circle(frame, AREA)
    assert (body.x + body.width / 2, body.width) == (pytest.approx(x, abs=1.0), pytest.approx(2 * radius, abs=1.0))
    assert body.y + body.height / 2 == pytest.approx(y, abs=1.0)
    contact = frame.main.scene.contact
    right, down = eye_pixel(frame.main, contact, (900, 600))  # by the renderer's own matrices
    assert any(spot.holds(right, down + AREA.y) for spot in spots)
