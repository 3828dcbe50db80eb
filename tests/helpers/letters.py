"""The boxes of the letters of a name as they are drawn, from the metrics of the atlas that the renderer reads."""

import numpy as np

from viewer.scene.annotations.letters import MIDDLE, SMALL, SPACE, atlas
from viewer.scene.camera.camera import Canvas
from viewer.scene.description import Label, Stroke


def letter_boxes(label: Label, canvas: Canvas) -> np.ndarray:
    """Lower left and upper right corners (N, 2, 2) of the letters' ink, px from the middle of the picture."""
    header = atlas()
    font, margin = header["glyphs"][label.style], 0.5 * header["spread"] / header["em"]
    known = [(letter, 1.0, 0.0) if letter in font else SMALL.get(letter, (letter, 1.0, 0.0)) for letter in label.text]
    width = sum(size * font[letter][6] if letter in font else SPACE for letter, size, _ in known)
    start = canvas.project(label.anchor) + label.offset
    pen, base = (
        start[0] - (0.5 * width * label.size if label.centred else 0.0),
        start[1] - MIDDLE[label.style] * label.size,
    )
    found = []
    for letter, size, lowered in known:
        if letter not in font:
            pen += SPACE * label.size
            continue
        _, _, w, h, left, low, advance = font[letter]
        em = size * label.size
        corner = np.array([pen + (left + margin) * em, base - lowered * label.size + (low + margin) * em])
        side = np.array([w, h]) / header["em"] - 2.0 * margin
        found.append([corner, corner + np.maximum(side, 0.0) * em])
        pen += advance * em
    return np.array(found).reshape(-1, 2, 2)


def gap_between(one: np.ndarray, other: np.ndarray) -> float:
    """The distance, px, between two sets of boxes; 0 where they overlap."""
    beyond = np.maximum(one[:, None, 0] - other[None, :, 1], other[None, :, 0] - one[:, None, 1])
    return float(np.linalg.norm(np.maximum(beyond, 0.0), axis=-1).min()) if len(one) and len(other) else np.inf


def gap_to_shaft(boxes: np.ndarray, stroke: Stroke, canvas: Canvas) -> float:
    """The distance, px, between boxes and the edge of a line as it is drawn."""
    start, end = canvas.project(stroke.start), canvas.project(stroke.end)
    points = start + np.linspace(0.0, 1.0, 200)[:, None] * (end - start)
    beyond = np.maximum(np.maximum(boxes[:, None, 0] - points, points - boxes[:, None, 1]), 0.0)
    return float(np.linalg.norm(beyond, axis=-1).min() - 0.5 * stroke.width) if len(boxes) else np.inf
