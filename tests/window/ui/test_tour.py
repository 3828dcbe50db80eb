"""Every guided tour from its first step to the end, in a real window; and a user who takes over in the middle."""

import dataclasses

import pytest

from viewer.commands.documents import open_named
from viewer.replay.opening import read_own
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tours


def begun(desktop, name: str, **more):
    shown = desktop(**more)
    shown.app.workspace.tour.start(name)
    shown.settle()
    return shown, shown.app.workspace.tour


def own_state(shown):
    """All that a tour must leave as it was: scene, clock, motion, undo, panel, plots, view, file."""
    app, session = shown.app, shown.session
    reading = session.snapshot().reading
    return {
        "document": session.document,
        "scenario": session.scenario,
        "unsaved": session.unsaved,
        "undo": (list(session._undo._undo), list(session._undo._redo)),
        "clock": (session.playback.playing, session.playback.backwards, session.playback.loop),
        "span": session.motion.span,
        "time": reading.time,
        "orientation": tuple(reading.orientation_wxyz),
        "omega": tuple(reading.omega_body),
        "trail": session.snapshot().trail.count,
        "selected": session.scene.selected,
        "race": session.scene.race,
        "state": dataclasses.replace(app.workspace.state),
        "sections": app.workspace.settings.value("panel.open_sections"),
        "areas": app.ui.layout.areas,
        "home": app.workspace.animator.home,
        "path": app.workspace.files.path,
    }


def walked(shown, name: str, steps: int) -> None:
    """The tour of that name from its beginning, so many steps on; every question is answered."""
    guide = shown.app.workspace.tour
    guide.start(name)
    for number in range(steps):
        if guide.asks:
            guide.choose(1 + number % 2)
        guide.next()
    shown.turn()


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("preset", ["paper-fig1", "rod", "race-of-five", "twenty-boxes"])
def test_nothing_is_left_behind_wherever_a_tour_is_ended(desktop, preset, tmp_path, monkeypatch):
    """Each tour, ended at its last step, or with one scene at each; the scene was changed, run and plotted before."""
    monkeypatch.chdir(tmp_path)
    Scenario.preset(preset).save("own.toml")
    shown = desktop(preset)
    open_named(shown.app.workspace, "own.toml")
    shown.app.workspace.editor.change({"solver.integration_period": 0.004, "view.zoom": 1.3})
    shown.app.workspace.editor.set("show.labels", False)
    shown.session.scene.run_on_to(2.0)
    shown.session.undo()
    if preset == "rod":
        shown.app.workspace.state.toggle("plots")
        shown.app.ui.layout.show_panel(False)
    shown.settle()
    before = own_state(shown)
    for name, tour in tours().items():
        last = len(tour.steps) - 1
        for step in range(last + 1) if preset == "rod" else (last,):
            walked(shown, name, step)
            assert shown.app.workspace.tour.at == step
            shown.app.ui.overlays.dismiss()
            assert shown.app.workspace.tour.tour is None
            shown.app.ui.touched()
            shown.turn()
            assert own_state(shown) == before
    shown.settle()
    assert own_state(shown) == before
    shown.session.redo()
    assert not shown.scenario.show.labels


def test_what_was_unsaved_before_a_tour_is_kept_during_it(desktop, tmp_path, monkeypatch):
    shown = desktop()
    shown.app.workspace.editor.set("body.mass", 3.0)
    walked(shown, "flip", 2)
    assert shown.session.unsaved_scene.body.mass == 3.0
    open_named(shown.app.workspace, "rod")
    shown.session.undo()
    assert shown.scenario.body.mass == 3.0
    assert shown.session.unsaved_scene.body.mass == 3.0


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("name", list(tours()))
def test_from_start_to_end(desktop, name):
    """By keys: each step shows its scene and what it points at is there."""
    shown, guide = begun(desktop, name)
    before = Scenario.preset("paper-fig1")
    tour = tours()[name]
    for number, step in enumerate(tour.steps):
        assert (guide.tour, guide.at) == (tour, number)
        shown.until(lambda: not shown.app.workspace.animator.gliding)
        wanted = tour.scenario(number, before)
        if (recorded := tour.recording(number)) is not None:
            wanted = wanted.with_values(read_own(*recorded)[0])
            assert shown.session.document.measured is not None
        for section in ("body", "start", "loads", "solver", "race", "view", "show", "stereo"):
            assert getattr(shown.scenario, section) == getattr(wanted, section)
        assert shown.app.workspace.state.plots or not step.plots
        if step.question:
            assert guide.asks
            assert not shown.session.playback.playing
            shown.key("Return")
            assert (guide.at, guide.answer) == (number, 0)
        assert shown.session.playback.playing == step.plays
        if step.point is not None:
            areas, find = shown.app.ui.layout.areas, shown.app.ui.tour_card.find
            shown.until(lambda at=step.point, where=areas, find=find: find(where, at) is not None, f"no {step.point}")
        assert shown.app.ui.tour_card.box is not None
        assert shown.message is None or "No solid has these moments" in shown.message
        shown.key("Return")
    assert guide.tour is None


def test_the_points_of_a_recording_are_not_drawn_before_the_question_is_answered(desktop):
    """They show where the motion will go."""
    shown, guide = begun(desktop, "toss")
    guide.begin(tours()["toss"], 3)
    shown.settle()
    assert guide.asks
    assert shown.scenario.show.measured
    drawn = lambda: shown.app.scene_view.frame.main.scene  # noqa: E731
    assert drawn().measured is None
    assert not drawn().curves
    shown.key("2")
    shown.until(lambda: drawn().measured is not None)


def test_the_circles_of_a_top_are_not_drawn_before_the_question_is_answered(desktop):
    """They show how far its axis will sink."""
    shown, guide = begun(desktop, "nutation")
    shown.settle()
    assert guide.asks
    assert shown.scenario.show.axis_path
    names = lambda: {curve.name for curve in shown.app.scene_view.frame.main.scene.curves}  # noqa: E731
    assert "bounds" not in names()
    shown.key("2")
    shown.until(lambda: "bounds" in names())


def test_a_question_is_answered_by_key_or_mouse_once(desktop):
    """1, 2, 3 choose an answer and open no preset; the motion waits for it."""
    shown, guide = begun(desktop, "flip")
    step = guide.step
    assert guide.asks
    assert not shown.session.playback.playing
    box = shown.app.ui.tour_card.box
    shown.type("2")
    assert (guide.answer, shown.scenario.title) == (2, Scenario.preset("dzhanibekov").title)
    assert shown.session.playback.playing
    assert shown.app.ui.tour_card.box == box
    shown.type("3")
    assert (guide.answer, guide.at) == (2, 0)
    shown.key("Return")
    shown.key("BackSpace")
    assert guide.asks
    shown.click(*shown.middle(f"answer {step.right}"))
    assert guide.answer == step.right
    shown.key("Return")
    assert guide.at == 1
    shown.type("2")  # this step has no question: an answer that comes late opens no preset
    assert guide.at == 1
    assert "Digits" in shown.message


def test_what_the_user_sets_for_the_screen_in_a_tour_stays(desktop):
    """The glasses that were chosen in it, the mode that was chosen in place of the tour's; the plots that were open."""
    shown, guide = begun(desktop, "stereo")
    assert shown.scenario.stereo.mode == "anaglyph"
    shown.app.workspace.editor.set("stereo.glasses", "amber-blue")
    shown.key("Escape")
    assert (shown.scenario.stereo.mode, shown.scenario.stereo.glasses) == ("mono", "amber-blue")
    guide.start("stereo")
    for _ in range(6):  # once for the answer
        shown.key("Return")
    assert shown.scenario.stereo.mode == "side-by-side"
    shown.app.workspace.editor.set("stereo.mode", "top-bottom-half")
    shown.key("Return")
    stereo = shown.scenario.stereo
    assert guide.tour is None
    assert (stereo.mode, stereo.glasses, stereo.comfort) == ("top-bottom-half", "amber-blue", True)
    shown.app.workspace.editor.set("stereo.mode", "mono")
    shown.app.workspace.state.toggle("plots")
    guide.start("blow-up")
    shown.key("Return")
    shown.key("Escape")
    assert shown.app.workspace.state.plots


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("tour", ["stereo", "blow-up"])
def test_a_scene_opened_in_a_tour_is_shown_on_the_users_own_screen(desktop, tour, tmp_path, monkeypatch):
    """A preset, and a scene file that says which stereo mode it wants, be it the tour's."""
    monkeypatch.chdir(tmp_path)
    for opened in ("dzhanibekov", "own.toml"):
        shown, guide = begun(desktop, tour)
        shown.key("Return")
        told = Scenario.preset("rod").with_value("stereo.mode", "anaglyph")
        told.save("own.toml")
        open_named(shown.app.workspace, opened)
        shown.settle()
        assert guide.tour is None
        assert not shown.app.workspace.state.plots
        assert shown.scenario.stereo.mode == ("anaglyph" if opened == "own.toml" else "mono")
        assert not shown.session.unsaved


def test_steps_of_a_tour_back_are_as_they_were_forth(desktop):
    shown, _ = begun(desktop, "stereo")
    forth = []
    for _ in range(5):
        forth.append(shown.scenario.stereo)
        shown.key("Return")
    for stereo in reversed(forth):
        shown.key("BackSpace")
        assert shown.scenario.stereo == stereo


def test_by_mouse_and_back(desktop):
    shown, guide = begun(desktop, "flip")
    for _ in range(4):  # once for the answer
        shown.click(*shown.middle("Next"))
    assert guide.at == 3
    assert shown.session.motion.time < 2.0  # that step begins anew
    shown.click(*shown.middle("Back"))
    assert guide.at == 2
    shown.key("BackSpace")
    assert guide.at == 1
    assert shown.scenario.view.construction == "poinsot"
    shown.click(*shown.middle("End"))
    assert guide.tour is None
    assert shown.scenario.title == Scenario.preset("paper-fig1").title
    shown.type("2")  # the pointer rests where the card was, over the scene by now
    assert shown.scenario.title == Scenario.preset("box-80kg").title


def test_who_takes_over_finds_the_tour_where_it_was(desktop):
    """Whatever is changed in a step, the next one shows what it is to show."""
    shown, guide = begun(desktop, "poinsot")
    shown.app.workspace.editor.set("body.mass", 5.0)
    shown.app.workspace.session.pulse(0, 1)
    shown.drag((300, 300), (80, 30))
    shown.key("Return")
    assert guide.at == 1
    shown.until(lambda: not shown.app.workspace.animator.gliding)
    assert shown.scenario.body.mass == 1.0
    assert shown.session.motion.changes == []
    assert shown.scenario.view == tours()["poinsot"].scenario(1, Scenario()).view
    open_named(shown.app.workspace, "rod")
    assert guide.tour is None


def test_where_a_hidden_card_stood_the_scene_takes_the_mouse(desktop):
    """The card was not drawn, and yet swallowed clicks and drags."""
    shown = desktop(size=(1280, 720), tour="flip")
    shown.settle()
    card = shown.app.ui.tour_card
    box = card.box
    x, y = box.x + box.width / 2, box.y + box.height / 2
    assert card.covers(x, y)
    shown.key("h")
    assert not card.covers(x, y)


def test_escape_ends_it_and_nothing_is_drawn_any_more(desktop):
    shown, guide = begun(desktop, "stereo")
    shown.session.playback.pause()
    shown.key("Escape")
    assert guide.tour is None
    assert shown.app.ui.tour_card.box is None
    shown.settle()
    frames = shown.app.frames.count
    for _ in range(5):
        shown.turn()
    assert shown.app.frames.count == frames


def test_it_draws_only_as_long_as_it_points(desktop):
    shown, guide = begun(desktop, "flip")
    shown.session.playback.pause()
    shown.app.ui.tour_card.point_at(guide.step)
    frames = shown.app.frames.count
    shown.until(lambda: shown.app.ui.tour_card.wait() is None)
    assert shown.app.frames.count >= frames + 3
    shown.settle()
    assert shown.app.ui.freshness.wait() is None


def test_the_card_is_there_in_a_small_window_for_two_eyes(desktop):
    """Where the panel would leave it no room, the panel folds."""
    shown, guide = begun(desktop, "stereo", size=(800, 600))
    for _ in guide.tour.steps:
        shown.settle()
        assert shown.app.ui.tour_card.box is not None
        assert shown.app.ui.tour_card.box.width > 200
        if guide.at + 1 < len(guide.tour.steps):
            shown.key("Return")
    assert shown.scenario.stereo.mode == "side-by-side"


@pytest.mark.parametrize("mode", ["side-by-side", "anaglyph", "top-bottom-half"])
def test_it_stays_in_the_stereo_mode_that_is_shown(desktop, mode):
    shown, guide = begun(desktop, "poinsot")
    shown.app.workspace.editor.set("stereo.mode", mode)
    shown.key("Return")
    assert guide.at == 1
    assert shown.scenario.stereo.mode == mode
    assert shown.app.ui.tour_card.box is not None


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize(("on", "back"), [("Right", "Left"), ("Down", "Up"), ("Next", "Prior")])
def test_arrow_and_page_keys_lead_through_the_tour_and_push_nothing(desktop, on, back):
    """The one that leads on waits for an open question; after the tour they are torque pulses again."""
    shown, guide = begun(desktop, "flip")
    shown.key(on)
    assert (guide.at, guide.asks) == (0, True)
    shown.type("2")
    shown.key(on)
    assert guide.at == 1
    shown.key(back, back)  # before the first there is none
    assert (guide.at, guide.asks) == (0, True)
    assert not shown.session.document.changes
    shown.app.workspace.tour.end()
    shown.settle()
    shown.key(on)
    assert len(shown.session.document.changes) == 1
