"""The commands of the palette: every action, preset and field, and a value typed after a field's name."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from viewer.commands import lecture
from viewer.commands.actions import ACTIONS, MOUSE, keys_shown
from viewer.commands.documents import open_named
from viewer.commands.loads import PIECES, THRUSTERS, add_part
from viewer.commands.opening import ask_columns, open_scene, repair
from viewer.commands.start import begin_here
from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.common.language import english_name, marked, plural, tr
from viewer.common.quantities import UnitError, read_number, suited
from viewer.export.writer import PICTURE
from viewer.scenario import presets
from viewer.scenario import tours as guided
from viewer.scenario.field import Choice, Field, Number, Switch, Vector
from viewer.scenario.playlists import playlists
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS, field_at
from viewer.scenario.tours import tours
from viewer.scene.words.formatting import parse, plain, printable, sentence, short, titled
from viewer.ui import manual
from viewer.ui.panel.loads_section import first_control
from viewer.ui.panel.parts_form import MASS_POINTS, only_mass_points
from viewer.ui.panel.section import fields
from viewer.user.settings import setting_at
from viewer.workspace.workspace import Workspace

WHOLE, PREFIX, PART = 4.0, 3.0, 2.0  # points of a typed word that is a word of the title, begins one, or is in one
SYNONYM = 0.95  # factor of the points of a word among the synonyms
UNPRIMED = 0.9  # factor of the points of a title without its primes and hyphens
BEGINS = UNPRIMED * PREFIX  # least score of a command that fits by whole words and beginnings only
EXPLAINS = -0.01  # points of a page of the manual, which comes after a command that does something
TEACHES = 0.02  # points of a tour on a subject, which comes before scenes and fields that fit as well
NOISE = 0.34  # fraction of the best score, up to which a command is not listed
DISRUPTIVE = ("undo", "redo", "quit", "record")  # disruptive actions besides those of the motion
MOTION = ("body", "start", "loads", "solver", "race", "playback")  # sections of the scene

# Further words by which actions are found.
PLAYING = {".html": marked("html web browser website phone share publish"), ".glb": marked("gltf glb 3d model blender")}
SYNONYMS = {
    "play": "start stop run resume go",
    "step": "frame forward next",
    "step-back": "frame previous",
    "backwards": "reverse rewind",
    "flip": "jump next",
    "loop": "repeat cycle",
    "restart": "back start rewind begin again restart",
    "stabilise": "stabilise stabilize stabilization invariants projection correction drift",
    "faster": "speed quicker accelerate",
    "slower": "speed slow motion decelerate",
    **{f"pulse-{axis}{sign}": "kick push impulse" for axis in "xyz" for sign in "+-"},
    "hand": "grab turn throw rotate body drag tool arcball omega momentum",
    "add-force": "load torque push apply external thrust",
    "stereo": "3d glasses",
    "stereo-back": "3d glasses",
    "mono": "2d 3d glasses off toggle",
    "chart": "test calibrate ghosting",
    "exchange-eyes": "swap left right",
    "view": "camera frame",
    "construction": "switch",
    "octant": "camera crop fig. 3 figure",
    "inset": "second small picture",
    "names": "hover tooltip label what is this explain velocity angular acceleration",
    "legend": "key names colours colors labels explain",
    "theme": "dark light colours colors background",
    "home": "reset camera centre center",
    "hide": "clean presentation ui",
    "plots": "graphs charts curves diagrams csv table export data kinetic energy",
    "search": "find filter field control settings options",
    "panel": "sidebar controls settings options preferences",
    "larger": "zoom font bigger scale",
    "smaller": "zoom font scale",
    "usual-size": "zoom font scale",
    "full-screen": "fullscreen maximise maximize presentation projector beamer",
    "manual": "documentation guide handbook",
    "keys": "help shortcuts keyboard hotkeys",
    "palette": "search commands",
    "messages": "log errors warnings",
    "quit": "exit close",
    "lecture": "presentation talk projector beamer slides present teach hall",
    "tours": "tutorials lessons help learn demo",
    "gallery": "presets examples demos",
    "open": "load file import",
    "save": "store write file",
    "save-as": "export file copy",
    "picture": "export image screenshot photo snapshot print",
    "picture-as": "export image screenshot photo size 4k resolution transparent format folder",
    "film-as": "export video movie animation mp4 size 4k resolution length format folder render",
    "record": "export video movie animation gif",
    "sound": "audio tone mute volume hear sonification",
    "describe": "text words screen reader clipboard summary accessibility",
    "undo": "revert back",
    "redo": "repeat again",
}

# What can be added to the loads in the panel: title, field, further names.
ADDED = (
    ("Add a torque in time", PIECES, "load of sine ramp pulse train disturbance constant periodic apply external"),
    ("Add a thruster", THRUSTERS, "load jet rocket engine burn force apply external"),
)

BEGIN_HERE = marked("Start from here: the motion as it is now becomes the scene's start")
COLUMNS = marked("Columns of the recording")
REPAIRED = marked("Repair the recording, whose rates and orientations disagree")


@frozen
class Command:
    """One line of the palette; `hint`, at its right, is the keys or a value.

    `disruptive`: it changes the motion or leaves the scene, and so is found only by whole words and beginnings.
    `lead` are the points by which it comes before others that fit as well. `path` is that of the field that it is
    about, or "".
    """

    title: str
    hint: str
    run: Callable[[], object]
    synonyms: str = ""
    disruptive: bool = False
    lead: float = 0.0
    path: str = ""

    def fits(self, query: str) -> float:
        """Return how well the command fits a query, in points; 0 if it does not fit."""
        points = score(query, self.title, self.synonyms)
        named = self.lead > 0.0 and query.lower() in self.title.lower()  # and what it names comes before it
        return max(0.0, points + (0.0 if named else self.lead)) if points else 0.0


def commands(workspace: Workspace) -> Iterator[Command]:
    """Yield all commands, in the order in which the palette lists them before anything is typed."""
    for action in ACTIONS.values():
        if action.group != "Presets":
            disruptive = action.group == "Motion" or action.name in DISRUPTIVE
            do = partial(workspace.messages.attempt, partial(action.run, workspace))
            synonyms = _synonyms(action.description, SYNONYMS.get(action.name, ""))
            yield Command(sentence(tr(action.description)), keys_shown(action.keys), do, synonyms, disruptive)
    guide = workspace.tour
    if guide.step is not None and guide.asks:
        for number, answer in enumerate(guide.step.answers, start=1):
            title = tr("Answer {number}: {answer}").format(number=number, answer=tr(answer))
            yield Command(title, str(number), partial(guide.choose, number), "tour question")
    for title, path, synonyms in ADDED:
        yield Command(tr(title), "", partial(_add, workspace, path), _synonyms(title, synonyms), disruptive=True)
    if workspace.session.scenario.body.shape == "composite":
        simplify = partial(only_mass_points, workspace.session, workspace.editor)
        yield Command(tr(MASS_POINTS), "", simplify, MASS_POINTS.lower(), disruptive=True)
    anew = partial(workspace.messages.attempt, partial(begin_here, workspace.session))
    yield Command(tr(BEGIN_HERE), "", anew, _synonyms(BEGIN_HERE, ""), disruptive=True)
    if workspace.session.document.recording is not None and workspace.session.document.recording.files:
        yield Command(tr(COLUMNS), "", partial(ask_columns, workspace), _synonyms(COLUMNS, ""))
    if workspace.session.document.recordings is not None and workspace.session.document.recordings.repairable:
        yield Command(tr(REPAIRED), "", partial(repair, workspace), _synonyms(REPAIRED, ""))
    for page in manual.PAGES:
        show = partial(manual.show, workspace.messages, page.name)
        title, do = tr("Manual: {title}").format(title=tr(page.title)), partial(workspace.messages.attempt, show)
        yield Command(title, tr(page.summary), do, _synonyms("", page.summary).lower(), lead=EXPLAINS)
    from viewer.export.picture_files import FORMATS  # here: starting does not need it

    for suffix, kind in FORMATS.items():
        if suffix not in (PICTURE, ".jpeg"):
            save = partial(workspace.writer.save_picture, suffix)
            title = tr(kind.command) or tr("Save a {suffix} picture").format(suffix=suffix)
            words = PLAYING.get(suffix, SYNONYMS["picture"])
            yield Command(title, tr(kind.label), save, _synonyms("", words))
    opened = tr("Open {title}")
    for number, (name, preset) in enumerate(PRESETS.items(), start=1):
        key = str(number) if number <= 9 else ""
        words = f"{name} {_synonyms(preset.title, presets.KEYWORDS.get(name, ''))}"
        title, show_preset = opened.format(title=tr(preset.title)), partial(open_scene, workspace, name)
        yield Command(title, key, show_preset, words, disruptive=True)
    for tour in tours().values():
        start, count = partial(workspace.tour.start, tour.name), len(tour.steps)
        steps = plural("{count} step", "{count} steps", count).format(count=count)
        words = _synonyms(tour.title, guided.KEYWORDS.get(tour.name, ""))
        yield Command(
            tr("Tour: {title}").format(title=tr(tour.title)), steps, start, words, disruptive=True, lead=TEACHES
        )
    for playlist in playlists().values():
        begin, title = partial(lecture.begin, workspace, playlist), tr("Playlist: {title}")
        yield Command(title.format(title=tr(playlist.title)), "", begin, "lecture talk list", disruptive=True)
    if workspace.state.lecture:
        darken = workspace.lecture.darken
        go_on, go_back = partial(lecture.go_on, workspace), partial(lecture.go_back, workspace)
        yield Command(tr("Black screen"), "B", darken, "dark blank")
        yield Command(tr("Next step or item"), keys_shown(("PageDown",)), go_on, "forward remote")
        yield Command(tr("Previous step or item"), keys_shown(("PageUp",)), go_back, "back remote")
    session = workspace.session
    bodies, now = session.scenario, session.scene.selected
    for number in range(len(bodies.bodies)):
        where = tr("{number} of {count}").format(number=number + 1, count=len(bodies.bodies))
        hint, title = tr("selected") if number == now else where, tr("Body: {name}")
        yield Command(title.format(name=bodies.body_name(number)), hint, partial(session.select, number), "select")
    for path in workspace.files.recent:
        title, reopen = opened.format(title=printable(path)), partial(open_named, workspace, path)
        yield Command(title, tr("recent"), reopen, disruptive=True)
    for path, field in _fields(workspace):
        yield from _of_field(workspace, path, field)
    language, chosen = setting_at("panel.language", Choice), workspace.settings.value("panel.language")
    for code, name in language.choices:
        choose = partial(workspace.settings.change, "panel.language", code)
        title = f"{tr(language.label)}: {tr(name)}"
        synonyms = f"language translation {english_name(code)}".lower()
        yield Command(title, tr("current") if code == chosen else "", choose, synonyms)
    for keys, what in MOUSE:
        line = f"{tr(keys, 'key')}: {tr(what)}"
        yield Command(sentence(line), "", partial(workspace.messages.notice, sentence(line)), lead=EXPLAINS)


def _fields(workspace: Workspace) -> Iterator[tuple[str, Field]]:
    """Yield (path, field) for all fields that have an effect in the present scene."""
    sections = (section for section in SECTIONS if section != "recording")  # which is not chosen by hand
    return chain.from_iterable(fields(workspace.session.scenario, section) for section in sections)


def find(workspace: Workspace, query: str, limit: int) -> list[Command]:
    """Return the commands that fit a query, the best first; a command that sets a typed value precedes the others."""
    if not query.strip():
        return list(commands(workspace))[:limit]
    setting = _setting(workspace, query)
    return ([setting] if setting else []) + _fitting(workspace, query)[:limit]


def beside_rows(workspace: Workspace, query: str, limit: int) -> list[Command]:
    """Return the commands that fit a query by whole words and beginnings and have no row in the panel."""
    least, rows = BEGINS + EXPLAINS, SECTIONS.keys() - {"playback"}
    found = (command for command in _fitting(workspace, query) if command.path.partition(".")[0] not in rows)
    return [command for command in found if command.fits(query) >= least][:limit]


def _fitting(workspace: Workspace, query: str) -> list[Command]:
    """Return the commands that fit a query, the best first."""
    found = [(command.fits(query), -at, command) for at, command in enumerate(commands(workspace))]
    found = [entry for entry in found if entry[0] >= (BEGINS if entry[2].disruptive else 0.0)]
    found.sort(key=lambda entry: entry[:2], reverse=True)
    least = NOISE * max((points for points, *_ in found), default=0.0)
    return [command for points, _, command in found if points > least]


def _synonyms(title: str, synonyms: str) -> str:
    """Return the words by which a command is also found; in another language these include its English title."""
    own = tr(synonyms)
    return synonyms if own == synonyms else f"{own} {title} {synonyms}".lower()


def _add(workspace: Workspace, path: str) -> None:
    """Add an entry to a list of loads, and give the keyboard to its row in the panel, which scrolls there."""
    add_part(workspace.session, workspace.editor, path)
    number = len(workspace.session.scenario.value(path)) - 1
    workspace.in_window["go-to"](path, first_control(path, number))


def _refuse(workspace: Workspace, path: str, why: str) -> None:
    workspace.messages.error(why)
    workspace.in_window["go-to"](path)


def _of_field(workspace: Workspace, path: str, field: Field) -> Iterator[Command]:
    """Yield the commands of a field: to flip its switch, to take one of its choices, or to go to its number."""
    section, value = tr(titled(path.partition(".")[0])), workspace.session.scenario.value(path)
    names = " ".join((path.partition(".")[2], *field.former)).replace("_", " ")
    keywords, disruptive = f"{names} {_synonyms('', field.keywords)}".lower(), path.partition(".")[0] in MOTION
    label = f"{section}: {tr(field.label)}"
    if isinstance(field, Switch):
        flip = partial(workspace.editor.set, path, not value)
        yield Command(label, tr("on") if value else tr("off"), flip, keywords, disruptive, path=path)
    elif isinstance(field, Choice):
        for name, choice in field.choices:
            now, choose = tr("current") if name == value else "", partial(workspace.editor.set, path, name)
            yield Command(f"{label}: {tr(choice)}", now, choose, f"{keywords} {name}", disruptive, path=path)
    elif isinstance(field, Number):
        go_there = partial(workspace.in_window["go-to"], path)
        yield Command(f"{label} …", _shown(field, value), go_there, keywords, path=path)


def _shown(field: Number, value: Any) -> str:
    parts = value if isinstance(value, tuple) else (value,)
    unit = suited(field.unit, *parts)
    numbers = ", ".join(short(part) if unit.size == 1.0 else short(part / unit.size) for part in parts)
    return numbers + (unit.name if unit.name in ("°", "×") else f" {unit.name}" if unit.name else "")


_VALUE = r"(?:[-+−.,\d(]|pi\b|π|sqrt\b)[^=]*"
_WITH_VALUE = re.compile(rf"^(?:set\s+)?(?P<name>.*?[^\W\d].*?)(?:\s*=\s*|\s+)(?P<value>{_VALUE})$")


def _setting(workspace: Workspace, query: str) -> Command | None:
    """Return the command that "mass 3", "set width = 0.4 m" or "force 0 0 1" stands for; None for another query."""
    match = _WITH_VALUE.match(query.strip())
    if match is None:
        return None
    numbers = [(path, field) for path, field in _fields(workspace) if isinstance(field, Number)]
    names = (f"{path.partition('.')[0]} {field.label} {tr(field.label)} {field.symbol}" for path, field in numbers)
    named = [(score(match["name"], name), path, field) for name, (path, field) in zip(names, numbers, strict=True)]
    points, path, field = max(named, key=lambda entry: round(entry[0], 1))  # the first of those that fit equally well
    if points < 1.0:
        return None
    title = tr("Set {name} to {value}").format(name=tr(field.label), value=match["value"].strip())
    try:
        value = field_at(path).check(path, _value(field, match["value"]))
    except InputError as error:
        return Command(title, plain(error), partial(_refuse, workspace, path, plain(error)))
    return Command(title, _shown(field, value), partial(workspace.editor.set, path, value))


def _value(field: Number, typed: str) -> Any:
    """Return the typed value of a field: a number or a vector. Raises InputError."""
    if not isinstance(field, Vector):
        return parse(field, typed)
    try:
        numbers, _ = read_number(typed, field.unit)
    except UnitError as error:
        raise InputError(f"{tr(field.label)}: {error}") from None
    unit = typed.strip()[len(numbers) :]
    parts = [part for part in re.split(r"[\s;]+|,\s+", numbers) if part]
    return tuple(parse(field, part if part == "0" else part + unit) for part in parts)


def score(query: str, title: str, synonyms: str = "") -> float:
    """Return how well a title fits a query; 0 if it lacks a word of the query.

    The letters of a word may be scattered in the title, as long as their order is kept. `synonyms` count only by whole
    words and beginnings, and a little less.
    """
    words, lower = query.lower().split(), title.lower()
    total = 0.0
    for word in words:
        points = max(_points(word, lower), UNPRIMED * _points(_plain(word), _plain(lower)))
        other = _points(word, synonyms)
        points = max(points, SYNONYM * other if other >= PREFIX else 0.0)
        if points == 0.0:
            return 0.0
        total += points
    return total / max(1, len(words)) + 0.5 / (1 + len(title))  # among equals the shorter title


def _points(word: str, title: str) -> float:
    """Return the points of one word: most for a whole word of the title, least for its letters with gaps between."""
    if not word:
        return 0.0
    if re.search(rf"(^|\W){re.escape(word)}(\W|$)", title):
        return WHOLE
    if re.search(rf"(^|\W){re.escape(word)}", title):
        return PREFIX
    if word in title:
        return PART
    at, first = -1, -1
    for letter in word:
        at = title.find(letter, at + 1)
        if at < 0:
            return 0.0
        first = at if first < 0 else first
    return len(word) / (1 + at - first)  # 1 without a gap


def _plain(string: str) -> str:
    """Return a text without primes and hyphens, which are awkward to type."""
    return string.replace("′", "").replace("-", "").replace("ω", "omega")
