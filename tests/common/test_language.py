"""Which language the system asks for, and what a catalogue gives."""

import pytest

from viewer.common import language


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_AT@euro"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "xx_YY.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "de_CH.UTF-8"}, "de"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "xx:de:en"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "en:de"}, "en"),
    ],
)
def test_the_first_language_that_the_system_asks_for_and_that_there_is(variables, code, monkeypatch):
    for name in language.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language.system_language() == code


def test_each_language_has_its_own_name_and_texts_are_in_the_one_that_was_chosen():
    assert language.languages() == {"en": "English", "de": "Deutsch"}
    language.choose("de")
    assert language.tr("Mass") == "Masse"
    assert language.tr("no text of the program") == "no text of the program"
    assert language.tr("") == ""
    language.choose("en")
    assert language.tr("Mass") == "Mass"


def test_a_count_chooses_the_form():
    language.choose("de")
    assert [language.plural("{count} step", "{count} steps", n).format(count=n) for n in (1, 2)] == [
        "1 Schritt",
        "2 Schritte",
    ]


def test_inside_a_sentence_a_label_is_in_lower_case_in_english_alone():
    assert [language.inside(label) for label in ("Radius", "Mass")] == ["radius", "mass"]
    language.choose("de")  # whose nouns have a capital, those that are spelt as in English too
    assert [language.inside(label) for label in ("Radius", "Mass")] == ["Radius", "Masse"]
