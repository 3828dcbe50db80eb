"""Guided tours as files: those that come with the program are whole, and a broken one says what is wrong and where."""

import re

import pytest

from viewer.commands.actions import ACTIONS
from viewer.common.errors import InputError
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import MOST_CHANGES, MOST_STEPS, SCENE_PARTS, UI_PARTS, parse, tour, tours
from viewer.scene.naming.things import THINGS

GOOD = """title = "A"
summary = "B."

[[steps]]
scene = "rod"
text = "One."
point = "L"

[[steps]]
text = "Two."
question = "Which?"
answers = ["This", "That"]
right = 2
why = "Because."
time = 2.5
plays = false
changes = { "body.mass" = 2.0, "playback.speed" = 3.0 }

[[steps]]
text = "Three."
plots = true
point = "solver.stabilisation"
[steps.changes]
view.frame = "body"
loads.internal_friction = 0.0
"""


def test_a_step_sets_all_that_the_steps_before_it_have_set():
    read = parse(GOOD, "9-a.toml")
    assert (read.name, read.title, len(read.steps)) == ("a", "A", 3)
    base = Scenario.preset("sphere").with_value("view.theme", "light").with_value("stereo.mode", "anaglyph")
    first, second, third = (read.scenario(number, base) for number in range(3))
    assert first == Scenario.preset("rod").with_value("view.theme", "light").with_value("stereo.mode", "anaglyph")
    assert second.body.mass == 2.0
    assert (second.playback.speed, second.playback.auto_speed) == (3.0, False)
    assert (third.body.mass, third.view.frame, third.loads.internal_friction) == (2.0, "body", 0.0)
    assert [read.start_time(number) for number in range(3)] == [0.0, 2.5, 2.5]
    assert [step.restarts for step in read.steps] == [True, True, False]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "A"', "", "title: is missing; allowed is a text (t.toml)"),
        ('"One."', '""', "steps[0].text: is missing; allowed is a text (t.toml, line 6)"),
        ('"One."', "1", "steps[0].text: 1 is not a string (t.toml, line 6)"),
        ('scene = "rod"', "", "steps[0].scene: is missing; allowed are paper-fig1, "),
        ('"rod"', '"rood"', "steps[0].scene: 'rood' is unknown; did you mean rod? allowed are paper-fig1, "),
        ('point = "L"', 'point = "M"', "steps[0].point: 'M' is unknown; allowed are L, omega, "),
        ("solver.stabilisation", "solver.stab", "steps[2].point: solver.stab: field not found; "),
        ("2.5", "-1", "steps[1].time: -1 s is outside 0 to 60 s (t.toml, line 15)"),
        ("plays = false", "plays = 0", "steps[1].plays: 0 is not a switch; allowed are true, false (t.toml, line 16)"),
        ("2.0,", "0.0,", "steps[1].changes: body.mass: 0 kg is outside 1e-9 to 1e30 kg (t.toml, line 17)"),
        ('"body.mass"', '"body.mas"', "steps[1].changes: body.mas: field not found; did you mean mass? "),
        (
            'view.frame = "body"',
            "solver = { additional_steps = 3, extra_substeps = 4 }",
            "steps[2].changes: solver.extra_substeps: is given twice; allowed is one of extra_substeps, ",
        ),
        (
            "view.frame",
            '"loads.internal_friction" = 1.0\nview.frame',
            "steps[2].changes: loads.internal_friction: is given",
        ),
        ('question = "Which?"\n', "", "steps[1].question: is missing; a question has question, answers, right, why ("),
        ('why = "Because."\n', "", "steps[1].why: is missing; a question has question, answers, right, why (t.toml, "),
        ('["This", "That"]', '["This"]', "steps[1].answers: ['This']: allowed are 2 or 3 texts (t.toml, line 12)"),
        ('["This", "That"]', '["This", ""]', "steps[1].answers: ['This', '']: allowed are 2 or 3 texts (t.toml, "),
        ('["This", "That"]', '["1", "2", "3", "4"]', "steps[1].answers: "),
        ("right = 2", "right = 3", "steps[1].right: 3 is outside 1 to 2 (t.toml, line 13)"),
        ("right = 2", "right = 0", "steps[1].right: 0 is outside 1 to 3 (t.toml, line 13)"),
        ("right = 2", 'right = "b"', "steps[1].right: 'b' is not a whole number"),
        ("plots =", "plot =", "steps[2].plot: field not found; did you mean plots? allowed are text, scene, "),
        ("summary", "summery", "summery: field not found; did you mean summary? allowed are title, summary, "),
        ("[[steps]]", "[steps]", "t.toml: not TOML: "),
        ('title = "A"', "version 1", "t.toml: not TOML: "),
    ],
)
def test_what_is_wrong_is_one_line(old, new, message):
    assert old in GOOD
    with pytest.raises(InputError) as caught:
        parse(GOOD.replace(old, new, 1), "t.toml")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_there_are_limits():
    head, step = 'title = "A"\nsummary = "B"\n', '[[steps]]\nscene = "rod"\ntext = "x"\n'
    assert len(parse(head + MOST_STEPS * step, "t").steps) == MOST_STEPS
    many = step + "".join(f"changes.show.{n} = true\n" for n in range(MOST_CHANGES + 1))
    for source, message in (
        (head, "is not a list of 1 to 12 tables"),
        (head + (MOST_STEPS + 1) * step, "steps: 13 tables are too many; allowed is at most 12 tables"),
        (head + "steps = [1]", "steps[0]: 1 is not a table"),
        (head + step + "changes = 3", "is not a table {field = value}"),
        (head + many, "21 changes; allowed are at most 20"),
        (head + step.replace('"x"', f'"{301 * "x"}"'), "has 301 characters; allowed are at most 300"),
        (head + "#" * 100_000, "a tour has at most 100000"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            parse(source, "t")
    with pytest.raises(InputError, match="tour: 'flop' is unknown; did you mean flip"):
        tour("flop")


def test_what_can_be_pointed_at_is_known_to_both_sides():
    assert set(SCENE_PARTS) == {part for thing in THINGS.values() for part in thing.parts}
    assert not set(SCENE_PARTS) & set(UI_PARTS)


@pytest.mark.parametrize("name", list(tours()))
def test_the_tours_that_come_along(name):
    """Every step has its scene and physics, a sentence or more, and speaks of keys that there are."""
    found = tours()[name]
    assert 3 <= len(found.steps) <= MOST_STEPS
    assert found.summary.endswith(".")
    for number, step in enumerate(found.steps):
        assert 1 <= len(re.findall(r"[.?!](?= |$)", step.text)) <= 4
        scenario = found.scenario(number, Scenario())
        scenario.simulation()
        if step.question:
            assert step.question.endswith("?")
            assert step.why.endswith(".")
        if step.point is not None and "." in step.point and step.point != "start.energy":
            assert scenario.has_effect(step.point)
    assert any(step.question for step in found.steps)
    keys = {key for action in ACTIONS.values() for key in action.keys}
    spoken = re.findall(r"\b([A-Z])\b(?= leads|,| or)", " ".join(s.text for s in found.steps if "press" in s.text))
    assert set(spoken) <= keys
