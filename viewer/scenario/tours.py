"""Guided tours: files of a few steps, each with a text, changes of the scene, something to point at, and a question.

An error in a file is one line with the field, the value, what is allowed and the line, as in a scene file.
"""

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NoReturn

from viewer.common.errors import InputError, allowed_names, name_shown, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.input_files import parse_toml
from viewer.common.input_files import read_text as read_file
from viewer.common.language import tr
from viewer.common.resources import folder, read_text
from viewer.scenario.field import Field, Text
from viewer.scenario.fields import check_into, choice, field, fields_of, integer, number, switch, text, texts
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import DECLARED, Scenario, field_at
from viewer.scenario.sections.motion import START_FORMS

# Words of the subject that a search finds a tour by, beside its title.
KEYWORDS = {
    "poinsot": "precession nutation construction rolling torque-free",
    "flip": "dzhanibekov tennis racket intermediate axis unstable tumbling",
    "why-it-flips": "dzhanibekov tennis racket intermediate axis energy ellipsoid stability unstable separatrix",
    "blow-up": "kinetic energy steps explicit integrator drift symplectic",
    "stabilisation": "fig. 4 figure feedback corrector gradient kinetic energy correction",
    "race": "energy factor compare integrators steps",
    "polhode": "precession nutation energy momentum stability separatrix",
    "game-engine": "gyroscope gyroscopic torque steps physics engine",
    "body-frame": "euler equations gyroscopic term",
}

SCENE_PARTS = (
    "L", "omega", "contact", "body", "ellipsoid", "plane", "polhode", "herpolhode", "sphere", "curve", "correction",
)  # fmt: skip
UI_PARTS = ("panel", "plots", "timeline")
MOST_STEPS = 12
MOST_FLIGHTS = 99
RECORDINGS = ("tossed-phone.csv",)  # of assets/logs: those of which a step may show a flight
FEWEST_ANSWERS, MOST_ANSWERS = 2, 3
MOST_CHANGES = 20
LATEST = 60.0  # s
SIZE_LIMIT = 100_000  # characters


def as_choices(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return names that have no other label."""
    return [(name, name) for name in names]


@frozen
class Step:
    """One step. `changes`: (path, value) pairs, on top of the steps before it since a scene was opened.

    Where it asks a question the clock stands still until that is answered; `right`: the number of the right answer,
    from 1 on.
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
    """A whole tour; `name` is that of its file without the number that orders the files."""

    name: str
    title: str
    summary: str
    steps: tuple[Step, ...]

    def scenario(self, number: int, base: Scenario) -> Scenario:
        """The scene of step `number`, from 0. What belongs to the screen is as in `base` until a step sets it."""
        scenario = base
        for step in self.steps[: number + 1]:
            if step.scene is not None:
                scenario = Scenario.preset(step.scene, scenario)
            scenario = scenario.with_values(dict(step.changes))
        return scenario

    def recording(self, number: int) -> tuple[str, int] | None:
        """Return the recording that runs in step `number`, and which flight of it; None where the scene is its own."""
        last = [step for step in self.steps[: number + 1] if step.restarts][-1]
        return None if last.recording is None else (last.recording, last.flight)

    def start_time(self, number: int) -> float:
        """Return the time [s] from which the motion of step `number` goes on."""
        return [step for step in self.steps[: number + 1] if step.restarts][-1].time or 0.0


def parse(source: str, name: str) -> Tour:
    """Return the tour that a TOML text describes; `name` stands in the errors. Raises InputError."""
    if len(source) > SIZE_LIMIT:
        raise refusal(
            "{name}: {count} characters; a tour has at most {most}",
            name=name,
            count=len(source),
            most=SIZE_LIMIT,
        )
    data = parse_toml(source, name)
    reader = _Reader(source, name, "steps")
    reader.check_keys(data, ("title", "summary", "steps"), "", None)
    heads = [reader.checked(HEAD, key, data.get(key, ""), key, None) for key in ("title", "summary")]
    steps = data.get("steps", [])
    if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
        reader.fail(
            tr("steps: {steps} is not a list of 1 to {most} steps; write [[steps]]").format(
                steps=shown(steps), most=MOST_STEPS
            ),
            "steps",
            None,
        )
    plain = re.sub(r"^\d+-", "", name.removesuffix(".toml"))
    tour = Tour(plain, heads[0], heads[1], tuple(map(reader.step, range(len(steps)), steps)))
    if tour.steps[0].scene is None:
        reader.fail(
            tr("steps[0].scene: is missing; allowed are {presets}").format(presets=", ".join(PRESETS)), "text", 0
        )
    return tour


HEAD = {key: entry for key, entry in fields_of(Scenario).items() if key in ("title", "summary")}
STEP = fields_of(Step)


class EntryReader:
    """Checks a TOML file that is a list of entries, such as the steps of a tour; its errors name the line.

    `kind`: the name of the list, whose entries begin with [[kind]].
    """

    def __init__(self, source: str, name: str, kind: str) -> None:
        """`name`: of the file, as it stands in the errors."""
        self._lines, self._name, self._kind = source.split("\n"), name, kind

    def fail(self, message: str, key: str, entry: int | None) -> NoReturn:
        """Raise the error with the line of a key, of the entry with that number where it is not None."""
        line = self._line(key, entry)
        raise InputError(f"{message} ({self._name}{f', line {line}' if line else ''})") from None

    def _line(self, key: str, entry: int | None) -> int | None:
        """Return the number of the line of a key, else that of the entry's head; None where it is not found."""
        found, at = None, None
        for count, line in enumerate(self._lines, 1):
            if re.match(rf"\s*\[\[\s*{self._kind}\s*\]\]", line):
                at = 0 if at is None else at + 1
                found = count if at == entry else found
            if at == entry and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""", line):
                return count
        return found

    def check_keys(self, entries: dict[str, Any], names: tuple[str, ...], path: str, entry: int | None) -> None:
        """Fail where there is a key that is none of the names."""
        for key in entries:
            if key not in names:
                self.fail(
                    tr("{path}{key}: field not found; {allowed}").format(
                        path=path, key=name_shown(key), allowed=allowed_names(key, names)
                    ),
                    key,
                    entry,
                )

    def checked(
        self, fields: dict[str, Field], key: str, value: Any, path: str, entry: int | None, required: bool = True
    ) -> Any:
        """Return the value, checked by the field of that name; a text must not be empty where it is `required`."""
        try:
            checked = fields[key].check(path, value)
            if checked == "" and required:
                raise refusal("{path}: is missing; allowed is a text", path=path)
        except InputError as error:
            self.fail(str(error), key, entry)
        return checked


class _Reader(EntryReader):
    """Checks the parts of a tour's file."""

    def step(self, number: int, entries: Any) -> Step:
        """Step `number`, checked."""
        path = f"steps[{number}]"
        if not isinstance(entries, dict):
            self.fail(
                tr("{path}: {entries} is not a step; write [[steps]]").format(path=path, entries=shown(entries)),
                "steps",
                None,
            )
        self.check_keys(entries, (*STEP, "changes"), f"{path}.", number)
        values = {"text": entries.get("text", "")} | {key: entries[key] for key in entries if key != "changes"}
        values = {
            key: self._point(value, f"{path}.point", number)
            if key == "point" and isinstance(value, str) and "." in value
            else self.checked(STEP, key, value, f"{path}.{key}", number)
            for key, value in values.items()
        }
        self._check_question(values, path, number)
        return Step(**values, changes=self._changes(entries.get("changes", {}), number))

    def _check_question(self, values: dict[str, Any], path: str, step: int) -> None:
        """Fail where a question is not whole: it has answers, among them the right one, and a reason."""
        parts = ("question", "answers", "right", "why")
        if not any(key in values for key in parts):
            return
        for key in parts:
            if key not in values:
                self.fail(
                    tr("{path}.{key}: is missing; a question has {parts}").format(
                        path=path, key=key, parts=", ".join(parts)
                    ),
                    "text",
                    step,
                )
        answers = values["answers"]
        if len(answers) < FEWEST_ANSWERS or "" in answers:
            message = tr("{path}.answers: {answers}: allowed are {fewest} or {most} texts").format(
                path=path, answers=shown(list(answers)), fewest=FEWEST_ANSWERS, most=MOST_ANSWERS
            )
            self.fail(message, "answers", step)
        if values["right"] > len(answers):
            self.fail(
                tr("{path}.right: {right} is outside 1 to {count}").format(
                    path=path, right=values["right"], count=len(answers)
                ),
                "right",
                step,
            )

    def _point(self, value: str, path: str, step: int) -> str:
        """Return the path of the field that is pointed at."""
        try:
            if value not in START_FORMS:
                field_at(value)
        except InputError as error:
            self.fail(f"{path}: {error}", "point", step)
        return value

    def _changes(self, entries: Any, step: int) -> tuple[tuple[str, Any], ...]:
        """Return the changes of a step, each allowed by itself."""
        if not isinstance(entries, dict):
            self.fail(
                tr("steps[{step}].changes: {entries} is not a table {{field = value}}").format(
                    step=step, entries=shown(entries)
                ),
                "changes",
                step,
            )
        found: list[tuple[str, Any]] = []
        for key, value in entries.items():
            pairs = {f"{key}.{name}": part for name, part in value.items()} if isinstance(value, dict) else {key: value}
            found += pairs.items()
        if len(found) > MOST_CHANGES:
            self.fail(
                tr("steps[{step}].changes: {count} changes; allowed are at most {most}").format(
                    step=step, count=len(found), most=MOST_CHANGES
                ),
                "changes",
                step,
            )
        checked: dict[str, Any] = {}
        try:
            for path, value in found:
                check_into(checked, DECLARED, path, value)
        except InputError as error:
            self.fail(f"steps[{step}].changes: {error}", "changes", step)
        return tuple(checked.items())


def tours() -> dict[str, Tour]:
    """Return the tours that come with the program, by name, in the order of their files."""
    return _read_all()[0]


def unreadable_tours() -> tuple[str, ...]:
    """Return why tours that come with the program cannot be read, a line each; the others can be had all the same."""
    return _read_all()[1]


@lru_cache(maxsize=1)
def _read_all() -> tuple[dict[str, Tour], tuple[str, ...]]:
    names = (file.name for file in folder("assets").joinpath("tours").iterdir())
    files = sorted(names, key=lambda name: (len(name.partition("-")[0]), name))  # 10 comes after 9
    found, problems = {}, []
    for name in (name for name in files if name.endswith(".toml")):
        try:
            tour = parse(read_text("assets", "tours", name), name)
            found[tour.name] = tour
        except InputError as error:
            problems.append(str(error))
        except (OSError, UnicodeError) as error:
            problems.append(tr("{name}: cannot be read: {reason}").format(name=shown(name), reason=error))
    return found, tuple(problems)


def tour(name: str) -> Tour:
    """Return the tour of that name, or in that file; raises InputError where there is none."""
    if name.endswith(".toml"):
        return parse(read_file(name, SIZE_LIMIT), os.path.basename(name))
    if name not in tours():
        raise refusal(
            "tour: {name} is unknown; {allowed}, or a tour's file",
            name=shown(name),
            allowed=allowed_names(name, tours()),
        )
    return tours()[name]
