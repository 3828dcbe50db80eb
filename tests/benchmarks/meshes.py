"""Frame time of meshes as bodies beside that of the ray-cast box in the same scene, frame by frame in turn.

    python tests/benchmarks/meshes.py [--size 1280x720] [--rounds 5] [--frames 8] [--rows 158]

A frame is: the scene's description, all drawing, and the picture read back; limit 3 times the box for 100,000
triangles. `--rows`: rows of triangles of the ellipsoid; 158 make 99,224.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import trimesh

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers import mesh_shapes

from viewer.export.offscreen import offscreen_context
from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session

LIMIT = 3.0
BOX = Scenario.preset("box-80kg")


def main() -> int:
    """Measures and prints a table; 1 where the limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--rows", type=int, default=158)
    arguments = parser.parse_args()
    width, height = (int(part) for part in arguments.size.split("x"))
    body = BOX.body
    half = 0.5 * np.array([body.width, body.depth, body.height])
    with tempfile.TemporaryDirectory() as folder:
        files = {"box": mesh_shapes.box(half), "ellipsoid": mesh_shapes.ellipsoid(half, arguments.rows)}
        sessions = {"ray-cast box": Session(BOX, playing=False)}
        for name, mesh in files.items():
            path = Path(folder, f"{name}.stl")
            trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).export(path)
            values = {"body.shape": "mesh", "body.file": str(path), "body.unit": "m", "body.mass": body.mass}
            sessions[f"{name}, {len(mesh.faces):,} triangles"] = Session(BOX.with_values(values), playing=False)
        sessions["Toutatis, 12,796 triangles"] = Session(Scenario.preset("toutatis"), playing=False)
        return measured(sessions, (width, height), arguments.rounds, arguments.frames)


def measured(sessions: dict[str, Session], size: tuple[int, int], rounds: int, frames: int) -> int:
    context = offscreen_context()
    first = next(iter(sessions))
    renderers = {name: Renderer(context) for name in sessions}
    for session in sessions.values():
        session.run_to(session.scene.speed)

    def frame(name: str) -> float:
        start = time.perf_counter()
        session = sessions[name]
        drawn = build_frame(session.snapshot(), Presentation.of(session.scenario), Display(size))
        renderers[name].draw(drawn)
        renderers[name].read()
        return 1e3 * (time.perf_counter() - start)

    print(f"{context.info['GL_RENDERER']}, {size[0]}x{size[1]}")
    print(f"{'body':30} {'ms':>7} {'box':>7} {'/ box':>6} {'from':>6} {'to':>6}")
    missed = False
    for name in sessions:
        found = []
        for _ in range(rounds):
            frame(first), frame(name)
            pairs = [(frame(first), frame(name)) for _ in range(frames)]
            found.append([statistics.median(column) for column in zip(*pairs, strict=True)])
        ratios = [own / box for box, own in found]
        box, own = (statistics.median(column) for column in zip(*found, strict=True))
        ratio = statistics.median(ratios)
        missed |= ratio > LIMIT
        print(f"{name:30} {own:7.2f} {box:7.2f} {ratio:6.2f} {min(ratios):6.2f} {max(ratios):6.2f}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
