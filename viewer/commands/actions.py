"""The table of all actions that a key can start, one line each; the list of keys and the manual are made from it.

A key is written as people say it: "Space", "Ctrl+Shift+S", "F1", or a character that the keyboard types, such as "+" or
"?", wherever it lies on the keyboard.
"""

import re
from collections.abc import Callable
from functools import partial

from viewer.commands import lecture
from viewer.commands.documents import ask_open, ask_picture, ask_save, save
from viewer.commands.loads import add_force
from viewer.commands.opening import end_opening, open_scene
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.scenario.field import Choice, Number
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.body import XYZ_BODY
from viewer.scene.words.formatting import with_unit
from viewer.session.playback import faster, slower
from viewer.user.settings import setting_at
from viewer.workspace.messages import Activity
from viewer.workspace.state import LECTURE_TEXT, Element
from viewer.workspace.workspace import Workspace

TEXT_SIZE = "panel.text_size"
Run = Callable[[Workspace], object]
Table = tuple[tuple[str, str, str, Run], ...]  # name, keys, description, function


@frozen
class Action:
    """An action that any of its `keys` starts; `group` is the heading under which it is listed."""

    name: str
    keys: tuple[str, ...]
    description: str
    run: Run
    group: str


def _to_speed(next_speed: Callable[[float], float]) -> Run:
    """Return an action that sets the speed to `next_speed` of the present one, which ends the automatic speed."""
    return lambda workspace: workspace.editor.set("playback.speed", next_speed(workspace.session.scene.speed))


def _next_choice(path: str) -> Run:
    """Return an action that goes on to the next choice of a field, in a cycle, and shows the name of the choice."""

    def run(workspace: Workspace) -> None:
        names = [name for name, _ in field_at(path, Choice).choices]
        at = names.index(workspace.session.scenario.value(path))
        workspace.editor.choose(path, names[(at + 1) % len(names)])

    return run


def _toggle(path: str) -> Run:
    """Return an action that turns a switch on or off."""
    return lambda workspace: workspace.editor.set(path, not workspace.session.scenario.value(path))


def _toggle_element(element: Element) -> Run:
    """Return an action that opens or closes an element of the ui."""
    return lambda workspace: workspace.state.toggle(element)


def _toggle_hand(workspace: Workspace) -> None:
    """Switch the hand on or off, with a notice that says what a drag does now."""
    workspace.state.toggle("hand")
    if workspace.state.hand:
        workspace.messages.notice(tr("Hand: drag the body to turn or throw it, the tips of ω and L to change them"))
    else:
        workspace.messages.notice(tr("Hand off: a drag turns the view"))


def _toggle_setting(path: str, on: str = "", off: str = "") -> Run:
    """Return an action that turns a setting on or off.

    `on` and `off` are the English texts of the notice that is then shown, or "" for no notice.
    """

    def run(workspace: Workspace) -> None:
        workspace.settings.change(path, not workspace.settings.value(path))
        if text := on if workspace.settings.value(path) else off:
            workspace.messages.notice(tr(text))

    return run


def _in_window(name: str, *given: str) -> Run:
    """Return an action that only a window can carry out."""
    return lambda workspace: workspace.in_window[name](*given)


def _hide(workspace: Workspace) -> None:
    """Hide the whole interface or show it again, and close all elements that have to be read or filled in."""
    workspace.state.toggle("hidden")
    workspace.in_window["close-overlays"]()


def _change_text_size(factor: float | None) -> Run:
    """Return an action that changes the text's size by a factor, or resets it if the factor is None."""

    def run(workspace: Workspace) -> None:
        state, limits = workspace.state, setting_at(TEXT_SIZE, Number)
        now, usual = (state.lecture_text, LECTURE_TEXT) if state.lecture else (workspace.settings.value(TEXT_SIZE), 1.0)
        size = usual if factor is None else min(limits.high, max(limits.low, round(now * factor, 2)))
        if state.lecture:  # a lecture leaves no settings behind
            state.lecture_text = size
        else:
            workspace.settings.change(TEXT_SIZE, size)

    return run


def _leave(workspace: Workspace) -> None:
    """Cancel the opening of a file, end a film that waits for its next frame, or close the foremost open element.

    If there is none of these, stop following a phone, or else leave full screen.
    """
    if workspace.files.opening is not None:
        end_opening(workspace)
    elif workspace.writer.waiting is not None:
        workspace.writer.toggle_film()
    elif workspace.in_window["dismiss"]():
        pass
    elif workspace.phone is not None and workspace.phone.state is not None:
        workspace.phone.end()
    elif workspace.window.fullscreen:
        workspace.window.toggle_fullscreen()


def _undo(workspace: Workspace) -> None:
    """Cancel what is being opened, such as a repaired recording, or else undo the last change."""
    if workspace.files.opening is not None and workspace.files.awaited is None:
        end_opening(workspace)
    else:
        workspace.session.undo()


def activity(workspace: Workspace) -> Activity | None:
    """Return the lengthy work that goes on now, with the function that ends it; None if there is none."""
    writer, phone, opening = workspace.writer, workspace.phone, workspace.files.opening
    playback = workspace.session.playback
    if opening is not None:
        return Activity(opening.text, partial(end_opening, workspace))
    if writer.waiting is not None:
        return Activity(writer.waiting, writer.toggle_film)
    if phone is not None and phone.state is not None:
        return Activity(phone.state, phone.end, phone.proposed)
    if playback.catching_up:
        text = tr("Computing the motion up to {time}").format(time=with_unit(playback.destination, "s"))
        return Activity(text, playback.stop)
    return None


def _film_as(workspace: Workspace) -> None:
    """End the film that is being recorded; if there is none, ask what film to save."""
    if workspace.writer.recording:
        workspace.writer.toggle_film()
    else:
        ask_picture(workspace, film=True)


def _next_view(workspace: Workspace) -> None:
    """Go on to the next reference frame; where that would change nothing, in momentum space without inset, say so."""
    scenario = workspace.session.scenario
    if scenario.view.construction == "momentum" and not scenario.show.inset:
        workspace.messages.notice(
            tr("Momentum space is always seen from the body; M leads back to Poinsot's construction")
        )
    else:
        _next_choice("view.frame")(workspace)


def _next_construction(workspace: Workspace) -> None:
    """Show the other construction; if that leads out of momentum space, the camera leaves the octant, too."""
    view = workspace.session.scenario.view
    _next_choice("view.construction")(workspace)
    if view.construction == "momentum":
        workspace.animator.leave_octant(view)


def _show_octant(workspace: Workspace) -> None:
    """Glide to the first octant of momentum space."""
    view = workspace.session.scenario.view
    workspace.editor.set("view.construction", "momentum")
    workspace.animator.show_octant(view)


def _answered(run: Run) -> Run:
    """Return an action that is refused while a tour's question is open, because it would reveal the answer."""

    def wait(workspace: Workspace) -> None:
        if workspace.state.quiz_open:
            workspace.messages.notice(tr("Answer the question first"))
        else:
            run(workspace)

    return wait


def _pulse(key: str, axis: int, sign: int) -> tuple[str, str, str, Run]:
    """Return the table's entry for a torque pulse about a body axis: name, key, description and action."""
    description = f"torque pulse {'along' if sign > 0 else 'against'} {XYZ_BODY[axis].lower()}"
    return (
        f"pulse-{'xyz'[axis]}{'+-'[sign < 0]}",
        key,
        description,
        lambda workspace: workspace.session.pulse(axis, sign),
    )


def _preset(number: int) -> Run:
    """Return an action that opens the preset with this number, counted from 1, if there is one."""

    def run(workspace: Workspace) -> None:
        for name in list(PRESETS)[number - 1 : number]:
            open_scene(workspace, name)

    return run


MOTION: Table = (
    ("play", "Space", "play or pause", lambda workspace: workspace.session.playback.toggle()),
    ("step", ".", "one step, then pause", lambda workspace: workspace.session.playback.step_once()),
    ("step-back", ",", "one step back, then pause", lambda workspace: workspace.session.playback.step_once(-1)),
    ("backwards", "B", "run backwards, or forwards again", lambda workspace: workspace.session.playback.reverse()),
    ("flip", "N", "jump to the next flip", _answered(lambda workspace: workspace.session.playback.jump_to_flip())),
    (
        "loop",
        "L",
        "loop over one period, or over a recording",
        _answered(lambda workspace: workspace.session.scene.toggle_loop()),
    ),
    ("restart", "R", "reset motion", lambda workspace: workspace.session.reset()),
    ("stabilise", "K", "stabilisation on or off", lambda workspace: workspace.stabilisation.toggle()),
    ("faster", "+", "faster", _to_speed(faster)),
    ("slower", "-", "slower", _to_speed(slower)),
    _pulse("Right", 0, 1),  # x: Right and Left, y: Up and Down, z: the page keys
    _pulse("Left", 0, -1),
    _pulse("Up", 1, 1),
    _pulse("Down", 1, -1),
    _pulse("PageUp", 2, 1),
    _pulse("PageDown", 2, -1),
    ("hand", "Shift+H", "hand on or off: turn and throw the body, drag the tips of ω and L", _toggle_hand),
    (
        "add-force",
        "Shift+F",
        "add a force at a corner of the body",
        lambda workspace: add_force(workspace.session, workspace.editor),
    ),
)
PICTURE: Table = (
    ("stereo", "S", "next stereo mode", lambda workspace: workspace.stereo.next(1)),
    ("stereo-back", "Shift+S", "previous stereo mode", lambda workspace: workspace.stereo.next(-1)),
    ("mono", "D", "mono, or back to the last stereo mode", lambda workspace: workspace.stereo.toggle()),
    ("chart", "C", "stereo chart, to check glasses and eyes", _toggle_element("chart")),
    ("exchange-eyes", "X", "swap eyes", _toggle("stereo.exchange_eyes")),
    ("view", "V", "next view: what stays upright", _next_view),
    ("construction", "M", "Poinsot's construction or momentum space", _next_construction),
    ("octant", "Shift+M", "first octant of momentum space, as in the paper's Fig. 3", _show_octant),
    ("inset", "I", "the other construction in the corner", _toggle("show.inset")),
    (
        "names",
        "E",
        "names: what the pointer is over says what it is",
        _toggle_setting(
            "names.pointer", marked("Names on: what the pointer is over says what it is"), marked("Names off")
        ),
    ),
    ("legend", "Shift+N", "legend of what the scene shows", _in_window("legend")),
    ("theme", "T", "next theme", _next_choice("view.theme")),
    (
        "home",
        "Home",
        "back to the first view",
        lambda workspace: workspace.animator.go_home(workspace.session.scenario.view),
    ),
)
WINDOW: Table = (
    ("hide", "H", "hide or show the whole interface", _hide),
    ("plots", "G", "open or close the plots", _toggle_element("plots")),
    ("panel", "P", "fold or unfold the panel", _in_window("panel")),
    ("search", "Ctrl+F", "search the panel", _in_window("search")),
    ("sound", "Ctrl+M", "sound on or off: pitch of ω, a click at each flip", _in_window("sound")),
    ("larger", "Ctrl++", "larger text", _change_text_size(1.1)),
    ("smaller", "Ctrl+-", "smaller text", _change_text_size(1 / 1.1)),
    ("usual-size", "Ctrl+0", "reset text size", _change_text_size(None)),
    ("full-screen", "F F11", "full screen", lambda workspace: workspace.window.toggle_fullscreen()),
    ("leave", "Escape", "close what is open, or leave full screen", _leave),
    ("keys", "?", "list of keys", _in_window("keys")),
    ("manual", "F1", "manual", _in_window("manual")),
    ("palette", "Ctrl+K", "find and do anything", _in_window("palette")),
    ("messages", "Ctrl+L", "recent messages", lambda workspace: workspace.messages.toggle_list()),
    ("quit", "Ctrl+Q", "quit", _in_window("quit")),
)
LECTURE: Table = (("lecture", "F5 Shift+F5", "lecture mode, or leave it", lecture.toggle),)
TOURS: Table = (
    ("tours", "Shift+A", "guided tours", _in_window("gallery", "tours")),
    ("tour-next", "Enter", "next step of the tour", lambda workspace: workspace.tour.next()),
    ("tour-back", "Backspace", "previous step of the tour", lambda workspace: workspace.tour.back()),
)
SCENE: Table = (
    ("gallery", "A", "gallery of scenes and tours", _in_window("gallery")),
    ("open", "O Ctrl+O", "open a scene", ask_open),
    ("save", "Ctrl+S", "save the scene", save),
    ("save-as", "Ctrl+Shift+S", "save the scene under a new name", ask_save),
    ("picture", "Ctrl+P", "save a picture", lambda workspace: workspace.writer.save_picture()),
    (
        "picture-as",
        "Ctrl+Shift+P",
        "save a picture: kind, size and place",
        lambda workspace: ask_picture(workspace, film=False),
    ),
    ("film-as", "Ctrl+Shift+R", "save a film: length, size, kind and place", _film_as),
    ("record", "Ctrl+R", "record a film, or end it", lambda workspace: workspace.writer.toggle_film()),
    ("describe", "Ctrl+D", "describe the scene in words, to read or copy", _answered(_in_window("describe"))),
    ("undo", "Ctrl+Z", "undo", _undo),
    ("redo", "Ctrl+Shift+Z Ctrl+Y", "redo", lambda workspace: workspace.session.redo()),
)
GROUPS: dict[str, Table] = {
    "Motion": MOTION,
    "Picture": PICTURE,
    "Window": WINDOW,
    "Tours": TOURS,
    "Lecture": LECTURE,
    "Scene": SCENE,
    "Presets": tuple((f"preset-{n}", str(n), f"preset {n}", _preset(n)) for n in range(1, 10)),
}
ACTIONS = {
    name: Action(name, tuple(keys.split()), description, run, group)
    for group, table in GROUPS.items()
    for name, keys, description, run in table
}
# further keys, which are not listed
ALIASES = {"=": "faster", "Ctrl+=": "larger", "Ctrl+Shift+=": "larger", "Ctrl+Shift++": "larger"}
KEY_NAME = re.compile(r"[A-Za-z]{3,}")  # in a key: "Ctrl", "Shift", "Space"
SIGNS = {".": "Dot", ",": "Comma"}  # keys whose signs are hard to see
ACTION_OF = {key: action for action in ACTIONS.values() for key in action.keys} | {
    key: ACTIONS[name] for key, name in ALIASES.items()
}

MOUSE = (
    ("left drag", "turn the view"),
    ("left drag of a force's tip or point of application", "change the force or its arm"),
    ("wheel meanwhile", "move it towards you or away"),
    ("left drag of the contact point", "move along the curve in time"),
    ("Alt + left drag, or with the hand", "turn or throw the body; wheel: twist it"),
    ("Alt + left drag of the tip of ω or L", "change it; with Shift only its length"),
    ("Ctrl + left drag of the body", "pull it by a spring"),
    ("right drag, Shift + left drag", "move the picture"),
    ("wheel", "zoom"),
    ("double click", "back to the first view"),
    ("double click on a number", "type a value"),
    ("right click on a number", "reset it to its default"),
    ("Ctrl + wheel on a number", "step it"),
    ("file dropped on the window", "open it; several recordings: compare them"),
)

# What the keys do where a control of the panel has them; `keyboard_focus.TAKEN` holds them.
PANEL = (
    ("Tab, Shift+Tab", "next or previous control"),
    ("arrows, page keys", "step it; with Shift in finer steps"),
    ("Enter", "type, tick, press or open it"),
    ("Delete", "reset it to its default"),
    ("Escape", "keys act on the scene again"),
)

# What the keys do while a tour runs: see `TourGuide.take_key` and `take_text`.
TOUR = (
    ("Right, Left", "next or previous step, no torque pulse; Right waits for the answer to a question"),
    ("1, 2, 3", "answer the question of a step"),
)

# What the keys of a presenter's remote do in lecture mode: see `Board.take_key`.
REMOTE = (
    ("Page Down, Right, Down, Enter", "next step or item"),
    ("Page Up, Left, Up, Backspace", "previous step or item"),
    ("B, Dot", "black screen; any key shows the scene again"),
    ("Escape", "leave it"),
)


def keys_shown(keys: tuple[str, ...]) -> str:
    """Return the names of keys on the user's keyboard, such as "Strg+Z" in German."""
    return ", ".join(KEY_NAME.sub(lambda name: tr(name[0], "key"), SIGNS.get(key, key)) for key in keys)


def rows() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each heading with its lines (keys, description) in the user's language; the presets share one line."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for title, lines in (("Mouse", MOUSE), ("Panel by keyboard", PANEL)):
        groups[title] = [(tr(keys, "key"), tr(description)) for keys, description in lines]
    for action in ACTIONS.values():
        if action.group != "Presets":
            groups.setdefault(action.group, []).append((keys_shown(action.keys), tr(action.description)))
    groups["Tours"] += [(tr(keys, "key"), tr(description)) for keys, description in TOUR]
    groups["Lecture"] += [(tr(keys, "key"), tr(description)) for keys, description in REMOTE]
    groups["Scene"].append(("1 … 9", tr("presets, with the pointer over the scene")))
    return [(tr(title), lines) for title, lines in groups.items()]
