"""The playback clock: its speeds, and how a motion follows it forwards, backwards, in a loop, or to a given time."""

from collections.abc import Callable, Iterable
from math import floor, inf, log10, pi, sqrt

from viewer.common.language import tr
from viewer.physics.simulation import NumericalOverflow
from viewer.session.motion import FORWARDS_ONLY, IrreversibleError, Motion

PERIOD_ON_SCREEN = (6.0, 10.0)  # s: automatic speed shows one period within this time
STAYS_ON_SCREEN = (4.0, 15.0)  # s: while a period takes this long, the speed is kept, so that its changes are seen
RESOLVED = 20.0  # steps: the automatic speed does not follow a shorter period, such as that of a motion that blows up
FRAMES = 60.0  # pictures a second
TURN_A_FRAME = pi / 4.0  # rad: a body that turns further from picture to picture seems to turn slowly, or backwards
ROUND = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # times a power of ten: the speeds that are offered
SLOWEST, FASTEST = 1e-6, 1e10  # the range of playback.speed
MEASURE = 0.5  # s of real time over which the reached speed is measured
PHYSICS_SHARE = 0.4  # of the time between two frames, that stepping may take
LONGEST_FRAME = 0.25  # s of real time; a longer pause (window moved, machine asleep) counts as this
BACKLOG = 0.1  # s of real time by which the physics may lag before time is left out
SLOW = 4.0  # steps a frame: with fewer, one would see the motion move by steps
AT_ONCE = 0.04  # s of real time that a jump beyond the record may take; a longer one goes on in the frames that follow
FILMED = 0.1  # s of real time to wait for a film's picture, until the window is drawn and takes input again


def automatic_speed(period: float | None, now: float | None = None, limit: float = inf) -> float:
    """Return the round speed that shows one period [s] in 6 to 10 s; 1 if that fits or there is no period.

    `now` is the present automatic speed, or None; it is kept while it shows one period in 4 to 15 s. `limit` is the
    highest speed allowed (`speed_limit`). A speed that was lowered to an earlier limit rises again only when twice that
    speed is allowed.
    """
    speed = _speed_for_period(period, now)
    if speed <= limit:
        return speed
    if now is not None and 0.5 * limit <= now <= limit:
        return now
    limit = max(limit, SLOWEST)
    return max(round_speed for round_speed in _around(limit) if round_speed <= limit)


def speed_limit(turning: Iterable[tuple[float, float]]) -> float:
    """Return the highest speed at which motions look smooth.

    Between two frames no body then turns further than TURN_A_FRAME, or than in one step if that is more. `turning` has,
    for each body that is seen, the largest |omega| [rad/s] and the time [s] between two states that can be shown.
    """
    return min((FRAMES * max(TURN_A_FRAME / rate, apart) for rate, apart in turning if rate > 0.0), default=inf)


def _speed_for_period(period: float | None, now: float | None) -> float:
    if period is None or not 0 < period < inf:
        return 1.0
    if now is not None and STAYS_ON_SCREEN[0] <= period / now <= STAYS_ON_SCREEN[1]:
        return now
    low, high = (period / seconds for seconds in reversed(PERIOD_ON_SCREEN))
    if low <= 1.0 <= high:
        return 1.0
    middle = clamped(sqrt(low) * sqrt(high))
    return clamped(min(_around(middle), key=lambda speed: abs(log10(speed / middle))))


def faster(speed: float) -> float:
    """Return the next round speed above."""
    return clamped(min(s for s in _around(speed) if s > speed * 1.001))


def slower(speed: float) -> float:
    """Return the next round speed below."""
    return clamped(max(s for s in _around(speed) if s < speed * 0.999))


def clamped(speed: float) -> float:
    """Return the allowed speed nearest to a speed."""
    return min(max(speed, SLOWEST), FASTEST)


def _around(speed: float) -> list[float]:
    """Return the round speeds in the decades around a speed.

    Those below 1 are computed by division, so that each is the float nearest to its decimal.
    """
    decade = floor(log10(speed))
    return [
        figure * 10.0**power if power >= 0 else figure / 10.0**-power
        for power in (decade - 1, decade, decade + 1)
        for figure in ROUND
    ]


class Status:
    """The report of a session: that something visible has changed, and what the user should know.

    `revision` grows whenever something visible has changed; `by_clock` counts how much of that is due to the running
    clock alone. `event` is the text of what has just happened, or None; `number` differs if the same happens again.
    `doubt` says that the event is no failure, but a doubt about a file that was read.
    """

    def __init__(self) -> None:
        self.revision = self.by_clock = 0
        self.event: str | None = None
        self.number = 0
        self.doubt = False

    def changed(self) -> None:
        """Note that something visible has changed."""
        self.revision += 1

    def report(self, event: str | None, *, doubt: bool = False) -> None:
        """Note an event, which is shown to the user; None removes the last report."""
        self.event, self.doubt, self.number = event, doubt, self.number + 1
        self.changed()


class SpeedMeter:
    """Measures the speed that is reached: the wanted one while the physics keeps up."""

    def __init__(self) -> None:
        self._wall = self._simulated = 0.0
        self._behind = False
        self._measured: float | None = None

    def add(self, wall: float, simulated: float, behind: bool) -> None:
        """Count one frame: its real time [s], its simulated time [s], and whether simulated time had to be left out."""
        self._wall += wall
        self._simulated += simulated
        self._behind = self._behind or behind
        if self._wall >= MEASURE:
            self._measured = self._simulated / self._wall if self._behind else None
            self._wall = self._simulated = 0.0
            self._behind = False

    def reached(self, wanted: float) -> float:
        """Return the speed of the last half second."""
        return wanted if self._measured is None else min(wanted, self._measured)


class Playback:
    """The clock that runs a motion.

    If the motion diverges or does not run backwards, the clock stops, and `status` has the reason.

    Attributes
    ----------
    held
        Whether the clock stands still because the timeline is being dragged.
    due
        The simulated time [s] that is still to be computed before a film's next frame.
    loop
        The times [s] between which the motion runs again and again, or None.
    unseen
        Whether the picture stays as it is while the motion is going to a time.
    pace
        The function that turns the time of the motion [s] into a factor of the speed, for slow motion; or None.
    why
        The function that returns the text about a motion that diverges.
    """

    def __init__(self, motion: Motion, status: Status, playing: bool, clock: Callable[[], float]) -> None:
        self._status, self._clock = status, clock
        self.why: Callable[[NumericalOverflow], str] = str
        self.playing, self.held = playing, False
        self.begin(motion)

    def begin(self, motion: Motion) -> None:
        """Play another motion from now on, forwards."""
        self.motion, self.backwards = motion, False
        self.loop: tuple[float, float] | None = None
        self.pace: Callable[[float], float] | None = None
        self._goal: float | None = None  # the time [s] to which the motion is going
        self.unseen = False
        self.meter = SpeedMeter()
        self._slow = False  # a frame has fewer than SLOW steps
        self._owed = self.due = 0.0  # simulated seconds by which the clock is ahead of the motion
        self._automatic: float | None = None  # the automatic speed up to now
        self._kept: float | None = None  # the speed that `keep_speed` keeps instead

    def adopt(self, motion: Motion) -> None:
        """Go on with another body's motion, which stands at the same time."""
        self.motion, self.loop = motion, None

    @property
    def moving(self) -> bool:
        """Whether time goes on by itself."""
        return (self.playing or self._goal is not None) and not self.held

    @property
    def destination(self) -> float:
        """The time [s] to which the motion is going, or else its present time."""
        return self.motion.time if self._goal is None else self._goal

    @property
    def catching_up(self) -> bool:
        """Whether the motion is going to a time while the picture stays as it is."""
        return self.unseen and self._goal is not None

    @property
    def ahead(self) -> float:
        """The fraction of a step, -1..1, by which the clock is past the last step; 0 if each frame has many steps."""
        if not self._slow:
            return 0.0
        fraction = min(max(self._owed / self.motion.step, -1.0), 1.0)
        return -fraction if self.backwards else fraction

    def speed_for(self, period: float | None, limit: float = inf) -> float:
        """Return the automatic speed for a period [s], no higher than `limit`.

        The speed does not change while it suits the period, or while `keep_speed` holds it.
        """
        if self._kept is not None:
            return min(self._kept, limit)
        resolved = period and max(period, RESOLVED * self.motion.step)
        self._automatic = automatic_speed(resolved, self._automatic, limit)
        return self._automatic

    def keep_speed(self, speed: float | None) -> None:
        """Keep the automatic speed at this value until another motion begins; None lets it follow the period again."""
        self._kept = speed

    def play(self) -> None:
        """Let the clock run."""
        if not self.playing:
            self.toggle()

    def pause(self) -> None:
        """Stop the clock."""
        if self.playing:
            self.toggle()

    def toggle(self) -> None:
        """Play or pause."""
        self.playing, self._goal = not self.playing, None
        self.limit_debt()
        self._status.report(None)

    def press(self, sign: int) -> None:
        """Run forwards (1) or backwards (-1); if that is the clock's direction already, play or pause."""
        if self.backwards == (sign < 0):
            self.toggle()
        else:
            self.reverse()

    def reverse(self) -> None:
        """Reverse the clock, if the motion can run backwards."""
        if not self.backwards and self.motion.irreversible:
            self._status.report(tr(FORWARDS_ONLY).format(why=self.motion.irreversible))
            return
        self.playing, self._goal = True, None
        self.limit_debt()
        self.backwards, self._owed = not self.backwards, -self._owed
        self._status.report(None)

    def stop(self) -> None:
        """Stop the clock at the motion's present time, even on the way to another time."""
        self.playing, self._goal = False, None
        self.resync()

    def resync(self) -> None:
        """Set the clock to the motion's present time."""
        self._owed = self.due = 0.0

    def limit_debt(self) -> None:
        """Reduce the clock's lead over the motion to one step at most."""
        self._owed, self.due = min(self._owed, self.motion.step), 0.0

    def step_once(self, sign: int = 1) -> None:
        """Go on by one step with its substeps, or back if `sign` is -1, then pause."""
        self.stop()
        self._status.event = None
        self._move(lambda: self.motion.run(sign * (1 + self.motion.active.solver.extra_substeps)))

    def seek(self, time: float) -> None:
        """Go to the recorded state nearest to `time` [s]."""
        self._goal = None
        self.resync()
        self._move(lambda: self.motion.seek(time))

    def go_to(self, time: float, unseen: bool = False) -> None:
        """Go to a time [s]: at once if it is recorded or close to that, else over the frames that follow.

        With `unseen`, the picture stays as it is until then.
        """
        self._goal, self.unseen = time, unseen
        self.resync()
        self._move(lambda: self._go_on(self._clock() + AT_ONCE))

    def jump_to_flip(self) -> None:
        """Go to the next reversal about the middle axis, or a top's next nod; if there is none, the status says why."""
        time, what = self.motion.next_nod() if self.motion.is_top else self.motion.next_flip()
        self._status.report(what or None, doubt=time is not None)  # which is no failure
        if time is not None:
            self.go_to(time)

    def toggle_loop(self) -> None:
        """Repeat one period from now on, or stop repeating; if there is no period, the status says why."""
        if self.loop is not None:
            self.loop = None
            self._status.changed()
            return
        end, why = self.motion.one_period_on()
        if end is not None:
            self.loop = (self.motion.time, end)
        self._status.report(None if end is not None else why)

    def advance(self, wall_seconds: float, speed: float, patient: bool = False) -> bool:
        """Let the clock run on by `wall_seconds` at `speed`, in whole steps; return whether anything visible changed.

        `patient` is for films: a frame may show a time between two steps, and the clock waits while the motion has not
        reached that time (`due`).
        """
        before = self.ahead
        if self._move(lambda: self._advance(wall_seconds, speed, patient)):
            return True
        if self.motion.dense and self.ahead != before:  # between two steps
            self._status.changed()
            return True
        return False

    def wait(self, wall_seconds: float) -> None:
        """Count the time of a frame in which the clock waits for other bodies; it lowers the measured speed only."""
        if self.moving:
            self.meter.add(min(wall_seconds, LONGEST_FRAME), 0.0, behind=True)

    def _move(self, move: Callable[[], object]) -> bool:
        """Call `move`; if the motion stops or refuses, report why.

        Return False if `move` returns False, as nothing has moved then.
        """
        try:
            if move() is False:
                return False
        except (NumericalOverflow, IrreversibleError) as error:
            self.stop()
            self._status.report(self.why(error) if isinstance(error, NumericalOverflow) else str(error))
        else:
            if not self.catching_up:
                self._status.changed()
        return True

    def _advance(self, wall_seconds: float, speed: float, patient: bool) -> bool:
        if not self.moving or not wall_seconds > 0:
            return False
        wall = min(wall_seconds, LONGEST_FRAME)
        deadline = self._clock() + (FILMED if patient else PHYSICS_SHARE * wall)
        if self._goal is not None:
            self._go_on(deadline)
            self.due = abs(self.destination - self.motion.time) if patient and self._goal is not None else 0.0
            return True
        step = self.motion.step
        if self.pace is not None:
            speed *= self.pace(self.motion.time)
        self._slow = patient or wall * speed < SLOW * step
        if not (patient and self.due):
            self._owed += wall * speed
        steps = int(self._owed / step)
        if steps < 1:
            self.due = 0.0
            return False
        done = self._run(steps, deadline)
        self._owed -= done * step
        behind = not patient and self._owed > max(BACKLOG * speed, step)
        if behind:
            self._owed = 0.0
        self.due = self._owed if patient and done < steps else 0.0
        self.meter.add(wall, done * step, behind)
        return True

    def _run(self, steps: int, deadline: float) -> int:
        """Make steps in the present direction; return how many were made.

        At the end of a loop the motion goes back to its beginning.
        """
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

    def _go_on(self, deadline: float) -> None:
        """Go on towards the goal until the deadline."""
        goal = self.destination
        first, last = self.motion.span
        self._goal = None  # if anything is raised, the motion goes no further
        self.motion.seek(min(max(goal, first), last))
        if not self.motion.run_to(goal, lambda: self._clock() > deadline):
            self._goal = goal
