"""The scenes that come with the program, from `assets/scenes`: listed and read when they are first asked for."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from viewer.common.resources import folder, read_text

DEFAULT_PRESET = "paper-fig1"
FIRST_PRESET = "t-handle"  # of the very first start


@dataclass(frozen=True)
class Preset:
    """What a list of presets shows of one."""

    name: str
    title: str
    summary: str


class _Presets(Mapping[str, Preset]):
    """By name, the default one first. Names alone read no file."""

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
    """The TOML text of a preset."""
    return read_text("assets", "scenes", f"{name}.toml")


@cache
def _names() -> tuple[str, ...]:
    files = (file.name for file in folder("assets").joinpath("scenes").iterdir())
    names = (name.removesuffix(".toml") for name in files if name.endswith(".toml"))
    return tuple(sorted(names, key=lambda name: (name != DEFAULT_PRESET, name)))


@cache
def _read(name: str) -> Preset:
    head = tomllib.loads(preset_text(name))
    return Preset(name, head["title"], head["summary"])
