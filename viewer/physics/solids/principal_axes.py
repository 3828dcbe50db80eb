"""The principal axes of an inertia tensor, chosen by a rule so that they do not swap where a solid changes a little."""

from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal

Array = NDArray[np.float64]

EQUAL = 1e-7  # relative to the largest moment: closer ones are equal; the files' float32 is no better
ROUNDING = 1e-9  # relative: by so much may a tensor miss what a solid's obeys
LEAST = 1e-10  # relative to the largest moment: of that one six digits are kept where the axes are turned, 1e-6
_TIE = 1e-9  # of a trace: the first of what is nearest to the file's axes by the same


def principal_axes(tensor: Array) -> tuple[Array, Array]:
    """Principal moments (3,) and the rotation (3, 3) whose columns are their axes, for a symmetric tensor (3, 3).

    Of all right-handed axes that the tensor allows, those nearest to x, y, z: the rotation of largest trace, that is of
    least angle. Where two moments are equal to 1e-7 of the largest, any axes in their plane would do: again the nearest
    are taken; where all three are, x, y, z themselves. So a solid that is symmetric about x, y, z keeps these axes
    while its dimensions pass through equal moments.
    """
    size = float(np.max(np.abs(tensor)))
    moments, axes = np.linalg.eigh(tensor / size)
    if moments[2] - moments[0] <= EQUAL:
        return size * np.diag(tensor / size), np.eye(3)
    if moments[1] - moments[0] <= EQUAL:
        rotation = _about(axes[:, 2])
    elif moments[2] - moments[1] <= EQUAL:
        rotation = _about(axes[:, 0])
    else:
        rotation = _nearest([_signed(axes, order, signs) for order in permutations(range(3)) for signs in _SIGNS])
    return size * np.diag(rotation.T @ (tensor / size) @ rotation), rotation


_SIGNS = tuple(product((1.0, -1.0), repeat=3))


def _signed(axes: Array, order: tuple[int, ...], signs: tuple[float, ...]) -> Array:
    return np.asarray(axes[:, order] * np.array(signs))


def _about(axis: Array) -> Array:
    """The axes nearest to x, y, z of which one lies along `axis` (3,), and the others anywhere across it."""
    found = []
    for along in range(3):
        for sign in (1.0, -1.0):
            found.append(_least_turn(sign * axis, along))
    return _nearest(found)


def _least_turn(axis: Array, along: int) -> Array:
    """The rotation of largest trace whose column `along` is `axis`: the turn of that axis by the shortest way.

    Opposite directions leave the way open; then half a turn about the next axis.
    """
    unit = np.eye(3)[along]
    cosine, normal = float(axis @ unit), np.cross(unit, axis)
    if cosine < -1.0 + 1e-12:
        return np.diag([1.0 if i == (along + 1) % 3 else -1.0 for i in range(3)])
    x, y, z = normal
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1.0 + cosine))


def _nearest(rotations: list[Array]) -> Array:
    """The right-handed one of largest trace, the first of those that are equally near."""
    right = [rotation for rotation in rotations if np.linalg.det(rotation) > 0.0]
    most = max(float(np.trace(rotation)) for rotation in right)
    return next(rotation for rotation in right if float(np.trace(rotation)) >= most - _TIE)


def check_tensor(tensor: Array) -> None:
    """Raises InputError where no solid has this tensor (3, 3): a moment not above zero, or the triangle inequality.

    The same rule for tensors, meshes and sums of parts. Shapes with a formula may be thinner: there nothing is lost.
    """
    size = float(np.max(np.abs(tensor)))
    if not 0.0 < size < np.inf:
        raise refusal("tensor: is zero or not finite; allowed are finite numbers with positive principal moments")
    low, middle, high = (size * np.linalg.eigvalsh(tensor / size)).tolist()
    if low < LEAST * high or high <= 0.0:
        raise refusal(
            "tensor: the smallest principal moment is {ratio:.3g} of the largest; allowed is at least {least:g} of it,"
            " for a tensor keeps few digits of smaller ones",
            ratio=low / max(high, -low),
            least=LEAST,
        )
    if low + middle < high * (1.0 - ROUNDING):
        raise refusal(
            "tensor: no solid has the principal moments {low:.10g}, {middle:.10g}, {high:.10g} kg m²; none may exceed"
            " the sum of the other two",
            low=low,
            middle=middle,
            high=high,
        )
