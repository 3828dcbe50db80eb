"""A short film of the paper's body, and the pictures in a file."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageSequence

from helpers.playing import PAPER
from viewer.export.film import Film
from viewer.scenario.scenario import Scenario

av = pytest.importorskip("av", reason="PyAV is not installed (extra film)")

SCENE = PAPER.with_value("title", "Ein Film – Ω")
SIZE = (160, 96)


def short(scene: Scenario = SCENE, **more: Any) -> Film:
    return Film(scene, **{"seconds": 0.5, "fps": Fraction(20), "size": SIZE, "samples": 1} | more)


def pictures(path: Path) -> list[Any]:
    if path.suffix == ".gif":
        with Image.open(path) as file:
            return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(file)]
    with av.open(path) as container:
        return [
            frame.reformat(format="rgb24", src_colorspace="ITU709").to_ndarray() for frame in container.decode(video=0)
        ]
