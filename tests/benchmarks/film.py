"""A film from end to end beside the renderer and the encoder alone, in turns, in one run.

    python tests/benchmarks/film.py [PICTURES] [SAMPLES]

1280 x 720, mono, Matroska. Rendering and encoding overlap: at least .8 of the slower of the two is wanted.
"""

import io
import statistics
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from viewer.export.film import Film, write_film
from viewer.export.offscreen import offscreen_renderer
from viewer.export.video import VideoWriter
from viewer.scenario.scenario import Scenario

ROUNDS = 3
SIZE = (1280, 720)
FPS = Fraction(60)
WANTED = 0.8


def main(pictures: int = 60, samples: int = 2) -> int:
    """Prints pictures a second of all three; returns 1 where the share is not reached."""
    film = Film(Scenario.preset("paper-fig1"), pictures / 60, FPS, SIZE, samples)
    renderer = offscreen_renderer()
    drawn = [renderer.render(shot) for shot in film.shots()]
    seconds: dict[str, list[float]] = {"renderer alone": [], "encoder alone": [], "film": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            began = time.perf_counter()
            for shot in film.shots():
                renderer.render(shot)
            seconds["renderer alone"].append(time.perf_counter() - began)
            began = time.perf_counter()
            writer = VideoWriter(io.BytesIO(), ".mkv", SIZE, FPS, film.scenario.stereo, {})
            for image in drawn:
                writer.add(image)
            writer.finish()
            seconds["encoder alone"].append(time.perf_counter() - began)
            began = time.perf_counter()
            write_film(Path(folder) / "a.mkv", film, lambda: renderer)
            seconds["film"].append(time.perf_counter() - began)
    rates = {name: pictures / statistics.median(took) for name, took in seconds.items()}
    for name, rate in rates.items():
        print(f"{name:<16} {rate:7.1f} pictures a second")
    share = rates["film"] / min(rates["renderer alone"], rates["encoder alone"])
    print(f"film: {share:.2f} of the slower one alone; wanted {WANTED}")
    return int(share < WANTED)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
