"""The path that a motion leaves behind it: rows that come as it goes on, and end where it stands when it goes back."""

from bisect import bisect_right
from collections.abc import Sequence
from math import hypot, inf, sqrt

import numpy as np
from numpy.typing import NDArray

from viewer.common.ring_buffer import RingBuffer
from viewer.physics import rotation
from viewer.physics.centre_of_mass import parabola
from viewer.physics.simulation import Simulation
from viewer.physics.state import SAMPLE, Sample, Samples
from viewer.session.checkpoints import RECENT, RETRACED, Checkpoints

# rad of turning between two rows, at most, where the step allows: on a radius of 100 px a chord sags by .1 px
TRAIL_ANGLE = 0.1
TRAIL_ROWS = 102_400
POSITION_COLUMN, TRAIL_WIDTH = 7, 10  # time, omega in the world, omega in the body, position of the centre of mass
PATH_SAG = 1e-3  # of the radius of gyration: a chord of the path sags by no more, where the step allows

Array = NDArray[np.float64]


class Trail:
    """Keeps `ring`, rows of TRAIL_WIDTH, filled with what lies between the origin of the motion and now.

    What the ring still has is wound back and forth; what it has no more comes from the checkpoints. `unsampled`: steps
    that the last row is ago.
    """

    def __init__(self, ring: RingBuffer, checkpoints: Checkpoints) -> None:
        self.ring, self._checkpoints = ring, checkpoints
        ring.clear()
        self.unsampled = 0
        self._sign, self._from = 1, 0  # from this row on the times lead from the origin in this direction

    def sample(self, simulation: Simulation) -> None:
        """The present state is the next row."""
        sign = self._checkpoints.direction(simulation.steps).sign
        if sign != self._sign:  # past the origin
            at_origin = self._kept(self._checkpoints.segments[0].simulation.time)
            self.ring.set_end(at_origin or self.ring.count)
            self._sign, self._from = sign, max(self.ring.count - 1, self.ring.first)
        kept = self._kept(simulation.time) if self.ring.count < self.ring.end else 0
        if kept and self._time(kept - 1) == simulation.time:
            self.ring.set_end(kept)
        else:
            state = simulation.state
            self.ring.append((simulation.time, *simulation.omega_world, *state.omega_body, *state.position))
        self.unsampled = 0

    def extends(self, simulation: Simulation) -> bool:
        """Return whether rows after the present state would be new ones, that follow the last."""
        ring = self.ring
        same_way = self._checkpoints.direction(simulation.steps).sign == self._sign
        return same_way and 0 < ring.count == ring.end and self._time(ring.count - 1) == simulation.time

    def add(self, simulation: Simulation, samples: Sequence[Sample]) -> None:
        """The next rows, of samples of this simulation; where it `extends`."""
        if samples:
            self.ring.append_rows(_rows(Samples(simulation.body, np.array(samples, SAMPLE))))

    def changed(self, simulation: Simulation) -> None:
        """From now on the motion is another than before, maybe from a new origin."""
        self.ring.cut(self.ring.count)
        if simulation.steps == self._checkpoints.origin:
            self._sign, self._from = 1, self.ring.count

    def show(self, simulation: Simulation, interval: int) -> None:
        """It ends at the present state, somewhere in what is recorded; `interval`: steps between two rows."""
        if self._checkpoints.direction(simulation.steps).sign == self._sign:
            kept = self._kept(simulation.time)
            last = self._time(kept - 1) if kept else np.inf
            behind = round(min(abs(simulation.time - last) / simulation.step, 1e9))
            if kept and (kept < self.ring.end or behind <= interval):
                self.ring.set_end(kept)
                self.unsampled = behind
                return
        self._refill(simulation, interval)

    def _time(self, number: int) -> float:
        """Of a row [s]."""
        return float(self.ring.data[number % self.ring.capacity, 0])

    def _kept(self, time: float) -> int:
        """Before which row those up to a time [s] end; 0 where none of them is there."""
        numbers = range(max(self._from, self.ring.first), self.ring.end)
        found = bisect_right(numbers, self._sign * time, key=lambda number: self._sign * self._time(number))
        return numbers.start + found if found else 0

    def _refill(self, simulation: Simulation, interval: int) -> None:
        """From the checkpoints: what they have kept, or what is made again of it."""
        checkpoints, steps = self._checkpoints, simulation.steps
        direction = checkpoints.direction(steps)
        rows, older = checkpoints.trail(steps, self.ring.capacity), np.zeros((0, TRAIL_WIDTH))
        if direction.recent.first:  # rows are gone
            if simulation.dense:
                rows = rows if len(rows) else np.array([simulation.sample()], SAMPLE)
                older = self._exact(simulation, int(rows["steps"][0]), RECENT - len(rows), interval)
            elif len(rows) * interval < RETRACED:
                rows = checkpoints.retraced(steps, self.ring.capacity, interval)
        samples = Samples(simulation.body, rows)
        self.ring.clear()
        self.ring.append_rows(older)
        self.ring.append_rows(_rows(samples))
        self.unsampled = abs(steps - int(rows["steps"][-1])) if len(rows) else 0
        self._sign, self._from = direction.sign, 0

    def _exact(self, simulation: Simulation, first: int, most: int, interval: int) -> Array:
        """At most `most` rows before `first` steps, of the exact motion, for an integrator without errors."""
        checkpoints = self._checkpoints
        number = checkpoints.segment_at(simulation.steps)
        segment = checkpoints.segments[number]
        thrust = simulation.loads.frame == "body" and any(simulation.loads.force)  # the path has no closed form
        if segment.exact is None or thrust or checkpoints.segment_at(first) != number:
            return np.zeros((0, TRAIL_WIDTH))
        exact, begin = segment.exact
        many = max(0, min(most, abs(first - segment.steps) // interval))
        positions = first - checkpoints.direction(first).sign * interval * np.arange(many, 0, -1)
        times = simulation.time + (positions - simulation.steps) * simulation.step
        states = exact.at(np.asarray(times - begin, dtype=np.float64))
        omega_world = rotation.rotate(states.orientation_wxyz, states.omega_body)
        elapsed, state = np.asarray(times - simulation.time, dtype=np.float64), simulation.state
        force = np.array(simulation.loads.force)  # fixed in space
        path, _ = parabola(state.position, state.linear_momentum, force, simulation.body.mass, elapsed[:, None])
        return np.column_stack((times, omega_world, states.omega_body, path))


def _rows(samples: Samples) -> Array:
    """(N, TRAIL_WIDTH)."""
    return np.column_stack((samples.time, samples.omega_world, samples.omega_body, samples.rows["position"]))


def steps_per_row(simulation: Simulation) -> int:
    """Return how many steps make at most TRAIL_ANGLE of turning, at the largest |omega| that E and |L| allow, and bend
    the path of the centre of mass by no more than PATH_SAG."""
    smallest = float(min(simulation.body.principal_moments))
    fastest = min(
        sqrt(2 * simulation.rotational_energy / smallest),
        float(np.linalg.norm(simulation.angular_momentum_world)) / smallest,
    )
    turned = fastest * simulation.step
    apart = TRAIL_ANGLE / turned if turned > 0 else inf
    loads = simulation.loads
    force = sum(hypot(*part) for part in (loads.force, *(thruster.force for thruster in loads.thrusters)))
    if force > 0.0:
        mass = simulation.body.mass
        apart = min(apart, sqrt(8.0 * PATH_SAG * sqrt(smallest / mass) * mass / force) / simulation.step)
    return int(max(1, min(apart, 1e9)))
