"""Pictures that must not change unnoticed, one per stereo mode, on Mesa's software rasteriser only.

`POINSOT_UPDATE_GOLDEN=1` draws them anew; look at them before you commit them. On failure the picture and the
difference, ten times amplified, lie in tests/output/.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from viewer.scene.stereo import OnScreen
from viewer.stereo_modes import STEREO_MODES

GOLDEN = Path(__file__).parents[1] / "golden"
OUTPUT = Path(__file__).parents[1] / "output"
SIZE = (480, 320)
WINDOW = OnScreen(turn=1)  # where eyes take turns it is the right one's
MEAN_TOLERANCE = (
    0.25  # of 255, mean over all values: measured 0 on the machine that drew them; other Mesa versions
)
WORST_SHARE = 0.002  # .. round differently along soft edges: so many values may differ by more than 12

LED = {"solver__integrator": "jolt", "solver__stabilisation": "closest-point"}
CASES = [(f"paper-fig1-{mode}", "paper-fig1", {"stereo__mode": mode}) for mode in STEREO_MODES] + [
    ("box-80kg-light", "box-80kg", {"view__theme": "light"}),
    ("disc-high-contrast", "disc", {"view__theme": "high-contrast"}),
    ("paper-fig1-light", "paper-fig1", {"view__theme": "light"}),
    ("paper-fig1-speed", "paper-fig1", {"view__trail_color": "speed"}),
    ("disc-space", "disc", {"view__frame": "space"}),
    ("rod-floor", "rod", {"view__frame": "floor"}),
    ("dzhanibekov-body", "dzhanibekov", {"view__frame": "body"}),
    ("ode-blog-momentum", "ode-blog", {"view__construction": "momentum", **LED}),
    ("rod-momentum-light", "rod", {"view__construction": "momentum", "view__theme": "light"}),
    ("box-80kg-inset-anaglyph", "box-80kg", {"show__inset": True, "stereo__mode": "anaglyph"}),
    ("disc-momentum-with-inset", "disc", {"show__inset": True, "view__construction": "momentum"}),
    ("race-ghosts", "dzhanibekov", {"race__show": "ghosts"}),
    ("race-grid", "paper-fig1", {"race__show": "grid"}),
]


@pytest.mark.parametrize(("name", "preset", "changes"), CASES, ids=[case[0] for case in CASES])
def test_golden(renderer, frame_of, name: str, preset: str, changes: dict[str, object]) -> None:
    if "llvmpipe" not in renderer.ctx.info["GL_RENDERER"]:
        pytest.skip("golden pictures are compared on Mesa's software rasteriser only")
    renderer.draw(frame_of(preset, 5.0, SIZE, WINDOW, **changes))
    drawn = renderer.read()
    path = GOLDEN / f"{name}.png"
    if os.environ.get("POINSOT_UPDATE_GOLDEN") == "1":
        Image.fromarray(np.ascontiguousarray(drawn)).save(path)
    with Image.open(path) as image:
        golden = np.asarray(image.convert("RGB")).astype(int)
    difference = np.abs(drawn - golden)
    if difference.mean() > MEAN_TOLERANCE or np.mean(difference > 12) > WORST_SHARE:
        OUTPUT.mkdir(exist_ok=True)
        Image.fromarray(np.ascontiguousarray(drawn)).save(OUTPUT / f"{name}.png")
        amplified = np.clip(10 * difference, 0, 255).astype(np.uint8)
        Image.fromarray(amplified).save(OUTPUT / f"{name}-difference.png")
        pytest.fail(
            f"mean difference {difference.mean():.3f}, {np.mean(difference > 12):.2%} of values differ by more than 12"
        )
