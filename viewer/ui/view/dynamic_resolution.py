"""The quality that the machine keeps up with, which is lowered or raised as measured costs of the pictures demand.

The finest quality that keeps the budget is used; if none does, the finest that costs hardly more than the cheapest.
What a quality costs is measured, the finer first, because not all of it is due to the number of pixels. The median of
a few pictures counts, so that single slow ones do not matter. The quality is raised again slowly, and more slowly each
time that this has failed, so that it settles instead of swinging. A still picture is drawn in full quality.
"""

import math
import statistics
from collections import deque

from viewer.scenario.choices.themes import AUTO, QUALITIES, Quality

BUDGET = 0.020  # s that a picture may cost: with motion, interface and swap, this gives 40 pictures a second
ROOM = 0.95  # fraction of the budget that a finer quality may be expected to cost
HARDLY_MORE = 1.25  # times the cheapest cost, up to which no coarser quality is worth its look if none keeps the budget
FEWEST, SAMPLES = 5, 9  # pictures whose median counts: so many after a change of quality, and in the long run
WARMING = 1  # pictures after a change of quality that do not count, because they allocate
PATIENCE = 2.0  # s before the next finer quality is tried; doubled each time that this has failed
LONGEST_PATIENCE = 120.0  # after which, too, the costs at finer qualities are forgotten
OTHERWISE = 2.0  # factor by which a cost has changed if those at other qualities say nothing any more
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
        self._usual: dict[int, float] = {}  # the usual cost of a picture [s] by level, as far as it has been measured
        self._first = 0.0  # s, the first usual cost at this level
        self._exploring = False  # whether this level has been chosen to measure it
        self._last = -math.inf  # when the last picture was ready
        self._playing = self._moving = False

    def forget(self) -> None:
        """Forget the measured costs and start again at full quality, because something else is shown from now on."""
        self._level, self._usual, self._exploring = 0, {}, False
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
        if len(self._costs) < FEWEST:
            return
        usual = statistics.median(self._costs)
        waited = now - self._changed
        self._note(usual, waited)
        best = self._best(usual)
        if best > self._level and now - self._went_up < FAILED:
            self._patience = min(2.0 * self._patience, LONGEST_PATIENCE)
        explored, self._exploring = self._exploring, False
        if best > self._level or (best < self._level and explored):
            self._go(best, now)
        elif self._level > 0 and waited >= self._patience and self._finer_may_do(usual):
            self._go(self._level - 1, now)

    def _in_motion(self, now: float) -> bool:
        return self._playing or (self._moving and now - self._last < STILL)

    def _note(self, usual: float, waited: float) -> None:
        """Note the usual cost at this level, which was chosen `waited` seconds ago.

        The costs at the other levels are taken to have changed since the last time by the same factor. They are
        forgotten if the cost has changed much since it was first measured; else, if the level was chosen long ago, the
        finer ones are.
        """
        if self._level not in self._usual:
            self._first = usual
        elif not 1 / OTHERWISE < usual / self._first < OTHERWISE:
            self._usual, self._first = {}, usual
        elif waited >= LONGEST_PATIENCE:
            self._usual = {level: cost for level, cost in self._usual.items() if level >= self._level}
        change = usual / self._usual.get(self._level, usual)
        self._usual = {level: change * cost for level, cost in self._usual.items()} | {self._level: usual}

    def _limit(self) -> float:
        """Return the most that a picture may cost [s].

        It is the budget or, if no level keeps that, slightly more than the cost of the cheapest level.
        """
        cheapest = min(self._usual.values())
        return BUDGET if cheapest <= BUDGET else HARDLY_MORE * cheapest

    def _best(self, usual: float) -> int:
        """Return the finest level within the limit.

        If this level exceeds the budget, and the next coarser one has not been measured, it is that one.
        """
        coarser = self._level + 1
        if usual > BUDGET and coarser < len(LEVELS) and coarser not in self._usual:
            return coarser
        return min(level for level, cost in self._usual.items() if cost <= self._limit())

    def _finer_may_do(self, usual: float) -> bool:
        """Return whether the next finer level may be within the limit, as far as its cost is known."""
        finer = self._level - 1
        at_most = usual * (LEVELS[finer].resolution / LEVELS[self._level].resolution) ** 2  # if the pixels cost it all
        return min(self._usual.get(finer, 0.0), at_most) <= ROOM * self._limit()

    def _go(self, level: int, now: float) -> None:
        if level < self._level:
            self._went_up = now
        self._level, self._changed, self._warming = level, now, WARMING
        self._exploring = self._usual.pop(level, None) is None
        self._costs.clear()
