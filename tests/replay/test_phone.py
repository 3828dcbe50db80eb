"""What a phone's remote access gives, asked of a small server that plays the phone."""

import io
import json

import numpy as np
import pytest
from helpers.fake_phone import GYROSCOPE, FakePhone, fake_phone
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.physics.rotation import rotate
from viewer.replay.live_recording import LiveRecording
from viewer.replay.phone import Phone

TIME = np.arange(400) / 100.0
SPIN = np.array([0.3, -0.2, 2.0])


@pytest.fixture
def phone():
    with fake_phone() as running:
        running.measure("gyroscope", TIME, np.tile(SPIN, (400, 1)) + np.arange(400)[:, None] * 1e-3)
        yield running


def polled(phone: FakePhone, times: list[float]) -> LiveRecording:
    """What is collected when the phone is asked at these times."""
    client, recording = Phone(phone.url), LiveRecording()
    for phone.until in times:
        recording.add(client.poll())
    return recording


def test_each_row_comes_once_and_only_new_ones_are_asked_for(phone):
    recording = polled(phone, [0.5, 1.0, 1.0, 2.345, 3.99])
    assert np.array_equal(recording.time, TIME)
    assert np.array_equal(recording.omega_body[:, 2], 2.0 + np.arange(400) * 1e-3)
    assert recording.rate == pytest.approx(100.0)
    last = [path for path in phone.asked if path.startswith("/get")][-1]
    assert "gyrX=2.34%7Cgyr_time" in last, "only what came after 2.34 s"


def test_sensors_are_those_that_the_experiment_names(phone):
    names = {"t": "zeit", "x": "ω1", "y": "b & c", "z": "c|d"}
    phone.data = {name: phone.data[GYROSCOPE[key]] for key, name in names.items()}
    phone.sensors = {"gyroscope": names}
    assert len(polled(phone, [1.0, 2.0]).time) == 201


def test_without_config_the_usual_names_are_asked_for(phone):
    phone.has_config = False
    phone.measure("accelerometer", TIME, np.zeros((400, 3)))
    assert len(polled(phone, [3.0]).time) == 301


def test_an_accelerometer_is_brought_to_the_times_of_the_gyroscope(phone):
    times = np.arange(0.005, 4.0, 0.02)
    phone.measure("accelerometer", times, np.column_stack((times, 2.0 * times, np.full_like(times, 9.81))))
    recording = polled(phone, [1.0, 2.0, 3.0])
    acceleration = recording.acceleration
    inside = (recording.time >= 0.005) & (recording.time <= 2.98)
    assert np.allclose(acceleration[inside, 0], recording.time[inside], atol=1e-12)
    assert np.isnan(acceleration[0]).all()


def test_missing_values_are_left_out(phone):
    phone.data["gyrY"][7] = None
    assert len(polled(phone, [0.095]).time) == 9


@pytest.mark.parametrize("number", ["9" * 400, "9" * 5000, "-1e308", "1e999", "Infinity", "NaN", "1e20"])
@pytest.mark.parametrize("buffer", ["gyr_time", "gyrX"])
def test_a_row_with_a_number_that_no_phone_measures_is_left_out(phone, buffer, number):
    client, recording = Phone(phone.url), LiveRecording()
    client.connect()
    phone.until = 1.0
    answer = phone.get("gyr_time=full&gyrX=full&gyrY=full&gyrZ=full")
    answer["buffer"][buffer]["buffer"][7] = "number"
    phone.answer = 200, json.dumps(answer).replace('"number"', number).encode()
    recording.add(client.poll())
    phone.answer, phone.until = None, 2.0
    recording.add(client.poll())
    assert np.array_equal(recording.time, np.delete(TIME[:201], 7))
    assert np.isfinite(recording.orientation_wxyz).all()
    assert recording.left_out == (buffer == "gyrX")


def test_another_session_begins_anew(phone):
    client, recording = Phone(phone.url), LiveRecording()
    phone.until = 2.0
    recording.add(client.poll())
    phone.session, phone.until = "ffffff", 0.3
    answer = client.poll()
    assert answer.restarted
    assert recording.add(answer) == 31
    assert recording.time[-1] == 0.3


def test_data_cleared_on_the_phone_begin_anew(phone):
    client, recording = Phone(phone.url), LiveRecording()
    phone.until = 2.0
    recording.add(client.poll())
    phone.until = 0.1
    recording.add(client.poll())
    assert recording.time[-1] == 0.1
    phone.until = 0.2
    recording.add(client.poll())
    assert len(recording.time) == 21


def test_the_orientation_is_that_of_a_steady_turn(phone):
    phone.measure("gyroscope", TIME, np.tile(SPIN, (400, 1)))
    recording = polled(phone, [1.0, 3.0])
    expected = Rotation.from_rotvec(SPIN * 3.0).as_matrix() @ [1.0, 0.0, 0.0]
    assert np.allclose(rotate(recording.orientation_wxyz[-1], [1.0, 0.0, 0.0]), expected, atol=1e-12)
    q, omega = recording.at(1.234)
    assert np.allclose(rotate(q, [0, 1, 0]), Rotation.from_rotvec(SPIN * 1.234).apply([0, 1, 0]), atol=1e-12)
    assert np.array_equal(omega, SPIN)


def test_up_is_where_the_accelerometer_says(phone):
    up = np.array([0.6, 0.0, 0.8])
    phone.measure("gyroscope", TIME, np.zeros((400, 3)))
    phone.measure("accelerometer", TIME, np.tile(9.81 * up, (400, 1)))
    assert np.allclose(rotate(polled(phone, [1.0]).orientation_wxyz[-1], up), [0, 0, 1], atol=1e-12)


def test_it_is_written_as_phyphox_exports_it(phone):
    recording = polled(phone, [1.0])
    file = io.StringIO()
    recording.write(file)
    lines = file.getvalue().splitlines()
    assert lines[0] == '"Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)"'
    assert np.array_equal(np.loadtxt(lines[1:], delimiter=","), np.column_stack((recording.time, recording.omega_body)))


@pytest.mark.parametrize(
    ("key", "value"),
    [("source", ["gyroscope"]), ("source", {}), ("outputs", [{"t": "\ud800", "x": "x", "y": "y", "z": "z"}])],
)
def test_a_configuration_of_another_kind_names_no_gyroscope(phone, key, value):
    config = phone.config()
    config["inputs"][0][key] = value
    phone.answer = 200, json.dumps(config).encode()
    with pytest.raises(InputError, match="has no gyroscope"):
        Phone(phone.url).connect()


def test_an_experiment_without_gyroscope_that_takes_the_place_of_one_is_said_again_and_again(phone):
    client = Phone(phone.url)
    phone.until = 1.0
    client.poll()
    phone.data, phone.session, phone.sensors = {}, "ffffff", {"accelerometer": {"t": "t", "x": "x", "y": "y", "z": "z"}}
    for _ in range(3):
        with pytest.raises(InputError, match="has no gyroscope"):
            client.poll()


def test_a_phone_that_feels_next_to_nothing_shows_no_up(phone):
    phone.measure("accelerometer", TIME, np.full((400, 3), 1e-320))
    assert np.isfinite(polled(phone, [1.0]).orientation_wxyz).all()


@pytest.mark.parametrize("url", ["", "ftp://phone", "http://", "http://phone:99999", "http://a b", "http://[::1", "\n"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(InputError, match=r"^url: .* allowed is one such as http://"):
        Phone(url)


@pytest.mark.parametrize(
    "answer",
    [b"", b"<html>", b"[]", b'{"buffer": 3}', b'{"buffer": {}}', b'{"buffer": {"gyr_time": {"buffer": "x"}}}',
     b'{"buffer": {}, "status": 5}', b"[" * 100_000, b"\xff\xfe"],
)  # fmt: skip
def test_other_servers_are_refused_in_a_line(phone, answer):
    client = Phone(phone.url)
    client.connect()
    phone.answer = 200, answer
    with pytest.raises(InputError, match="answers, but not as phyphox does"):
        client.poll()


def test_an_experiment_without_gyroscope_is_refused(phone):
    phone.sensors = {"accelerometer": {"t": "t", "x": "x", "y": "y", "z": "z"}}
    with pytest.raises(InputError, match="has no gyroscope"):
        Phone(phone.url).connect()


def test_a_redirection_is_not_followed(phone):
    phone.answer, phone.headers = (302, b""), {"Location": "http://127.0.0.1:9/elsewhere"}
    with pytest.raises(InputError, match="status 302"):
        Phone(phone.url).connect()


def test_a_proxy_of_the_system_is_not_asked(phone, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    Phone(phone.url).connect()


def test_a_phone_that_is_not_there_is_refused_in_a_line():
    with fake_phone() as gone:
        url = gone.url
    with pytest.raises(InputError, match=r"^127\.0\.0\.1:\d+: does not answer"):
        Phone(url, timeout=0.5).connect()
