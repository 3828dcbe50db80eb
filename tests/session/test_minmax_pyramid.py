"""Least and largest values over any stretch of a long run, in bounded memory."""

import numpy as np
import pytest

from viewer.session import plot_data
from viewer.session.plot_data import MinMaxPyramid


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(plot_data, "ROWS", 64)


def rows(count, first=0):
    time = np.arange(first, first + count, dtype=float)
    return np.stack((time, np.sin(0.3 * time), np.where(time % 7 == 0, np.nan, time)), axis=1)


@pytest.mark.parametrize("block", [1, 7, 32])
def test_no_peak_is_lost(block):
    kept, every = MinMaxPyramid(3), rows(5000)
    for first in range(0, 5000, block):
        kept.append(every[first : first + block])
    for first, last in ((-1.0, 9e9), (4000.0, 4500.0), (4980.0, 4999.0), (100.0, 4800.0)):
        least, largest, level = kept.between(first, last, 30)
        inside = every[(every[:, 0] >= max(least[0, 0], first)) & (every[:, 0] <= min(largest[-1, 0], last))]
        assert least[0, 0] <= max(first, 0.0)
        assert largest[-1, 0] >= min(last, 4999.0)
        assert np.nanmin(least[:, 1]) <= inside[:, 1].min()
        assert np.nanmax(largest[:, 1]) >= inside[:, 1].max()
        assert np.all(least[:, 0] <= largest[:, 0])
        assert np.all(np.diff(least[:, 0]) > 0) or level
        assert len(least) <= 30 + 4 or level == 0
        for low, high in zip(least, largest, strict=True):  # each stands for what it says
            part = every[(every[:, 0] >= low[0]) & (every[:, 0] <= high[0])]
            assert (part[:, 1].min(), part[:, 1].max()) == (low[1], high[1])


def test_the_end_is_there_in_detail():
    kept, every = MinMaxPyramid(3), rows(5000)
    kept.append(every[:32])
    for first in range(32, 5000, 8):
        kept.append(every[first : first + 8])
    least, largest, level = kept.between(4960.0, 4999.0, 50)
    assert level == 0
    np.testing.assert_array_equal(least, largest)
    np.testing.assert_array_equal(least[-39:], every[-39:])


def test_memory_is_bounded():
    kept = MinMaxPyramid(3)
    for first in range(0, 20000, 32):
        kept.append(rows(32, first))
    assert len(kept._levels) <= 15  # log2 of 20000
    assert all(ring.data.shape == (64, 6) for ring in kept._levels)
    kept.clear()
    assert kept.count == 0
    assert len(kept.between(0.0, 1.0, 10)[0]) == 0
