"""The quality that the machine keeps up with: measures what the pictures cost, and steps down or up with reserve.

A median decides, so that single slow frames do not count; the quality comes back up slowly, and more slowly each time
after that went wrong, so that it settles instead of swinging. What stands still is drawn in full.
"""

import math
from collections import deque

from viewer.scenario.choices.themes import AUTO, QUALITIES, Quality

BUDGET = 0.020  # s a picture may cost: with the motion, the interface and the swap beside it 40 a second are reached
ROOM = 0.95  # of the budget: what the next finer quality may be expected to cost
WORTH = 0.4  # of a picture's cost: what has to go with the pixels, or a coarser one would look worse for little
SAMPLES = 7  # pictures whose median counts
WARMING = 2  # pictures after a change that do not: they allocate
PATIENCE = 2.0  # s before the next finer quality is tried; doubles each time that failed
LONGEST_PATIENCE = 120.0
FAILED = 4.0  # s within which a step back down counts as a failure of the step up
STILL = 0.15  # s without a change: a still picture

LEVELS = tuple(QUALITIES.values())


class DynamicResolution:
    """The clock is the caller's: every `now` is in seconds and never smaller than the one before."""

    def __init__(self) -> None:
        self._level = 0
        self._costs: deque[float] = deque(maxlen=SAMPLES)
        self._warming = 0
        self._changed = -math.inf  # when the level last changed
        self._went_up = -math.inf
        self._patience = PATIENCE
        self._fixed = 0.0  # s of a picture's cost that do not go with the pixels
        self._before: tuple[int, float] | None = None  # the last level and its cost, until the new one's is known
        self._last = -math.inf  # when the last picture was ready
        self._playing = self._moving = False

    def forget(self) -> None:
        """Forget the measured costs and start again at full quality, because something else is shown from now on."""
        self._level, self._fixed, self._before = 0, 0.0, None
        self._changed = self._went_up = -math.inf
        self._patience, self._warming = PATIENCE, WARMING
        self._costs.clear()

    def moved(self, now: float, playing: bool) -> None:
        """Take note of a change; where nothing plays, the first picture after a rest is still drawn in full."""
        self._playing = playing
        self._moving = playing or now - self._last < STILL

    def stopped(self) -> None:
        """Take note that nothing goes on by itself any more, whatever the last picture showed."""
        self._playing = False

    def quality(self, setting: str, now: float) -> Quality:
        """Return the quality of a picture drawn now; `setting` is a key of QUALITIES or AUTO."""
        self._moving = self._in_motion(now)
        if not self._moving:
            return LEVELS[0]
        return LEVELS[self._level] if setting == AUTO else QUALITIES[setting]

    def wait(self, now: float) -> float | None:
        """Return the seconds until what was drawn in motion counts as still, or None if it already does."""
        return max(0.0, self._last + STILL - now) if self._playing or self._moving else None

    def drawn(self, quality: Quality, cost: float, now: float) -> None:
        """Take note of a picture of that quality, which took `cost` seconds."""
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
        """Return what a picture would cost at another level."""
        fixed = min(self._fixed, cost)
        return fixed + (cost - fixed) * _pixels(level) / _pixels(self._level)

    def _hardly_pixels(self, cost: float) -> bool:
        """Return whether most of what a picture costs would not be saved by fewer pixels."""
        return cost - self._fixed < WORTH * cost

    def _learn(self, cost: float) -> None:
        """Derive from the costs at the last level and at this one how much of them does not go with the pixels."""
        if self._before is None:
            return
        (level, before), self._before = self._before, None
        a, b = _pixels(level), _pixels(self._level)
        self._fixed = min(max((cost * a - before * b) / (a - b), 0.0), cost)

    def _step_down(self, cost: float, now: float) -> None:
        """Go to the finest level that ought to do, or as far down as each step is worth it."""
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
        """Return whether the next finer quality is within the budget too, or comes hardly later."""
        finer = self._expected(cost, self._level - 1)
        return finer <= ROOM * BUDGET or self._hardly_pixels(finer)

    def _go(self, level: int, cost: float, now: float) -> None:
        self._before = self._level, cost
        self._level, self._changed, self._warming = level, now, WARMING
        self._costs.clear()


def _pixels(level: int) -> float:
    """Return the pixels of a picture at that level as a fraction of all."""
    return LEVELS[level].resolution ** 2
