"""The ring of samples, and samples that are thinned."""

import numpy as np
import pytest

from viewer.common.ring_buffer import DecimatedBuffer, RingBuffer


def test_it_keeps_the_last_rows_under_running_numbers():
    ring = RingBuffer(5, 2)
    assert ring.rows(0, 10).shape == (0, 2)
    for n in range(8):
        ring.append((n, -n))
    assert (ring.count, ring.first, ring.capacity) == (8, 3, 5)
    assert ring.rows(0, 100)[:, 0].tolist() == [3, 4, 5, 6, 7]
    assert ring.rows(4, 6).tolist() == [[4, -4], [5, -5]]
    assert ring.rows(6, 4).shape == (0, 2)
    data = ring.data
    for count in (3, 0, 12):
        start = ring.count
        ring.append_rows(np.arange(start, start + count)[:, None] * (1, -1))
    assert ring.rows(0, 100)[:, 0].tolist() == [18, 19, 20, 21, 22]
    assert ring.data is data  # allocated once
    ring.rows(18, 20)[:] = 0  # a copy
    assert ring.rows(18, 19).tolist() == [[18, -18]]
    ring.clear()
    assert (ring.count, ring.generation) == (0, 1)
    assert ring.rows(0, 5).shape == (0, 2)


def test_it_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="ring buffer: 0 rows"):
        RingBuffer(0, 2)
    with pytest.raises(ValueError, match=r"rows \(3, 1\) do not fit \(5, 2\)"):
        RingBuffer(5, 2).append_rows(np.zeros((3, 1)))


def test_a_full_ring_is_written_in_place():
    ring = RingBuffer(100, 2)
    for n in range(100):
        ring.append((n, n))
    data = ring.data
    for n in range(100, 1000):
        ring.append((n, n))
    assert ring.data is data
    assert ring.rows(0, 1000)[:, 0].tolist() == list(range(900, 1000))


def test_thinned_rows_stay_evenly_spaced() -> None:
    thinned = DecimatedBuffer(8, 1)
    for number in range(1000):
        thinned.offer(number, (float(number),))
        kept = thinned.rows[:, 0]
        assert kept[0] == 0.0
        assert len(kept) <= 8
        assert np.all(np.diff(kept) == thinned.every)
        assert number - kept[-1] < thinned.every
    thinned.cut(300)
    assert thinned.rows[-1, 0] == 256.0
    for number in range(300, 2000):
        thinned.offer(number, (float(number),))
    assert np.all(np.diff(thinned.rows[:, 0]) == thinned.every)


def test_a_ring_takes_memory_as_it_needs_it() -> None:
    ring = RingBuffer(1000, 2)
    sizes = []
    for n in range(2500):
        ring.append((float(n), -float(n)))
        sizes.append(len(ring.data))
    assert (sizes[0], sizes[64], sizes[-1]) == (64, 128, 1000)
    np.testing.assert_array_equal(ring.rows(0, 9999)[:, 0], np.arange(1500.0, 2500.0))
    many = RingBuffer(100, 1)
    many.append_rows(np.arange(70.0)[:, None])
    many.append_rows(np.arange(70.0, 300.0)[:, None])
    np.testing.assert_array_equal(many.rows(0, 300)[:, 0], np.arange(200.0, 300.0))


def test_a_ring_that_is_cut_gives_no_row_that_was_overwritten() -> None:
    ring = RingBuffer(4, 1)
    for n in range(10):
        ring.append((float(n),))
    generation = ring.generation
    ring.cut(8)
    assert (ring.first, ring.count, ring.generation) == (6, 8, generation + 1)
    ring.append((80.0,))
    assert ring.rows(0, 99)[:, 0].tolist() == [6.0, 7.0, 80.0]
    ring.cut(2)
    assert (ring.first, ring.count) == (2, 2)
    ring.append((20.0,))
    assert ring.rows(0, 99)[:, 0].tolist() == [20.0]
