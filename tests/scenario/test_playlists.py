"""Playlists as files: what they list is there before a lecture begins; a broken one says what is wrong and where."""

import pytest

from viewer.common.errors import InputError
from viewer.scenario import playlists
from viewer.scenario.playlists import MOST_ITEMS, is_playlist, load
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tours

GOOD = """title = "Monday"

[[items]]
scene = "dzhanibekov"
title = "It flips"
note = "Watch."

[[items]]
tour = "flip"

[[items]]
scene = "own/rod.toml"
"""


@pytest.fixture
def saved(tmp_path):
    """Writes a playlist beside a folder with a scene; returns its path."""
    (tmp_path / "own").mkdir()
    Scenario.preset("rod").save(tmp_path / "own" / "rod.toml")

    def save(source: str | bytes, name: str = "monday.toml"):
        path = tmp_path / name
        path.write_bytes(source.encode() if isinstance(source, str) else source)
        return path

    return save


def refused(path) -> str:
    with pytest.raises(InputError) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_playlist_is_read_whole_and_its_paths_begin_at_its_folder(saved, tmp_path, monkeypatch):
    path = saved(GOOD)
    monkeypatch.chdir("/")
    read = load(path)
    assert (read.name, read.title) == ("monday", "Monday")
    first, second, third = read.items
    assert (first.scene, first.title, first.note, first.tour) == ("dzhanibekov", "It flips", "Watch.", None)
    assert (second.tour, second.scene) == (tours()["flip"], "")
    assert third.scene == str(tmp_path / "own" / "rod.toml")
    assert Scenario.load(third.scene).body == Scenario.preset("rod").body


def test_it_is_known_by_what_is_in_it(saved, tmp_path):
    assert is_playlist(saved(GOOD, "no suffix"))
    assert is_playlist(saved("# mine\r\n\r\nitems = [{scene = 'rod'}]\r\n"))
    assert is_playlist(saved("[[items]]\nscene = \x00"))  # a broken one as well: so its error speaks of playlists
    assert not is_playlist(tmp_path / "own" / "rod.toml")
    assert not is_playlist(tmp_path / "missing.toml")
    assert not is_playlist(tmp_path)
    assert not is_playlist("rod")
    assert not is_playlist(saved("[[items]]\nscene = 'rod'", "log.csv"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"dzhanibekov"', '"dzhanibeko"', "items[0].scene: 'dzhanibeko' is neither a preset nor a file; did you mean "),
        ('"dzhanibekov"', "7", "items[0].scene: 7 is not a string (monday.toml, line 4)"),
        (
            '"dzhanibekov"',
            '""',
            "items[0].scene: is empty; allowed is a preset, or a file with a scene or a recording, relative to the "
            "playlist (monday.toml, line 4)",
        ),
        (
            '"dzhanibekov"',
            '" "',
            "items[0].scene: is empty; allowed is a preset, or a file with a scene or a recording, ",
        ),
        (
            '"dzhanibekov"',
            '"xyzzy"',
            "items[0].scene: 'xyzzy' is neither a preset nor a file; presets are paper-fig1, ",
        ),
        (
            'tour = "flip"',
            'tour = ""',
            "items[1].tour: is empty; allowed is a guided tour's name, or a file with a tour, ",
        ),
        ('"own/rod.toml"', '"own/rot.toml"', "items[2].scene: "),
        ('tour = "flip"', 'tour = "flop"', "items[1].tour: tour: 'flop' is unknown; did you mean flip? "),
        ('tour = "flip"', 'tour = "own/rod.toml"', "items[1].tour: version: field not found; "),
        ('tour = "flip"', "", "items[1]: allowed is either a scene or a tour (monday.toml, line 8)"),
        ('tour = "flip"', 'tour = "flip"\nscene = "rod"', "items[1]: allowed is either a scene or a tour ("),
        ('note = "Watch."', "nose = 1", "items[0].nose: field not found; did you mean note? allowed are scene, tour, "),
        ('note = "Watch."', "note = [1]", "items[0].note: [1] is not a string (monday.toml, line 6)"),
        ('note = "Watch."', f'note = "{"x" * 301}"', "items[0].note: "),
        ('title = "Monday"', "titel = 1", "titel: field not found; did you mean title? allowed are title, items ("),
        ('title = "Monday"', "title = ", "monday.toml: not TOML: "),
        (GOOD, "items = 3", "items: 3 is not a list of 1 to 200 tables; write [[items]] (monday.toml, line 1)"),
        (GOOD, "items = []", "items: [] is not a list of 1 to 200 tables; write [[items]] (monday.toml, line 1)"),
        (GOOD, "items = [3]", "items[0]: 3 is not a table; write [[items]] (monday.toml, line 1)"),
    ],
)
def test_what_is_wrong_is_one_line(saved, old, new, message):
    assert old in GOOD
    assert refused(saved(GOOD.replace(old, new, 1))).startswith(message)


def test_what_is_missing_or_broken_is_named_with_its_line(saved, tmp_path):
    missing = refused(saved(GOOD.replace("own/rod.toml", "own/rot.toml")))
    assert missing.endswith("rot.toml: file not found (monday.toml, line 12)")
    (tmp_path / "own" / "rod.toml").write_text("[body]\nmass = 0.0\n")
    assert refused(saved(GOOD)) == (
        "items[2].scene: body.mass: 0 kg is outside 1e-9 to 1e30 kg (rod.toml, line 2) (monday.toml, line 12)"
    )
    folder = refused(saved(GOOD.replace("own/rod.toml", "own")))
    assert folder.endswith("own: is a folder; allowed is a file (monday.toml, line 12)")
    recording = refused(saved(GOOD.replace("own/rod.toml", "log.csv")))
    assert recording.endswith("log.csv: file not found (monday.toml, line 12)")


def test_no_playlist_in_a_playlist(saved):
    saved(GOOD, "other.toml")
    other = refused(saved(GOOD.replace("own/rod.toml", "other.toml")))
    assert other == ("items[2].scene: other.toml is a playlist; allowed are scenes and tours (monday.toml, line 12)")
    itself = refused(saved(GOOD.replace("own/rod.toml", "monday.toml")))
    assert itself.startswith("items[2].scene: monday.toml is a playlist; ")


def test_hostile_files_are_refused_at_once(saved):
    item = "[[items]]\nscene='rod'\n"
    for number in (MOST_ITEMS + 1, 4000):
        line = refused(saved(number * item))
        assert line.startswith(
            f"items: {number} tables are too many; allowed is at most 200 tables (monday.toml, line "
        )
    assert "is larger than 100,000 bytes, the limit" in refused(saved(10_000 * item))
    assert "is larger than 100,000 bytes, the limit" in refused(saved(b"[[items]]\n" + 20_000_000 * b"#"))
    latin = saved('[[items]]\nscene = "Körper"'.encode("latin-1"))
    assert is_playlist(latin)
    assert refused(latin).endswith("is not a text file: byte 20 is not UTF-8")
    assert "not TOML" in refused(saved("[[items]]\nscene = " + 5000 * "["))
    assert "a key has more than 8 parts" in refused(saved("[[items]]\n" + "a." * 20_000 + "a = 1"))


def test_the_playlists_that_come_along_are_whole():
    found = playlists.playlists()
    assert found
    for playlist in found.values():
        assert playlist.title
        assert all(item.tour or Scenario.preset(item.scene) for item in playlist.items)
