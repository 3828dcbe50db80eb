"""What hangs together, as SciPy finds it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from viewer.physics.solids.triangle_mesh import connected


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_parts_are_those_of_scipy_and_numbered_as_there(given_graph):
    count, pairs = given_graph
    one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(one), np.int8), (one, other)), shape=(count, count))
    np.testing.assert_array_equal(connected(count, one, other), connected_components(graph, directed=False)[1])


def test_a_long_line_is_one_part_in_whatever_order_it_is_numbered():
    order = np.random.default_rng(3).permutation(200_000)
    for line in (order, np.sort(order), np.sort(order)[::-1]):
        assert not connected(200_000, line[:-1], line[1:]).any()
