"""Which tests run every time, and which only in the full run."""

from itertools import product

import pytest
from helpers.sweeps import covering, spread

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def _project(pytester):
    """A project whose conftest marks the sweeps as ours does."""
    pytester.makeini("[pytest]\nmarkers = slow\n    sweep")
    pytester.makeconftest("from helpers.sweeps import mark_slow_cases as pytest_collection_modifyitems")


def test_a_few_cases_hold_every_value_or_every_pair():
    cases = [tuple(zip("abc", indices, strict=True)) for indices in product(range(4), range(3), range(3))]
    once, pairs = covering(cases, 1), covering(cases, 2)
    assert len(once) == 4
    assert {part for number in once for part in cases[number]} == {part for case in cases for part in case}
    assert len(pairs) <= 16  # 12 at least
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        met = {(dict(cases[number])[first], dict(cases[number])[second]) for number in pairs}
        assert met == {(dict(case)[first], dict(case)[second]) for case in cases}


def test_of_a_sweep_only_the_chosen_cases_are_not_slow(pytester):
    pytester.makepyfile("""
        import pytest
        three = pytest.mark.parametrize("x", ["a", "b", "a-b"])
        @pytest.mark.sweep("b")
        @three
        def test_named(x): pass
        @pytest.mark.sweep(most=2)
        @three
        def test_most(x): pass
        @pytest.mark.sweep()
        @pytest.mark.parametrize("y", [1, 2])
        @three
        def test_covered(x, y): pass
        @three
        def test_no_sweep(x): pass
    """)
    slow = pytester.runpytest_inprocess("-m", "slow", "-v")
    slow.stdout.fnmatch_lines(["*test_named[[]a[]]*", "*test_named[[]a-b[]]*", "*test_most[[]b[]]*"])
    slow.assert_outcomes(passed=2 + 1 + 3, deselected=1 + 2 + 3 + 3)


def test_a_sweep_that_names_no_case_is_an_error(pytester):
    pytester.makepyfile("""
        import pytest
        @pytest.mark.sweep("c")
        @pytest.mark.parametrize("x", ["a", "b"])
        def test_it(x): pass
    """)
    pytester.runpytest_inprocess().stderr.fnmatch_lines(["*test_it: sweep('c') names none of its 2 cases"])


def test_a_part_is_spread_from_the_first_case_to_the_last():
    assert spread(9, 1) == {0}
    assert spread(9, 3) == {0, 4, 8}
    assert spread(2, 5) == {0, 1}
    assert spread(0, 3) == set()
