"""Guided tours: files of a few steps, each with a text, changes of the scene, something to point at, and a question.

An error in a file is one line with the field, the value, what is allowed and the line, as in a scene file.
"""

import os
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from viewer.common.errors import InputError, allowed_names, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.input_files import parse_toml
from viewer.common.input_files import read_text as read_file
from viewer.common.resources import folder, read_text
from viewer.scenario.field import Field, Text
from viewer.scenario.fields import check_into, choice, field, fields_of, integer, number, switch, text, texts
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import DECLARED, Scenario, field_at
from viewer.scenario.scene_file import check_keys, lines_in_errors, tables_of
from viewer.scenario.sections.motion import START_FORMS

# Words of the subject by which a search finds a tour, beside its title.
KEYWORDS = {
    "poinsot": "construction rolling torque-free",
    "flip": "dzhanibekov tennis racket intermediate axis unstable tumbling",
    "why-it-flips": "dzhanibekov tennis racket intermediate axis energy ellipsoid stability unstable separatrix",
    "blow-up": "kinetic energy explicit integrator drift symplectic",
    "stabilisation": "fig. 4 figure feedback corrector gradient kinetic energy correction",
    "race": "energy factor compare integrators steps",
    "polhode": "energy momentum stability separatrix",
    "game-engine": "gyroscope gyroscopic torque physics engine",
    "why-it-does-not-fall": "gyroscope precession gravity pivot torque top bicycle wheel",
    "nutation": "gyroscope precession nutation gravity pivot top cusps loops sleeping",
    "body-frame": "euler equations gyroscopic term",
}

SCENE_PARTS = (
    "L", "omega", "contact", "body", "ellipsoid", "plane", "polhode", "herpolhode", "sphere", "curve", "correction",
    "weight", "torque", "axis", "gimbals",
)  # fmt: skip
UI_PARTS = ("panel", "plots", "timeline")
MOST_STEPS = 12
MOST_FLIGHTS = 99
RECORDINGS = ("tossed-phone.csv",)  # in assets/logs, of which a step may show a flight
FEWEST_ANSWERS, MOST_ANSWERS = 2, 3
MOST_CHANGES = 20
LATEST = 60.0  # s
SIZE_LIMIT = 100_000  # characters


def as_choices(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return choices whose labels are their names."""
    return [(name, name) for name in names]


@frozen
class Step:
    """One step of a tour.

    `changes` are (path, value) pairs. They are added to the changes of the steps since a scene was last opened. If the
    step asks a question, the clock stands still until it is answered; `right` is the number of the right answer,
    counted from 1.
    """

    text: str = text("", "Text", "one to three sentences")
    scene: str | None = choice(
        None, "Scene", "the preset that is opened; none: the scene of the step before", as_choices(PRESETS)
    )
    time: float | None = number(
        None, "Time", "the motion starts anew and goes on from this time", 0.0, LATEST, unit="s"
    )
    plays: bool = switch(True, "Plays", "whether the clock runs; a question stops it until it is answered")
    plots: bool = switch(False, "Plots", "opens the plots")
    point: str | None = choice(None, "Point", "what it points at", as_choices((*SCENE_PARTS, *UI_PARTS)))
    question: str = field("", Text("Question", "what is asked before the motion goes on"))
    answers: tuple[str, ...] = texts((), "Answers", "two or three answers to it", most=MOST_ANSWERS)
    right: int = integer(1, "Right", "the number of the right answer", 1, MOST_ANSWERS)
    why: str = field("", Text("Why", "one sentence: why that is the right one"))
    recording: str | None = choice(
        None, "Recording", "runs beside the exact motion from its start", as_choices(RECORDINGS)
    )
    flight: int = integer(1, "Flight", "the number of the free flight in it", 1, MOST_FLIGHTS)
    changes: tuple[tuple[str, Any], ...] = ()

    @property
    def restarts(self) -> bool:
        """Whether the motion starts anew."""
        return self.scene is not None or self.time is not None


@frozen
class Tour:
    """A whole tour; `name` is that of its file without the number that orders the files.

    `picture` is the preset whose picture stands for it in the gallery.
    """

    name: str
    title: str
    summary: str
    steps: tuple[Step, ...]
    picture: str

    def scenario(self, number: int, base: Scenario) -> Scenario:
        """Return the scene of step `number`, which counts from 0.

        The fields of the user's screen are as in `base` until a step sets them.
        """
        scenario = base
        for step in self.steps[: number + 1]:
            if step.scene is not None:
                scenario = Scenario.preset(step.scene, scenario)
            scenario = scenario.with_values(dict(step.changes))
        return scenario

    def recording(self, number: int) -> tuple[str, int] | None:
        """Return the recording that runs in step `number`, and the number of its flight, or None if none runs."""
        last = [step for step in self.steps[: number + 1] if step.restarts][-1]
        return None if last.recording is None else (last.recording, last.flight)

    def start_time(self, number: int) -> float:
        """Return the time [s] at which the motion last started anew, in step `number` or in a step before it."""
        return [step for step in self.steps[: number + 1] if step.restarts][-1].time or 0.0


def parse(source: str, name: str) -> Tour:
    """Return the tour that a TOML text describes. Raises InputError; errors call the file `name`."""
    if len(source) > SIZE_LIMIT:
        raise refusal(
            "{name}: {count} characters; a tour has at most {most}", name=name, count=len(source), most=SIZE_LIMIT
        )
    data = parse_toml(source, name)
    with lines_in_errors(source, name):
        check_keys(data, ("title", "summary", "picture", "steps"))
        title, summary = (_checked(HEAD, key, data.get(key, ""), key) for key in HEAD)
        found = tuple(_step(*table) for table in tables_of(data, "steps", MOST_STEPS))
        if found[0].scene is None:
            raise refusal("steps[0].scene: is missing; allowed are {presets}", presets=", ".join(PRESETS))
        picture = STEP["scene"].check("picture", data.get("picture", found[0].scene))
    return Tour(re.sub(r"^\d+-", "", name.removesuffix(".toml")), title, summary, found, picture)


HEAD = {key: entry for key, entry in fields_of(Scenario).items() if key in ("title", "summary")}
STEP = fields_of(Step)
QUESTION = ("question", "answers", "right", "why")  # what a question has


def _checked(fields: dict[str, Field], key: str, value: Any, path: str) -> Any:
    """Return a value after a check by the field with this key; a text must not be empty."""
    checked = fields[key].check(path, value)
    if checked == "":
        raise refusal("{path}: is missing; allowed is a text", path=path)
    return checked


def _step(path: str, entries: dict[str, Any]) -> Step:
    """Return the step that a table describes, checked."""
    check_keys(entries, (*STEP, "changes"), f"{path}.")
    values = {"text": entries.get("text", "")} | {key: entries[key] for key in entries if key != "changes"}
    values = {
        key: _point(value, f"{path}.point")
        if key == "point" and isinstance(value, str) and "." in value
        else _checked(STEP, key, value, f"{path}.{key}")
        for key, value in values.items()
    }
    if not values.keys().isdisjoint(QUESTION):
        _check_question(values, path)
    return Step(**values, changes=_changes(entries.get("changes", {}), f"{path}.changes"))


def _check_question(values: dict[str, Any], path: str) -> None:
    """Raise InputError if a question is incomplete: it needs answers, the number of the right one, and the reason."""
    for key in QUESTION:
        if key not in values:
            raise refusal(
                "{path}.{key}: is missing; a question has {parts}", path=path, key=key, parts=", ".join(QUESTION)
            )
    answers, right = values["answers"], values["right"]
    if len(answers) < FEWEST_ANSWERS or "" in answers:
        raise refusal(
            "{path}.answers: {answers}: allowed are {fewest} or {most} texts",
            path=path,
            answers=shown(list(answers)),
            fewest=FEWEST_ANSWERS,
            most=MOST_ANSWERS,
        )
    if right > len(answers):
        raise refusal("{path}.right: {right} is outside 1 to {count}", path=path, right=right, count=len(answers))


def _point(value: str, path: str) -> str:
    """Return the path of the field at which a step points. Raises InputError if there is no such field."""
    try:
        if value not in START_FORMS:
            field_at(value)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return value


def _changes(entries: Any, path: str) -> tuple[tuple[str, Any], ...]:
    """Return the changes of a step, each checked by itself. Raises InputError."""
    if not isinstance(entries, dict):
        raise refusal("{path}: {entries} is not a table {{field = value}}", path=path, entries=shown(entries))
    found: list[tuple[str, Any]] = []
    for key, value in entries.items():
        pairs = {f"{key}.{name}": part for name, part in value.items()} if isinstance(value, dict) else {key: value}
        found += pairs.items()
    if len(found) > MOST_CHANGES:
        raise refusal(
            "{path}: {count} changes; allowed are at most {most}", path=path, count=len(found), most=MOST_CHANGES
        )
    checked: dict[str, Any] = {}
    try:
        for field, value in found:
            check_into(checked, DECLARED, field, value)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return tuple(checked.items())


@cache
def tours() -> dict[str, Tour]:
    """Return the tours that come with the program, by name, in the order of their files."""
    names = (file.name for file in folder("assets").joinpath("tours").iterdir() if file.name.endswith(".toml"))
    files = sorted(names, key=lambda name: (len(name.partition("-")[0]), name))  # 10 comes after 9
    found = (parse(read_text("assets", "tours", name), name) for name in files)
    return {tour.name: tour for tour in found}


def tour(name: str) -> Tour:
    """Return the tour that comes with the program under this name, or that is in this file; raises InputError."""
    if name.endswith(".toml"):
        return parse(read_file(name, SIZE_LIMIT), os.path.basename(name))
    if name not in tours():
        raise refusal(
            "tour: {name} is unknown; {allowed}, or a tour's file",
            name=shown(name),
            allowed=allowed_names(name, tours()),
        )
    return tours()[name]
