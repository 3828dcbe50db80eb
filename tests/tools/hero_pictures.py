"""Draws the README's pictures anew: the construction on a dark and on a light ground, and a loop of two flips.

    python tests/tools/hero_pictures.py

`assets/pictures/window.png` is a picture of the window (Ctrl+Shift+P in it) and not made here.
"""

from fractions import Fraction
from pathlib import Path

from PIL import Image

from viewer import Scenario
from viewer.export.film import Film, closed_loop
from viewer.export.offscreen import offscreen_renderer, render_image

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "pictures"
SIZE = (1600, 900)  # px: twice as large as it is shown
SCENE, MOMENT = "paper-fig1", 2.15  # s: when all names are read
FLIP, FPS, FILM_SIZE = "t-handle", 15, (640, 360)
PER_PICTURE = round(1000 / FPS)  # ms


def main() -> None:
    """Writes the files and prints their sizes."""
    exact = {"solver.integrator": "exact", "solver.stabilisation": "off"}  # nothing to correct
    scenario = Scenario.preset(SCENE).with_values(exact)
    for theme in ("dark", "light"):
        picture = render_image(scenario.with_value("view.theme", theme), MOMENT, SIZE)
        Image.fromarray(picture).save(FOLDER / f"construction-{theme}.webp", quality=92, method=6)
    film = closed_loop(Film(Scenario.preset(FLIP), 0.0, Fraction(FPS), FILM_SIZE), "repeating")
    renderer = offscreen_renderer()
    first, *others = [Image.fromarray(renderer.render(shot)) for shot in film.shots()]
    name = FOLDER / "flip.webp"
    first.save(name, save_all=True, append_images=others, duration=PER_PICTURE, loop=0, quality=70, method=4)
    for path in sorted(FOLDER.glob("*.webp")):
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
