"""Where the card of a name goes: beside the pointer, on the side away from the body."""

import itertools

import numpy as np
import pytest
from helpers.frames import picture_of
from helpers.pointing import eye_pixel

from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.layout import Rect
from viewer.ui.names.card import body_circle, place

POINTERS = list(itertools.product((10.0, 250.0, 450.0, 700.0, 890.0), (40.0, 200.0, 330.0, 620.0)))
AREA, SIZE, BESIDE, BODY = Rect(0, 34, 900, 600), (290.0, 120.0), (18.0, 20.0), Rect(320, 180, 260, 260)


def chosen(pointer):
    x, y = place(AREA, pointer, SIZE, BESIDE, (450.0, 310.0))
    return Rect(round(x), round(y), *map(round, SIZE))


@pytest.mark.parametrize(("x", "y"), POINTERS)
def test_it_stays_within_the_scene_and_leaves_the_pointer_free(x, y):
    card = chosen((x, y))
    assert AREA.x <= card.x <= AREA.x + AREA.width - card.width
    assert AREA.y <= card.y <= AREA.y + AREA.height - card.height
    assert not card.holds(x, y)


@pytest.mark.parametrize("pointer", [(300.0, 400.0), (590.0, 420.0), (450.0, 500.0), (330.0, 430.0), (250.0, 250.0)])
def test_beside_the_body_it_covers_nothing_of_it(pointer):
    card = chosen(pointer)
    across = min(card.x + card.width, BODY.x + BODY.width) - max(card.x, BODY.x)
    assert across <= 0 or min(card.y + card.height, BODY.y + BODY.height) <= max(card.y, BODY.y)


def test_the_body_is_where_the_picture_has_it():
    frame = picture_of(Session(Scenario.preset("dzhanibekov"), playing=False), (900, 600))
    x, y, radius = body_circle(frame, AREA)
    right, down = eye_pixel(frame.main, np.zeros(3), (900, 600))  # by the renderer's own matrices
    assert (x, y) == (pytest.approx(right, abs=1.0), pytest.approx(AREA.y + down, abs=1.0))
    assert 50.0 < radius < 300.0
