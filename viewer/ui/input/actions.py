"""Every action that a key can start: one entry each. The overlay of keys and the manual read this table.

A key is written as people say it: "Space", "Ctrl+Shift+S", "F1", or a character that the keyboard types, such as "+" or
"?", wherever it lies on the keyboard.
"""

from collections.abc import Callable
from dataclasses import dataclass

from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.motion import XYZ_BODY
from viewer.session.playback import faster, slower
from viewer.ui import manual
from viewer.ui.host import Host
from viewer.ui.state import Element
from viewer.user.settings import setting_at

Run = Callable[[Host], object]


@dataclass(frozen=True)
class Action:
    """`keys`: any of them starts it, and so do `aliases`, which no list shows. `run` gets the app.

    `group`: the heading under which it is listed.
    """

    name: str
    keys: tuple[str, ...]
    description: str
    run: Run
    group: str
    aliases: tuple[str, ...] = ()


def _to_speed(next_speed: Callable[[float], float]) -> Run:
    """Sets the speed that follows the present one; ends the automatic speed."""
    return lambda app: app.change("playback.speed", next_speed(app.session.speed))


def _next_choice(path: str, by: int) -> Run:
    """Goes to the next or previous choice of a field, round and round."""

    def run(app: Host) -> None:
        names = [name for name, _ in field_at(path).choices]
        at = names.index(app.session.scenario.value(path))
        app.change(path, names[(at + by) % len(names)])

    return run


def _toggle(path: str) -> Run:
    """Turns a switch on or off."""
    return lambda app: app.change(path, not app.session.scenario.value(path))


def _toggle_element(element: Element) -> Run:
    """Opens or closes an element of the ui."""
    return lambda app: app.state.toggle(element)


def _text_size(factor: float | None) -> Run:
    """Makes the text larger or smaller; None: back to the size that suits the screen."""

    def run(app: Host) -> None:
        limits = setting_at("panel.text_size")
        size = 1.0 if factor is None else round(app.settings.value("panel.text_size") * factor, 2)
        app.settings.change("panel.text_size", min(limits.high, max(limits.low, size)))
        app.ui.touched()

    return run


def _leave(app: Host) -> None:
    """Cancels what is being opened, closes a list, a card, the stereo chart or a tour; else leaves full screen."""
    state = app.state
    if app.documents.opening is not None:
        app.documents.end_opening()
    elif state.keys:
        state.keys = False
    elif state.messages:
        state.messages = False
    elif app.ui.recovery.box is not None:
        app.ui.recovery.later()
    elif state.chart:
        state.chart = False
    elif app.ui.tour.tour is not None:
        app.ui.tour.end()
    elif app.window.fullscreen:
        app.window.toggle_fullscreen()


def _go_home(app: Host) -> None:
    """Back to the view with which the scene was opened."""
    app.scene_view.animator.go_home(app.session.scenario.view)


def _pulse(axis: int, sign: int) -> Run:
    """Lets a torque pulse act about a body axis."""
    return lambda app: app.session.pulse(axis, sign)


def _preset(number: int) -> Run:
    """Opens the preset with that number, counted from 1; nothing where there is none."""

    def run(app: Host) -> None:
        names = list(PRESETS)
        if number <= len(names):
            app.documents.open(names[number - 1])

    return run


# x goes right, y up, z to the other pages
PULSES = (
    ("Right", 0, 1),
    ("Left", 0, -1),
    ("Up", 1, 1),
    ("Down", 1, -1),
    ("PageUp", 2, 1),
    ("PageDown", 2, -1),
)

ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        Action("play", ("Space",), "play or pause", lambda app: app.session.playback.toggle(), "Motion"),
        Action(
            "step", (".",), "one step, then pause", lambda app: app.session.playback.step_once(), "Motion"
        ),
        Action(
            "step-back",
            (",",),
            "one step back, then pause",
            lambda app: app.session.playback.step_once(-1),
            "Motion",
        ),
        Action(
            "backwards",
            ("B",),
            "run backwards, or forwards again",
            lambda app: app.session.playback.reverse(),
            "Motion",
        ),
        Action("flip", ("N",), "to the next flip", lambda app: app.session.playback.jump_to_flip(), "Motion"),
        Action(
            "loop", ("L",), "loop over one period", lambda app: app.session.playback.toggle_loop(), "Motion"
        ),
        Action("restart", ("R",), "back to the start", lambda app: app.session.reset(), "Motion"),
        Action("faster", ("+",), "faster", _to_speed(faster), "Motion", aliases=("=",)),
        Action("slower", ("-",), "slower", _to_speed(slower), "Motion"),
        *(
            Action(
                f"pulse-{'xyz'[axis]}{'+' if sign > 0 else '-'}",
                (key,),
                f"torque pulse {'along' if sign > 0 else 'against'} {XYZ_BODY[axis].lower()}",
                _pulse(axis, sign),
                "Motion",
            )
            for key, axis, sign in PULSES
        ),
        Action("stereo", ("S",), "next stereo mode", _next_choice("stereo.mode", 1), "Picture"),
        Action(
            "stereo-back", ("Shift+S",), "previous stereo mode", _next_choice("stereo.mode", -1), "Picture"
        ),
        Action(
            "chart",
            ("C",),
            "stereo chart: are glasses and eyes right?",
            _toggle_element("chart"),
            "Picture",
        ),
        Action("exchange-eyes", ("X",), "swap the eyes", _toggle("stereo.exchange_eyes"), "Picture"),
        Action("view", ("V",), "next view: what stays upright", _next_choice("view.frame", 1), "Picture"),
        Action(
            "construction",
            ("M",),
            "Poinsot's construction or momentum space",
            _next_choice("view.construction", 1),
            "Picture",
        ),
        Action("inset", ("I",), "the other construction in the corner", _toggle("show.inset"), "Picture"),
        Action("theme", ("T",), "next theme", _next_choice("view.theme", 1), "Picture"),
        Action(
            "home",
            ("Home",),
            "back to the first view",
            _go_home,
            "Picture",
        ),
        Action(
            "hide",
            ("H",),
            "hide or show every interface element",
            _toggle_element("hidden"),
            "Window",
        ),
        Action("plots", ("G",), "open or close the plots", _toggle_element("plots"), "Window"),
        Action("panel", ("P",), "fold or show the panel", lambda app: app.ui.toggle_panel(), "Window"),
        Action(
            "larger",
            ("Ctrl++",),
            "larger text",
            _text_size(1.1),
            "Window",
            aliases=("Ctrl+=", "Ctrl+Shift+=", "Ctrl+Shift++"),
        ),
        Action("smaller", ("Ctrl+-",), "smaller text", _text_size(1 / 1.1), "Window"),
        Action("usual-size", ("Ctrl+0",), "text as usual", _text_size(None), "Window"),
        Action(
            "full-screen", ("F", "F11"), "full screen", lambda app: app.window.toggle_fullscreen(), "Window"
        ),
        Action("leave", ("Escape",), "close what is open; leave full screen", _leave, "Window"),
        Action("keys", ("?",), "these keys", _toggle_element("keys"), "Window"),
        Action(
            "manual",
            ("F1",),
            "the manual, at the section under the pointer",
            lambda app: manual.show(app.ui.messages, manual.anchor_of(app.ui.panel.section)),
            "Window",
        ),
        Action("palette", ("Ctrl+K",), "find and do anything", lambda app: app.ui.palette.toggle(), "Window"),
        Action(
            "messages",
            ("Ctrl+L",),
            "the latest messages",
            lambda app: app.ui.messages.toggle_list(),
            "Window",
        ),
        Action("quit", ("Ctrl+Q",), "quit", lambda app: app.quit(), "Window"),
        Action("tours", ("Shift+A",), "guided tours", lambda app: app.ui.gallery.toggle("tours"), "Tours"),
        Action("tour-next", ("Enter",), "next step of the tour", lambda app: app.ui.tour.next(), "Tours"),
        Action(
            "tour-back",
            ("Backspace",),
            "step of the tour before",
            lambda app: app.ui.tour.back(),
            "Tours",
        ),
        Action("gallery", ("A",), "all scenes: the gallery", lambda app: app.ui.gallery.toggle(), "Scene"),
        Action("open", ("O", "Ctrl+O"), "open a scene", lambda app: app.documents.ask_open(), "Scene"),
        Action("save", ("Ctrl+S",), "save the scene", lambda app: app.documents.save(), "Scene"),
        Action(
            "save-as",
            ("Ctrl+Shift+S",),
            "save the scene under a name",
            lambda app: app.documents.ask_save(),
            "Scene",
        ),
        Action("picture", ("Ctrl+P",), "save a picture", lambda app: app.capture.save_picture(), "Scene"),
        Action(
            "record", ("Ctrl+R",), "record a film, or end it", lambda app: app.capture.toggle_film(), "Scene"
        ),
        Action("undo", ("Ctrl+Z",), "undo", lambda app: app.session.undo(), "Scene"),
        Action("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo", lambda app: app.session.redo(), "Scene"),
        *(Action(f"preset-{n}", (str(n),), f"preset {n}", _preset(n), "Presets") for n in range(1, 10)),
    )
}

MOUSE = (
    ("left drag", "turn the view"),
    ("right drag, Shift + left drag", "move the picture"),
    ("wheel", "zoom"),
    ("double click", "back to the first view"),
    ("double click on a number", "type it"),
    ("right click on a number", "its default"),
    ("Ctrl + wheel on a number", "a step"),
    ("file dropped on the window", "open it"),
)

# What the keys do where a control of the panel has them; `keyboard_focus.TAKEN` holds them.
PANEL = (
    ("Tab, Shift+Tab", "to the next or last control"),
    ("arrows, page keys", "step it; with Shift finer"),
    ("Enter", "type, tick, press or open it"),
    ("Delete", "its default"),
    ("Escape", "the keys back to the scene"),
)


def action_of(key: str) -> Action | None:
    """The action that a key starts."""
    return _BY_KEY.get(key)


def rows() -> list[tuple[str, list[tuple[str, str]]]]:
    """Headings with their lines (keys, description), mouse first; presets on one line."""
    groups: dict[str, list[tuple[str, str]]] = {"Mouse": list(MOUSE), "Panel by keyboard": list(PANEL)}
    for action in ACTIONS.values():
        if action.group != "Presets":
            groups.setdefault(action.group, []).append((", ".join(action.keys), action.description))
    groups["Scene"].append(("1 … 9", "presets"))
    return list(groups.items())


_BY_KEY = {key: action for action in ACTIONS.values() for key in (*action.keys, *action.aliases)}
