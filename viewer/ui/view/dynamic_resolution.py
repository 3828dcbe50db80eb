"""The quality that the machine keeps up with, which is lowered or raised as measured costs of the pictures demand.

A median decides, so that single slow frames do not count. The quality is raised again slowly, and more slowly each time
that this has failed, so that it settles instead of swinging. A still picture is drawn in full quality.
"""

import math
from collections import deque

from viewer.scenario.choices.themes import AUTO, QUALITIES, Quality

BUDGET = 0.020  # s that a picture may cost: with motion, interface and swap, this gives 40 pictures a second
ROOM = 0.95  # fraction of the budget that the next finer quality may be expected to cost
WORTH = 0.4  # least fraction of a picture's cost due to its pixels, at which a coarser picture is worth its look
SAMPLES = 7  # pictures whose median counts
WARMING = 2  # pictures after a change of quality that do not count, because they allocate
PATIENCE = 2.0  # s before the next finer quality is tried; doubled each time that this has failed
LONGEST_PATIENCE = 120.0
FAILED = 4.0  # s within which a step back down counts as a failure of the step up
STILL = 0.15  # s without a change, after which a picture counts as still

LEVELS = tuple(QUALITIES.values())


class DynamicResolution:
    """Chooses the quality of each picture. Every `now` is a time [s] of the caller's clock, which never runs back."""

    def __init__(self) -> None:
        self._level = 0
        self._costs: deque[float] = deque(maxlen=SAMPLES)
        self._warming = 0
        self._changed = -math.inf  # when the level last changed
        self._went_up = -math.inf
        self._patience = PATIENCE
        self._fixed = 0.0  # s of a picture's cost that do not depend on its pixels
        self._before: tuple[int, float] | None = None  # the previous level and its cost, until the new cost is known
        self._last = -math.inf  # when the last picture was ready
        self._playing = self._moving = False

    def forget(self) -> None:
        """Forget the measured costs and start again at full quality, because something else is shown from now on."""
        self._level, self._fixed, self._before = 0, 0.0, None
        self._changed = self._went_up = -math.inf
        self._patience, self._warming = PATIENCE, WARMING
        self._costs.clear()

    def moved(self, now: float, playing: bool) -> None:
        """Note a change; if nothing plays, the first picture after a rest is still drawn in full."""
        self._playing = playing
        self._moving = playing or now - self._last < STILL

    def stopped(self) -> None:
        """Note that nothing plays any more, even if something did in the last picture."""
        self._playing = False

    def quality(self, setting: str, now: float) -> Quality:
        """Return the quality of a picture drawn now; `setting` is a key of QUALITIES or AUTO."""
        self._moving = self._in_motion(now)
        if not self._moving:
            return LEVELS[0]
        return LEVELS[self._level] if setting == AUTO else QUALITIES[setting]

    def wait(self, now: float) -> float | None:
        """Return the seconds until the picture counts as still, or None if it already does."""
        return max(0.0, self._last + STILL - now) if self._playing or self._moving else None

    def drawn(self, quality: Quality, cost: float, now: float) -> None:
        """Note that a picture of this quality took `cost` seconds to draw."""
        counts = self._moving and quality is LEVELS[self._level]
        self._last = now
        if not counts:
            return
        if self._warming > 0:
            self._warming -= 1
            return
        self._costs.append(cost)
        if len(self._costs) < SAMPLES:
            return
        usual = sorted(self._costs)[SAMPLES // 2]
        self._learn(usual)
        if self._level > 0 and now - self._changed >= self._patience and self._finer_would_do(usual):
            self._go(self._level - 1, usual, now)
            self._went_up = now
        elif usual > BUDGET and self._level < len(LEVELS) - 1:
            self._step_down(usual, now)

    def _in_motion(self, now: float) -> bool:
        return self._playing or (self._moving and now - self._last < STILL)

    def _expected(self, cost: float, level: int) -> float:
        """Return what a picture that costs `cost` now would cost at another level [s]."""
        fixed = min(self._fixed, cost)
        return fixed + (cost - fixed) * _pixels(level) / _pixels(self._level)

    def _hardly_pixels(self, cost: float) -> bool:
        """Return whether so little of a picture's cost is due to its pixels that fewer pixels would save little."""
        return cost - self._fixed < WORTH * cost

    def _learn(self, cost: float) -> None:
        """Derive the cost that does not depend on the pixels from the costs at the previous level and at this one."""
        if self._before is None:
            return
        (level, before), self._before = self._before, None
        a, b = _pixels(level), _pixels(self._level)
        self._fixed = min(max((cost * a - before * b) / (a - b), 0.0), cost)

    def _step_down(self, cost: float, now: float) -> None:
        """Go to the finest level that is expected to keep the budget, but only as long as each level saves enough."""
        level, expected = self._level, cost
        while level < len(LEVELS) - 1 and expected > BUDGET and not self._hardly_pixels(expected):
            level += 1
            expected = self._expected(cost, level)
        if level == self._level:
            return
        if now - self._went_up < FAILED:
            self._patience = min(2.0 * self._patience, LONGEST_PATIENCE)
        self._go(level, cost, now)

    def _finer_would_do(self, cost: float) -> bool:
        """Return whether the next finer quality is expected to keep the budget too, or to cost hardly more."""
        finer = self._expected(cost, self._level - 1)
        return finer <= ROOM * BUDGET or self._hardly_pixels(finer)

    def _go(self, level: int, cost: float, now: float) -> None:
        self._before = self._level, cost
        self._level, self._changed, self._warming = level, now, WARMING
        self._costs.clear()


def _pixels(level: int) -> float:
    """Return the number of pixels of a picture at a level, as a fraction of that at full resolution."""
    return LEVELS[level].resolution ** 2
