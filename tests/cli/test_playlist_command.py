"""`poinsot PLAYLIST`: what is wrong is one line, before a window opens."""

import pytest

from viewer.cli import main
from viewer.scenario.tours import tour

GOOD = '[[items]]\nscene = "rod"\n'


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (GOOD + '[[items]]\nscene = "gone.toml"\n', [], "gone.toml: file not found (talk.toml, line 4)"),
        (GOOD + "[[items]]\n", [], "items[1]: allowed is either a scene or a tour (talk.toml, line 3)"),
        (GOOD, ["--set", "body.mass=2"], "--set: has no effect on a playlist; allowed are --stereo, --theme, --swap"),
        (GOOD, ["--tour", "flip"], "--tour: has no effect on a playlist; allowed are --stereo, --theme, --swap-eyes"),
        (GOOD, ["--theme", "pink"], "view.theme: 'pink' is unknown; allowed are "),
        (GOOD, [], "no display, so there is no window for a lecture"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, monkeypatch, capsys, source, options, message):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path / "home"))
    (tmp_path / "talk.toml").write_text(source)
    assert main([str(tmp_path / "talk.toml"), *options]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("source", [GOOD, 'title = "My lecture"\nitems = [{scene = "rod"}]\n'])
def test_a_picture_of_a_playlist_says_what_opens_it(tmp_path, monkeypatch, capsys, source):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.toml").write_text(source)
    assert main(["render", "talk.toml", "-o", "a.png"]) == 2
    said = capsys.readouterr().err
    assert "items: this is a playlist, not a scene; the window opens it, and a page (-o lecture.html) shows it" in said
    assert said.count("\n") == 1


TOUR = 'title = "A"\nsummary = "B"\n[[steps]]\nscene = "rod"\ntext = "One."\n'


@pytest.mark.parametrize(
    "command", [["render", "t.toml", "-o", "a.png"], ["simulate", "t.toml", "-o", "a.csv"], ["t.toml"]]
)
def test_a_tour_in_place_of_a_scene_says_what_shows_it(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.toml").write_text(TOUR)
    assert main(command) == 2
    said = capsys.readouterr().err
    assert (
        "steps: this is a tour, not a scene; only the window shows it, as in: poinsot --tour tour.toml (t.toml" in said
    )
    assert said.count("\n") == 1


def test_a_tour_in_a_file_is_begun(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    begun = []
    monkeypatch.setattr("viewer.cli.window._window", lambda scene, options, *_, **more: begun.append(options.tour))
    (tmp_path / "t.toml").write_text(TOUR)
    assert main(["--tour", "t.toml"]) == 0
    assert tour(begun[0]).steps[0].text == "One."
    (tmp_path / "t.toml").write_text(TOUR.replace("rod", "rood"))
    assert main(["--tour", "t.toml"]) == 2
    assert "steps[0].scene: 'rood' is unknown; did you mean rod? " in capsys.readouterr().err
    assert main(["--tour", "gone.toml"]) == 2
    assert "gone.toml: file not found" in capsys.readouterr().err
