"""A body keeps its mass and its moments when its shape changes; what told of another body goes."""

import pytest

from viewer.physics.body import RigidBody
from viewer.scenario.scenario import Scenario

SOURCED = {"title": "Mine", "source": "measured", "assumed": "no air"}
BOX = Scenario().with_values(
    {"body.shape": "box", "body.mass": 80.0, "body.width": 0.5, "body.depth": 0.3, "body.height": 1.8} | SOURCED
)


def moments(scenario):
    return scenario.rigid_body().principal_moments.tolist()


@pytest.mark.parametrize("shape", ["tensor", "composite", "moments"])
def test_a_box_stays_the_same_body(shape):
    changed = BOX.with_value("body.shape", shape)
    assert changed.rigid_body().mass == 80.0
    # m/12 (d² + h², w² + h², w² + d²); 1e-16 relative is found
    assert moments(changed) == pytest.approx([80 / 12 * 3.33, 80 / 12 * 3.49, 80 / 12 * 0.34], rel=1e-15)
    assert (changed.title, changed.source, changed.assumed) == ("Mine", "measured", "no air")


def test_the_numbers_source_goes_with_the_numbers():
    changed = BOX.with_value("body.mass", 81.0)
    assert (changed.title, changed.source, changed.assumed) == ("Mine", "", "")
    assert BOX.with_values({"body.mass": 81.0, "source": "weighed"}).source == "weighed"
    assert BOX.with_value("start.angular_velocity", (1.0, 2.0, 3.0)).source == "measured"


def test_a_closed_mesh_becomes_one_part_and_comes_back():
    mesh = Scenario.preset("toutatis").with_values({"body.unit": "km", "body.mass": 5.0e13})
    assert mesh.rigid_body().inertia_source.method == "solid"
    parts = mesh.with_value("body.shape", "composite")
    assert [(part.shape, part.file, part.mass) for part in parts.body.parts] == [("mesh", mesh.body.file, 5.0e13)]
    assert moments(parts) == pytest.approx(moments(mesh), rel=1e-12)
    again = parts.with_value("body.shape", "tensor").with_value("body.shape", "composite")
    assert again.body.parts == parts.body.parts


def test_a_mesh_by_its_longest_extent_becomes_one_part_as_large():
    mesh = Scenario.preset("toutatis").with_values({"body.unit": "longest", "body.longest": 0.3, "body.mass": 2.0})
    parts = mesh.with_value("body.shape", "composite")
    assert [(part.unit, part.longest) for part in parts.body.parts] == [("longest", 0.3)]
    assert moments(parts) == pytest.approx(moments(mesh), rel=1e-12)
    assert Scenario.from_text(parts.to_text()).body.parts == parts.body.parts


def test_what_no_part_is_like_becomes_the_example_as_heavy_and_as_large():
    scenario = Scenario.preset("t-handle").with_values({"body.mass": 3.0})
    changed = scenario.with_value("body.shape", "composite")
    assert (changed.title, changed.summary, len(changed.body.parts)) == ("Untitled", "", 2)
    assert changed.rigid_body().mass == pytest.approx(3.0, rel=1e-15)
    assert sum(moments(changed)) == pytest.approx(sum(moments(scenario)), rel=1e-14)


def test_a_file_takes_nothing_over():
    tensor = Scenario.from_text('body.shape = "tensor"').rigid_body()
    assert tensor == RigidBody.from_tensor([1.0, 2.0, 2.5, 0.0, 0.0, 0.0])


def test_a_tensor_typed_over_a_presets_parts_is_no_longer_that_body():
    hammer = Scenario.preset("hammer")
    as_tensor = hammer.with_value("body.shape", "tensor")
    assert as_tensor.title == hammer.title  # still the same body
    typed = as_tensor.with_value("body.tensor", tuple(1.5 * entry for entry in as_tensor.body.tensor))
    assert (typed.title, typed.summary) == ("Untitled", "")
    resized = Scenario.preset("box-80kg").with_value("body.width", 0.7)
    assert resized.title == Scenario.preset("box-80kg").title  # a box still
