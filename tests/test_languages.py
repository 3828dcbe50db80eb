"""Every catalogue has every text of the program, translated, with the same places; its compiled form is up to date.

`POINSOT_UPDATE_LANGUAGES=1` brings the catalogues up to date first, as `tests/tools/collect_texts.py` does.
"""

import os
import re
import sys
from pathlib import Path

import polib
import pytest

sys.path.insert(0, str(Path(__file__).parent / "tools"))
import collect_texts

PLACE = re.compile(r"\{\w*\}|%[A-Za-z]")
KEYS = {"Ctrl": "Strg", "Shift": "Umschalt", "Space": "Leertaste"}  # German, where they stand in a sentence
CATALOGUES = sorted(collect_texts.LANGUAGES.glob("*.po"))


@pytest.fixture(scope="module", autouse=True)
def _up_to_date():
    if os.environ.get("POINSOT_UPDATE_LANGUAGES") == "1":
        collect_texts.main()


@pytest.fixture(params=CATALOGUES, ids=lambda path: path.stem)
def catalogue(request):
    return polib.pofile(str(request.param))


def forms(entry: polib.POEntry) -> list[tuple[str, str]]:
    """The text with each of its translations."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    originals = (entry.msgid, entry.msgid_plural)
    return [(originals[min(n, 1)], form) for n, form in entry.msgstr_plural.items()]


def test_there_is_german():
    assert "de" in [path.stem for path in CATALOGUES]


def test_no_text_misses_the_catalogue_and_none_is_stale(catalogue):
    there = {(entry.msgid, entry.msgid_plural, entry.msgctxt or "") for entry in catalogue}
    wanted = set(collect_texts.texts())
    assert not wanted - there, "missing: run tests/tools/collect_texts.py and translate"
    assert not there - wanted, "stale: run tests/tools/collect_texts.py"


def test_every_text_has_a_translation(catalogue):
    assert [entry.msgid for entry in catalogue for _, form in forms(entry) if not form.strip()] == []
    assert [entry.msgid for entry in catalogue if entry.fuzzy or entry.obsolete] == []


def test_a_translation_has_the_places_of_its_text(catalogue):
    wrong = [
        (text, form)
        for entry in catalogue
        for text, form in forms(entry)
        if "%" not in text + form and sorted(PLACE.findall(text)) != sorted(PLACE.findall(form))
    ]
    assert wrong == []


def test_a_translation_begins_and_ends_as_its_text(catalogue):
    """With the same spaces, as it is put together with others, and with a full stop where that has one."""
    for entry in catalogue:
        for text, form in forms(entry):
            for part in (str.lstrip, str.rstrip):
                assert (part(text) == text) == (part(form) == form), text
            assert text.endswith((".", "?", "…")) == form.endswith((".", "?", "…")) or len(text) < 12, text
            assert "##" not in form


def test_the_compiled_catalogue_is_that_of_the_source(catalogue):
    path = Path(catalogue.fpath).with_suffix(".mo")
    assert path.read_bytes() == catalogue.to_binary(), f"{path.name}: run tests/tools/collect_texts.py"
    assert catalogue.metadata["Language-Name"]


def test_keys_in_german_sentences_are_those_of_a_german_keyboard():
    german = polib.pofile(str(collect_texts.LANGUAGES / "de.po"))
    for english, own in KEYS.items():
        for entry in german:
            if re.search(rf"\b{english}\b", entry.msgstr):
                assert english in ("Space",) or own in entry.msgstr, entry.msgid


def test_a_text_in_the_code_and_one_in_a_table_are_both_found():
    found = collect_texts.texts()
    assert "viewer/ui/panel/readouts.py" in found["Rotational energy", "", ""]
    assert "viewer/scenario/sections" in found["mass of the body", "", ""]
    assert "viewer/commands/actions.py" in found["Space", "", "key"]
    assert ("½ M v²", "", "") not in found
