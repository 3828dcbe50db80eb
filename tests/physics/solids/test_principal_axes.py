"""The rule by which principal axes are chosen."""

from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.physics.body import RigidBody
from viewer.physics.solids.inertia import check_tensor, principal_axes


def box_tensor(width: float, turned: Rotation) -> np.ndarray:
    matrix = turned.as_matrix()
    return matrix @ np.diag(RigidBody.box(1.0, width, 1.0, 0.4).principal_moments) @ matrix.T


def test_axes_stay_while_a_dimension_slides_through_equal_moments() -> None:
    for width in [*np.linspace(0.1, 2.0, 39), 1.0, 0.4, 1.0 + 1e-9, 1.0 - 1e-12]:
        moments, axes = principal_axes(box_tensor(width, Rotation.identity()))
        assert axes == pytest.approx(np.eye(3), abs=1e-6)
        assert moments == pytest.approx(RigidBody.box(1.0, width, 1.0, 0.4).principal_moments)


def test_axes_of_a_turned_body_go_through_equal_moments_without_a_swap() -> None:
    turned = Rotation.from_euler("xyz", (10.0, -25.0, 20.0), degrees=True)
    for width in np.linspace(0.1, 2.0, 40):  # none gives equal moments to 1e-7
        _, axes = principal_axes(box_tensor(float(width), turned))
        assert axes == pytest.approx(turned.as_matrix(), abs=1e-6)


def test_they_are_right_handed_and_the_nearest() -> None:
    """Against all 24 ways to name the axes, and where two moments are equal against turns about the third."""
    rng = np.random.default_rng(5)
    for moments in ((1.0, 2.0, 2.5), (1.0, 1.0, 1.5), (2.0, 1.5, 2.0)):
        for _ in range(30):
            turned = Rotation.random(random_state=rng).as_matrix()
            tensor = turned @ np.diag(moments) @ turned.T
            found, axes = principal_axes(tensor)
            assert np.linalg.det(axes) == pytest.approx(1.0)
            assert axes @ np.diag(found) @ axes.T == pytest.approx(tensor, abs=1e-9)
            others = [turned @ Rotation.create_group("O").as_matrix()[n] for n in range(24)]
            if len(set(moments)) == 2:
                single = 2 if moments[0] == moments[1] else 1
                about = Rotation.from_rotvec(np.linspace(0, 2 * np.pi, 90)[:, None] * np.eye(3)[single]).as_matrix()
                others = [turned @ turn @ other for turn in about for other in Rotation.create_group("O").as_matrix()]
            assert np.trace(axes) >= max(np.trace(other) for other in others) - 1e-9


def test_a_sphere_keeps_the_axes_of_its_file() -> None:
    tensor = 2.0 * np.eye(3) + 1e-9 * np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert principal_axes(tensor)[1] == pytest.approx(np.eye(3), abs=0.0)


def test_a_needle_is_allowed_as_a_mesh_as_it_is_as_a_cylinder(tmp_path: Path) -> None:
    """One of 1 m by 0.01 mm, moments 2e-10 of the largest; from there on a tensor has fewer than six digits."""
    trimesh.creation.box((1.0, 1e-5, 1e-5)).export(tmp_path / "needle.off")
    found = RigidBody.from_mesh(tmp_path / "needle.off", unit="m", mass=1.0).principal_moments
    assert found == pytest.approx(RigidBody.box(1.0, 1.0, 1e-5, 1e-5).principal_moments, rel=2e-6)  # measured 7e-7
    assert RigidBody.cylinder(1.0, 5e-6, 1.0).principal_moments[2] == pytest.approx(1.25e-11)
    with pytest.raises(InputError, match="is 9e-11 of the largest; allowed is at least 1e-10 of it"):
        check_tensor(np.diag([9e-11, 1.0, 1.0]))


@pytest.mark.parametrize(
    ("tensor", "said"),
    [
        (np.diag([1.0, 1.0, 2.1]), "sum of the other two"),
        (np.diag([1.0, 1.0, 0.0]), "principal moment is 0"),
        (np.diag([1.0, 1.0, -1.0]), "principal moment is -1"),
        (np.zeros((3, 3)), "zero"),
        (np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]]), "sum of the other two"),
    ],
)
def test_what_no_solid_has_is_refused(tensor: np.ndarray, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_tensor(tensor)


def test_a_thin_plate_is_allowed() -> None:
    check_tensor(np.diag([1.0, 2.0, 3.0]))


def test_six_numbers() -> None:
    body = RigidBody.from_tensor((2.0, 3.0, 4.0, 0.1, 0.2, 0.3), mass=5.0)
    assert body.tensor == pytest.approx(np.array([[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]]))
    assert body.mass == 5.0
    assert body.inertia_source.method == "tensor"
    for wrong in ((1.0, 2.0), np.ones((3, 2)), ((1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 0.0, 1.0))):
        with pytest.raises(ValueError, match="six numbers"):
            RigidBody.from_tensor(wrong)
