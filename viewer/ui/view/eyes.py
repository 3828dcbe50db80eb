"""Leads the eyes to where they are comfortable, so that the depth of the picture does not jump."""

import math
from collections.abc import Mapping
from typing import Any

from viewer.scenario.choices.stereo_modes import MIDDLE, STEREO_MODES
from viewer.scenario.sections.picture import Stereo
from viewer.scene.stereo.comfort import Eyes

EASE = 0.12  # s in which what is left of the way shrinks to a third
LONGEST = 1.0 / 20.0  # s that may pass between two pictures: after a rest the way begins then


class EyeTransition:
    """Remembers where the eyes stood in the last picture."""

    def __init__(self) -> None:
        self._eyes: Eyes | None = None
        self._then = 0.0
        self.there = True

    def follow(self, stereo: Stereo, now: float) -> tuple[Eyes, float] | None:
        """Where the eyes come from and the share of the way to go; None: they are there at once."""
        share = 1.0 - math.exp(-min(max(now - self._then, 0.0), LONGEST) / EASE)
        self._then = now
        if self._eyes is None or not stereo.comfort or STEREO_MODES[stereo.mode].eyes == (MIDDLE,):
            self._eyes = None
            return None
        return self._eyes, share

    def arrived(self, eyes: Eyes) -> None:
        """Where they stand in the picture that was drawn."""
        self.there = self._eyes is None or eyes == self._eyes
        self._eyes = eyes

    def forget(self) -> None:
        """The next picture is of another scene: no way leads there."""
        self._eyes = None

    def handed_over(self, stereo: Stereo, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Changes with which a hand takes over from the governor: what it leaves stays where it is now."""
        names = ("separation", "convergence")
        taken = any(f"stereo.{name}" in values for name in names)
        if not (stereo.comfort and taken) or self._eyes is None or "stereo.comfort" in values:
            return values
        return {f"stereo.{name}": getattr(self._eyes, name) for name in names} | dict(values)
