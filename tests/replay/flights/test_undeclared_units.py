"""The units of a phone's recording that declares none: most of it is a hand's, and only gravity or the tosses tell."""

from itertools import product

import numpy as np
import pytest
from helpers.handling import handled

from tests.helpers.synthetic_tosses import tossed_phone
from viewer.cli import main
from viewer.replay.conventions import RATE_UNITS, TIME_UNITS
from viewer.replay.flights.sensor_units import sensor_units
from viewer.replay.formats.formats import read_recording
from viewer.replay.recording import interpret

CLOCKS = {"s": 5, "ms": 1, "us": 0}  # digits after the point
CASES = list(product(CLOCKS, RATE_UNITS, (False, True)))


def written(path, clock: str, unit: str, felt: bool, names: str = "t,wx,wy,wz,ax,ay,az"):
    """A file of tosses in these units; its names say nothing about them."""
    time, omega, force = tossed_phone(0)
    columns = [omega / RATE_UNITS[unit], force] if felt else [omega / RATE_UNITS[unit]]
    rows = [
        ",".join([f"{moment:.{CLOCKS[clock]}f}", *(f"{value:.4f}" for value in row)])
        for moment, row in zip(time / TIME_UNITS[clock], np.hstack(columns), strict=True)
    ]
    path.write_text("\n".join([",".join(names.split(",")[: 7 if felt else 4]), *rows]))
    return path


@pytest.mark.parametrize(("clock", "unit", "felt"), CASES)
def test_units_that_no_name_gives_are_found(tmp_path, clock, unit, felt):
    found = interpret(read_recording(written(tmp_path / "toss.csv", clock, unit, felt)))
    assert (found.conventions.rate_unit, found.conventions.time_unit) == (unit, clock)
    assert np.abs(found.time - tossed_phone(0)[0]).max() < 1e-3
    assert np.abs(found.omega_body - tossed_phone(0)[1]).max() < 1e-3
    assert not [text for text in found.warnings if "fit nearly as well" in text or "no motion of a free" in text]


def test_a_hand_alone_tells_no_unit_by_chance():
    """Nothing was thrown; measured: of 72 recordings without an accelerometer one is taken for another unit's."""
    wrong = 0
    for seed in range(12):
        time, omega, felt = handled(20.0 + seed, (50.0, 100.0, 200.0, 400.0)[seed % 4], 100 + seed)
        for unit, size in RATE_UNITS.items():
            for force in (None, felt):
                found = sensor_units(time, omega / size, force, "s")
                wrong += found is not None and found.rate != unit
    assert wrong <= 2


@pytest.mark.parametrize("felt", [False, True])
def test_a_right_unit_is_not_doubted_and_a_wrong_one_is_told_with_the_refusal(tmp_path, capsys, felt):
    """A hand's motion fits a body like a sphere in any faster unit."""
    path = written(tmp_path / "toss.csv", "s", "deg/s", felt)
    assert main(["replay", str(path), "--angular-velocity", "body, deg/s", "--time-unit", "s"]) == 0
    assert "declared as" not in capsys.readouterr().out
    path = written(tmp_path / "toss.csv", "s", "rad/s", felt)
    assert main(["replay", str(path), "--angular-velocity", "body, deg/s", "--time-unit", "s"]) == 2
    told = capsys.readouterr().err
    assert "no free flight found" in told
    assert "declare it with --angular-velocity rad/s" in told
