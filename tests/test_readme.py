"""The README tells the truth: its tables are those of the code, its examples run.

`POINSOT_UPDATE_README=1` writes the tables anew.
"""

import os
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.choices.anaglyph import METHODS
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.fields import Field
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS, Scenario, field_at
from viewer.ui.input.actions import markdown

README = Path(__file__).parents[1] / "README.md"


def _default(field: Field, value: object) -> str:
    if field.kind == "switch":
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(part if isinstance(part, str) else f"{part:g}" for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _fields() -> str:
    lines = ["| field | meaning | allowed | default |", "|---|---|---|---|"]
    for section in SECTIONS:
        for name in SECTIONS[section].__dataclass_fields__:
            field = field_at(f"{section}.{name}")
            allowed = "true, false" if field.kind == "switch" else field.allowed
            default = _default(field, Scenario().value(f"{section}.{name}"))
            lines.append(f"| `{section}.{name}` | {field.description} | {allowed} | {default} |")
    return "\n".join(lines)


def _stereo() -> str:
    rows = [f"| `{mode.name}` | {mode.summary} |" for mode in STEREO_MODES.values()]
    return "\n".join(["| mode | what it is |", "|---|---|", *rows])


def _anaglyph() -> str:
    rows = [f"| `{method.name}` | {method.summary} |" for method in METHODS.values()]
    return "\n".join(["| method | what it does |", "|---|---|", *rows])


def _presets() -> str:
    rows = [f"| `{name}` | {Scenario.preset(name).summary} |" for name in PRESETS]
    return "\n".join(["| name | what to see |", "|---|---|", *rows])


def _integrators() -> str:
    lines = ["| name | order | keeps to round-off | character |", "|---|---|---|---|"]
    for method in INTEGRATORS.values():
        lines.append(
            f"| `{method.name}` | {method.order} | {', '.join(method.conserves)} | {method.summary} |"
        )
    return "\n".join(lines)


TABLES = {
    "integrators": _integrators,
    "keys": lambda: markdown().rstrip(),
    "stereo": _stereo,
    "anaglyph": _anaglyph,
    "presets": _presets,
    "fields": _fields,
}


def test_the_map_of_the_house_names_every_room() -> None:
    house = README.parent / "viewer"
    named = set(re.findall(r"`(\w+)/`", (house / "README.md").read_text(encoding="utf-8")))
    rooms = {path.parent.name for path in house.rglob("__init__.py")} - {"viewer"}
    outer = {path.parent.name for path in house.glob("*/__init__.py")}
    assert outer <= named
    assert named <= rooms | {"shaders", "assets", "tests"}
    assert {path.name for path in house.iterdir() if path.name != "__pycache__"} == outer | {
        "__init__.py", "__main__.py", "README.md",
    }  # fmt: skip


@pytest.mark.parametrize("name", list(TABLES))
def test_tables_are_those_of_the_code(name: str) -> None:
    text = README.read_text(encoding="utf-8")
    pattern = rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)"
    table = TABLES[name]()
    if os.environ.get("POINSOT_UPDATE_README") == "1":
        text = re.sub(pattern, lambda match: match.group(1) + table + match.group(2), text, flags=re.DOTALL)
        README.write_text(text, encoding="utf-8")
    found = re.search(pattern, text, flags=re.DOTALL)
    assert found is not None
    assert found.group(0) == f"<!-- {name} -->\n{table}\n<!-- /{name} -->"


def _blocks(language: str) -> list[str]:
    """The blocks of code in a language; "": in none."""
    found = re.findall(
        r"^```(\w*)\n(.*?)^```$", README.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    return [block for named, block in found if named == language]


def test_the_scene_of_the_readme_is_one() -> None:
    (block,) = _blocks("toml")
    scenario = Scenario.from_text(block)
    assert tomllib.loads(block)["title"] == scenario.title
    assert scenario.body.mass == 80.0


@pytest.mark.parametrize("number", range(len(_blocks("python"))))
def test_the_examples_run(
    gl, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(_blocks("python")[number], "README.md", "exec"), names)
    lines = capsys.readouterr().out.splitlines()
    if "exact" in names:
        assert lines[0].startswith("8.08")
    if "simulation" in names:
        assert [line.split()[0] for line in lines[:3]] == ["5.0", "10.0", "15.0"]
        assert abs(float(lines[3])) < 1e-13  # measured: 0
    if "image" in names:
        image = names["image"]
        assert isinstance(image, np.ndarray)
        assert image.shape == (360, 640, 3)
        assert Scenario.load("mine.toml") == names["scenario"]


def test_the_commands_are_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is understood up to where it would draw, compute or open a window."""
    from viewer import cli

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("viewer.export.images.api.draw_to_file", lambda *_: None)
    monkeypatch.setattr("viewer.export.tables.formats.write_table", lambda path, table: table.rows)
    monkeypatch.setattr("viewer.export.film.film.write_film", lambda path, film, painter: film.count)
    lines = [line for block in _blocks("") for line in block.splitlines()]
    commands = [
        line.split("#")[0].split()
        for line in lines
        if line.startswith(("poinsot render", "poinsot simulate"))
    ]
    assert len(commands) >= 6
    assert [words for words in commands if cli.main(words[1:]) != 0] == []


def test_the_camera_path_of_the_readme_is_one() -> None:
    (block,) = [block for block in _blocks("") if "[camera_path]" in block]
    assert len(Scenario.from_text(block).camera_path.keys) == 3


def test_the_files_it_links_to_exist() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []
