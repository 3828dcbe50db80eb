"""Matrices and quaternions, one into the other, beside scipy's."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import viewer
from viewer import matrix_from_quaternion, quaternion_from_matrix, star


def of(rotation):
    """Its quaternion as wxyz, with w >= 0."""
    return rotation.as_quat(canonical=True)[..., [3, 0, 1, 2]]


# turns by almost pi about each axis and between two, where the trace is negative, and by little, and by nothing
TURNS = [
    angle * np.array(axis, dtype=float) / np.linalg.norm(axis)
    for angle in (0.0, 1e-9, 0.5, 2.0, 3.0, 3.14159)
    for axis in ((1, 0, 0), (0, -1, 0), (0, 0, 1), (1, 1, 0), (0, 1, -1), (-1, 0, 1), (1, 2, 3), (3, -2, 1), (2, 3, -1))
]


@pytest.mark.parametrize("turn", TURNS, ids=str)
def test_every_branch_gives_scipys_quaternion(turn):
    rotation = Rotation.from_rotvec(turn)
    q = quaternion_from_matrix(rotation.as_matrix())
    wanted = of(rotation)
    assert min(np.abs(q - wanted).max(), np.abs(q + wanted).max()) < 1e-15
    assert q[0] >= 0
    assert_allclose(matrix_from_quaternion(q), rotation.as_matrix(), atol=2e-15)


def test_many_at_once_and_quaternions_of_any_length():
    rotations = Rotation.random(500, rng=np.random.default_rng(2))
    found = quaternion_from_matrix(rotations.as_matrix().reshape(5, 100, 3, 3))
    assert found.shape == (5, 100, 4)
    assert_allclose(found.reshape(500, 4), of(rotations), atol=1e-14)
    lengths = 10.0 ** np.linspace(-200, 200, 500)[:, None]
    assert_allclose(matrix_from_quaternion(lengths * of(rotations)), rotations.as_matrix(), atol=1e-15)
    nearly = rotations.as_matrix() * (1 + 4e-7)
    assert_allclose(quaternion_from_matrix(nearly), of(rotations), atol=1e-6)


def test_star_is_the_cross_product():
    a, b = np.random.default_rng(4).normal(size=(2, 50, 3))
    assert_allclose((star(a) @ b[..., None])[..., 0], np.cross(a, b), atol=1e-15)
    assert star((1, 2, 3)).tolist() == [[0, -3, 2], [3, 0, -1], [-2, 1, 0]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quaternion_from_matrix(np.diag((1, 1, -1))), "R: is no rotation but a mirror; its determinant"),
        (
            lambda: quaternion_from_matrix(1.001 * np.eye(3)),
            r"R: is no rotation; an entry of R\^T R differs from the identity's by 0.002, allowed is",
        ),
        (lambda: quaternion_from_matrix(np.zeros((3, 3))), r"differs from the identity's by 1, allowed is 1e-6"),
        (
            lambda: quaternion_from_matrix(np.full((3, 3), np.nan)),
            r"R: array\(\[\[nan, .* is not allowed; it must be 3 rows",
        ),
        (lambda: quaternion_from_matrix("abc"), r"R: 'abc' is not allowed; it must be 3 rows of 3 finite numbers"),
        (lambda: matrix_from_quaternion("abc"), r"wxyz: 'abc' is not allowed; it must be 4 finite numbers"),
        (lambda: star("abc"), r"a: 'abc' is not allowed; it must be 3 finite numbers, or rows of them"),
        (lambda: star((1.0, math.nan, 0.0)), r"a: \(1.0, nan, 0.0\) is not allowed; it must be 3 finite numbers"),
        (lambda: quaternion_from_matrix([1, 2, 3]), r"R: \[1, 2, 3\] is not allowed"),
        (lambda: matrix_from_quaternion((0, 0, 0, 0)), r"wxyz: \(0, 0, 0, 0\) is not allowed; it must be 4 finite"),
        (lambda: matrix_from_quaternion((1, 0, 0)), r"wxyz: \(1, 0, 0\) is not allowed"),
        (lambda: star((1, 2)), r"a: \(1, 2\) is not allowed; it must be 3 finite numbers"),
    ],
)
def test_what_is_none_is_refused_in_one_line(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_public_names_are_there():
    for name in ("star", "matrix_from_quaternion", "quaternion_from_matrix"):
        assert name in viewer.__all__
        assert callable(getattr(viewer, name))
