"""A phone's measurements, collected as they come, and the watch for a flight that has just ended in them."""

import csv
import threading
from dataclasses import replace
from typing import IO, TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError, brief
from viewer.physics.rotation import Array, from_rotation_vector, multiply
from viewer.replay.kinematics import wxyz
from viewer.replay.phone import Answer

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.replay.flights.free_flights import FreeFlight


MOST_ROWS = 100_000  # eight minutes at 200 Hz
LONGEST_GAP = 0.5  # s between two rows over which the angular velocity is taken as known
LEAST_FELT = 0.1  # m/s2: less does not show where up is
HEADER = (
    "Time (s)", "Gyroscope x (rad/s)", "Gyroscope y (rad/s)", "Gyroscope z (rad/s)",
    "Acceleration x (m/s^2)", "Acceleration y (m/s^2)", "Acceleration z (m/s^2)",
)  # fmt: skip


class LiveRecording:
    """The rows that a phone has measured since it began, at most the last `kept` ones; None keeps all.

    `time` (N,) [s] has the times of the rows, and `began` [s] is the time of the very first row, even if it is no
    longer kept. `omega_body` (N, 3) [rad/s] and `orientation_wxyz` (N, 4), body to world, are in the phone's axes: x to
    its right, y to its top, z out of the screen. The world's z points up if there was an accelerometer at the
    beginning. `left_out` counts the rows in which the gyroscope gave no number.
    """

    def __init__(self, kept: int | None = MOST_ROWS) -> None:
        self._kept = slice(None if kept is None else -kept, None)
        self.clear()

    def clear(self) -> None:
        """Begin another recording."""
        self.began, self.left_out = 0.0, 0
        self.time, self.omega_body = np.empty(0), np.empty((0, 3))
        self.orientation_wxyz = np.empty((0, 4))
        self._acceleration = np.empty((0, 4))  # time and values: the sensor has times of its own

    def add(self, answer: Answer) -> int:
        """Append the new rows in which the gyroscope gives numbers; return how many these are."""
        if answer.restarted:
            self.clear()
        values = np.column_stack((answer.accelerometer.time, answer.accelerometer.values))
        self._acceleration = np.concatenate((self._acceleration, values[np.isfinite(values).all(axis=1)]))[self._kept]
        usable = np.isfinite(answer.gyroscope.values).all(axis=1)
        self.left_out += int(np.count_nonzero(~usable))
        time, omega = answer.gyroscope.time[usable], answer.gyroscope.values[usable]
        if len(time):
            self.began = self.began if len(self.time) else float(time[0])
            orientation = self._orientations(time, omega)
            self.time = np.concatenate((self.time, time))[self._kept]
            self.omega_body = np.concatenate((self.omega_body, omega))[self._kept]
            self.orientation_wxyz = np.concatenate((self.orientation_wxyz, orientation))[self._kept]
        return len(time)

    def _orientations(self, time: Array, omega: Array) -> Array:
        """Return the orientations (N, 4) of the next rows, by the trapezium rule."""
        known = len(self.time) > 0
        q = self.orientation_wxyz[-1] if known else self._upright()
        earlier = np.concatenate((self.omega_body[-1:] if known else omega[:1], omega[:-1]))
        steps = np.diff(time, prepend=self.time[-1] if known else time[0])
        steps[steps > LONGEST_GAP] = 0.0
        turns = 0.5 * (earlier + omega) * steps[:, None]
        found = np.empty((len(time), 4))
        for n, turn in enumerate(turns):
            q = multiply(q, from_rotation_vector(turn))
            q = found[n] = q / np.linalg.norm(q)
        return found

    def _upright(self) -> Array:
        """Return the orientation (4,) in which the first measured acceleration points up; without one, the identity."""
        first = self._acceleration[:1, 1:]
        if not np.linalg.norm(first) > LEAST_FELT:
            return np.array([1.0, 0.0, 0.0, 0.0])
        turn, _ = Rotation.align_vectors([[0.0, 0.0, 1.0]], first)
        return wxyz(turn)

    @property
    def rate(self) -> float:
        """The number of rows per second among the last ones; 0 if there are too few."""
        last = self.time[-50:]
        return (len(last) - 1) / float(last[-1] - last[0]) if len(last) > 1 else 0.0

    @property
    def acceleration(self) -> Array | None:
        """The acceleration (N, 3) [m/s2] at the rows' times, nan beyond the accelerometer's times; None without one."""
        if len(self._acceleration) < 2:
            return None
        time, *values = self._acceleration.T
        at = [np.interp(self.time, time, column, left=np.nan, right=np.nan) for column in values]
        return np.stack(at, axis=1)

    def at(self, time: float) -> tuple[Array, Array]:
        """Return orientation_wxyz (4,) and omega_body (3,) at a time [s], extrapolated from the row before it."""
        n = int(np.clip(np.searchsorted(self.time, time, side="right") - 1, 0, len(self.time) - 1))
        omega = self.omega_body[n]
        ahead = min(max(time - self.time[n], 0.0), LONGEST_GAP)
        return multiply(self.orientation_wxyz[n], from_rotation_vector(omega * ahead)), omega

    def write(self, file: IO[str]) -> None:
        """Write the rows as phyphox exports them, in CSV, with the accelerometer's columns if there is one."""
        acceleration = self.acceleration
        columns = [self.time[:, None], self.omega_body, *(() if acceleration is None else (acceleration,))]
        table = np.concatenate(columns, axis=1)
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(HEADER[: table.shape[1]])
        file.writelines(",".join(brief(float(number)) for number in row) + "\n" for row in table)


BACK = 8.0  # s of a phone's rows in which a flight is looked for
EVERY = 0.5  # s of them between two looks
OVER = 0.3  # s after the last row of a flight, from which on it has ended
FEWEST = 50  # rows


class FlightWatch:
    """Searches a phone's measurements, in a thread, for flights that have just ended; `name` is the phone's name.

    An exception in the thread is raised by `look`.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._found: Replay | None = None
        self._error: Exception | None = None
        self._flights: tuple[FreeFlight, ...] = ()  # all within the kept rows; their times count from the first row
        self._looked = -np.inf  # time [s] up to which the rows have been searched

    def look(self, rows: "LiveRecording") -> "Replay | None":
        """Return the replay of a flight that has just ended, once, or else None; this is called before every frame."""
        if self._thread is not None:
            if self._thread.is_alive():
                return None
            self._thread, found, self._found = None, self._found, None
            error, self._error = self._error, None
            if error is not None:
                raise error
            return found
        newest = float(rows.time[-1]) if len(rows.time) else -np.inf
        if newest < self._looked:  # another recording began
            self._looked, self._flights = -np.inf, ()
        if newest >= self._looked + EVERY:
            self._looked = newest
            first = int(np.searchsorted(rows.time, newest - BACK))
            if len(rows.time) - first >= FEWEST:
                args = first, rows.time - rows.began, rows.orientation_wxyz, rows.omega_body, rows.acceleration
                self._thread = threading.Thread(target=self._search, args=args, name="flights", daemon=True)
                self._thread.start()
        return None

    def _search(self, first: int, time: Array, q: Array, omega: Array, felt: Array | None) -> None:
        """Search the rows from `first` on for a new flight; the thread runs this."""
        try:
            self._found = self._newest(first, time, q, omega, felt)
        except InputError:  # the flight does not determine a body
            self._found = None
        except Exception as error:  # of any kind: `look` raises it in the other thread
            self._error = error

    def _newest(self, first: int, time: Array, q: Array, omega: Array, felt: Array | None) -> "Replay | None":
        """Return the replay of the newest flight in the rows from `first` on.

        Return None if no flight is new, or if the newest is all of these rows. Raises InputError if the flight does not
        determine the body.
        """
        from viewer.replay.analysis import replay  # here: scipy takes long to import
        from viewer.replay.conventions import Conventions
        from viewer.replay.flights.free_flights import find_flights
        from viewer.replay.recording import Recording

        flights = find_flights(time[first:], omega[first:], None if felt is None else felt[first:])
        until = self._flights[-1].until if self._flights else -np.inf
        new = [one for one in flights if one.until > until + OVER and one.until < time[-1] - OVER]
        if not new or new[-1].whole:
            return None
        kept = [one for one in (*self._flights, *new) if one.begin >= time[0]]
        begins = np.searchsorted(time, [one.begin for one in kept]).tolist()
        self._flights = tuple(
            replace(one, first=row, end=row + one.samples) for row, one in zip(begins, kept, strict=True)
        )
        recording = Recording(self._name, time, q, omega, Conventions(source=self._name), (), acceleration=felt)
        return replay(recording, str(len(kept)), self._flights)
