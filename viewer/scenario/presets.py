"""The scenes that come with the program, in `assets/scenes`; they are listed and read when first asked for.

A folder in `assets/scenes` is a group of its own.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache

from viewer.common.frozen import frozen
from viewer.common.resources import folder, read_text

DEFAULT_PRESET = "paper-fig1"
FIRST_PRESET = "t-handle"  # of the very first start
GROUPS = {  # by folder
    "": "Scenes",
    "tops": "Tops",
    "lecture-hall": "Real bodies: lecture hall",
    "space": "Real bodies: space",
}

# Words of the subject by which a search finds a preset, beside its title and its name.
KEYWORDS = {
    "paper-fig1": "fig. 1 figure paper herpolhode polhode",
    "paper-fig2": "fig. 2 figure paper",
    "paper-fig3": "fig. 3 figure paper momentum space correction",
    "ode-blog": "energy drift gyroscopic torque engine",
    "disc": "precession nutation wobble gyroscope symmetric top plate frisbee",
    "dumb-bell": "precession nutation gyroscope symmetric top cone",
    "earth": "precession nutation chandler wobble pole latitude",
    "apophis": "asteroid tumbling",
    "oumuamua": "asteroid tumbling",
    "toutatis": "asteroid tumbling",
    "explorer-1": "satellite internal friction dissipation flat spin",
    "race-gyroscopic-torque": "gyroscope gyroscopic torque engine steps",
    "race-of-five": "compare integrators steps energy factor",
    "race-hidden-phase": "compare integrators phase energy factor",
    "sleeping-top": "gyroscope gravity pivot heavy symmetric top Lagrange",
    "top-with-cusps": "gyroscope gravity pivot heavy symmetric top Lagrange precession nutation",
    "top-with-loops": "gyroscope gravity pivot heavy symmetric top Lagrange precession nutation",
    "kovalevskaya-top": "gyroscope gravity pivot heavy top Kowalevski Kowalewskaja integral integrable",
    "wheel-on-a-string": "gyroscope gravity pivot heavy symmetric top precession nutation bicycle wheel",
    "gyroscope-in-gimbals": "gimbal lock Euler angles Cardan suspension",
    "rod": "internal friction dissipation flat spin",
}


@frozen
class Preset:
    """What a list of presets shows of a preset.

    `group` is one of GROUPS. `source` and `assumed` may be empty. `shape` is the shape of the body, or "" if the
    preset does not set it.
    """

    name: str
    title: str
    summary: str
    group: str
    source: str
    assumed: str
    shape: str

    def holds(self, text: str) -> bool:
        """Return True: unlike in a changed scene (`Scenario.holds`), each text of a preset is true of it."""
        return True


class _Presets(Mapping[str, Preset]):
    """The presets by name, group by group, the default one first. Reading their names opens no file."""

    def __getitem__(self, name: str) -> Preset:
        if name not in _names():
            raise KeyError(name)
        return _read(name)

    def __contains__(self, name: object) -> bool:
        return name in _names()

    def __iter__(self) -> Iterator[str]:
        return iter(_names())

    def __len__(self) -> int:
        return len(_names())


PRESETS = _Presets()


def preset_text(name: str) -> str:
    """Return the TOML text of a preset."""
    return read_text("assets", "scenes", *filter(None, [_names()[name]]), f"{name}.toml")


@cache
def _names() -> dict[str, str]:
    """Return the group of each preset, by the preset's name."""
    found: dict[str, str] = {}
    for group in GROUPS:
        files = (file.name for file in folder("assets").joinpath("scenes", group).iterdir())
        names = [name.removesuffix(".toml") for name in files if name.endswith(".toml")]
        found |= dict.fromkeys(sorted(names, key=lambda name: (name != DEFAULT_PRESET, name)), group)
    return found


@cache
def _read(name: str) -> Preset:
    head = tomllib.loads(preset_text(name))
    source, assumed = (head.get(key, "") for key in ("source", "assumed"))
    return Preset(
        name, head["title"], head["summary"], _names()[name], source, assumed, head.get("body", {}).get("shape", "")
    )
