"""Scenes: where they are found, values by path, and the physics that they describe."""

import dataclasses
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.common.errors import InputError
from viewer.physics import rotation
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.field import Integer, Number, Vector
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import SECTIONS, Scenario, field_at

PATHS = [f"{section}.{key}" for section, cls in SECTIONS.items() for key in fields_of(cls)]


def test_find_takes_presets_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Scenario(title="mine").save("mine.toml")
    assert Scenario.find("mine.toml").title == "mine"
    assert Scenario.find("rod") == Scenario.preset("rod")
    with pytest.raises(
        InputError, match="scene: 'rods' is neither a preset nor a file; did you mean rod\\? presets are"
    ):
        Scenario.find("rods")
    with pytest.raises(InputError, match=r"^rods\.toml: file not found$"):
        Scenario.find("rods.toml")


@given(angles=st.tuples(*[st.floats(-180, 180)] * 3))
def test_orientation_is_turned_about_space_x_then_y_then_z(angles: tuple[float, float, float]) -> None:
    state = Scenario().with_value("start.orientation_deg", angles).start_state()
    (cx, sx), (cy, sy), (cz, sz) = ((cos(radians(a)), sin(radians(a))) for a in angles)
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    np.testing.assert_allclose(
        rotation.rotation_matrix(state.orientation_wxyz), about_z @ about_y @ about_x, atol=2e-15
    )  # measured: 7e-16


@pytest.mark.parametrize("shape", ["ellipsoid", "box", "cylinder", "sphere", "moments"])
def test_every_shape_makes_a_body(shape: str) -> None:
    body = Scenario().with_value("body.shape", shape).with_value("body.mass", 2.0).rigid_body()
    assert body.mass == 2.0


def test_loads_come_through() -> None:
    scenario = Scenario().with_value("loads.force", (1, 0, 0)).with_value("loads.arm", (0, 1, 0))
    loads = scenario.with_value("loads.external_friction", 0.5).loads_value()
    assert (loads.force, loads.arm, loads.external_friction, loads.free) == ((1, 0, 0), (0, 1, 0), 0.5, False)


def test_values_by_path() -> None:
    scenario = Scenario()
    assert scenario.with_value("title", "A").value("title") == "A"
    assert scenario.with_value("body.mass", 2).value("body.mass") == 2.0
    assert scenario.body.mass == 1.0
    for path in ("mass", "body", "body.", "body.mas", "bdy.mass", ".", "", "body.step", "solver.step"):
        with pytest.raises(InputError, match=r"field not found|body: is a section; allowed are shape, mass, "):
            scenario.with_value(path, 1)
        with pytest.raises(InputError, match=r"field not found|body: is a section"):
            scenario.value(path)


@pytest.mark.parametrize("path", PATHS)
def test_every_field_is_declared_well(path: str) -> None:
    field, default = field_at(path), Scenario().value(path)
    assert field.check(path, default) == default
    assert field.label
    assert field.description
    if isinstance(field, Number):
        assert field.low <= field.soft_low < field.soft_high <= field.high
        assert not field.log_scale or field.soft_low > 0
    if isinstance(field, Vector):
        assert len(field.labels) == field.size == len(default)


def test_sections_are_immutable() -> None:
    for section in SECTIONS:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(getattr(Scenario(), section), next(iter(fields_of(SECTIONS[section]))), None)


def test_fields_matter_where_the_field_that_they_name_says_so() -> None:
    scenario = Scenario()
    assert scenario.has_effect("body.mass")
    assert not scenario.has_effect("stereo.glasses")
    assert scenario.with_value("stereo.mode", "anaglyph").has_effect("stereo.glasses")
    for section in SECTIONS:
        for name, entry in fields_of(SECTIONS[section]).items():
            if entry.when is not None and entry.when[1] is not None:
                other = field_at(entry.when[0])
                if isinstance(other, Integer):
                    allowed = list(range(round(other.low), round(other.high) + 1))
                else:
                    allowed = [choice for choice, _ in other.choices]
                assert set(entry.when[1]) <= set(allowed), name
                assert entry.when[1], name


@pytest.mark.parametrize(
    ("title", "before", "saved"),
    [
        ("rod", None, "mine"),  # a preset's
        (None, None, "mine"),  # the default
        ("my top", None, "my top"),
        ("old", None, "old"),
        ("old", "there/old.toml", "mine"),  # that of its file until now
        ("old", "mine.toml", "old"),  # saved where it was
    ],
)
def test_a_scene_is_named_after_its_file_unless_it_has_a_title_of_its_own(
    title: str | None, before: str | None, saved: str
) -> None:
    scene = Scenario()
    if title is not None:
        scene = Scenario.preset("rod") if title == "rod" else dataclasses.replace(scene, title=title)
    assert scene.named_after("mine.toml", before).title == saved


def test_a_preset_is_saved_with_its_texts_as_far_as_they_are_true_of_the_scene() -> None:
    preset = Scenario.preset("ode-blog")
    assert preset.summary
    assert preset.source

    def saved(path: str, value: Any) -> tuple[str, str]:
        named = preset.with_value(path, value).named_after("mine.toml")
        assert named.title == "mine"
        return named.summary, named.source

    assert saved("view.zoom", 2.0) == (preset.summary, preset.source)
    assert saved("solver.integrator", "split") == ("", preset.source)
    assert saved("start.angular_velocity", (0.0, 0.0, 7.0)) == ("", "")
    assert dataclasses.replace(preset, summary="mine").named_after("mine.toml").summary == "mine"
    assert preset.named_after("mine.toml", "mine.toml") is preset


def test_the_list_of_integrators_tells_order_and_what_each_conserves() -> None:
    field = field_at("solver.integrator")
    told = dict(zip((name for name, _ in field.choices), field.meanings, strict=True))
    assert told["exact"].startswith("No truncation error; conserves energy, |L|, L")
    assert told["explicit-euler"].startswith("Order 1; conserves nothing\n")
    assert told["no-gyroscopic"].startswith("Does not converge; conserves energy, |L|\n")
    for method in INTEGRATORS.values():
        assert told[method.name].endswith(f"\n{method.summary}\n{method.source}")
        if method.order:
            assert told[method.name].startswith(f"Order {method.order}; ")


def test_a_scene_does_not_change() -> None:
    scene = Scenario()
    sections = [(getattr(scene, section), next(iter(fields_of(cls)))) for section, cls in SECTIONS.items()]
    for part, name in ((scene, "title"), *sections):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(part, name, getattr(part, name))
