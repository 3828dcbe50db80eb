"""A phone's sensors as they measure: the remote access of the app phyphox, over HTTP and JSON.

/config names the sensors of the open experiment and their buffers; /get?gyrX=T|gyr_time gives the values of the buffer
gyrX that were measured after the time T of the buffer gyr_time (phyphox.org/wiki: Remote-interface communication).
"""

import contextlib
import http.client
import json
import socket
import threading
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np

from viewer.common.errors import InputError, name_shown, refusal, shown
from viewer.common.language import tr
from viewer.physics.rotation import Array

TIMEOUT = 5.0  # s until a phone that has not answered is given up
LARGEST_ANSWER = 64 * 2**20  # bytes
CHANNELS = ("t", "x", "y", "z")
LARGEST = {"t": 1e10, "gyroscope": 1e4, "accelerometer": 1e5}  # s, rad/s, m/s2: beyond what any phone measures
SHORTEST = 1e-6  # s between two rows
GYROSCOPE, ACCELEROMETER = "gyroscope", "accelerometer"
USUAL = {  # the buffers of phyphox's own experiments, for its versions that have no /config
    GYROSCOPE: ("gyr_time", "gyrX", "gyrY", "gyrZ"),
    ACCELEROMETER: ("acc_time", "accX", "accY", "accZ"),
}


@dataclass(frozen=True, eq=False)
class Readings:
    """The measurements of a sensor: ascending times (N,) [s], and values (N, 3) in the phone's axes.

    The values of a gyroscope are in rad/s, those of an accelerometer in m/s2; one that is missing or beyond LARGEST is
    nan.
    """

    time: Array
    values: Array


@dataclass(frozen=True, eq=False)
class Answer:
    """The new readings of both sensors.

    `restarted` tells that the phone counts its times anew, so that earlier readings belong to another recording;
    `measuring` tells that the experiment is running.
    """

    gyroscope: Readings
    accelerometer: Readings
    restarted: bool
    measuring: bool


class Phone:
    """A phone on which phyphox allows remote access at `url`, such as http://192.168.0.42:8080.

    No other address is contacted, neither a proxy nor one to which an answer redirects. Raises InputError if `url` is
    no address.
    """

    def __init__(self, url: str, timeout: float = TIMEOUT) -> None:
        given = url if "://" in url else f"http://{url}"
        try:
            parts = urlsplit(given)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host or parts.scheme not in ("http", "https") or not given.isprintable() or " " in given:
            raise refusal(
                "url: {given} is no address; allowed is one such as http://192.168.0.42:8080, as phyphox shows it",
                given=shown(url),
            )
        self._secure, self._host, self._port, self._timeout = parts.scheme == "https", host, port, timeout
        self.address = f"{host}:{port}" if port is not None else host
        self._buffers: dict[str, tuple[str, ...]] = {}  # by sensor: those of CHANNELS
        self._last = {GYROSCOPE: -np.inf, ACCELEROMETER: -np.inf}  # times up to which all is known
        self._session: str | None = None

    def connect(self) -> None:
        """Ask which sensors there are. Raises InputError if the phone does not answer or has no gyroscope."""
        config = self._ask("/config", missing={})
        buffers: dict[str, tuple[str, ...]] = _buffers(config) if config else dict(USUAL)
        if GYROSCOPE not in buffers:
            raise refusal(
                "{address}: its experiment {title} has no gyroscope; open Gyroscope (rotation rate), or one with"
                " gyroscope and accelerometer",
                address=self.address,
                title=shown(config.get("title", "")),
            )
        self._buffers = buffers

    def poll(self) -> Answer:
        """Return the readings since the last call. Raises InputError if the phone does not answer as phyphox does."""
        if not self._buffers:
            self.connect()
        answer = self._get()
        restarted = self._session not in (None, _session(answer)) or self._went_back(answer)
        if restarted:
            self._last = dict.fromkeys(self._last, -np.inf)
            self.connect()  # the experiment may be another
            answer = self._get()
        self._session = _session(answer)
        new = {sensor: self._new(sensor, answer["buffer"]) for sensor in USUAL}
        measuring = bool(answer.get("status", {}).get("measuring"))
        return Answer(new[GYROSCOPE], new[ACCELEROMETER], restarted, measuring)

    def _get(self) -> dict[str, Any]:
        """Return the phone's answer with all that was measured after the last known times."""
        wanted = []
        for sensor, buffers in self._buffers.items():
            last = self._last[sensor]
            after = "full" if last == -np.inf else quote(f"{last!r}|{buffers[0]}")
            wanted += [f"{quote(name)}={after}" for name in buffers]
        return self._values("&".join(wanted))

    def _went_back(self, answer: dict[str, Any]) -> bool:
        """Tell whether the newest time is before the last known one, as the data were cleared on the phone."""
        last, time = self._last[GYROSCOPE], self._buffers[GYROSCOPE][0]
        if last == -np.inf or len(self._column(answer["buffer"], time)):
            return False
        newest = self._column(self._values(quote(time))["buffer"], time)
        return len(newest) == 0 or bool(newest[-1] < last)

    def _values(self, query: str) -> dict[str, Any]:
        answer = self._ask(f"/get?{query}")
        if not isinstance(answer.get("buffer"), dict) or not isinstance(answer.get("status", {}), dict):
            raise self._strange()
        return answer

    def _new(self, sensor: str, buffers: dict[str, Any]) -> Readings:
        """Return the rows of a sensor that are later than the last known time."""
        if sensor not in self._buffers:
            return Readings(np.empty(0), np.empty((0, 3)))
        largest = (LARGEST["t"], *(LARGEST[sensor],) * 3)
        columns = [self._column(buffers, *each) for each in zip(self._buffers[sensor], largest, strict=True)]
        count = min(map(len, columns))
        time, *values = (column[:count] for column in columns)
        highest = np.maximum.accumulate(np.concatenate(([self._last[sensor]], np.nan_to_num(time, nan=-np.inf))))
        later = time >= highest[:-1] + SHORTEST
        if later.any():
            self._last[sensor] = float(time[later][-1])
        return Readings(time[later], np.stack(values, axis=1)[later])

    def _column(self, buffers: dict[str, Any], name: str, largest: float = LARGEST["t"]) -> Array:
        """Return the numbers in a buffer, with nan for null and for numbers beyond `largest`."""
        try:
            column = np.array(buffers[name]["buffer"], dtype=np.float64).reshape(-1)  # null is nan
        except (KeyError, TypeError, ValueError):
            raise self._strange() from None
        return np.where(np.abs(column) <= largest, column, np.nan)

    def _ask(self, path: str, missing: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the JSON object at a path, or `missing` if the phone knows no such path."""
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        answered, late = threading.Event(), threading.Event()
        try:
            connection = kind(self._host, self._port, timeout=self._timeout)
            sockets: list[socket.socket] = []
            watch = threading.Thread(target=self._give_up, args=(connection, sockets, answered, late), daemon=True)
            watch.start()
            try:
                connection.connect()
                sockets.append(connection.sock)  # the connection forgets it where it ends with the answer
                connection.request("GET", path, headers={"Accept": "application/json"})
                response = connection.getresponse()
                text = response.read(LARGEST_ANSWER + 1)
            finally:
                answered.set()
                connection.close()
            if late.is_set():
                raise TimeoutError
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            reason = tr("timed out") if late.is_set() else reason
            raise refusal(
                "{address}: does not answer ({reason}); is remote access on in phyphox, and the phone in this network?",
                address=self.address,
                reason=name_shown(reason),
            ) from None
        if response.status == http.client.NOT_FOUND and missing is not None:
            return missing
        if response.status != http.client.OK or len(text) > LARGEST_ANSWER:
            raise self._strange(tr("status {number}").format(number=response.status))
        try:
            answer = json.loads(text, parse_int=float)  # an integer of any length is a number
        except (ValueError, RecursionError):
            raise self._strange() from None
        if not isinstance(answer, dict):
            raise self._strange()
        return answer

    def _give_up(
        self,
        connection: http.client.HTTPConnection,
        sockets: list[socket.socket],
        answered: threading.Event,
        late: threading.Event,
    ) -> None:
        """End a request that takes too long as a whole; the connection's own timeout begins anew with every byte."""
        while not answered.wait(self._timeout):
            late.set()
            for used in (*sockets, connection.sock):
                if used is not None:
                    with contextlib.suppress(OSError):
                        used.shutdown(socket.SHUT_RDWR)

    def _strange(self, why: str = "") -> InputError:
        return refusal(
            "{address}: answers, but not as phyphox does{why}", address=self.address, why=f" ({why})" if why else ""
        )


def _session(answer: dict[str, Any]) -> str:
    """Return the name of the session that an answer belongs to, "" if it has none."""
    return str(answer.get("status", {}).get("session", ""))[:100]


def _buffers(config: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the buffers of the gyroscope and of the accelerometer, as the answer to /config names them."""
    found = {}
    inputs = config.get("inputs")
    for sensor in inputs if isinstance(inputs, list) else []:
        if not isinstance(sensor, dict) or sensor.get("source") not in tuple(USUAL):  # it may be a list
            continue
        outputs = sensor.get("outputs")
        outputs = outputs if isinstance(outputs, list) else [outputs]
        named = {key: name for part in outputs if isinstance(part, dict) for key, name in part.items()}
        if all(_is_name(named.get(channel)) for channel in CHANNELS):
            found[sensor["source"]] = tuple(named[channel] for channel in CHANNELS)
    return found


def _is_name(value: object) -> bool:
    """Tell whether a value is a name that can be asked for; one with half of a surrogate pair cannot."""
    return isinstance(value, str) and value.isprintable()
