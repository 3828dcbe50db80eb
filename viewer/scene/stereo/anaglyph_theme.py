"""The scene's colours for coloured glasses: none is bright to one eye and dark to the other, and no two look alike."""

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
TURN_COST = 0.6  # of the largest turn of hue, in units of the loss of all saturation
STEPS = 31
ALWAYS = ("body", "shell", "angular_momentum", "angular_velocity", "polhode", "herpolhode")  # chosen first, together
APART = (*ALWAYS, "force", "torque")
DISTINCT = 0.1  # distance in OKLab of any two of these as they are shown, where white has a lightness of 1
SHIFTS = np.arange(-10, 11) * 0.03  # of the lightness that are tried
SHIFT_COST = 1.0  # of the square of a shift
LACK_COST = 100.0  # of the square of what is lacking of the distance or of the contrast
SURFACES = ("body", "shell")  # large enough to be seen with less contrast
SURFACE_CONTRAST = 2.5
OVER_PLANE = 3.7  # .. on a light ground, which a plane darkens: with 3.4 a lane's arrow measures 2.9 there
CONTRAST = 3.4  # least contrast of a colour to the ground, a little above the 3 of WCAG 2.2, 1.4.11
KEPT = 300  # choices that are followed up


def rivalry(colors: Array, method: str, glasses: str) -> Array:
    """Return how much brighter sRGB colours, (..., 3), are to the left eye than to the right; white is 255.

    Both eyes' pictures have the same colour; each filter lets through its primaries.
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
    """Return which sRGB colours, (..., 3), are nearly as bright to either eye; all without a `method`."""
    return np.asarray(np.abs(rivalry(colors, method, glasses)) <= LIMIT) if method else np.ones(colors.shape[:-1], bool)


def theme_of(scenario: Scenario) -> Theme:
    """Return the colours in which a scene is drawn."""
    return theme_in(scenario.view.theme, scenario.stereo, scenario.view.material)


def theme_in(name: str, stereo: Stereo, material: str = PAINT) -> Theme:
    """Return the theme with this name and body material, in colours suited to the stereo mode and the glasses."""
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
    """Return the colours that must not be mistaken for one another, with lightnesses that tell them apart without hues.

    Of the choices of a lightness for each colour it is the cheapest: shifts cost, and so does too little distance or
    contrast.
    """
    choices = [[gentle(getattr(theme, name), method, glasses, float(shift)) for shift in SHIFTS] for name in APART]
    looks = _seen(np.array(choices), method, glasses)  # (colours, shifts, 3)
    white = _seen(np.ones(3), method, glasses)[0]
    wanted = np.array([SURFACE_CONTRAST if name in SURFACES else CONTRAST for name in APART])[:, None]
    pale = np.maximum(1.0 - _contrast(np.array(choices), theme, method, glasses) / wanted, 0.0)
    own = SHIFT_COST * SHIFTS**2 + LACK_COST * pale**2
    chosen, costs = np.zeros((1, 0), dtype=np.int64), np.zeros(1)
    for number, look in enumerate(looks):
        if number == len(ALWAYS):  # the colours that only loads need are adapted to the others
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
    """Return linear light of sRGB colours, (..., 3), in the picture for glasses; with `method` "" without glasses."""
    left, right = matrices(method, glasses) if method else (np.eye(3), np.zeros((3, 3)))
    return np.clip(linear_from_srgb(colors) @ (left + right).T, 0.0, 1.0)


def _contrast(colors: Array, theme: Theme, method: str, glasses: str) -> Array:
    """Return WCAG's contrast of sRGB colours, (..., 3), to the colour of the ground that is closest to them."""
    grounds = np.array([theme.background_centre, theme.background_bottom, theme.halo])
    white = float(_shown(np.ones(3), method, glasses) @ LUMINANCE)
    own, ground = (_shown(these, method, glasses) @ LUMINANCE / white + 0.05 for these in (colors, grounds))
    return np.asarray(own / np.max(ground) if theme.dark else np.min(ground) / own)


def readable_in(name: str, stereo: Stereo, color: Color) -> Color:
    """Return a colour suited to mode and glasses, made lighter or darker if it takes that to stand out from the ground.

    The ground is that of the theme with this name.
    """
    anaglyph = STEREO_MODES[stereo.mode].layout == "anaglyph"
    return _readable(color, name, *((stereo.anaglyph_method, stereo.glasses) if anaglyph else ("", "")))


@lru_cache(maxsize=4096)
def _readable(color: Color, name: str, method: str, glasses: str) -> Color:
    """Return the colour with the least shift of lightness that makes it stand out, or with the largest if none does."""
    theme = THEMES[name]
    shifts = SHIFTS[SHIFTS >= 0.0] if theme.dark else -SHIFTS[SHIFTS >= 0.0]
    least = CONTRAST if theme.dark else OVER_PLANE
    for shift in shifts.tolist():
        found = gentle(color, method, glasses, shift)
        if _contrast(np.array(found), theme, method, glasses) >= least:
            break
    return found


def gentle_in(stereo: Stereo, color: Color) -> Color:
    """Return a colour suited to the stereo mode and the glasses."""
    if STEREO_MODES[stereo.mode].layout != "anaglyph":
        return color
    return gentle(color, stereo.anaglyph_method, stereo.glasses)


@lru_cache(maxsize=4096)
def gentle(color: Color, method: str, glasses: str, shift: float = 0.0) -> Color:
    """Return the colour most like `color` that is at most LIMIT brighter to one eye than to the other.

    It has the lightness of `color`, changed by `shift`, its hue or a similar one, and at most its saturation. Grey is
    always among the candidates. Without a `method` any colour will do.
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
