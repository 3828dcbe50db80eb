"""Leads a motion through time: with the clock on the wall, forwards or backwards, in a loop, or to a moment."""

from collections.abc import Callable
from math import inf

from viewer.session import playback
from viewer.session.motion import Motion

PHYSICS_SHARE = 0.4  # of the time between two frames: so much may stepping take
LONGEST_FRAME = 0.25  # s on the wall; a longer pause (window moved, machine asleep) counts as this
BACKLOG = 0.1  # s on the wall that the physics may lag behind before time is left out
SLOW = 4.0  # steps a frame: with fewer the motion would be seen to move by steps
AT_ONCE = 0.04  # s on the wall that a jump into the unknown may take; a longer one goes on in the frames that follow


class Player:
    """The hands on the clock of one motion after the other. What `Motion.run` raises, it raises."""

    def __init__(self, motion: Motion, playing: bool, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.playing, self.backwards, self.held = playing, False, False
        self.begin(motion)

    def begin(self, motion: Motion) -> None:
        """From now on it is this motion, forwards."""
        self.motion = motion
        self.backwards = False
        self.loop: tuple[float, float] | None = None
        self.goal: float | None = None
        self._meter = playback.SpeedMeter()
        self._slow = False  # a frame has fewer than SLOW steps
        self._owed = 0.0  # simulated seconds that the clock is ahead of the motion

    @property
    def bound_for(self) -> float:
        """The time [s] to which it is on the way, else where it is."""
        return self.motion.time if self.goal is None else self.goal

    @property
    def moving(self) -> bool:
        """Whether time goes on by itself."""
        return (self.playing or self.goal is not None) and not self.held

    @property
    def ahead(self) -> float:
        """The share of a step, -1..1, by which the clock is later than the last step; 0 where a frame has many."""
        if not self._slow:
            return 0.0
        share = min(max(self._owed / self.motion.step, -1.0), 1.0)
        return -share if self.backwards else share

    def speed_reached(self, wanted: float) -> float:
        """Of `wanted` simulated seconds per second, what is reached."""
        return self._meter.reached(wanted)

    def stop(self) -> None:
        """Stops the clock."""
        self.playing, self.goal = False, None
        self._owed = 0.0

    def reverse(self) -> None:
        """Lets the clock run the other way, from where it is."""
        self.playing, self.goal = True, None
        self.limit_debt()
        self.backwards, self._owed = not self.backwards, -self._owed

    def resync(self) -> None:
        """The clock is where the motion is."""
        self._owed = 0.0

    def limit_debt(self) -> None:
        """What is owed counts for a step at most."""
        self._owed = min(self._owed, self.motion.step)

    def advance(self, wall_seconds: float, speed: float, patient: bool = False) -> bool:
        """Lets the clock run on by `wall_seconds` at `speed`, in whole steps; True when the motion moved.

        `patient`: however long they take, and what is left of a step counts, too.
        """
        if not self.moving or not wall_seconds > 0:
            return False
        wall = min(wall_seconds, LONGEST_FRAME)
        deadline = inf if patient else self._clock() + PHYSICS_SHARE * wall
        if self.goal is not None:
            return self._go_on(deadline)
        step = self.motion.step
        self._slow = patient or wall * speed < SLOW * step
        self._owed += wall * speed
        steps = int(self._owed / step)
        if steps < 1:
            return False
        done = self._run(steps, deadline)
        self._owed -= done * step
        behind = self._owed > max(BACKLOG * speed, step)
        if behind:
            self._owed = 0.0
        self._meter.add(wall, done * step, behind)
        return True

    def _run(self, steps: int, deadline: float) -> int:
        """Runs with the direction; at the end of a loop goes on from its beginning."""
        motion, sign = self.motion, -1 if self.backwards else 1
        if self.loop is None:
            return motion.run(sign * steps, lambda: self._clock() > deadline)
        first, last = self.loop[::sign]
        room = max(0, round(sign * (last - motion.time) / motion.step))
        done = motion.run(sign * min(steps, room), lambda: self._clock() > deadline) if room else 0
        if done == room:
            motion.seek(first)
            done = max(done, 1)
        return done

    def go_to(self, time: float) -> None:
        """To a moment: at once where it is recorded or near, else in the frames that follow, as fast as it goes."""
        self.goal, self._owed = time, 0.0
        self._go_on(self._clock() + AT_ONCE)

    def _go_on(self, deadline: float) -> bool:
        """Towards the goal."""
        motion, goal = self.motion, self.goal
        assert goal is not None
        first, last = motion.span
        self.goal = None  # whatever is raised, the way ends
        motion.seek(min(max(goal, first), last))
        if not motion.run_to(goal, lambda: self._clock() > deadline):
            self.goal = goal
        return True
