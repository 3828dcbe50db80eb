"""The texts of a page's controls, in the user's language."""

from html import escape
from typing import Any

from viewer.common.language import tr
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scene.naming.things import AXES, THINGS
from viewer.scene.words.formatting import sentence, titled

MODES = "mono", "anaglyph", "side-by-side", "cross-eyed", "top-bottom"  # of stereo, between which a page changes


def control_words() -> dict[str, str]:
    """Return the texts of the buttons and lists of `page.html` by their names there, as HTML."""
    words = {
        "play": tr("Play or pause (Space)"),
        "restart": tr("Back to the start (R)"),
        "backwards": tr("Run backwards (B)"),
        "flip": tr("To the next flip about the middle axis (N)"),
        "flipBefore": tr("To the flip before"),
        "time": tr("Time"),
        "speed": tr("Speed"),
        "stereo": tr("Stereo mode (S)"),
        "theme": tr("Next theme (T)"),
        "legend": tr("Legend (Shift+N)"),
        "home": tr("Back to the first view (Home)"),
        "fullscreen": tr("Full screen (F)"),
        "headset": tr("Enter VR"),
        "keys": tr("Keys (?)"),
        "keysAndMouse": tr("Keys and mouse"),
        "close": tr("Close"),
        "lesson": tr("Sliders of this scene"),
        "reset": tr("Reset what was changed"),
    }
    modes = (f'<option value="{name}">{escape(tr(STEREO_MODES[name].label))}</option>' for name in MODES)
    keys = (f'<tr><th scope="row">{escape(key)}</th><td>{escape(meaning)}</td></tr>' for key, meaning in _keys())
    return {f"say_{name}": escape(text) for name, text in words.items()} | {
        "modes": "".join(modes),
        "keys": "\n".join(keys),
    }


def page_words() -> dict[str, Any]:
    """Return what the scripts of a page say, by name; `axes` are those of the smallest to the largest moment."""
    return {
        "auto": tr("auto"),
        "headsetRefused": tr("The headset did not start"),
        "playing": tr("Playing"),
        "paused": tr("Paused"),
        "noFlip": tr("There is no flip ahead: only what tumbles past its middle axis flips"),
        "noFlipBefore": tr("There is no flip before this"),
        "scene": tr("The scene: arrows turn the view, the page keys zoom"),
        "modes": {mode.name: tr(mode.label) for mode in STEREO_MODES.values()},
        "themes": {name: tr(titled(name.replace("-", " "))) for name in THEMES},
        "things": {name: _thing(thing.name, thing.sentence, thing.in_legend) for name, thing in THINGS.items()},
        "axes": [_thing(name, text) for name, text in AXES],
        "none": tr("none"),
    }


def _thing(name: str, text: str, in_legend: bool = True) -> dict[str, Any]:
    return {"name": sentence(tr(name)), "sentence": tr(text), "inLegend": in_legend}


def _keys() -> list[tuple[str, str]]:
    """Return what mouse, fingers and keys do."""
    return [
        (tr("left drag", "key"), tr("turn the view")),
        (tr("right drag, Shift + left drag", "key"), tr("move the picture")),
        (tr("wheel", "key"), tr("zoom")),
        (tr("double click", "key"), tr("back to the first view")),
        (tr("two fingers", "key"), tr("zoom and move the picture")),
        (tr("arrows, page keys", "key"), f"{tr('turn the view')}, {tr('zoom')}"),
        (tr("Space", "key"), tr("play or pause")),
        ("B", tr("run backwards, or forwards again")),
        ("N", tr("jump to the next flip")),
        ("R", tr("reset motion")),
        ("+, -", f"{tr('faster')}, {tr('slower')}"),
        ("S", tr("next stereo mode")),
        ("D", tr("mono, or back to the last stereo mode")),
        ("X", tr("swap eyes")),
        ("T", tr("next theme")),
        (tr("Home", "key"), tr("back to the first view")),
        (f"{tr('Shift', 'key')}+N", tr("legend of what the scene shows")),
        ("H", tr("hide or show the whole interface")),
        ("F", tr("full screen")),
        ("?", tr("list of keys")),
    ]
