"""The names in momentum space, and its legend."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.scene.axes import on_the_screen
from viewer.scene.camera import Camera
from viewer.scene.description import Label
from viewer.scene.labels import OMEGA_SIZE, SYMBOL_SIZE, on_screen
from viewer.scene.momentum_space import MomentumSpace
from viewer.session import Snapshot
from viewer.themes import Color, Theme

Array = NDArray[np.float64]

OFF_CURVE = 1e-5  # relative errors from which on the legend tells them
LEGEND_CORNER = (22.0, 30.0)  # px from the left and upper sides
LEGEND_LINE, LEGEND_SIZE, LEGEND_INDENT = 21.0, 13.5, 26.0
CLEAR = (26.0, 60.0)  # px from the tip of L' within which another name fades


def sphere_color(theme: Theme) -> Color:
    """Glass with a hint of L's colour."""
    red, green, blue = (
        0.5 * a + 0.5 * b for a, b in zip(theme.angular_momentum, theme.sections, strict=True)
    )
    return red, green, blue


def tip_label(tip: Array, camera: Camera, theme: Theme) -> Label:
    """L' beside the arrow's head, on the side to which it points."""
    flat = np.array([tip @ camera.right, tip @ camera.up])
    length = float(np.linalg.norm(flat))
    offset = 20.0 * flat / length if length > 1e-9 else np.array([0.0, 20.0])
    return Label("L′", tip, theme.angular_momentum, SYMBOL_SIZE, (float(offset[0]), float(offset[1])))


def names(snapshot: Snapshot, built: MomentumSpace, camera: Camera, theme: Theme) -> list[Label]:
    """σ' at the sphere's lower left, ε' where the ellipsoid stands out most, γ' at the upper right of the curve."""
    show, rotation = snapshot.scenario.show, snapshot.rotation_world_from_body
    labels = []
    if show.plane:
        flat = np.array([-math.sqrt(0.5), -math.sqrt(0.5)])
        labels.append(
            _beside(
                "σ′", built.radius * (flat[0] * camera.right + flat[1] * camera.up), flat, sphere_color(theme)
            )
        )
    if show.ellipsoid:
        shape = rotation * built.semi_axes  # columns: the semi-axes in the world
        around = np.linspace(-0.75 * math.pi, 0.75 * math.pi, 73)[:, None]
        normals = np.cos(around) * camera.right + np.sin(around) * camera.up
        at = normals @ shape @ shape.T
        reaches = np.linalg.norm(normals @ shape, axis=1)
        at /= reaches[:, None]
        at *= np.minimum(1.0, built.reach / np.linalg.norm(at, axis=1))[:, None]
        best = int(np.argmax(np.linalg.norm(at, axis=1)))
        flat = np.array([at[best] @ camera.right, at[best] @ camera.up])
        labels.append(_beside("ε′", at[best], flat / max(float(np.linalg.norm(flat)), 1e-9), theme.sections))
    if show.polhode:
        curve = built.scale * (snapshot.polhode * snapshot.body.principal_moments) @ rotation.T
        height = curve @ (0.6 * camera.right + 0.8 * camera.up) + 1.5 * np.minimum(
            curve @ camera.backward, 0.0
        )
        best = int(np.argmax(height))
        labels.append(_beside("γ′", curve[best], np.array([0.6, 0.8]), theme.polhode))
    return labels


def _beside(text: str, anchor: Array, side: Array, color: Color) -> Label:
    offset = 16.0 * side
    return Label(
        text,
        anchor,
        color,
        OMEGA_SIZE if text[0] in "σε" else SYMBOL_SIZE,
        (float(offset[0]), float(offset[1])),
    )


def clear_of(label: Label, tip: Array, camera: Camera, shown: tuple[float, float]) -> Label:
    """The label, faded where the name of L' stands."""
    apart = float(np.linalg.norm(on_screen(camera, label.anchor, shown) + np.array(label.offset) - tip))
    alpha = min(1.0, max(0.0, (apart - CLEAR[0]) / (CLEAR[1] - CLEAR[0])))
    return Label(label.text, label.anchor, label.color, label.size, label.offset, label.style, alpha)


def legend(snapshot: Snapshot, camera: Camera, shown: tuple[float, float], theme: Theme) -> list[Label]:
    """What the surfaces stand for, and how far L' is off them, in the upper left corner."""
    lines = [
        ("σ′", "sphere: |L| is constant", sphere_color(theme)),
        ("ε′", "ellipsoid: E is constant", theme.sections),
        ("γ′", "both: here L' has to run", theme.polhode),
    ]
    for name, value, target in (
        ("|L|", float(np.linalg.norm(snapshot.angular_momentum_world)), snapshot.target_momentum),
        ("E", snapshot.energy, snapshot.target_energy),
    ):
        off = value / target - 1.0
        if abs(off) > OFF_CURVE:
            lines.append(("", f"{name} is off by {100.0 * off:+.2g} %", theme.angular_velocity))
    labels = []
    for row, (symbol, text, color) in enumerate(lines):
        y = shown[1] - LEGEND_CORNER[1] - row * LEGEND_LINE
        anchor, _ = on_the_screen(camera, snapshot.scenario.stereo.convergence, shown, LEGEND_CORNER[0], y)
        if symbol:
            labels.append(Label(symbol, anchor, color, SYMBOL_SIZE, (0.0, 0.0), centred=False))
        labels.append(Label(text, anchor, color, LEGEND_SIZE, (LEGEND_INDENT, 0.0), "number", centred=False))
    return labels
