"""The stabilisation of the next step, drawn magnified: of L' in momentum space, of omega in Poinsot's construction.

A thin line shows the vector as the step leaves it, and an arrow how the stabilisation, which turns the body, leads it
back.
"""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.errors import brief
from viewer.common.language import tr
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.scenario.choices.themes import Theme
from viewer.scene.annotations.labels import SYMBOL_SIZE
from viewer.scene.camera.camera import Canvas, smooth_step
from viewer.scene.constructions.scale import Construction, MomentumSpace, round_below, within
from viewer.scene.description import Label, Stroke
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]
Line = tuple[str, Color, float]  # text, colour and size, px

WIDTH, HEAD = 2.6, 11.0
THIN, FAINT = 1.4, 0.45  # width and opacity of the vector as the step leaves it
REACH = 0.6  # of the sphere's radius: the largest length at which the largest correction of L' is drawn
OMEGA_REACH = 0.45  # of the plane's distance: the same for omega
BEYOND = 1.5  # times that length: no arrow is longer
SEEN = 0.05  # of that length, on the screen: a shorter arrow, which nearly points at the eye, fades
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
ROUND_OFF = 1e-14  # of |L| or |omega|: a smaller correction counts as none
END = 9.0  # px from the end of the arrow to the tip of the vector, outside of the ring
BADGE_SIZE = 13.5
ARC, ARC_POINTS, ARC_WIDTH = 0.55, 9, 1.6  # the arc of beta: radius over the length of L', number of points, px
APART = 20.0, 22.0  # px from the tip of L' to the end of L'err: hidden up to the first, read from the second on
SEEN_ERROR = 0.01  # relative: an error of E or |L| from which on the badge has it
ERROR_OFFSET, BETA_OFFSET = 20.0, 15.0  # px from the end of L'err and from the arc to their names


def longest_momentum(built: MomentumSpace) -> float:
    """Return the length [m] at which the largest correction of L' is drawn, at most."""
    return REACH * built.radius


def longest_omega(built: Construction) -> float:
    """Return the length [m] at which the largest correction of omega is drawn, at most."""
    return OMEGA_REACH * built.plane_distance


def momentum_correction(snapshot: Snapshot, built: MomentumSpace) -> tuple[float, Array]:
    """Return the magnification of the next correction of L', and the vector (3,) [m] from its end to its start.

    The magnification is 0 if there is no correction.
    """
    now, found = snapshot.reading, snapshot.correction
    if found is None:
        return 0.0, np.zeros(3)
    apart = now.rotation_world_from_body @ (found.before - found.after)
    size = float(np.linalg.norm(now.angular_momentum_world))
    return _magnified(built.scale * apart, built.scale * found.largest, built.scale * size, longest_momentum(built))


def omega_correction(snapshot: Snapshot, built: Construction) -> tuple[float, Array]:
    """Return the magnification and the vector (3,) [m] of the next correction of omega in space."""
    found = snapshot.correction
    if found is None or not built.moving:
        return 0.0, np.zeros(3)
    apart, size = found.omega_before - found.omega_after, float(np.linalg.norm(snapshot.reading.omega_world))
    return _magnified(built.scale * apart, built.scale * found.largest_omega, built.scale * size, longest_omega(built))


def _magnified(apart: Array, largest: float, size: float, longest: float) -> tuple[float, Array]:
    """Return a round factor, which makes `largest` just shorter than `longest`, and `apart` (3,) multiplied by it.

    The factor is the same at every moment of a motion. A correction that would be far longer than `longest`, such as
    the first after a time without stabilisation, is drawn shorter.
    """
    if largest <= ROUND_OFF * size:
        return 0.0, np.zeros(3)
    times = round_below(longest / largest)
    return times, within(times * apart, BEYOND * longest)


def correction_arrow(
    tip: Array, apart: Array, longest: float, color: Color, canvas: Canvas, theme: Theme
) -> list[Stroke]:
    """Return the vector as the step leaves it, and the arrow from there to `tip`."""
    camera = canvas.camera
    strayed, length = tip + apart, math.hypot(apart @ camera.right, apart @ camera.up)
    fraction = min(length / (SEEN * longest), 1.0)
    short = END * canvas.metres_per_pixel(camera.distance)
    end = tip + apart * min(short / max(length, 1e-300), 0.5)
    return [
        Stroke(np.zeros(3), strayed, color, FAINT * fraction, THIN),
        Stroke(strayed, end, theme.text, fraction, WIDTH, HEAD, name="correction"),
    ]


def factor_line(times: float) -> str:
    """Return the line with the factor by which the corrections are magnified."""
    factor = f"{times:.0f}"
    if times >= 1e5:
        figure, power = f"{times:.0e}".split("e+")
        factor = f"{figure}·10{str(int(power)).translate(RAISED)}"
    return tr("correction enlarged up to {factor} times").format(factor=factor)


def error_angle(
    tip: Array, apart: Array, color: Color, canvas: Canvas, theme: Theme
) -> tuple[list[Stroke], list[Label]]:
    """Return the arc of the paper's angle beta, from L' to L'err, and the names of both, magnified.

    L'err is L' as the step leaves it.
    """
    camera, strayed = canvas.camera, tip + apart
    flat = np.array([apart @ camera.right, apart @ camera.up])
    length = float(np.linalg.norm(flat))
    pixels = length / canvas.metres_per_pixel(camera.distance)
    fraction, side = smooth_step(pixels, *APART), flat / max(length, 1e-300)
    outward = np.array([strayed @ camera.right, strayed @ camera.up])
    across = np.array([-side[1], side[0]])
    across = across if across @ outward >= 0.0 else -across
    directions = np.linspace(tip / np.linalg.norm(tip), strayed / np.linalg.norm(strayed), ARC_POINTS)
    arc = ARC * np.linalg.norm(tip) * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    strokes = [Stroke(*ends, theme.text, fraction, ARC_WIDTH) for ends in pairwise(arc)]
    named, beta = (ERROR_OFFSET * (across + 0.6 * side)).tolist(), (BETA_OFFSET * side).tolist()
    return strokes, [
        Label("L′ₑᵣᵣ", strayed, color, SYMBOL_SIZE, (named[0], named[1]), alpha=fraction),
        Label("β", arc[-1], theme.text, SYMBOL_SIZE, (beta[0], beta[1]), alpha=fraction),
    ]


def badge(snapshot: Snapshot, times: float, theme: Theme) -> tuple[Line, ...]:
    """Return the lines that say by which method the motion is stabilised, if it is, and which errors it has.

    `times` is the factor by which the corrections are magnified, 0 if none is drawn.
    """
    method, lines = snapshot.stabilisation, list[str]()
    if method != "off":
        lines.append(tr("stabilised: {method}").format(method=tr(STABILISATIONS[method].lower())))
    if times > 0.0:
        lines.append(factor_line(times))
    # a recording has a line of its own for its errors
    wrong = errors(snapshot, SEEN_ERROR) if snapshot.recorded is None else []
    inks = [theme.text] * len(lines) + [theme.angular_velocity] * len(wrong)
    return tuple((text, ink, BADGE_SIZE) for text, ink in zip(lines + wrong, inks, strict=True))


def errors(snapshot: Snapshot, least: float) -> list[str]:
    """Return lines that say which integrator leaves the exact motion, and which relative errors exceed `least`.

    The errors are those of `Snapshot.errors`, the energy last.
    """
    lines = []
    if snapshot.cap is not None:
        lines.append(tr("|ω| is held at {cap} rad/s").format(cap=brief(snapshot.cap, 3)))
    elif snapshot.strays:
        lines.append(tr("{name}: not exact").format(name=tr(INTEGRATORS[snapshot.integrator].label)))
    for name, off in reversed(snapshot.errors.items()):
        if abs(off) > least:
            percent = f"{'+' if off > 0 else '−'}{brief(abs(100.0 * off), 2)}"
            lines.append(tr("{name} is off by {percent} %").format(name=tr(name), percent=percent))
    return lines
