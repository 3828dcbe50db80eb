"""The next window opens as the last one was closed."""

from viewer.cli.window import run
from viewer.user import autosave, left_off
from viewer.user.settings import Settings


def closed(desktop, **more):
    shown = desktop("dzhanibekov", settings=Settings.of_user(), **more)
    shown.session.change({"body.mass": 7.0})
    shown.session.change({"view.zoom": 1.5})
    shown.key("g")
    shown.key("p")
    folded = shown.app.state.panel
    shown.close()
    return folded


def reopened(desktop):
    settings = Settings.of_user()
    left = left_off.load(settings.scene_defaults())
    return desktop(settings=settings, scenario=left.scenario, left_off=left)


def test_scene_view_and_what_was_open_are_as_they_were(desktop):
    folded = closed(desktop)
    assert folded is False
    (kept,) = autosave.folder().glob("*.toml")
    again = reopened(desktop)
    assert (again.scenario.body.mass, again.scenario.view.zoom) == (7.0, 1.5)
    assert (again.app.state.plots, again.app.state.panel) == (True, False)
    assert again.session.unsaved
    again.until(lambda: again.app.documents._look_at == float("inf"))
    assert again.app.documents.left == []  # it is open: nobody has to ask for it
    assert list(autosave.folder().glob("*.toml")) == [kept]
    again.session.undo()
    assert again.scenario.body.mass == 7.0


def test_the_tour_that_was_running_is_not_the_scene(desktop):
    shown = desktop("rod", settings=Settings.of_user())
    shown.app.ui.tour.start("poinsot")
    shown.settle()
    shown.close()
    assert left_off.load(Settings().scene_defaults()).scenario.title == "Explorer 1: from a spin to a flat spin"


def opened(monkeypatch, *arguments):
    found = []
    monkeypatch.setattr("viewer.cli.window._window", lambda scene, *_, **more: found.append((scene.title, more)))
    run(list(arguments))
    title, more = found[0]
    return title, more["opening"], more["left"] is not None


def test_which_scene_a_start_without_one_shows(desktop, monkeypatch):
    assert opened(monkeypatch) == ("T-handle", True, False)
    closed(desktop)
    assert opened(monkeypatch) == ("Dzhanibekov effect", False, True)
    assert opened(monkeypatch, "--first") == ("T-handle", True, False)
    assert opened(monkeypatch, "rod")[0].startswith("Explorer 1")
    left_off.path().write_text("]")
    assert opened(monkeypatch) == ("Ellipsoid near its middle axis", False, False)
