"""What the card beside the pointer says of a body and of a part of it."""

import numpy as np

from viewer.physics.solids.composite import Part
from viewer.scenario.scenario import Scenario
from viewer.scene.naming.spot import Spot
from viewer.scene.naming.things import HOLE, thing_of
from viewer.session.session import Session

BALL = Part("sphere", density=-1000.0, radius=0.03)
CUBE = Part("box", mass=2.0, width=0.1, depth=0.1, height=0.1, position=(0.0, 0.0, 0.01))


def snapshot_of(values):
    return Session(Scenario().with_values(values), playing=False).snapshot()


def test_the_body_says_what_its_inertia_comes_from():
    for values, said in (({}, "the closed form of the shape"), ({"body.shape": "tensor"}, "the tensor as given")):
        snapshot = snapshot_of(values)
        assert thing_of("body", snapshot).more(snapshot) == f"Inertia from {said}."


def test_a_part_says_its_kind_its_weight_and_whether_it_is_a_hole():
    snapshot = snapshot_of({"body.shape": "composite", "body.parts": [BALL, CUBE]})
    hole, cube = thing_of("part:0", snapshot), thing_of("part:1", snapshot)
    assert (hole.name, cube.name) == ("part 1: Sphere", "part 2: Box")
    assert hole.sentence == HOLE
    values = {value.symbol: value.value for value in hole.values(snapshot, Spot(0, "part:0", (0.0, 0.0, 0.0)))}
    np.testing.assert_allclose(values["m"], -1000.0 * 4.0 / 3.0 * np.pi * 0.03**3, rtol=1e-14)
    assert values["ρ"] == -1000.0
    assert thing_of("part:2", snapshot) is None
