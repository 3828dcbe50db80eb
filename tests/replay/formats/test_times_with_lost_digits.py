"""Times that lost digits are even steps again; repeated rows are not."""

import numpy as np
import pytest

from viewer.common.errors import InputError
from viewer.replay.conventions import Conventions
from viewer.replay.raw_recording import RATES, raw_recording


def read(time, moved=None):
    columns = {"t": time} | {role: np.cos(np.arange(len(time)) if moved is None else moved) for role in RATES}
    return raw_recording("a.csv", columns, Conventions())


@pytest.mark.parametrize("cut", [np.round, np.floor])
@pytest.mark.parametrize(("step", "digits"), [(0.01, 1), (0.004, 2), (0.3, 0)])
@pytest.mark.parametrize("start", [0.0, 1234.5])
def test_rounded_and_cut_off_times_are_taken_as_even_steps(cut, step, digits, start):
    time = start + step * np.arange(1000)
    found = read(cut(time * 10**digits) / 10**digits)
    assert found.warnings == (f"times are even except for rounding: taken as steps of {np.diff(found.time)[0]:.6g}",)
    assert np.ptp(np.diff(found.time)) < 1e-9
    assert np.abs(found.time - time).max() < 0.75 * 10.0**-digits  # measured 0.55: the start is not known better
    assert np.diff(found.time)[0] == pytest.approx(step, rel=2e-3)


def test_rows_that_are_written_again_are_not_taken_as_more_times():
    time = np.round(0.01 * np.arange(1000), 1)
    with pytest.raises(InputError, match=r"t: does not increase in 899 of 1000 rows"):
        read(time, moved=time)


def test_times_that_stand_still_are_refused():
    with pytest.raises(InputError, match=r"t: does not increase in 500 of 1000 rows"):
        read(np.minimum(np.arange(1000), 499).astype(float))
    with pytest.raises(InputError, match=r"t: does not increase in 1000 of 1001 rows"):
        read(np.zeros(1001))
