"""The message at the bottom of the scene and the list of recent ones above it."""

from collections.abc import Callable
from functools import partial

from viewer.common.language import tr
from viewer.scene.words.formatting import named
from viewer.ui.layout import Areas, Rect
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, icon_button, shortened_to, text, tooltip, width_of
from viewer.ui.widgets.style import u32
from viewer.workspace.messages import Activity, Message
from viewer.workspace.workspace import Workspace

LISTED = 8  # the most messages in the list
HIGHEST = 0.25  # fraction of the scene's height for the newest message, which must not hide the scene's middle
LEAST_BESIDE = 320.0  # least width at scale 1 for messages beside the scene's corner


def clear_of_corner(look: Look, scene: Rect, scale: float, taken: tuple[float, float]) -> Rect:
    """Return the part of the scene beside its lower left corner, or the part above the corner if that is too narrow.

    `taken` is the width and the height of the corner in pixels at scale 1; `scale` is the scale of the corner.
    """
    wide, tall = round(scale * taken[0]), round(scale * taken[1])
    if scene.width - wide >= look.px(LEAST_BESIDE):
        return Rect(scene.x + wide, scene.y, scene.width - wide, scene.height)
    return Rect(scene.x, scene.y, scene.width, max(1, scene.height - tall))


class MessageCard(Overlay):
    """The newest message and the list of the latest ones."""

    is_card, to_read = True, True

    def __init__(self, workspace: Workspace, scene_view: SceneView, activity: Callable[[], Activity | None]) -> None:
        """`activity` returns the lengthy task that the app is busy with, or None."""
        self._session, self._state, self._messages = workspace.session, workspace.state, workspace.messages
        self._scene_view, self._activity = scene_view, activity
        self.boxes: list[Rect] = []  # the cards drawn last, which take the mouse

    @property
    def is_open(self) -> bool:
        """Whether the list of the latest messages is shown."""
        return self._messages.listed

    def close(self) -> None:
        self._messages.listed = False

    def covers(self, x: float, y: float) -> bool:
        return any(box.holds(x, y) for box in self.boxes)

    def wait(self) -> float | None:
        return self._messages.wait()

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the newest message at the bottom of the scene, and the list above it.

        In a lecture only errors are shown; while the ui is hidden, only errors and messages with an offer.
        """
        look, scene, hidden, errors_only = canvas.look, canvas.free, canvas.hidden, self._state.lecture
        message = self._newest(canvas.areas)
        self.boxes = []
        width, height = scene.size
        if width < look.px(80) or height < look.px(60):
            return
        bottom = scene.y + height - look.px(12)
        if message is not None and (message.error or not (errors_only or (hidden and not message.offer))):
            bottom = self._line(look, scene, bottom, message) - look.px(6)
        if self.is_open and not hidden:
            self._list(look, scene, bottom)
        top = min((box.y for box in self.boxes), default=scene.y + scene.height)
        canvas.free = Rect(scene.x, scene.y, scene.width, top - scene.y)

    def _newest(self, areas: Areas) -> Message | None:
        """Take in the session's message and the lengthy work that goes on, and return the message to show.

        A warning about the body is left out if the panel or the board shows it.
        """
        session, messages = self._session, self._messages
        said, status = session.scene.message, session.status
        if said is None or ((areas.panel or areas.board) and said == session.snapshot().body.warning):
            said = self._scene_view.unavailable
        doubt = session.scene.message_is_doubt and said == session.scene.message
        messages.activity = self._activity()
        if not self._state.chart:
            messages.follow(said, doubt, status.number if said == status.event else 0)
        return messages.current

    def _line(self, look: Look, scene: Rect, bottom: float, message: Message) -> float:
        """Draw the newest message with its buttons, cut if it is too tall; return its upper edge."""
        p, margin, pad, side = look.palette, look.px(12), look.px(12), look.px(22)
        messages, report = self._messages, partial(imgui.set_clipboard_text, message.report)
        buttons: list[tuple[str, icons.Icon, Callable[[], object], tuple[str, ...]]] = [
            ("copy", icons.copy, report, (tr("Copy with details"), *message.detail.splitlines()[-1:])),
            ("close", icons.cross, messages.close, ()),
        ]
        if len(messages.latest) > 1:
            buttons.insert(0, ("messages", icons.lines, messages.toggle_list, (tr("Recent messages (Ctrl+L)"),)))
        beside = side * len(buttons) + look.px(4)
        room = max(look.px(30), scene.width - 2 * margin - 2 * pad - beside) + 1.0
        shown = shortened_to(message.text, room, max(HIGHEST * scene.height, 2.1 * imgui.get_text_line_height()))
        words = imgui.calc_text_size(shown, False, room)
        below = imgui.get_frame_height() + look.px(6) if message.offer else 0.0
        offer = width_of(message.offer.label) + 2 * look.px(8) - beside if message.offer else 0.0
        wide, tall = max(words.x, min(offer, room)) + 2 * pad + beside, max(words.y, side) + look.px(12) + below
        rect = Rect(round(scene.x + margin), round(max(scene.y, bottom - tall)), round(wide), round(tall))
        self.boxes.append(rect)
        with windows.card(look, "Message", rect):
            windows.stripe(look, rect, p.danger if message.error else p.accent)
            imgui.set_cursor_screen_pos((rect.x + pad, rect.y + (tall - below - words.y) / 2))
            with scopes.wrapped(pad + room):
                imgui.text_unformatted(shown)
            if shown != message.text:
                tooltip(look, message.text)
            for number, (name, icon, action, meaning) in enumerate(buttons):
                at = rect.x + wide - beside + number * side
                imgui.set_cursor_screen_pos((at, rect.y + (tall - below - side) / 2))
                if icon_button(look, name, icon, side, side, plain=True):
                    action()
                if meaning:
                    tooltip(look, *meaning)
            if message.offer:
                imgui.set_cursor_screen_pos((rect.x + pad, rect.y + tall - below - look.px(2)))
                taken = imgui.button(f"{message.offer.label}###offer")
                low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
                imgui.get_window_draw_list().add_rect(low, high, u32(p.accent), look.px(4))
                if taken:
                    messages.take_offer()
        return rect.y

    def _list(self, look: Look, scene: Rect, bottom: float) -> None:
        """Draw the latest messages, the newest at the bottom, each with its time of day."""
        p, margin, pad = look.palette, look.px(12), look.px(12)
        hour = imgui.calc_text_size("00:00:00  ").x
        width = min(scene.width - 2 * margin, look.px(620))
        room = max(look.px(30), width - 2 * pad - hour) + 1.0
        kept = list(self._messages.latest)[-LISTED:]
        heights = [imgui.calc_text_size(message.text, False, room).y + look.px(4) for message in kept]
        while len(heights) > 1 and sum(heights) + look.px(44) > bottom - scene.y:
            kept, heights = kept[1:], heights[1:]
        tall = sum(heights) + look.px(46)
        x, y = scene.x + margin, max(float(scene.y), bottom - tall)
        rect = Rect(round(x), round(y), round(width), round(tall))
        self.boxes.append(rect)
        with windows.card(look, "Messages", rect):
            imgui.set_cursor_screen_pos((x + pad, y + look.px(8)))
            if imgui.button(named("Copy all")):
                imgui.set_clipboard_text("\n\n".join(message.report for message in self._messages.latest))
            imgui.same_line()
            if imgui.button(named("Close", "##messages")):
                self.close()
            y += look.px(40)
            for message, tall in zip(kept, heights, strict=True):
                text(x + pad, y, p.dim, message.at)
                imgui.set_cursor_screen_pos((x + pad + hour, y))
                color = p.danger if message.error else p.text
                with scopes.wrapped(pad + hour + room), scopes.colored(color):
                    imgui.text_unformatted(message.text)
                y += tall
