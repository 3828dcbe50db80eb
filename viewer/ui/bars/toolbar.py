"""The bar at the top: an icon for each of the actions that one looks for first, with its name if there is room."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from viewer.commands.actions import ACTIONS, keys_shown
from viewer.common.frozen import frozen
from viewer.common.language import chosen, tr
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scene.words.formatting import sentence
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, icon_button, tooltip, width_of
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.style import u32
from viewer.workspace.workspace import Workspace

SIDE, TALL = 28.0, 26.0  # width and height of an icon's button, at scale 1
PAD, GAP, BETWEEN = 6.0, 2.0, 11.0  # at the ends of the bar, between two buttons, between two groups
MODES, REST = "##stereo modes", "##more tools"  # the lists that the bar opens


@frozen
class Tool:
    """An icon of the bar. `action` is the name of its action in the table; icons of one `group` stand together.

    The icon is grey unless it is `possible`, and lit while it is `on`.
    """

    action: str
    name: str
    icon: icons.Icon
    group: int
    possible: Callable[[Workspace], bool] = lambda workspace: True
    on: Callable[[Workspace], bool] = lambda workspace: False


TOOLS = (
    Tool("undo", "Undo", icons.undo, 0, possible=lambda workspace: workspace.session.undo_possible[0]),
    Tool("redo", "Redo", icons.redo, 0, possible=lambda workspace: workspace.session.undo_possible[1]),
    Tool("gallery", "Gallery", icons.gallery, 1),
    Tool("tours", "Tours", icons.tours, 1, on=lambda workspace: workspace.tour.tour is not None),
    Tool("picture-as", "Picture", icons.picture, 2),
    Tool("film-as", "Film", icons.film, 2, on=lambda workspace: workspace.writer.busy),
    Tool("stereo", "Stereo", icons.stereo, 3, on=lambda workspace: workspace.session.scenario.stereo.mode != "mono"),
    Tool("full-screen", "Full screen", icons.full_screen, 3, on=lambda workspace: workspace.window.fullscreen),
    Tool("lecture", "Lecture", icons.lecture, 3, on=lambda workspace: workspace.state.lecture),
    Tool("hand", "Hand", icons.hand, 3, on=lambda workspace: workspace.state.hand),
    Tool("palette", "Search", icons.search, 4),
    Tool("keys", "Keys", icons.keys, 4),
)


def width(look: Look, tools: Sequence[Tool], names: bool) -> float:
    """Return the width of the bar with these tools, with or without their names, in pixels."""
    gaps = sum(_gap(look, before, tool) for before, tool in pairwise(tools))
    return sum(_width(look, tool, names) for tool in tools) + gaps + 2 * look.px(PAD)


def _width(look: Look, tool: Tool, names: bool) -> float:
    return look.px(SIDE) + (width_of(tr(tool.name)) + look.px(10) if names else 0.0)


def _gap(look: Look, before: Tool, tool: Tool) -> float:
    return look.px(GAP if before.group == tool.group else BETWEEN)


@frozen
class Place:
    """A tool's place in the bar; `x`, counted from the bar's left edge, and `width` are in pixels.

    `label` is the text beside the icon, or "" if it has no room.
    """

    tool: Tool
    x: float
    width: float
    label: str


def places(look: Look, room: float) -> list[Place]:
    """Return the places of the tools that fit into a bar `room` pixels wide.

    The other tools are in the menu at the end of the bar.
    """
    names, here = width(look, TOOLS, names=True) <= room, list(TOOLS)
    while here and width(look, here, names) > room - (look.px(SIDE + GAP) if here != list(TOOLS) else 0):
        here.pop()
    found, x = [], look.px(PAD)
    for i, tool in enumerate(here):
        x += _gap(look, here[i - 1], tool) if i else 0.0
        wide = _width(look, tool, names)
        found.append(Place(tool, x, wide, tr(tool.name) if names else ""))
        x += wide
    return found


class Toolbar(Overlay):
    """The bar; tools for which it has no room are in a menu at its end."""

    def __init__(self, workspace: Workspace, focus: KeyboardFocus, opened: Mapping[str, Overlay]) -> None:
        """Make the bar. `opened` are the elements that some of the tools open, by the names of their actions."""
        self._workspace, self._focus, self._opened = workspace, focus, opened
        self._measured_for: tuple[object, ...] = ()
        self._places: list[Place] = []

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the bar, if it has a place."""
        look, rect = canvas.look, canvas.areas.toolbar
        if rect is None:
            return
        with windows.docked(look, "Toolbar", rect, (0, 0)):
            edge = (rect.x, rect.y + rect.height - 1.0), (rect.x + rect.width, rect.y + rect.height)
            imgui.get_window_draw_list().add_rect_filled(*edge, u32(look.palette.line))
            imgui.dummy((float(rect.width), float(rect.height)))  # else ImGui objects to a cursor beyond what is there
            wanted = look.scale, look.fonts, rect.width, chosen()
            if wanted != self._measured_for:  # measuring the names takes longer than drawing the bar
                self._places, self._measured_for = places(look, rect.width), wanted
            y = rect.y + round((rect.height - look.px(TALL)) / 2)
            for place in self._places:
                self._tool(look, place, rect.x + place.x, y)
            if rest := TOOLS[len(self._places) :]:
                last = self._places[-1] if self._places else None
                self._more(look, rest, rect.x + (last.x + last.width if last else look.px(PAD)) + look.px(GAP), y)

    def _tool(self, look: Look, place: Place, x: float, y: float) -> None:
        tool, possible, tall = place.tool, place.tool.possible(self._workspace), look.px(TALL)
        imgui.set_cursor_screen_pos((x, y))
        name, lit = f"tool {tool.action}", self._is_on(tool)
        if icon_button(look, name, tool.icon, place.width, tall, True, lit, not possible, place.label) and possible:
            self._press(tool)
        if imgui.is_item_hovered():
            action = ACTIONS[tool.action]
            tooltip(look, f"{sentence(tr(action.description))} ({keys_shown(action.keys)})")
        self._focus.button(look, name)
        if tool.action == "stereo":
            self._modes(look, x, y + tall)

    def _is_on(self, tool: Tool) -> bool:
        overlay = self._opened.get(tool.action)
        return tool.on(self._workspace) if overlay is None else overlay.is_open

    def _press(self, tool: Tool) -> None:
        """Open the list of modes for the tool of stereo; run the action of any other tool."""
        if tool.action == "stereo":
            imgui.open_popup(MODES)
        else:
            self._run(tool)

    def _run(self, tool: Tool) -> None:
        self._workspace.messages.attempt(lambda: ACTIONS[tool.action].run(self._workspace))

    def _modes(self, look: Look, x: float, y: float) -> None:
        """Draw the list of stereo modes, the present one lit."""
        imgui.set_next_window_pos((x, y + look.px(3)))
        with scopes.popup(MODES) as opened:
            now = self._workspace.session.scenario.stereo.mode
            for mode in STEREO_MODES.values() if opened else ():
                with scopes.colored(look.palette.accent if mode.name == now else look.palette.text):
                    if imgui.selectable(f"{tr(mode.label)}###{mode.name}", mode.name == now)[0]:
                        self._workspace.stereo.choose(mode.name)
                tooltip(look, sentence(tr(mode.summary)))
                if mode.name == now and imgui.is_window_appearing():
                    imgui.set_item_default_focus()

    def _more(self, look: Look, tools: Sequence[Tool], x: float, y: float) -> None:
        """Draw the button that lists the tools for which there is no room."""
        imgui.set_cursor_screen_pos((x, y))
        if icon_button(look, "more tools", icons.more, look.px(SIDE), look.px(TALL), plain=True):
            imgui.open_popup(REST)
        tooltip(look, tr("More"))
        self._focus.button(look, "more tools")
        with scopes.popup(REST) as opened:
            for tool in tools if opened else ():
                with scopes.disabled(not tool.possible(self._workspace)):
                    if imgui.selectable(f"{tr(tool.name)}###{tool.action}", self._is_on(tool))[0]:
                        self._run(tool)
