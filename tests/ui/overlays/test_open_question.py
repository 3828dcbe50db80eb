"""While a question of a tour is open, nothing but the scene itself says what could be the answer."""

import pytest

from viewer.commands.actions import ACTIONS
from viewer.scenario.tours import tours
from viewer.scene.words.formatting import with_unit
from viewer.scene.words.sources import sources, title
from viewer.scene.words.spin import describe_motion
from viewer.ui.panel.head import title_of

QUESTIONS = [(name, at) for name, tour in tours().items() for at, step in enumerate(tour.steps) if step.question]


def answering(shown) -> set[str]:
    """What is known of the motion that is asked about, and what scene and tour say of it."""
    now, scenario, document = (
        shown.workspace.session.snapshot(),
        shown.workspace.session.scenario,
        shown.workspace.session.document,
    )
    line, _ = describe_motion(now, document.resolved_moments)
    times = (now.period, now.flip_period, now.precession_period)
    numbers = {with_unit(time, "s").rpartition(" ")[0] for time in times if time is not None}
    texts = {
        scenario.title,
        title(scenario),
        scenario.summary,
        shown.workspace.tour.tour.title,
        shown.workspace.tour.step.why,
        *sources(scenario),
    }
    return (texts | numbers | {line}) - {""}


def told(shown) -> set[str]:
    """What stands in the window outside of the answers."""
    box = shown.ui.tour_card.box
    answers = {f"{text}" for text in shown.workspace.tour.step.answers}
    inside = {words for words, (x, y, *_) in shown.texts if box.holds(x, y) and words in answers}
    return {words for words, _ in shown.texts} - inside


@pytest.mark.sweep(most=10)
@pytest.mark.parametrize("lecture", [False, True], ids=["panel", "lecture"])
@pytest.mark.parametrize(("name", "at"), QUESTIONS)
def test_an_open_question_is_not_answered_beside_it(stage, name, at, lecture):
    shown = stage(open_all=True)
    shown.workspace.tour.begin(tours()[name], at)
    shown.workspace.state.lecture = lecture
    if not lecture:
        shown.ui.layout.show_panel(True)
    shown.frame(4)
    assert shown.workspace.state.quiz_open
    hidden = answering(shown)
    assert told(shown).isdisjoint(hidden)
    assert title_of(shown.workspace.session.scenario, shown.workspace.state) not in hidden
    assert not shown.boxes.keys() & {"##where the numbers come from"}
    shown.workspace.tour.choose(0)
    shown.frame(4)
    assert not shown.workspace.state.quiz_open
    assert told(shown) & hidden
    assert title_of(shown.workspace.session.scenario, shown.workspace.state) == title(shown.workspace.session.scenario)


def test_what_would_tell_the_answer_waits_for_it(stage):
    """The next flip, the loop over a period, and the scene in words."""
    shown = stage()
    session = shown.workspace.session

    def told() -> tuple[bool, bool, bool]:
        for name in ("flip", "loop", "describe"):
            ACTIONS[name].run(shown.workspace)
        return (
            session.playback.destination > 0.0 or session.motion.time > 0.0,
            session.playback.loop is not None,
            shown.ui.words.is_open,
        )

    shown.workspace.tour.begin(tours()["flip"])
    assert told() == (False, False, False)
    shown.workspace.tour.choose(3)
    assert told() == (True, True, True)


def test_the_panel_keeps_its_places_when_a_question_is_answered(stage):
    shown = stage(open_all=True)
    shown.ui.layout.show_panel(True)
    shown.workspace.tour.begin(tours()["flip"])
    shown.frame(4)
    asked = shown.boxes["##search"]
    shown.workspace.tour.choose(3)
    shown.frame(4)
    assert shown.boxes["##search"] == asked


def test_a_tour_that_ends_leaves_nothing_hidden(stage):
    shown = stage()
    shown.workspace.tour.begin(tours()["flip"])
    assert shown.workspace.state.quiz_open
    shown.workspace.tour.end()
    assert not shown.workspace.state.quiz_open
    shown.frame(3)
    assert any(words.startswith("Tumbling, flips every") for words, _ in shown.texts)
