"""Parametrized tests that go over a whole product: a few of their cases run every time, the others are slow."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest

Case = tuple[tuple[str, int], ...]  # of each parameter its name and what tells its value from others


def mark_slow_cases(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Mark as slow the cases of tests marked `sweep` that need not run every time.

    `sweep` leaves a few cases in which every value of every parameter occurs, `sweep(together=2)` those in which
    every pair of values of two parameters does, `sweep(most=3)` three of them from the first to the last, and
    `sweep("a", "b")` those whose name in brackets, or the value of one of whose parameters, is a or b.
    Raises UsageError where a name is that of no case, unless single cases were asked for on the command line.
    """
    whole = not any("[" in argument for argument in config.args)
    swept: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("sweep") is not None:
            swept.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for test, cases in swept.items():
        marker = cases[0].get_closest_marker("sweep")
        assert marker is not None
        chosen = _chosen(test, cases, whole, marker.args, **marker.kwargs)
        for number, case in enumerate(cases):
            if number not in chosen:
                case.add_marker(pytest.mark.slow)


def first_cases(items: Iterable[pytest.Item], most: int) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the items without those of parametrized tests that are beyond `most` cases, and the ones left out."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left, out = [], []
    for some in cases.values():
        chosen = spread(len(some), most)
        for number, item in enumerate(some):
            (left if number in chosen else out).append(item)
    return left, out


def spread(count: int, most: int) -> set[int]:
    """Return at most `most` of the numbers below `count`, evenly spread from the first to the last."""
    most = min(most, count)
    return {round(n * (count - 1) / max(most - 1, 1)) for n in range(most)}


def _chosen(
    test: str,
    cases: list[pytest.Function],
    whole: bool,
    names: tuple[str, ...],
    together: int = 1,
    most: int | None = None,
) -> set[int]:
    """Return the numbers of the cases that are not slow."""
    if names:
        found = {name: [n for n, case in enumerate(cases) if _has(case, name)] for name in names}
        if whole and (missing := [name for name in names if not found[name]]):
            raise pytest.UsageError(f"{test}: sweep({missing[0]!r}) names none of its {len(cases)} cases")
        return set().union(*found.values())
    if most is not None:
        return spread(len(cases), most)
    return covering([_values(case) for case in cases], together)


def _values(case: pytest.Function) -> Case:
    return tuple((name, id(value)) for name, value in case.callspec.params.items())


def _has(case: pytest.Function, name: str) -> bool:
    return name == case.callspec.id or any(
        value == name for value in case.callspec.params.values() if isinstance(value, str)
    )


def covering(cases: Sequence[Case], together: int) -> set[int]:
    """Return the numbers of a few cases in which every combination of `together` values occurs that is in any.

    Always the case is taken that brings in most of what is not there yet.
    """
    parts = [set(combinations(case, min(together, len(case)))) for case in cases]
    missing = set().union(*parts)
    chosen = set()
    while missing:
        best = max(range(len(cases)), key=lambda number: len(parts[number] & missing))
        chosen.add(best)
        missing -= parts[best]
    return chosen
