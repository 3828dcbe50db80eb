"""The animated glTF file: valid, and its keys are those of the motion, as a reader that is not ours computes them."""

import json
import struct
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from helpers.node import gltf_issues
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation, Slerp

from viewer.common.errors import InputError
from viewer.export.gltf.scene import glb_of
from viewer.export.gltf.surfaces import surface, tube
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.solids.triangle_mesh import box, cylinder, ellipsoid
from viewer.scenario.scenario import PRESETS, Scenario
from viewer.session.session import Session

Array = NDArray[np.float64]
BODY, OMEGA, FRAME = "axes of the body", "angular velocity ω", "frame that turns about L"


class File:
    """A .glb file, read after the specification alone."""

    def __init__(self, data: bytes) -> None:
        magic, version, size, length = struct.unpack("<4sIII", data[:16])
        assert (magic, version, size) == (b"glTF", 2, len(data))
        self.tree: dict[str, Any] = json.loads(data[20 : 20 + length])
        self._binary = data[28 + length :]

    def values(self, accessor: int) -> Array:
        entry = self.tree["accessors"][accessor]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[entry["type"]]
        begin = self.tree["bufferViews"][entry["bufferView"]].get("byteOffset", 0)
        found = np.frombuffer(self._binary, "<f4", entry["count"] * width, begin).astype(float)
        return found if width == 1 else found.reshape(-1, width)

    def track(self, animation: str, node: str, path: str) -> tuple[Array, Array]:
        (one,) = (entry for entry in self.tree["animations"] if entry["name"] == animation)
        names = [entry["name"] for entry in self.tree["nodes"]]
        for channel in one["channels"]:
            if channel["target"] == {"node": names.index(node), "path": path}:
                sampler = one["samplers"][channel["sampler"]]
                return self.values(sampler["input"]), self.values(sampler["output"])
        raise KeyError(node)

    def rotation(self, animation: str, node: str, time: Array) -> Rotation:
        """The node's rotation at times, while the animation is repeated."""
        times, keys = self.track(animation, node, "rotation")
        return Slerp(times, Rotation.from_quat(keys))(time % times[-1])


@cache
def file_of(preset: str) -> File:
    return File(glb_of(Scenario.preset(preset)))


def test_the_validator_finds_nothing_in_any_preset(tmp_path: Path) -> None:
    paths = []
    for name in PRESETS:
        if not Scenario.preset(name).bodies:
            paths.append(tmp_path / f"{name}.glb")
            paths[-1].write_bytes(glb_of(Scenario.preset(name)))
    assert len(paths) > 30
    for path, issues in zip(paths, gltf_issues(*paths), strict=True):
        assert (path.name, issues["messages"]) == (path.name, [])


LOOPS = ["paper-fig1", "box-80kg", "dzhanibekov", "toutatis", "nasa-brick", "wing-nut"]


@pytest.mark.parametrize("preset", LOOPS)
def test_both_animations_together_are_the_motion_in_space(preset: str) -> None:
    scenario, file = Scenario.preset(preset), file_of(preset)
    speed = Session(scenario, playing=False).scene.speed
    times, keys = file.track("motion", BODY, "rotation")
    at = np.random.default_rng(1).uniform(0.0, 4.7 * times[-1], 200)
    turned = file.rotation("turn about L", FRAME, at) * file.rotation("motion", BODY, at)
    motion = FreeRotation(scenario.rigid_body(), scenario.start_state()).at(speed * at)
    exact = Rotation.from_quat(np.roll(motion.orientation_wxyz, -1, axis=1))
    off = (exact.inv() * turned).magnitude()
    assert off.max() < 4e-3  # rad between keys, which are .05 rad apart; measured 1.4e-3 and less
    assert (exact[:1].inv() * turned[:1]).magnitude()[0] < 4e-3
    turns = np.linalg.norm(motion.omega_body, axis=1).max() * speed * times[-1] / (2.0 * np.pi)
    assert len(keys) > 8 * turns


@pytest.mark.parametrize("preset", LOOPS)
def test_the_loop_closes_and_neighbouring_keys_are_on_one_hemisphere(preset: str) -> None:
    times, keys = file_of(preset).track("motion", BODY, "rotation")
    assert np.abs(np.linalg.norm(keys, axis=1) - 1.0).max() < 2e-7
    assert np.sum(keys[1:] * keys[:-1], axis=1).min() > 0.99
    assert np.all(np.diff(times) > 0.0)
    first, last = Rotation.from_quat(keys[[0, -1]])
    assert (first.inv() * last).magnitude() < 1e-6  # rad; float32 gives 2e-7
    _, aims = file_of(preset).track("motion", OMEGA, "rotation")
    assert min(np.abs(aims[0] - aims[-1]).max(), np.abs(aims[0] + aims[-1]).max()) < 1e-6


def test_the_arrow_of_omega_has_the_length_and_direction_of_omega() -> None:
    scenario, file = Scenario.preset("paper-fig1"), file_of("paper-fig1")
    speed = Session(scenario, playing=False).scene.speed
    times, tips = file.track("motion", f"{OMEGA}, head", "translation")
    _, scales = file.track("motion", f"{OMEGA}, shaft", "scale")
    motion = FreeRotation(scenario.rigid_body(), scenario.start_state()).at(speed * times)
    sizes = np.linalg.norm(motion.omega_body, axis=1)
    (shaft,) = (m for m in file.tree["meshes"] if m["name"] == f"{OMEGA}, shaft")
    rest = file.tree["accessors"][shaft["primitives"][0]["attributes"]["POSITION"]]["max"][2]
    (head,) = (m for m in file.tree["meshes"] if m["name"] == f"{OMEGA}, head")
    tip = file.tree["accessors"][head["primitives"][0]["attributes"]["POSITION"]]["max"][2]
    assert np.allclose(scales[:, 2] * rest, tips[:, 2], rtol=1e-6)
    assert np.allclose((tips[:, 2] + tip) / sizes, (tips[0, 2] + tip) / sizes[0], rtol=1e-6)
    aims = file.rotation("turn about L", FRAME, times) * file.rotation("motion", OMEGA, times)
    world = Rotation.from_quat(np.roll(motion.orientation_wxyz, -1, axis=1)).apply(motion.omega_body)
    assert np.allclose(aims.apply([0.0, 0.0, 1.0])[:-1], (world / sizes[:, None])[:-1], atol=2e-4)


def test_trimesh_reads_the_figure_in_metres(tmp_path: Path) -> None:
    path = tmp_path / "box.glb"
    path.write_bytes(glb_of(Scenario.preset("box-80kg")))
    scene = trimesh.load(path)
    assert {"body", "ellipsoid", "polhode", "herpolhode", "invariable plane"} <= set(scene.graph.nodes_geometry)
    body = Scenario.preset("box-80kg").body
    transform, name = scene.graph["body"]
    found = scene.geometry[name]
    assert np.allclose(found.extents, [body.width, body.depth, body.height], rtol=1e-6)
    assert found.volume == pytest.approx(body.width * body.depth * body.height, rel=1e-6)
    assert np.isclose(np.linalg.det(transform[:3, :3]), 1.0)


def test_the_loads_and_a_later_time_are_in_the_motion() -> None:
    values = {"loads.torque": (0.0, 0.0, 0.02), "playback.auto_speed": False, "playback.speed": 0.5}
    scenario = Scenario.preset("paper-fig1").with_values(values)
    file = File(glb_of(scenario, time=1.5))
    names = {node["name"] for node in file.tree["nodes"]}
    assert not names & {"ellipsoid", "polhode", "invariable plane"}  # they would change their shapes
    times, keys = file.track("motion", BODY, "rotation")
    session = Session(scenario, playing=False)
    session.run_to(1.5)
    begin = session.snapshot().reading.time
    later = session.scene.snapshot_at(begin + 0.5 * float(times[40])).reading.orientation_wxyz
    assert abs(float(np.roll(later, -1) @ keys[40])) > 1.0 - 1e-7
    assert np.ptp(file.track("motion", "angular momentum L", "rotation")[1], axis=0).max() > 1e-3


def test_a_scene_of_several_bodies_is_refused_in_a_line() -> None:
    with pytest.raises(InputError, match=r"^bodies: a \.glb file has one body; this scene has 20$"):
        glb_of(Scenario.preset("twenty-boxes"))


def test_a_box_has_sharp_edges_and_a_cylinder_is_round_with_flat_ends() -> None:
    assert len(surface(box(1.0, 2.0, 3.0)).points) == 24
    round_body = surface(cylinder(1.0, 2.0))
    sides = np.abs(round_body.normals[:, 2]) < 0.5
    assert np.allclose(np.sum(round_body.normals[sides, :2] * round_body.points[sides, :2], axis=1), 1.0)
    assert np.allclose(np.abs(round_body.normals[~sides, 2]), 1.0)
    ball = surface(ellipsoid(2.0, 2.0, 2.0))
    assert np.sum(ball.normals * ball.points, axis=1).min() > 0.999


def test_a_closed_tube_is_watertight_and_open_curves_stay_open() -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    knot = np.column_stack([np.cos(angles), np.sin(angles), 0.4 * np.sin(3.0 * angles)])
    found = tube(knot, 0.05, True)
    ring = trimesh.Trimesh(found.points, found.corners, process=False)
    assert ring.is_watertight
    assert ring.volume > 0.0
    assert not trimesh.Trimesh(*(lambda t: (t.points, t.corners))(tube(knot, 0.05, False)), process=False).is_watertight
