"""One fixed scene in fresh processes, ours and other toolkits': frame time, peak memory, start to the first PNG.

    python tests/benchmarks/peers.py [--rounds 3] [--peers PYTHON SCRIPT [--backends "vispy" "vtk 0" "vtk 8"]]

The scene: a box, two arrows, a translucent ellipsoid, a plane, two trails of 5000 points rewritten in each frame, read
back, 1280 x 720. SCRIPT runs one backend of another toolkit in the same way, as `PYTHON SCRIPT BACKEND`, and prints a
line `RESULT {json}` with ms, rss_mb and first_png_wall (time.time() at the first picture). Without one, ours alone.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

SIZE = (1280, 720)
EYE, FIELD_OF_VIEW_DEG = (2.2, -2.6, 1.6), 30.0
POINTS, FRAMES = 5000, 40


def ours() -> None:
    """Measures our renderer in this process and prints a RESULT line; the floor, clear and read back, beside it."""

    import gc

    gc.disable()  # as the command does, the next line and `freeze`
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from viewer.export.image_renderer import box_filtered
    from viewer.export.offscreen import offscreen_context
    from viewer.export.picture_files import PngWriter
    from viewer.render.renderer import Renderer

    gc.freeze()
    gc.enable()
    context = offscreen_context()
    renderer = Renderer(context)
    scene = _Scene()
    renderer.draw(scene.frame(0))
    picture = box_filtered(renderer.read(4), 1, 3)  # as pictures are saved
    with open(os.environ.get("POINSOT_PNG", os.devnull), "wb") as file:
        writer = PngWriter(file, SIZE, 3, text="", software="Poinsot")
        writer.write(picture)
        writer.finish()
    first = time.time()
    times, floor = [], []
    for number in range(1, FRAMES + 4):
        start = time.perf_counter()
        renderer.draw(scene.frame(number))
        renderer.read()
        times.append(1e3 * (time.perf_counter() - start))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    target = context.simple_framebuffer(SIZE)
    for _ in range(FRAMES):
        start = time.perf_counter()
        target.clear(0.1, 0.1, 0.1)
        target.read()
        floor.append(1e3 * (time.perf_counter() - start))
    result = {"ms": statistics.median(times[3:]), "rss_mb": memory, "first_png_wall": first}
    print("RESULT " + json.dumps(result | {"floor_ms": statistics.median(floor)}))


class _Scene:
    """The scene in our own description."""

    def __init__(self) -> None:
        import numpy as np

        from viewer.scenario.scenario import Scenario
        from viewer.scene.build import build_frame
        from viewer.scene.camera.camera import Camera, projection
        from viewer.scene.presentation import Display, Presentation
        from viewer.session.session import Session

        eye = np.array(EYE)
        backward = eye / np.linalg.norm(eye)
        right = np.cross((0.0, 0.0, 1.0), backward)
        right /= np.linalg.norm(right)
        up = np.cross(backward, right)
        fov = np.radians(FIELD_OF_VIEW_DEG)
        distance = float(np.linalg.norm(eye))
        self.camera = Camera(eye, right, up, backward, distance, fov)
        self.clip = projection(fov, SIZE[0] / SIZE[1], 0.1, 50.0) @ self.camera.view_from_world()
        plain = Session(Scenario.preset("box-80kg"), playing=False)
        self.plain = build_frame(plain.snapshot(), Presentation.of(plain.scenario), Display(SIZE))

    def frame(self, number: int) -> Any:
        """The frame of that number: body and arrows turned, trails anew."""
        from dataclasses import replace

        import numpy as np

        from viewer.common.ring_buffer import RingBuffer
        from viewer.scene.description import Curve, Plane, Shell, Solid, Stroke, Trail

        theme = self.plain.main.scene.theme
        a, b = 0.03 * number, 0.02 * number
        turn = np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
        turn = turn @ [[1.0, 0.0, 0.0], [0.0, np.cos(b), -np.sin(b)], [0.0, np.sin(b), np.cos(b)]]
        t = np.linspace(0.0, 40.0, POINTS) + 0.05 * number
        path = np.stack([np.cos(t) * np.cos(0.07 * t), np.sin(t) * np.cos(0.07 * t), np.sin(0.07 * t)], axis=1)
        ring = RingBuffer(POINTS, 7)
        rows = np.zeros((POINTS, 7))
        rows[:, 0], rows[:, 1:4] = t, path
        ring.append_rows(rows)
        ends = [turn @ [1.1, 0.0, 0.0], -turn @ [0.0, 1.1, 0.0]]
        colors = (theme.angular_momentum, theme.angular_velocity)
        plane = Plane(np.array([0.0, 0.0, -1.2]), np.diag([1.0, -1.0, -1.0]), 3.0, 0.5, (0.0, 0.0))
        scene = replace(
            self.plain.main.scene,
            world_from_body=turn,
            camera_forward=-self.camera.backward,
            solid=Solid("box", np.array([0.5, 0.2, 0.1]), theme.axes),
            shell=Shell(np.array([0.6, 0.45, 0.8]), holds_body=True),
            plane=plane,
            curves=(Curve(0.8 * path @ turn, theme.polhode, 2.0, 1.0, np.zeros(3)),),
            trail=Trail(ring.view(), 1, rows[-1, :4], np.eye(3), theme.herpolhode, np.zeros(3), 0.0, False, 1e9),
            contact=None,
            arrows=tuple(
                Stroke(np.zeros(3), end, color, 1.0, 5.0, 18.0) for end, color in zip(ends, colors, strict=True)
            ),
            strokes=(),
            overlay_strokes=(),
            labels=(),
            plane_in_front=False,
        )
        view = replace(self.plain.main.views[0], clip_from_world=self.clip, position=self.camera.position)
        layer = replace(self.plain.main, camera=self.camera, views=(view,), scene=scene)
        return replace(self.plain, layers=(layer,))


def installed() -> dict[str, str]:
    """The environment, in which modules are compiled once, as those of an installed program are."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def spawned(command: list[str], env: dict[str, str]) -> dict[str, float] | str:
    """What one fresh process measures, or why it does not."""
    began = time.time()
    try:
        run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=90, check=False)
    except subprocess.TimeoutExpired:
        return "takes more than 90 s"
    for line in run.stdout.splitlines():
        if line.startswith("RESULT "):
            result: dict[str, float] = json.loads(line[7:])
            return result | {"start_s": result["first_png_wall"] - began}
    return (run.stderr.strip().splitlines() or ["prints no RESULT"])[-1]


def main() -> None:
    """Measures and prints a table."""
    if sys.argv[1:] == ["--ours"]:
        ours()
        return
    import argparse  # here, as what follows: for the parent alone, as in SCRIPT
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", nargs=2, metavar=("PYTHON", "SCRIPT"))
    parser.add_argument("--backends", nargs="*", default=["vispy", "vtk 0", "vtk 8"])
    arguments = parser.parse_args()
    commands = {"ours": [sys.executable, __file__, "--ours"]}
    if arguments.peers:
        commands |= {name: [*arguments.peers, *name.split()] for name in arguments.backends}
    else:
        print("no --peers given: ours alone")
    found: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        env = {"POINSOT_PNG": os.path.join(folder, "first.png")} | installed()
        for _ in range(arguments.rounds):
            for name, command in commands.items():
                result = spawned(command, env)
                if isinstance(result, str):
                    print(f"{name}: {result}")
                else:
                    found[name].append(result)
    print(f"{'':10} {'ms':>8} {'peak MB':>8} {'to first PNG, s':>16} {'floor ms':>9}")
    for name, results in found.items():
        if results:
            keys = ("ms", "rss_mb", "start_s", "floor_ms")
            middle = {key: statistics.median(r[key] for r in results) for key in keys if key in results[0]}
            print(
                f"{name:10} {middle['ms']:8.1f} {middle['rss_mb']:8.0f} {middle['start_s']:16.2f}"
                f" {middle.get('floor_ms', float('nan')):9.1f}"
            )


if __name__ == "__main__":
    main()
