"""Answers of a phone that nobody expects."""

import contextlib
import http.client
import io
import json
from unittest import mock

import numpy as np
from hypothesis import strategies as st

from helpers.fake_phone import FakePhone
from helpers.hostile.edits import WORDS, mutations
from viewer.common.errors import InputError
from viewer.replay.live_recording import FlightWatch, LiveRecording
from viewer.replay.phone import Phone


def read_answers(answers: list[bytes]) -> object:
    """What a phone sends, one question after the other; what is collected is written, and looked through."""
    left, recording, problems = list(answers), LiveRecording(), []

    def connect(connection: http.client.HTTPConnection) -> None:
        connection.sock = mock.Mock()
        connection.sock.makefile.return_value = io.BytesIO(left.pop(0) if left else b"")

    with mock.patch.object(http.client.HTTPConnection, "connect", connect):
        client = Phone("phone")
        while left:
            try:
                recording.add(client.poll())
            except InputError as error:
                problems.append(error)
    time = recording.time
    if not len(time):
        raise problems[0] if problems else InputError("nothing came")
    for values in (time, recording.omega_body, recording.orientation_wxyz, *recording.at(time[-1]), recording.rate):
        assert np.isfinite(values).all()
    recording.write(io.StringIO())
    with contextlib.suppress(InputError):
        FlightWatch("phone")._newest(
            0, time - recording.began, recording.orientation_wxyz, recording.omega_body, recording.acceleration
        )
    return recording


def answers_of_a_phone() -> tuple[bytes, list[bytes]]:
    """What it says of itself, and what it has measured at several times."""
    phone, times, found = FakePhone(), np.arange(120) * 0.02, []
    for sensor in ("gyroscope", "accelerometer"):
        phone.measure(sensor, times, np.stack((np.sin(times), 5.0 + 0.0 * times, np.cos(2.0 * times)), axis=1))
    for phone.until in (0.5, 1.0, 2.4):
        asked = [
            f"{name}=" + (f"{phone.until - 0.5}|{names['t']}" if found else "full")
            for names in phone.sensors.values()
            for name in names.values()
        ]
        found.append(json.dumps(phone.get("&".join(asked))).encode())
    return json.dumps(phone.config()).encode(), found


CONFIG, GIVEN = answers_of_a_phone()
PHONE_WORDS = [
    *WORDS,
    b"\\ud800",
    b"null",
    b'{"buffer":',
    b'"status"',
    b"gyr_time",
    b"NaN",
    b"-Infinity",
    b'"x"',
    b"[]",
]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
HEAD_WORDS = [
    b"\r\n",
    b"Content-Length: 9",
    b"Content-Length: -1",
    b"Transfer-Encoding: chunked",
    b"302",
    b"404",
    b"\xff",
]
ANSWERS = st.builds(
    lambda config, answers, head, at: [
        (head if number == at else HEAD) + answer for number, answer in enumerate([config, *answers])
    ],
    st.one_of(st.just(CONFIG), mutations([CONFIG], PHONE_WORDS)),
    st.lists(st.one_of(st.sampled_from(GIVEN), mutations(GIVEN, PHONE_WORDS)), min_size=1, max_size=4),
    st.one_of(st.just(HEAD), mutations([HEAD], HEAD_WORDS)),
    st.integers(0, 4),
)
