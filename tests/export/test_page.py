"""A page is one HTML file: it holds its scenes, their pictures and words, and nothing in a title becomes markup."""

import base64
import json
import os
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from helpers.playing import PAPER
from PIL import Image

import viewer
from viewer import cli
from viewer.common.errors import InputError
from viewer.common.resources import file
from viewer.export.page.pages import write_page
from viewer.export.page.writer import PageScene, as_drawn
from viewer.scenario.scenario import Scenario

HOSTILE = "</script><img src=x onerror=\"document.title='gone'\"> & 'T'"
SMALL = (320, 180)
KEPT = Path(__file__).parents[1] / "data" / "page-0.1.html"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text inside each by its id or else its name."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and data.strip():
            tag, given = self.found[-1]
            self.texts.setdefault(given.get("id") or tag, data)

    @property
    def data(self) -> Any:
        return json.loads(zlib.decompress(base64.b64decode(self.texts["data"])))


@pytest.mark.usefixtures("gl")
def test_a_page_holds_its_scene_its_picture_and_its_words(tmp_path: Path) -> None:
    scene = PAPER.with_values({"title": HOSTILE, "view.theme": "light"})
    path = tmp_path / "a.html"
    write_page(path, [PageScene(scene, 1.5, SMALL)])
    assert Scenario.load(path) == scene
    assert os.listdir(tmp_path) == [path.name]
    page = Elements(path)
    assert page.texts["title"] == page.texts["h1"] == page.texts["h2"] == HOSTILE
    assert page.data["scenes"][0]["title"] == HOSTILE
    assert page.data["scenes"][0]["time"] == 1.5
    assert "At t = 1.50 s it turns" in path.read_text("utf-8")
    assert "Integrator: " not in path.read_text("utf-8")  # of the closed form
    (picture,) = (given for tag, given in page.found if tag == "img")
    assert picture["alt"] == HOSTILE
    (tmp_path / "poster.jpg").write_bytes(base64.b64decode(str(picture["src"]).partition(",")[2]))
    with Image.open(tmp_path / "poster.jpg") as poster:
        assert poster.size == SMALL
    given = [attribute for _, attributes in page.found for attribute in attributes.items()]
    assert not [name for name, _ in given if name == "style" or name.startswith("on")]  # which the policy forbids
    assert all(str(value).startswith("data:") for name, value in given if name in ("src", "href"))


@pytest.mark.usefixtures("gl")
@pytest.mark.parametrize(
    ("scene", "mode", "most"),
    [
        ("dzhanibekov", "mono", 400_000),  # measured: 338,828
        ("dzhanibekov", "anaglyph", 400_000),  # 389,560
        ("dumb-bell", "mono", 400_000),  # 383,401, with 8,192 triangles
        ("wheel-on-a-string", "mono", 450_000),  # 433,098, with 17,664 triangles and samples of the motion
    ],
)
def test_a_page_is_small(tmp_path: Path, scene: str, mode: str, most: int) -> None:
    path = tmp_path / "a.html"
    write_page(path, [PageScene(Scenario.preset(scene).with_value("stereo.mode", mode))])
    assert path.stat().st_size < most
    assert ("Integrator: " in path.read_text("utf-8")) == (most > 400_000)  # which gives the samples


@pytest.mark.usefixtures("gl")
def test_a_playlist_becomes_a_page_with_a_scene_for_each_item(tmp_path: Path, capsys: Any) -> None:
    playlist = tmp_path / "lesson.toml"
    playlist.write_text(
        'title = "Two & three"\n[[items]]\nscene = "t-handle"\ntitle = "First"\nnote = "Look: <b>"\n'
        '[[items]]\ntour = "flip"\n[[items]]\nscene = "race-of-five"\n'
    )
    assert cli.main(["render", str(playlist), "-o", str(tmp_path / "a.html"), "--size", "64x64"]) == 0
    assert (
        capsys.readouterr().err
        == "poinsot: Race of five integrators: The page leaves out: motions beside it, of a race or a recording.\n"
    )
    page = Elements(tmp_path / "a.html")
    assert page.texts["h1"] == "Two & three"
    titles = [scene["title"] for scene in page.data["scenes"]]
    assert titles == ["First", "The flip", "Race of five integrators"]
    assert page.data["scenes"][0]["describe"][0] == "Look: <b>"
    words = page.data["scenes"][2]["describe"]  # of what is drawn, under the title of what was written
    assert words[0].startswith("Race of five integrators.")
    assert not [text for text in words if "Integrator:" in text or "In a race" in text]
    assert Scenario.load(tmp_path / "a.html") == Scenario.preset("t-handle")  # the first
    for command in ("describe", "simulate --seconds 0.1"):  # of which the first reads recordings, too
        name, *rest = command.split()
        assert cli.main([name, str(tmp_path / "a.html"), *rest]) == 0
        told = capsys.readouterr().err
        assert told == f"poinsot: {tmp_path / 'a.html'}: holds 3 scenes, of which the first is read\n"
    playlist.write_text('[[items]]\nscene = "t-handle"\n')
    assert cli.main(["render", str(playlist), "-o", str(tmp_path / "a.html"), "--size", "64x64"]) == 0
    assert Elements(tmp_path / "a.html").texts["h1"] == "lesson"


@pytest.mark.usefixtures("gl")
def test_a_recording_without_a_mass_has_no_energy_on_its_page(tmp_path: Path) -> None:
    with file("assets", "logs", "tossed-phone.csv") as log:
        assert cli.main(["render", str(log), "-o", str(tmp_path / "a.html"), "--size", "64x64"]) == 0
    (scene,) = Elements(tmp_path / "a.html").data["scenes"]
    assert [each["name"] for each in scene["lesson"]["readouts"]] == ["omega"]
    assert "As recorded: " in scene["describe"][1]


@pytest.mark.usefixtures("gl")
def test_a_page_with_very_many_triangles_says_how_to_get_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    words = ["render", "dumb-bell", "-o", str(tmp_path / "a.html"), "--size", "64x64"]
    for suited, told in [
        (8192, ""),
        (8191, " MB: its body has 8,192 triangles. A mesh editor makes 8,191 of them.\n"),
    ]:
        monkeypatch.setattr("viewer.export.picture_files.SUITED_TRIANGLES", suited)
        assert cli.main(words) == 0
        assert re.sub(r"poinsot: The page takes 0\.3\d\d", "", capsys.readouterr().err) == told


def test_what_a_page_leaves_out() -> None:
    assert as_drawn(PAPER) == (PAPER, "")
    stabilised = PAPER.with_value("solver.stabilisation", "gradient")
    assert as_drawn(stabilised) == (stabilised, "The page leaves out: the arrow of the correction.")
    changed = {"view.construction": "momentum", "show.inset": True, "stereo.mode": "checkerboard"}
    drawn, words = as_drawn(Scenario.preset("twenty-boxes").with_values(changed))
    assert words == "The page leaves out: momentum space, the inset, all bodies but the first, Checkerboard."
    assert (drawn.bodies, drawn.view.construction, drawn.stereo.mode) == ((), "poinsot", "mono")
    assert as_drawn(drawn) == (drawn, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-o a.html --seconds 1", "seconds: has no effect on 'a.html', which plays the motion"),
        ("-o a.html --exposure 1", "exposure: has no effect on 'a.html'"),
        ("-o a.html --transparent", "transparent: 'a.html' has no transparency; allowed is .png"),
        ("-o a.glb --subframes 3", "subframes: has no effect on 'a.glb', which plays the motion"),
        ("-o a.glb --transparent", "transparent: 'a.glb' has no transparency; allowed is .png"),
        ("-o no/a.html", "output: folder 'no' not found"),
        ("-o a.html --size 3x3", "size: 3x3"),
        ("-o a.html --stereo hologram", "stereo.mode: 'hologram'"),
        ("-o a.html --time -1", "time: -1 s"),
        ("-o a.html --colour red", "unrecognized arguments: --colour red"),
    ],
)
def test_arguments_that_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, words: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["render", "t-handle", *words.split()]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("text", ["<!DOCTYPE html><p>Hello</p>", "<html>", '<meta name="poinsot-scene" content="x">'])
def test_a_strangers_page_gets_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.html"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        Scenario.load(path)
    assert str(caught.value) == f"{path}: holds no scene; Poinsot opens only pictures and pages that it has made"


def test_a_page_that_an_editor_saved_with_a_byte_order_mark_opens(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(KEPT.read_text("utf-8"), "utf-8-sig")
    assert Scenario.load(path) == Scenario.load(KEPT)
    path.write_text(KEPT.read_text("utf-8"), "utf-16")
    with pytest.raises(InputError, match="holds no scene"):
        Scenario.load(path)


@pytest.mark.usefixtures("gl")
def test_a_scene_in_python_and_in_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene: Any = viewer.Scenario.preset("sphere").with_value("title", HOSTILE)
    scene.save_page(tmp_path / "a.html")
    assert Scenario.load(tmp_path / "a.html") == scene
    with pytest.raises(InputError, match="not a page file"):
        scene.save_page(tmp_path / "a.png")
    (tag, given) = _only(scene._repr_html_(), tmp_path)
    assert (tag, given["title"]) == ("iframe", HOSTILE)
    (tmp_path / "framed.html").write_text(str(given["srcdoc"]), "utf-8")
    assert Scenario.load(tmp_path / "framed.html") == scene
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    scene.show_page()  # outside of a notebook
    assert Scenario.load(opened[0].removeprefix("file://")) == scene

    def no_graphics() -> None:
        raise viewer.common.errors.GraphicsError("no OpenGL")

    monkeypatch.setattr("viewer.export.page.pages.offscreen_renderer", no_graphics)
    assert scene.with_value("body.mass", 3.0)._repr_html_() is None  # then its text is shown


def _only(html: str, folder: Path) -> tuple[str, dict[str, str | None]]:
    (folder / "frame.html").write_text(html, "utf-8")
    (one,) = Elements(folder / "frame.html").found
    return one
