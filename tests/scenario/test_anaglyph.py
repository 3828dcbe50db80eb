"""The matrices of every method and glasses."""

import itertools

import numpy as np
import pytest

from viewer.common.color import LUMINANCE
from viewer.scenario.choices.stereo_modes import GLASSES, METHODS, composite, matrices

ALL = [(method, glasses) for method in METHODS for glasses in GLASSES]


@pytest.mark.parametrize(("method", "glasses"), ALL)
@pytest.mark.parametrize("leak", [(0.0, 0.0), (0.1, 0.04), (0.4, 0.4)])
def test_grey_stays_grey(method: str, glasses: str, leak: tuple[float, float]) -> None:
    left, right = matrices(method, glasses, leak)
    rows = (left + right).sum(axis=1)
    expected = np.ones(3)
    if method == "true":  # by its definition one primary is dark
        expected[GLASSES[glasses].dark] = 0.0
    # measured: .001 in Dubois' tables, which have three decimals for two of the glasses; 6e-16 in all others
    np.testing.assert_allclose(rows, expected, rtol=0, atol=1e-3 + 1e-12 if method == "dubois" else 1e-14)


@pytest.mark.parametrize("glasses", list(GLASSES))
@pytest.mark.parametrize("method", [name for name in METHODS if name != "dubois"])
def test_an_eye_lights_only_the_primaries_that_its_filter_lets_through(method: str, glasses: str) -> None:
    filters = GLASSES[glasses]
    assert sorted((*filters.left, *filters.right)) == [0, 1, 2]
    for matrix, own in zip(matrices(method, glasses), (filters.left, filters.right), strict=True):
        for primary in range(3):
            if primary not in own:
                assert not matrix[primary].any()


@pytest.mark.parametrize("glasses", list(GLASSES))
def test_dubois_gives_each_eye_mostly_its_own_primaries(glasses: str) -> None:
    filters = GLASSES[glasses]
    for matrix, own in zip(matrices("dubois", glasses), (filters.left, filters.right), strict=True):
        sums = matrix.sum(axis=1)
        for primary in range(3):
            assert (sums[primary] > 0.8) == (primary in own)


def test_the_red_cyan_matrices_of_the_simple_methods() -> None:
    y = LUMINANCE
    none, red, green, blue = np.zeros(3), *np.eye(3)
    expected = {
        "true": ([y, none, none], [none, none, y]),
        "gray": ([y, none, none], [none, y, y]),
        "color": ([red, none, none], [none, green, blue]),
        "half-color": ([y, none, none], [none, green, blue]),
        "optimized": ([[0, 0.7, 0.3], none, none], [none, green, blue]),
    }
    for method, pair in expected.items():
        np.testing.assert_array_equal(matrices(method, "red-cyan"), np.array(pair))


@pytest.mark.parametrize(("method", "glasses"), ALL)
def test_what_leaks_through_the_filters_is_taken_away(method: str, glasses: str) -> None:
    """An eye gets (1 - a) of its own share of the picture and a of the other's; then it sees its own picture."""
    a, b = 0.08, 0.03
    plain, mixed = matrices(method, glasses), matrices(method, glasses, (a, b))
    # the shares that the eyes' corrected pictures have of the left and of the right picture
    corrected = np.linalg.lstsq(
        np.stack([plain[0].ravel(), plain[1].ravel()], axis=1),
        np.stack([mixed[0].ravel(), mixed[1].ravel()], axis=1),
        rcond=None,
    )[0]
    seen = np.array([[1 - a, a], [b, 1 - b]]) @ corrected
    np.testing.assert_allclose(seen, np.eye(2), atol=1e-12)


@pytest.mark.parametrize("glasses", list(GLASSES))
@pytest.mark.parametrize("method", [name for name in METHODS if name != "dubois"])
@pytest.mark.parametrize("leak", [(0.0, 0.0), (0.1, 0.1), (0.08, 0.03), (0.0, 0.25), (0.4, 0.4)])
def test_no_light_is_clipped_for_the_leak(method: str, glasses: str, leak: tuple[float, float]) -> None:
    """Whatever the two pictures show; and each eye then sees its own, from a grey black to a grey white.

    Measured before, with 10 %: light of -.125 and 1.125.
    """
    left, right, added = composite(method, glasses, leak)
    plain = matrices(method, glasses)
    values = np.array(list(itertools.product((0.0, 1.0), repeat=6)))
    shown = values[:, :3] @ left.T + values[:, 3:] @ right.T + added
    assert -1e-12 < shown.min() < 1e-12
    assert shown.max() < 1.0 + 1e-12
    white, black = (values[i, :3] @ left.T + values[i, 3:] @ right.T + added for i in (-1, 0))
    np.testing.assert_allclose(black, added)
    # what the eyes see has the same range for both: that from black to white
    share = [np.stack([part.ravel() for part in pair], axis=1) for pair in (plain, (left, right))]
    a, b = leak
    seen = np.array([[1 - a, a], [b, 1 - b]]) @ np.linalg.lstsq(*share, rcond=None)[0]
    np.testing.assert_allclose(seen, (white - black).max() * np.eye(2), atol=1e-12)
    if a == b:
        np.testing.assert_allclose((white - black).max(), 1 - 2 * a)  # of white's light: no filters can show more


@pytest.mark.parametrize("glasses", list(GLASSES))
def test_dubois_clips_no_grey_for_the_leak(glasses: str) -> None:
    """Its own matrices leave the range for some colours; the leak adds nothing to that."""
    left, right, added = composite("dubois", glasses, (0.1, 0.1))
    plain_left, plain_right, _ = composite("dubois", glasses)
    for one, other in itertools.product((0.0, 1.0), repeat=2):
        shown = one * left.sum(axis=1) + other * right.sum(axis=1) + added
        before = one * plain_left.sum(axis=1) + other * plain_right.sum(axis=1)
        outside, own = (max(-light.min(), light.max() - 1.0, 0.0) for light in (shown, before))
        assert outside <= own + 1e-3
