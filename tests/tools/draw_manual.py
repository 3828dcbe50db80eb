"""Draws the figures of the manual: one at the head of each page, and three pages that play.

    python tests/tools/draw_manual.py [NAME ...]

writes `assets/manual/figures`: NAME.webp for each page of the manual, and NAME.html for PAGES_THAT_PLAY. All of it is
drawn by the program itself, so that a figure shows what the program does today.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from viewer import FreeRotation, render_image
from viewer.export.offscreen import offscreen_renderer
from viewer.export.page.pages import write_page
from viewer.export.page.writer import PageScene
from viewer.physics.integrators import INTEGRATORS
from viewer.replay.opening import read
from viewer.scenario.scenario import PRESETS, Scenario

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "assets" / "manual" / "figures"
WIDTH = 1120  # px
POSTER = (880, 480)
WEBP: dict[str, Any] = {"quality": 82, "method": 6}
INK = ("#3F6FBF", "#A85A68", "#66892A")  # of the body's axes, as on a light ground
Pixels = NDArray[np.uint8]


def scene(name: str, time: float, height: int = 480, width: int = WIDTH, **values: Any) -> Pixels:
    """Returns the picture of a preset at a time [s]; a value's dots are written as two underscores."""
    changes = {key.replace("__", "."): value for key, value in values.items()}
    return render_image(Scenario.preset(name).with_values(changes), time, (width, height))


def row(*pictures: Pixels) -> Pixels:
    """Returns pictures of one height side by side, with a gap of white."""
    gap = np.full((len(pictures[0]), 8, 3), 255, dtype=np.uint8)
    parts = [part for picture in pictures for part in (picture, gap)][:-1]
    return np.concatenate(parts, axis=1)


def thirds(*each: tuple[str, float, dict[str, Any]]) -> Pixels:
    """Returns three or fewer scenes side by side."""
    width = (WIDTH - 8 * (len(each) - 1)) // len(each)
    return row(*(scene(name, time, 360, width, **values) for name, time, values in each))


def gallery() -> Pixels:
    """Returns the gallery's pictures of eighteen scenes."""
    folder = ROOT / "assets" / "thumbnails" / "dark"
    pictures = [Image.open(folder / f"{name}.webp").convert("RGB").resize((184, 138)) for name in list(PRESETS)[:18]]
    rows = [row(*(np.asarray(picture) for picture in pictures[n : n + 6]))[:, : WIDTH + 24] for n in (0, 6, 12)]
    gap = np.full((8, rows[0].shape[1], 3), 255, dtype=np.uint8)
    return np.concatenate([rows[0], gap, rows[1], gap, rows[2]])


def plot(draw: Callable[[Any], None], size: tuple[float, float] = (11.2, 3.4), **options: Any) -> Pixels:
    """Returns a plot of matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, dpi=100, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    draw(figure.add_subplot(**options))
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def table_of_motion(axes: Any) -> None:
    """Plots omega in the body, as a table has it."""
    scenario = Scenario.preset("dzhanibekov")
    motion = FreeRotation(scenario.rigid_body(), scenario.start_state())
    times = np.linspace(0.0, 2.2 * float(motion.period or 1.0), 1200)
    for values, name, ink in zip(motion.at(times).omega_body.T, "xyz", INK, strict=True):
        axes.plot(times, values, color=ink, label=f"omega_body_{name}_rad_per_s")
    axes.set_xlabel("time_s")
    axes.grid(linewidth=0.3)
    axes.set_ylim(-7.0, 10.5)
    axes.legend(frameon=False, loc="upper right", fontsize=9, ncols=3)


def polhodes(axes: Any) -> None:
    """Plots polhodes of one |L| on the sphere of L, around all three axes, from the closed form."""
    from viewer import RigidBody, State

    body = RigidBody.box(mass=80, width=1, depth=0.4, height=0.2)
    moments = body.principal_moments
    for axis, ink in zip(range(3), INK, strict=True):
        for lean in np.radians((8.0, 20.0, 32.0, 44.0)) if axis != int(np.argsort(moments)[1]) else ():
            for side in (1.0, -1.0):
                start = np.zeros(3)
                start[axis], start[int(np.argsort(moments)[1])] = side * np.cos(lean), np.sin(lean)
                motion = FreeRotation(body, State((1, 0, 0, 0), start / moments))
                around = motion.at(np.linspace(0.0, float(motion.period or 1.0), 300))
                axes.plot(*(around.omega_body * moments).T, color=ink, linewidth=1.3)
    axes.set(xlim=(-1, 1), ylim=(-1, 1), zlim=(-1, 1), box_aspect=(1, 1, 1))
    axes.view_init(22, -38)
    axes.set(xlabel="L x'", ylabel="L y'", zlabel="L z'")


def recorded() -> Pixels:
    """Returns the picture of a recording beside the exact motion."""
    scenario, recording = read(str(ROOT / "assets" / "logs" / "bullet-explicit.csv"), Scenario(), tell=print)
    with tempfile.TemporaryDirectory() as folder:
        from viewer.export.offscreen import render_to_file

        path = Path(folder, "recorded.png")
        render_to_file(scenario, path, 4.0, (WIDTH, 480), recording=recording)
        return np.asarray(Image.open(path).convert("RGB"))


def chart() -> Pixels:
    """Returns the chart for glasses."""
    stereo = Scenario().with_value("stereo.mode", "anaglyph")
    return offscreen_renderer().render_chart(stereo.stereo, "dark", (WIDTH, 560))


PICTURES: dict[str, Callable[[], Pixels]] = {
    "window": lambda: scene("box-80kg", 1.5),
    "keys": lambda: scene("box-80kg", 1.2, loads__force=(0.0, 0.0, 60.0), loads__arm=(0.5, 0.0, 0.0)),
    "scenes": gallery,
    "tops": lambda: thirds(("top-with-cusps", 2.0, {}), ("top-with-loops", 3.0, {}), ("kovalevskaya-top", 3.0, {})),
    "stereo": lambda: thirds(
        ("box-80kg", 1.5, {"stereo__mode": "anaglyph"}), ("box-80kg", 1.5, {"stereo__mode": "side-by-side"})
    ),
    "integrators": lambda: scene("race-of-five", 6.0),
    "recordings": recorded,
    "pictures": lambda: thirds(
        *(("box-80kg", 1.5, {"view__theme": theme, "view__material": material})
          for theme, material in (("dark", "wood"), ("light", "metal"), ("high-contrast", "paint")))
    ),
    "data": lambda: plot(table_of_motion),
    "python": lambda: plot(polhodes, (6.4, 5.2), projection="3d"),
    "lecture": lambda: thirds(("dzhanibekov", 2.2, {}), ("disc", 1.0, {}), ("paper-fig1-fine", 2.0, {})),
    "sources": lambda: thirds(("paper-fig1", 2.6, {}), ("paper-fig2", 2.6, {}), ("paper-fig3", 2.6, {})),
    "troubleshooting": chart,
}  # fmt: skip


def race() -> list[PageScene]:
    """Returns one motion as the exact one and as three integrators compute it, 60 steps a second."""
    raced = Scenario.preset("race-gyroscopic-torque")
    same = {"race.show": "off", "solver.auto_period": False, "solver.integration_period": raced.race.step}
    return [
        PageScene(raced.with_values(same | {"solver.integrator": lane}), size=POSTER, title=INTEGRATORS[lane].label)
        for lane in ("exact", *raced.race.lanes)
    ]


PAGES_THAT_PLAY: dict[str, Callable[[], list[PageScene]]] = {
    "construction": lambda: [PageScene(Scenario.preset("box-80kg"), size=POSTER)],
    "flip": lambda: [PageScene(Scenario.preset("dzhanibekov"), size=POSTER)],
    "race": race,
}


HEADINGS = {"race": "One body by four integrators"}


def draw(names: Sequence[str]) -> None:
    """Writes these figures."""
    FIGURES.mkdir(exist_ok=True)
    for name in names:
        if name in PAGES_THAT_PLAY:
            path = FIGURES / f"{name}.html"
            write_page(path, PAGES_THAT_PLAY[name](), HEADINGS.get(name, ""))
        else:
            path = FIGURES / f"{name}.webp"
            Image.fromarray(PICTURES[name]()).save(path, "WEBP", **WEBP)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    draw(sys.argv[1:] or [*PICTURES, *PAGES_THAT_PLAY])
