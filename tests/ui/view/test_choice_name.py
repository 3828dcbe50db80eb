"""A key that chooses the view, the construction or the stereo mode has the scene name what is now on."""

from viewer.commands.actions import ACTION_OF
from viewer.scenario.field import Choice
from viewer.scenario.scenario import field_at


def words(shown) -> list[str]:
    shown.frame(1)
    return [text for text, _ in shown.texts]


def test_every_view_is_named_for_a_moment(stage):
    shown = stage()
    shown.workspace.state.panel = False
    labels = dict(field_at("view.frame", Choice).choices)
    for _ in labels:
        ACTION_OF["V"].run(shown.workspace)
        assert labels[shown.workspace.session.scenario.view.frame] in words(shown)
    shown.frame(2, 1.0)
    assert not set(labels.values()) & set(words(shown))


def test_construction_and_stereo_mode_are_named(stage):
    shown = stage()
    shown.workspace.state.panel = False
    for key, name in (("M", "Momentum (L′)"), ("S", "Anaglyph"), ("M", "Poinsot (ω)")):
        ACTION_OF[key].run(shown.workspace)
        assert name in words(shown)


def test_in_momentum_space_the_view_is_kept_and_why_is_said(stage):
    shown = stage()
    ACTION_OF["M"].run(shown.workspace)
    before = shown.workspace.session.scenario
    ACTION_OF["V"].run(shown.workspace)
    assert shown.workspace.session.scenario is before
    assert shown.message == "Momentum space is always seen from the body; M leads back to Poinsot's construction"
    shown.workspace.session.change({"show.inset": True})  # which shows Poinsot's construction in this view
    ACTION_OF["V"].run(shown.workspace)
    assert shown.workspace.session.scenario.view.frame == "floor"
