"""The scene's colours for coloured glasses: none is bright to one eye and dark to the other, and none like another."""

import dataclasses
import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import LUMINANCE, Color, linear_from_oklab, linear_from_srgb, oklab_from_srgb, srgb_from_linear
from viewer.scenario.choices.stereo_modes import GLASSES, STEREO_MODES, matrices
from viewer.scenario.choices.themes import MATERIALS, PAINT, THEMES, Theme
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo

Array = NDArray[np.float64]

LIMIT = 12.0  # of 255: the most by which a colour may be brighter to one eye than to the other
MOST_TURN = math.radians(30.0)  # of a hue
TURN_COST = 0.6  # of the largest turn, counted in the colour's saturation
STEPS = 31
ALWAYS = ("body", "shell", "angular_momentum", "angular_velocity", "polhode", "herpolhode")  # chosen first, together
APART = (*ALWAYS, "force", "torque")
DISTINCT = 0.1  # distance in OKLab of any two of these as they are shown, where white has a lightness of 1
SHIFTS = np.arange(-10, 11) * 0.03  # of the lightness that are tried
SHIFT_COST = 1.0  # of the square of a shift, against that of what is lacking of the distance
LACK_COST = 100.0
SURFACES = ("body", "shell")  # that are seen by their size
SURFACE_CONTRAST = 2.5
OVER_PLANE = 3.7  # .. where the ground is light, and a plane over it darker: with 3.4 a lane's arrow measures 2.9 there
CONTRAST = 3.4  # the least of a colour and the ground, a little above that of WCAG 2.2, 1.4.11: 3
KEPT = 300  # choices that are followed up


def rivalry(colors: Array, method: str, glasses: str) -> Array:
    """Return by how much sRGB colours, (..., 3), are brighter to the left eye: 255 is white to an eye.

    The same colour stands in both eyes' pictures; each filter lets through its primaries.
    """
    left, right = matrices(method, glasses)
    shown = _shown(colors, method, glasses)
    white = np.clip((left + right).sum(axis=1), 0.0, 1.0)
    seen = []
    for own in (GLASSES[glasses].left, GLASSES[glasses].right):
        weights = LUMINANCE * [float(i in own) for i in range(3)]
        seen.append(255.0 * srgb_from_linear(shown @ weights / float(white @ weights)))
    return np.asarray(seen[0] - seen[1])


def _borne(colors: Array, method: str, glasses: str) -> Array:
    """Return which sRGB colours, (..., 3), are nearly as bright to either eye."""
    return np.asarray(np.abs(rivalry(colors, method, glasses)) <= LIMIT) if method else np.ones(colors.shape[:-1], bool)


def theme_of(scenario: Scenario) -> Theme:
    """Return the colours in which a scene is drawn."""
    return theme_in(scenario.view.theme, scenario.stereo, scenario.view.material)


def theme_in(name: str, stereo: Stereo, material: str = PAINT) -> Theme:
    """Return the theme with this name and bodies of this material, in the colours that mode and glasses bear."""
    if STEREO_MODES[stereo.mode].layout != "anaglyph":
        return _plain_theme(name, material)
    return gentle_theme(name, stereo.anaglyph_method, stereo.glasses, material)


@lru_cache(maxsize=64)
def _plain_theme(name: str, material: str) -> Theme:
    theme = THEMES[name]
    body = MATERIALS[material].body(theme.body)
    return theme if body == theme.body else dataclasses.replace(theme, body=body)


@lru_cache(maxsize=64)
def gentle_theme(name: str, method: str, glasses: str, material: str = PAINT) -> Theme:
    """Return the theme with every colour changed as little as it takes for both eyes to see it equally bright."""
    theme = _plain_theme(name, material)
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(Theme):
        value = getattr(theme, field.name)
        if isinstance(value, tuple) and isinstance(value[0], tuple):
            changes[field.name] = tuple(_readable(color, name, method, glasses) for color in value)
        elif isinstance(value, tuple):
            changes[field.name] = gentle(value, method, glasses)
    changes.update(_distinct(theme, method, glasses))
    return dataclasses.replace(theme, name=f"{name}, {method}, {glasses}", **changes)


def _distinct(theme: Theme, method: str, glasses: str) -> dict[str, Color]:
    """Return the colours that must not be mistaken for one another, distinct in lightness where glasses take hues away.

    Of all choices of a lightness for each it is the one that shifts them least.
    """
    choices = [[gentle(getattr(theme, name), method, glasses, float(shift)) for shift in SHIFTS] for name in APART]
    looks = _seen(np.array(choices), method, glasses)  # (colours, shifts, 3)
    white = _seen(np.ones(3), method, glasses)[0]
    wanted = np.array([SURFACE_CONTRAST if name in SURFACES else CONTRAST for name in APART])[:, None]
    pale = np.maximum(1.0 - _contrast(np.array(choices), theme, method, glasses) / wanted, 0.0)
    own = SHIFT_COST * SHIFTS**2 + LACK_COST * pale**2
    chosen, costs = np.zeros((1, 0), dtype=np.int64), np.zeros(1)
    for number, look in enumerate(looks):
        if number == len(ALWAYS):  # what only loads need gives way to the rest
            chosen, costs = chosen[:1], costs[:1]
        before = looks[np.arange(number), chosen]  # (kept, number, 3)
        distance = np.linalg.norm(before[:, :, None] - look, axis=-1)
        lack = np.maximum(DISTINCT * white - distance, 0.0)
        total = costs[:, None] + own[number] + LACK_COST * np.sum(lack**2, axis=1)
        best = np.argsort(total, axis=None, kind="stable")[:KEPT]
        row, shift = np.unravel_index(best, total.shape)
        chosen, costs = np.column_stack([chosen[row], shift]), total.ravel()[best]
    return {name: choices[i][chosen[0, i]] for i, name in enumerate(APART)}


def _seen(colors: Array, method: str, glasses: str) -> Array:
    """Return OKLab of sRGB colours, (..., 3), as the picture for glasses shows them."""
    return oklab_from_srgb(srgb_from_linear(_shown(colors, method, glasses)))


def _shown(colors: Array, method: str, glasses: str) -> Array:
    """Return linear light of sRGB colours, (..., 3), as the picture for glasses shows them; `method` "": without."""
    left, right = matrices(method, glasses) if method else (np.eye(3), np.zeros((3, 3)))
    return np.clip(linear_from_srgb(colors) @ (left + right).T, 0.0, 1.0)


def _contrast(colors: Array, theme: Theme, method: str, glasses: str) -> Array:
    """Return WCAG's contrast of sRGB colours, (..., 3), and what is nearest to them of the ground."""
    grounds = np.array([theme.background_centre, theme.background_bottom, theme.halo])
    white = float(_shown(np.ones(3), method, glasses) @ LUMINANCE)
    own, ground = (_shown(these, method, glasses) @ LUMINANCE / white + 0.05 for these in (colors, grounds))
    return np.asarray(own / np.max(ground) if theme.dark else np.min(ground) / own)


def readable_in(name: str, stereo: Stereo, color: Color) -> Color:
    """Return a colour as mode and glasses bear it, lighter or darker if it must stand out from that theme's ground."""
    anaglyph = STEREO_MODES[stereo.mode].layout == "anaglyph"
    return _readable(color, name, *((stereo.anaglyph_method, stereo.glasses) if anaglyph else ("", "")))


@lru_cache(maxsize=4096)
def _readable(color: Color, name: str, method: str, glasses: str) -> Color:
    """Return the colour with the least shift of its lightness with which it stands out, or with the largest one."""
    theme = THEMES[name]
    shifts = SHIFTS[SHIFTS >= 0.0] if theme.dark else -SHIFTS[SHIFTS >= 0.0]
    least = CONTRAST if theme.dark else OVER_PLANE
    for shift in shifts.tolist():
        found = gentle(color, method, glasses, shift)
        if _contrast(np.array(found), theme, method, glasses) >= least:
            break
    return found


def gentle_in(stereo: Stereo, color: Color) -> Color:
    """Return a colour as the mode and the glasses bear it."""
    if STEREO_MODES[stereo.mode].layout != "anaglyph":
        return color
    return gentle(color, stereo.anaglyph_method, stereo.glasses)


@lru_cache(maxsize=4096)
def gentle(color: Color, method: str, glasses: str, shift: float = 0.0) -> Color:
    """Return the colour most like `color` that is at most LIMIT brighter to one eye.

    It has the lightness of `color`, changed by `shift`, its hue or a near one, and less saturation. Grey is always
    among the candidates. Without a `method` any colour is borne.
    """
    if shift == 0.0 and bool(_borne(np.array(color), method, glasses)):
        return color
    lightness, a, b = oklab_from_srgb(np.array(color))
    lightness = min(max(lightness + shift, 0.0), 1.0)
    fraction, turn = np.meshgrid(np.linspace(0.0, 1.0, STEPS), np.linspace(-MOST_TURN, MOST_TURN, STEPS))
    chroma, hue = fraction * math.hypot(a, b), turn + math.atan2(b, a)
    light = linear_from_oklab(
        np.stack([np.full_like(fraction, lightness), chroma * np.cos(hue), chroma * np.sin(hue)], axis=-1)
    )
    exists = np.all((light >= -1e-6) & (light <= 1.0 + 1e-6), axis=-1)
    colors = srgb_from_linear(light)
    allowed = exists & _borne(colors, method, glasses)
    cost = np.where(allowed, 1.0 - fraction + TURN_COST * np.abs(turn) / MOST_TURN, math.inf)
    red, green, blue = colors.reshape(-1, 3)[int(np.argmin(cost))]
    return float(red), float(green), float(blue)
