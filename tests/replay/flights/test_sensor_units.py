"""A unit in the header that is not that of the numbers is doubted where something tells so; none is guessed."""

import numpy as np
import pytest
from helpers.handling import handled

from tests.helpers.synthetic_tosses import Tosses, as_phyphox, tossed_phone
from viewer.cli import main
from viewer.replay.conventions import RATE_UNITS, Conventions
from viewer.replay.flights.selection import flights_in
from viewer.replay.flights.sensor_units import likely_unit
from viewer.replay.formats.formats import read_recording
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret

PAIRS = [(true, declared) for true in RATE_UNITS for declared in RATE_UNITS]


def told(rates, acceleration, time, unit: str) -> list[str]:
    said = Conventions(rate_frame="body", rate_unit=unit, time_unit="s", acceleration_unit="m/s2")
    found = interpret(RawRecording("a.csv", time, None, rates, said, acceleration=acceleration))
    return [line for line in found.warnings if "declared as" in line]


@pytest.mark.parametrize(("true", "declared"), PAIRS)
def test_gravity_tells_the_unit_of_a_phones_rates(true, declared):
    time, omega, felt = tossed_phone(0)
    lines = told(omega / RATE_UNITS[true], felt, time, declared)
    if true == declared:
        assert lines == []
    else:
        assert lines == [
            f"declared as {declared}, but gravity in the accelerometer turns at these rates in {true}: declare it with"
            f" --angular-velocity {true}"
        ]


def test_a_hand_is_not_doubted_and_mostly_recognised():
    """Recordings of a hand that carries, waves and walks; measured: 31 of 40 recognised, none wrongly."""
    recognised = 0
    for seed in range(20):
        time, omega, felt = handled(20.0 + seed, (50.0, 100.0, 200.0, 400.0)[seed % 4], 100 + seed)
        assert likely_unit(time, omega, felt, "rad/s") is None
        found = likely_unit(time, omega, felt, "deg/s")
        assert found is None or found[0] == "rad/s"
        recognised += found is not None
    assert recognised >= 12


def test_axes_that_are_turned_over_are_told_where_gravity_shows_them():
    """Measured: of 20 hands 15 recognised as mirrored, none wrongly."""
    recognised = 0
    for seed in range(20):
        time, omega, felt = handled(20.0 + seed, (50.0, 100.0, 200.0, 400.0)[seed % 4], 100 + seed)
        assert not against(omega, felt, time)
        recognised += against(-omega, felt, time) == "x, y, z"
    assert recognised >= 10
    time, omega, felt = tossed_phone(2)
    assert not against(omega, felt, time)
    for signs in ((1, 1, -1), (-1, 1, 1), (-1, -1, -1)):  # an odd number of axes turned over, in both sensors
        assert against(signs * omega, signs * felt, time) == "x, y, z"
        assert against(np.degrees(signs * omega), signs * felt, time, "deg/s") == "x, y, z"
    for signs in ((-1, -1, 1), (1, -1, -1)):  # that is a turn
        assert not against(signs * omega, signs * felt, time)
    for signs, axes in (((1, 1, -1), "z"), ((-1, 1, 1), "x"), ((1, -1, -1), "y, z")):  # in the gyroscope alone
        assert against(signs * omega, felt, time) == axes


def against(omega, felt, time, unit: str = "rad/s") -> str:
    """The axes that are said to be turned over; "" for none."""
    said = Conventions(rate_frame="body", rate_unit=unit, time_unit="s", acceleration_unit="m/s2")
    found = interpret(RawRecording("a.csv", time, None, omega, said, acceleration=felt))
    lines = [line for line in found.warnings if "left-handed" in line]
    return lines[0].partition("about ")[2].partition(":")[0] if lines else ""


def test_turning_the_signs_of_mirrored_columns_gives_the_body_again(tmp_path, capsys):
    time, omega, felt = tossed_phone(0)
    ratios = []
    for name, signs in (("right.csv", np.ones(3)), ("mirrored.csv", np.array((1.0, 1.0, -1.0)))):
        (tmp_path / name).write_text(as_phyphox(time, signs * omega, signs * felt))
    turned = ["--columns", "t[s]=1,wx[rad/s]=-2,wy=-3,wz=-4,ax[m/s2]=5,ay=6,az=7"]
    for more in (["right.csv"], ["mirrored.csv"], ["mirrored.csv", *turned]):
        assert main(["replay", str(tmp_path / more[0]), *more[1:]]) == 0
        (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("moments"))
        ratios.append(line)
    assert ratios[0] == ratios[2] != ratios[1]


def test_rates_beyond_any_sensor_are_told():
    assert (
        "but no such sensor shows 2000 rad/s"
        in told(np.full((99, 3), 2000.0), np.zeros((99, 3)), np.arange(99.0), "rad/s")[0]
    )


def test_orientations_tell_the_unit_of_the_rates(tmp_path):
    from viewer.physics.body import RigidBody
    from viewer.physics.exact.free_rotation import FreeRotation
    from viewer.physics.state import State

    time = np.arange(400) * 0.01
    states = FreeRotation(RigidBody.from_moments((1.0, 2.0, 2.5)), State((1, 0, 0, 0), (0.4, 2.0, 0.3))).at(time)
    names = "t,qw,qx,qy,qz,wx [rad/s],wy [rad/s],wz [rad/s]"
    rows = np.column_stack((time, states.orientation_wxyz, np.degrees(states.omega_body)))
    np.savetxt(tmp_path / "a.csv", rows, delimiter=",", header=names, comments="")
    warnings = interpret(read_recording(tmp_path / "a.csv")).warnings
    assert any("the rates are in deg/s, not in rad/s (misfit" in line for line in warnings), warnings


@pytest.mark.parametrize("unit", ["m/s2", "g"])
def test_the_accelerometers_unit_is_not_guessed_from_one_toss(tmp_path, unit):
    time, omega, felt = tossed_phone(0, Tosses(throws=((20.0, 0.9, 0.8),)))
    felt = felt / {"m/s2": 1.0, "g": 9.80665}[unit]
    flying = (time > 1.9) & (time < 2.55)
    said = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s")
    tossed = RawRecording("a.csv", time[flying] - 1.9, None, omega[flying], said, acceleration=felt[flying])
    found = interpret(tossed)
    assert found.acceleration is None
    assert "left out the accelerometer: its unit is not declared, and it shows no gravity" in found.warnings
    assert [flight.whole for flight in flights_in(found, "1")] == [True]
    whole = interpret(RawRecording("a.csv", time, None, omega, said, acceleration=felt))
    assert any(f"acceleration taken in {unit}, as it is mostly" in line for line in whole.warnings)
    assert len(flights_in(whole)) == 1


def test_a_header_in_degrees_over_rates_in_radians_is_told_on_the_whole_way(tmp_path):
    text = as_phyphox(*tossed_phone(0))
    (tmp_path / "a.csv").write_text(text.replace("(rad/s)", "(°/s)"), encoding="utf-8")
    warnings = interpret(read_recording(tmp_path / "a.csv")).warnings
    assert any("--angular-velocity rad/s" in line for line in warnings), warnings
