"""The ring of samples."""

import numpy as np
import pytest

from viewer.common.ring_buffer import RingBuffer


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
