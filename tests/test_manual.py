"""The README and the manual are true: their tables are those of the code, their examples run, their links lead
somewhere.

`POINSOT_UPDATE_README=1` writes the tables and the built manual anew.
"""

import os
import re
import sys
import time
import tomllib
import webbrowser
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from queue import Queue

import numpy as np
import pytest
from PIL import Image

from viewer import cli
from viewer.commands.actions import ACTIONS, rows
from viewer.common.errors import InputError
from viewer.export.page.modules import joined
from viewer.physics.integrators import INTEGRATORS
from viewer.replay.formats.formats import FORMATS
from viewer.scenario.choices.stereo_modes import METHODS, STEREO_MODES
from viewer.scenario.field import Field, Numbers, Switch
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS, Scenario, field_at
from viewer.ui import manual
from viewer.ui.panel.panel import SECTIONS as PANEL_SECTIONS
from viewer.workspace.messages import Messages

sys.path.insert(0, str(Path(__file__).parent / "tools"))
import build_manual
import draw_manual

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MANUAL = ROOT / "assets" / "manual"
TEXTS = (README, *(MANUAL / f"{page.name}.md" for page in manual.PAGES))
UPDATE = os.environ.get("POINSOT_UPDATE_README") == "1"
FIRST_KEYS = ("play", "flip", "stereo", "construction", "plots", "gallery", "stabilise", "picture", "palette", "keys")


def _default(field: Field, value: object) -> str:
    if isinstance(field, Switch):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(part if isinstance(part, str) else f"{part:g}" for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _row(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"


def _table(heads: str, rows: list[str]) -> str:
    return "\n".join([heads, "|" + "---|" * (heads.count("|") - 1), *rows])


def _fields(*sections: str) -> str:
    rows = []
    for section in sections:
        for name in SECTIONS[section].__dataclass_fields__:
            field = field_at(f"{section}.{name}")
            allowed = "true, false" if isinstance(field, Switch) else field.allowed
            default = _default(field, Scenario().value(f"{section}.{name}"))
            rows.append(_row(f"`{section}.{name}`", field.description, allowed, default))
    return _table("| field | meaning | allowed | default |", rows)


def _former() -> str:
    rows = []
    for section, kind in SECTIONS.items():
        for name in kind.__dataclass_fields__:
            formers = field_at(f"{section}.{name}").former
            rows += [f"| `{section}.{former}` | `{section}.{name}` |" for former in formers]
    return _table("| former name | name |", rows)


def _stereo() -> str:
    rows = [_row(f"`{mode.name}`", mode.summary) for mode in STEREO_MODES.values()]
    return _table("| mode | what it is |", rows)


def _anaglyph() -> str:
    rows = [_row(f"`{method.name}`", method.summary) for method in METHODS.values()]
    return _table("| method | what it does |", rows)


def _formats() -> str:
    rows = [_row(entry.name, entry.summary, f"`{entry.example}`") for entry in FORMATS.values()]
    return _table("| format | what is read | begins like |", rows)


def _presets() -> str:
    rows = [_row(f"`{name}`", Scenario.preset(name).summary) for name in PRESETS]
    return _table("| name | what to see |", rows)


def _integrators() -> str:
    rows = [
        _row(
            f"`{method.name}`",
            "–" if method.order is None else method.order,
            ", ".join(method.conserves),
            method.summary,
        )
        for method in INTEGRATORS.values()
    ]
    return _table("| name | order | keeps to round-off | character |", rows)


def _keys() -> str:
    tables = []
    for group, lines in rows():
        tables += [f"## {group}", _table("| key | does |", [_row(keys, what) for keys, what in lines])]
    return "\n\n".join(tables)


def _ten_keys() -> str:
    actions = [ACTIONS[name] for name in FIRST_KEYS]
    return _table("| key | does |", [_row(", ".join(action.keys), action.description) for action in actions])


def _pages() -> str:
    rows = [f"- [{page.title}](assets/manual/{page.name}.md): {page.summary}" for page in manual.PAGES]
    return "\n".join(rows)


def _keys_of(path: str) -> str:
    """The keys of the tables of a field."""
    field, rows = field_at(path), []
    assert field.make is not None
    for key, each in field.keys:
        allowed = f"up to {each.allowed.removeprefix('at most ')}" if isinstance(each, Numbers) else each.allowed
        meaning = (
            each.description if each.when is None else f"{each.description} ({', '.join(each.when[1] or ())} only)"
        )
        default = "must be given" if each.required else _default(each, field.make.__dataclass_fields__[key].default)
        rows.append(_row(f"`{key}`", meaning, allowed, default))
    return _table(f"| key of `[[{path}]]` | meaning | allowed | default |", rows)


TABLES: dict[str, Callable[[], str]] = {
    "integrators": _integrators,
    "keys": _keys,
    "ten keys": _ten_keys,
    "pages": _pages,
    "stereo": _stereo,
    "anaglyph": _anaglyph,
    "presets": _presets,
    "formats": _formats,
    "former": _former,
    "fields body start": lambda: _fields("body", "start"),
    "fields loads": lambda: _fields("loads"),
    "keys of torque_of_time": lambda: _keys_of("loads.torque_of_time"),
    "keys of thrusters": lambda: _keys_of("loads.thrusters"),
    "fields solver race": lambda: _fields("solver", "race"),
    "fields playback view show": lambda: _fields("playback", "view", "show"),
    "fields stereo camera_path": lambda: _fields("stereo", "camera_path"),
    "fields recording": lambda: _fields("recording"),
    "fields lesson": lambda: _fields("lesson"),
}


@pytest.mark.parametrize("name", list(TABLES))
def test_tables_are_those_of_the_code(name: str) -> None:
    pattern = rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)"
    (path,) = [path for path in TEXTS if f"<!-- {name} -->" in path.read_text(encoding="utf-8")]
    text, table = path.read_text(encoding="utf-8"), TABLES[name]()
    if UPDATE:
        text = re.sub(pattern, lambda match: f"{match[1]}\n{table}\n\n{match[2]}", text, flags=re.DOTALL)
        path.write_text(text, encoding="utf-8")
    found = re.search(pattern, text, flags=re.DOTALL)
    assert found is not None
    assert found[0] == f"<!-- {name} -->\n\n{table}\n\n<!-- /{name} -->"


def test_every_field_stands_in_the_manual() -> None:
    assert sorted(" ".join(name for name in TABLES if name.startswith("fields ")).replace("fields ", "").split()) == (
        sorted(SECTIONS)
    )


def test_the_readme_is_short() -> None:
    assert README.stat().st_size <= 9000


def test_every_page_is_listed() -> None:
    assert {path.stem for path in MANUAL.glob("*.md")} == {page.name for page in manual.PAGES}
    for page in manual.PAGES:
        assert (MANUAL / f"{page.name}.md").read_text(encoding="utf-8").startswith(f"# {page.title}\n")


def test_the_built_manual_is_that_of_the_pages() -> None:
    built = build_manual.build()
    if UPDATE:
        (MANUAL / "index.html").write_text(built, encoding="utf-8")
    assert (MANUAL / "index.html").read_text(encoding="utf-8") == built


def test_every_page_begins_with_its_figure_and_all_of_them_are_small() -> None:
    assert set(draw_manual.PICTURES) == {page.name for page in manual.PAGES}
    for name in draw_manual.PICTURES:
        first = (MANUAL / f"{name}.md").read_text(encoding="utf-8").split("\n")[2]
        assert re.fullmatch(rf"!\[.{{20,120}}\]\(figures/{name}\.webp\)", first), first
        with Image.open(MANUAL / "figures" / f"{name}.webp") as picture:
            assert picture.width >= 600
    figures = {path.name for path in (MANUAL / "figures").iterdir()}
    played = {f"{name}.html" for name in draw_manual.PAGES_THAT_PLAY}
    assert figures == {f"{name}.webp" for name in draw_manual.PICTURES} | played
    assert sum(path.stat().st_size for path in MANUAL.rglob("*") if path.is_file()) < 3e6  # measured 2.6e6


def test_the_pages_that_play_in_the_manual_are_those_of_this_version() -> None:
    for name in draw_manual.PAGES_THAT_PLAY:
        text = (MANUAL / "figures" / f"{name}.html").read_text(encoding="utf-8")
        assert joined(["main"]) in text, "python tests/tools/draw_manual.py construction flip race"
        assert f'src="figures/{name}.html"' in (MANUAL / "index.html").read_text(encoding="utf-8")


class _Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.names.append(str(value))
            if name in ("href", "src"):
                self.addresses.append(str(value))


def test_the_links_of_the_built_manual_lead_somewhere() -> None:
    links = _Links((MANUAL / "index.html").read_text(encoding="utf-8"))
    assert len(links.names) == len(set(links.names))
    assert len(links.addresses) > len(manual.PAGES)
    for address in links.addresses:
        if address.startswith("#"):
            assert address[1:] in links.names, address
        else:
            assert (MANUAL / address).is_file(), address


def test_a_link_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"keys\.md: stereo\.md#nowhere leads nowhere"):
        build_manual._link("stereo.md#nowhere", "keys", build_manual.anchors())
    with pytest.raises(ValueError, match=r"keys\.md: there is no file none\.png"):
        build_manual._link("none.png", "keys", build_manual.anchors())


def test_every_section_of_the_panel_has_its_place_in_the_manual() -> None:
    explained = {name for page in manual.PAGES for name, _ in page.sections}
    names = {section.title for section in PANEL_SECTIONS}
    assert explained == names
    assert {manual.anchor_of(name) for name in names} <= build_manual.anchors()
    assert manual.anchor_of(None) == manual.anchor_of("nothing") == ""


class _Browser:
    def __init__(self) -> None:
        self.opened: Queue[str] = Queue()

    def open(self, address: str) -> bool:
        self.opened.put(address)
        return True


def test_the_manual_opens_in_the_browser_at_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, messages = _Browser(), Messages()
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    manual.show(messages, "stereo")
    assert browser.opened.get(timeout=10) == (MANUAL / "index.html").as_uri() + "#stereo"
    shown = messages.current
    assert shown is not None
    assert str(MANUAL / "index.html") in shown.text


def test_a_browser_of_the_users_own_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script, seen = tmp_path / "browser.sh", tmp_path / "seen"
    script.write_text(f'#!/bin/sh\necho "$1" > "{seen}.new"; mv "{seen}.new" "{seen}"\n')
    script.chmod(0o755)
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser(str(script)))
    manual.show(Messages(), "data")
    deadline = time.monotonic() + 30
    while not seen.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert seen.read_text().strip().endswith("index.html#data")


@pytest.mark.parametrize("found", [None, webbrowser.GenericBrowser("lynx")])
def test_without_a_browser_it_says_where_the_manual_is(found: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def get() -> object:
        if found is None:
            raise webbrowser.Error("none")
        return found

    monkeypatch.setattr(webbrowser, "get", get)
    with pytest.raises(InputError, match=r"manual: no browser was found to show .*index\.html"):
        manual.show(Messages())


def _blocks(language: str) -> list[tuple[str, str]]:
    """The blocks of code in a language, "" in none, with the names of their files."""
    found = []
    for path in TEXTS:
        blocks = re.findall(r"^```(\w*)\n(.*?)^```$", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        found += [(path.name, block) for named, block in blocks if named == language]
    return found


def test_the_scenes_of_the_manual_are_scenes() -> None:
    (_, block), (_, hammer), (_, several), *parts = _blocks("toml")
    assert all(Scenario.from_text(part) != Scenario() for _, part in parts)
    scenario = Scenario.from_text(block)
    assert tomllib.loads(block)["title"] == scenario.title
    assert scenario.body.mass == 80.0
    assert Scenario.from_text(hammer).rigid_body().inertia_source.text == "the sum of the parts; holes: 1"
    assert [(n.name, n.body.height) for n in Scenario.from_text(several).bodies] == [("flat", 0.1), ("slow", 0.3)]


@pytest.mark.parametrize(("file", "block"), _blocks("python"))
def test_the_examples_run(
    gl, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, block: str
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(block, file, "exec"), names)
    lines = capsys.readouterr().out.splitlines()
    if "pair" in names:
        assert all(abs(float(number)) < 1e-10 for number in lines[0].strip("[]").split())  # measured: 5e-13
    elif "FreeRotation" in names:
        assert lines[0].startswith("8.08")
    if "simulation" in names and file != "README.md":
        assert [line.split()[0] for line in lines[:3]] == ["5.0", "10.0", "15.0"]
        assert abs(float(lines[3])) < 1e-13  # measured: 0
    if "image" in names:
        image = names["image"]
        assert isinstance(image, np.ndarray)
        assert image.shape == (360, 640, 3)
    if "scenario" in names:
        assert Scenario.load("mine.toml") == names["scenario"]


def test_python_in_the_readme_takes_ten_lines() -> None:
    ((_, block),) = [entry for entry in _blocks("python") if entry[0] == "README.md"]
    assert len([line for line in block.splitlines() if line.strip()]) <= 10


def test_the_commands_are_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is understood up to where it would draw, compute or open a window."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("viewer.export.offscreen.render_to_file", lambda *_, **__: None)
    monkeypatch.setattr("viewer.export.page.pages.write_page", lambda *_: None)
    monkeypatch.setattr("viewer.export.table_files.write_table", lambda path, table: None)
    monkeypatch.setattr("viewer.export.film.write_film", lambda path, film, renderer: None)
    lines = [line for _, block in _blocks("") for line in block.splitlines()]
    commands = [line.split("#")[0].split() for line in lines if line.startswith(("poinsot render", "poinsot simulate"))]
    assert len(commands) >= 8
    assert [words for words in commands if cli.main(words[1:]) != 0] == []


def test_the_camera_path_of_the_manual_is_one() -> None:
    ((_, block),) = [entry for entry in _blocks("") if "[camera_path]" in entry[1]]
    assert len(Scenario.from_text(block).camera_path.keys) == 3


def test_the_files_that_the_readme_links_to_exist() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert len(links) > len(manual.PAGES)
    assert [link for link in links if not (README.parent / link).exists()] == []
    assert (ROOT / "assets" / "logs" / "mujoco-euler.csv").exists()


def test_the_map_of_the_house_names_every_room() -> None:
    house = ROOT / "viewer"
    text = (house / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)/`", text))
    outer = {path.parent.name for path in house.glob("*/__init__.py")}
    assert outer <= named
    assert named <= {path.name for path in house.rglob("*") if path.is_dir()} | {"shaders", "assets", "tests"}
    assert {path.name for path in house.iterdir() if path.name != "__pycache__"} == outer | {
        "__init__.py", "__main__.py", "README.md",
    }  # fmt: skip
    assert len(outer) == 14 + 1  # common is a leaf for all
    assert len(text.splitlines()) <= 120


def test_no_folder_holds_more_than_fourteen_files() -> None:
    for folder in (ROOT / "viewer").rglob("__init__.py"):
        files = [path for path in folder.parent.iterdir() if path.is_file() and path.name != "__init__.py"]
        assert len(files) <= 14, folder.parent
