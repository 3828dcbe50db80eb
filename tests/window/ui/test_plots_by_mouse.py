"""The plots by mouse and key, in a real window."""

from pathlib import Path

import pytest

from viewer.commands.documents import save_to


@pytest.fixture
def shown(desktop, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    opened = desktop()
    opened.session.run_to(10.0)
    opened.key("g")
    opened.until(lambda: opened.app.ui.plots.curves)
    opened.settle()
    return opened


def inside(shown):
    """A point within the first plot."""
    place = shown.app.ui.layout.areas.plots
    return place.x + 200, place.y + place.height / 2 + 10


def test_a_change_is_plotted_in_the_next_frame(shown):
    frames = shown.app.frames.count
    shown.session.playback.step_once()
    shown.until(lambda: shown.app.frames.count > frames)
    assert shown.app.ui.plots.end > shown.session.motion.time


def test_the_wheel_zooms_all_plots_in_time(shown):
    plots, zoom = shown.app.ui.plots, shown.scenario.view.zoom
    shown.move(*inside(shown))
    before = plots.end - plots.begin
    for _ in range(3):
        shown.hands("click", 4)
    assert plots.end - plots.begin < 0.9 * before
    assert shown.scenario.view.zoom == zoom


def test_a_drag_moves_along_in_time_and_ends_following(shown):
    plots, view = shown.app.ui.plots, shown.scenario.view
    shown.session.scene.run_on_to(60.0)
    shown.settle()
    before = plots.begin
    shown.drag(inside(shown), (120, 0))
    assert plots.begin < before - 1.0
    assert plots.end - plots.begin == pytest.approx(20.0)
    assert not plots.follow
    assert shown.scenario.view == view
    shown.click(*shown.middle("Follow##plots"))
    assert plots.follow
    assert plots.end == pytest.approx(60.4)


def test_a_click_goes_to_the_time_under_the_pointer_which_stays_there(shown):
    x, y = inside(shown)
    at = x - 100, y
    plots, session, scenario = shown.app.ui.plots, shown.session, shown.scenario
    shown.move(*at)
    time, axis = plots.hover.table.time, (plots.begin, plots.end)
    assert 0.0 < time < 9.0
    shown.click(*at)
    assert session.motion.time == pytest.approx(time, abs=0.05)  # s, a pixel is 0.1 s
    assert (plots.begin, plots.end) == axis
    assert session.motion.span[1] == pytest.approx(10.0)
    assert shown.scenario is scenario
    frames = shown.app.frames.count
    for _ in range(5):
        shown.turn()
    assert shown.app.frames.count == frames  # the mouse rests


def test_a_double_click_fits_the_axis_and_leaves_the_time(shown):
    x, y = inside(shown)
    shown.click(x - 100, y, times=2)
    assert shown.app.ui.plots.end - shown.app.ui.plots.begin < 15.0
    assert shown.session.motion.time == pytest.approx(10.0)


def test_exports_are_new_files_among_the_documents_and_the_pictures(shown, tmp_path, monkeypatch):
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path / "home"))
    title = shown.scenario.title
    for _ in range(2):
        shown.click(*shown.middle("CSV##plots"))
    assert shown.message == f"Saved {tmp_path / 'home' / 'documents' / f'{title} plots 2.csv'}"
    picture = tmp_path / "home" / "pictures" / f"{title} plots 1.png"
    shown.click(*shown.middle("PNG##plots"))
    shown.until(picture.exists)
    assert (tmp_path / "home" / "documents" / f"{title} plots 1.csv").exists()
    assert not list(Path.cwd().glob("*plots*"))


def test_exports_stand_beside_the_file_of_the_scene(shown, tmp_path):
    save_to(shown.app.workspace, str(tmp_path / "own.toml"))
    shown.click(*shown.middle("CSV##plots"))
    shown.click(*shown.middle("PNG##plots"))
    shown.until(lambda: len(list(tmp_path.glob("*plots 1.*"))) == 2)
