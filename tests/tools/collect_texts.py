"""Brings the catalogues in `assets/languages` up to date with the texts of the program.

    python tests/tools/collect_texts.py

A text is what stands in a call of `tr`, `plural`, `marked`, `named`, `refusal` or `Wording`, and what the registries
hold (fields, actions, presets, tours, ...), which goes through `tr` where it is drawn. New texts are added without a
translation, those that are gone are taken out, and each NAME.po is compiled to NAME.mo. A new language: a NAME.po that
has only a header as that of de.po.
"""

import ast
import dataclasses
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ROOT / "assets" / "languages"
CALLS = ("tr", "marked", "named", "refusal", "Wording")
WORD = re.compile(r"[A-Za-z]{2,}")  # what has none, such as "x′" or "½ M v²", reads alike in every language
Text = tuple[str, str, str]  # the text, its form for many or "", its context or ""


def in_code() -> Iterator[tuple[Text, str]]:
    """Returns every text in a call, with the file of the call."""
    for path in sorted((ROOT / "viewer").rglob("*.py")):
        where = str(path.relative_to(ROOT).as_posix())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            texts = [part.value if isinstance(part, ast.Constant) else None for part in node.args]
            if name in CALLS and texts and isinstance(texts[0], str):
                context = texts[1] if name == "tr" and len(texts) > 1 else ""
                yield (texts[0], "", str(context)), where
            elif name == "plural" and isinstance(texts[0], str):
                yield (texts[0], str(texts[1]), ""), where


def in_registries() -> Iterator[tuple[str, str]]:
    """Returns every text of a table, with the module of the table."""
    from viewer.commands import actions
    from viewer.export.film import FORMATS as FILM_FORMATS
    from viewer.export.picture_files import FORMATS
    from viewer.physics.solids.composite import PART_SHAPES
    from viewer.physics.solids.inertia import MEANINGS
    from viewer.physics.stepping.projection import STABILISATIONS
    from viewer.scenario import presets
    from viewer.scenario import tours as guided
    from viewer.scenario.choices.stereo_modes import GLASSES
    from viewer.scenario.playlists import playlists
    from viewer.scenario.presets import PRESETS
    from viewer.scenario.scenario import SECTIONS, Scenario
    from viewer.scenario.sections import motion, race
    from viewer.scenario.tours import tours
    from viewer.scene.naming.things import AXES, THINGS
    from viewer.scene.words import spin
    from viewer.scene.words.formatting import titled
    from viewer.session.quantities import PANES, QUANTITIES
    from viewer.ui import manual
    from viewer.ui.bars import toolbar
    from viewer.ui.overlays import commands, gallery
    from viewer.ui.plots import race as race_plots
    from viewer.user import settings
    from viewer.workspace import editor

    yield from of_fields(Scenario, "viewer/scenario/scenario.py")
    for section in SECTIONS.values():
        yield from of_fields(section, "viewer/scenario/sections")
    for section in settings.DECLARED.values():
        yield from of_fields(section, "viewer/user/settings.py")
    for field in (*vars(motion).values(), *vars(race).values()):
        if hasattr(field, "description"):
            yield from of_field(field, "viewer/scenario/sections")
    tables: dict[str, Any] = {
        "viewer/ui/panel/panel.py": list(map(titled, SECTIONS)),
        "viewer/scene/words/spin.py": (spin.RANKS, "equal"),
        "viewer/workspace/editor.py": editor.OFFER,
        "viewer/commands/actions.py": (
            [action.description for action in actions.ACTIONS.values()], list(actions.GROUPS),
            [text for _, text in (*actions.MOUSE, *actions.PANEL, *actions.REMOTE, *actions.TOUR)],
            [title for title, _ in actions.rows()],
        ),
        "viewer/ui/bars/toolbar.py": [tool.name for tool in toolbar.TOOLS],
        "viewer/physics/solids/composite.py": [shape.label for shape in PART_SHAPES.values()],
        "viewer/physics/solids/inertia.py": list(MEANINGS.values()),
        "viewer/physics/stepping/projection.py": [name.lower() for name in STABILISATIONS.values()],
        "viewer/scenario/choices/stereo_modes.py": [glasses.label.lower() for glasses in GLASSES.values()],
        "viewer/export/picture_files.py": [kind.summary.partition(",")[0] for kind in FORMATS.values()],
        "viewer/export/film.py": [kind.summary for kind in FILM_FORMATS.values()],
        "viewer/ui/manual.py": [(page.title, page.summary) for page in manual.PAGES],
        "viewer/ui/overlays/commands.py": (list(commands.SYNONYMS.values()), [(a, c) for a, _, c in commands.ADDED]),
        "viewer/ui/overlays/gallery.py": list(gallery.HEADINGS.values()),
        "viewer/ui/plots/race.py": (
            [(pane.label, pane.meaning) for pane in race_plots.RACE_PANES.values()],
        ),
        "viewer/scene/naming/things.py": ([(thing.name, thing.sentence) for thing in THINGS.values()], AXES),
        "viewer/session/quantities.py": (
            [pane.label for pane in PANES.values()], [(q.label, q.meaning) for q in QUANTITIES.values()],
        ),
        "viewer/scenario/presets.py": list(presets.KEYWORDS.values()),
        "viewer/scenario/tours.py": list(guided.KEYWORDS.values()),
        "assets/scenes": [(p.title, p.summary, p.source, p.assumed) for p in PRESETS.values()],
        "assets/playlists": [
            (one.title, [(item.title, item.note) for item in one.items]) for one in playlists().values()
        ],
        "assets/tours": [
            (tour.title, tour.summary, [(s.text, s.question, s.answers, s.why) for s in tour.steps])
            for tour in tours().values()
        ],
    }  # fmt: skip
    for where, table in tables.items():
        for text in flat(table):
            yield text, where


def in_keys() -> Iterator[tuple[Text, str]]:
    """Returns the names of keys, such as "Ctrl", and of mouse gestures, in a context of their own."""
    from viewer.commands.actions import ACTION_OF, KEY_NAME, MOUSE, PANEL, REMOTE, SIGNS, TOUR

    names = [name for key in (*ACTION_OF, *SIGNS.values()) for name in KEY_NAME.findall(key)]
    for text in (*names, *(keys for keys, _ in (*MOUSE, *PANEL, *REMOTE, *TOUR))):
        yield (text, "", "key"), "viewer/commands/actions.py"


def of_fields(section: Any, where: str) -> Iterator[tuple[str, str]]:
    """Returns the texts of all fields of a section."""
    for declared in dataclasses.fields(section):
        if "field" in declared.metadata:
            yield from of_field(declared.metadata["field"], where)


def of_field(field: Any, where: str) -> Iterator[tuple[str, str]]:
    """What a control of a field writes: label, description, formula, keywords, choices with their meanings, a line
    each."""
    from viewer.scenario.field import Choice, Tables, Vector

    yield from ((text, where) for text in (field.label, field.description, field.formula, field.keywords))
    if isinstance(field, Vector):
        yield from ((label, where) for label in field.labels)
    if isinstance(field, Choice):
        yield from ((line, where) for meaning in field.meanings for line in meaning.splitlines())
        yield from ((label, where) for _, label in field.choices)
    if isinstance(field, Tables):
        yield field.label.removesuffix("s"), where
        for _, key in field.keys:
            yield from of_field(key, where)
            yield key.label.lower(), where


def flat(table: Any) -> Iterator[str]:
    """Returns every text in nested lists."""
    if isinstance(table, str):
        yield table
    else:
        for part in table:
            yield from flat(part)


def texts() -> dict[Text, list[str]]:
    """Returns every text that needs a translation, with the files from which it comes."""
    found: dict[Text, list[str]] = {}
    plain = (((text, "", ""), where) for text, where in in_registries())
    for text, where in [*in_code(), *plain, *in_keys()]:
        if WORD.search(text[0]) and where not in found.setdefault(text, []):
            found[text].append(where)
    return found


def updated(catalogue: polib.POFile, wanted: dict[Text, list[str]]) -> polib.POFile:
    """Returns the catalogue with these texts and its old translations, in the order of the files."""
    known = {(entry.msgid, entry.msgid_plural, entry.msgctxt or ""): entry for entry in catalogue}
    fresh = polib.POFile(wrapwidth=118)
    fresh.metadata = catalogue.metadata
    for text, files in sorted(wanted.items(), key=lambda pair: (pair[1][0], pair[0])):
        one, many, context = text
        entry = known.get(text) or polib.POEntry(msgid=one, msgid_plural=many, msgctxt=context or None)
        if many and not entry.msgstr_plural:
            entry.msgstr_plural = {0: "", 1: ""}
        entry.occurrences = [(name, "") for name in files]
        fresh.append(entry)
    return fresh


def main() -> None:
    """Writes every catalogue anew, and prints the texts that are not translated."""
    wanted = texts()
    for path in sorted(LANGUAGES.glob("*.po")):
        catalogue = updated(polib.pofile(str(path)), wanted)
        catalogue.save(str(path))
        path.with_suffix(".mo").write_bytes(catalogue.to_binary())
        missing = catalogue.untranslated_entries()
        print(f"{path.name}: {len(catalogue)} texts, {len(missing)} without a translation")
        for entry in missing:
            print(f"  {entry.msgid}")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
