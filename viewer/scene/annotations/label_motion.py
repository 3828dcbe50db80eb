"""Leads names from place to place in pictures that follow each other."""

import math
from dataclasses import replace

from viewer.scene.description import Frame, Label

Pair = tuple[float, float]

JUMP = 2.5  # px between two pictures: less is how a name moves anyway
SECONDS = 0.07  # in which what is left of a jump shrinks to a third
ARRIVED = 0.3  # px


class LabelMotion:
    """Names choose their places in each picture anew; what they would jump they make up for little by little."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, str], tuple[Pair, Pair]] = {}  # of layer and text: place, and what is left to go
        self.moving = False

    def led(self, frame: Frame, seconds: float) -> Frame:
        """`frame` with each name on its way; `seconds`: since the last picture."""
        names, self._names, self.moving = self._names, {}, False
        left = math.exp(-max(seconds, 0.0) / SECONDS)
        layers = tuple(
            replace(layer, scene=replace(layer.scene, labels=tuple(moved)))
            if (moved := self._moved(number, layer.scene.labels, names, left))
            else layer
            for number, layer in enumerate(frame.layers)
        )
        return replace(frame, layers=layers) if self.moving else frame

    def forget(self) -> None:
        """The names of the next picture are where they belong at once."""
        self._names, self.moving = {}, False

    def _moved(
        self, number: int, labels: tuple[Label, ...], names: dict[tuple[int, str], tuple[Pair, Pair]], left: float
    ) -> list[Label]:
        """All labels of that layer; none where each is where it belongs."""
        moved: list[Label] = []
        for i, label in enumerate(labels):
            if label.style != "symbol" or not label.centred:
                continue
            key, place, behind = (number, label.text), label.offset, (0.0, 0.0)
            if key in names:
                before, (right, up) = names[key]
                behind = right * left, up * left
                if math.dist(before, place) > JUMP:
                    behind = behind[0] + before[0] - place[0], behind[1] + before[1] - place[1]
                if math.hypot(*behind) < ARRIVED:
                    behind = 0.0, 0.0
            self._names[key] = place, behind
            if behind != (0.0, 0.0):
                self.moving = True
                moved = moved or list(labels)
                moved[i] = replace(label, offset=(place[0] + behind[0], place[1] + behind[1]))
        return moved
