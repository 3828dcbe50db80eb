"""Cards over the scene at a start: unsaved scenes of earlier runs, the first scene's caption, and the first hint."""

import time
from collections.abc import Callable

from viewer.commands.opening import restore
from viewer.common.language import marked, plural, tr
from viewer.scenario.sections.picture import Show, View
from viewer.scene.words.formatting import named, printable
from viewer.ui.layout import Rect
from viewer.ui.overlay import Card, Overlay, Overlays, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, tooltip, width_of
from viewer.ui.widgets.style import u32
from viewer.user.autosave import Leftover
from viewer.user.settings import Settings
from viewer.workspace.workspace import Workspace

RECOVERY_WIDTH = 430.0  # at scale 1
RESTORE = marked("Restore")
DAY = 86400.0  # s
TOUR = "why-it-flips"  # the tour that explains the first scene
CAPTION_SIZE, CAPTION_FRACTION = 30.0, 0.045  # least height of its letters, at scale 1 and in heights of the scene
WIDEST = 0.88  # the largest fraction of the scene's width that the caption takes
BELOW, LEAST = 0.09, 50.0  # from the button to the scene's lower edge, at least: in heights of the scene, at scale 1
HINT_SECONDS = 10.0
HINT_SETTING = "hints.first"
HINT_ACTIONS = ("play", "gallery", "stereo")  # the actions that the hint names, besides the drag


class Recovery(Card):
    """The card that offers the newest of the unsaved scenes, until one of its buttons is pressed."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @property
    def is_open(self) -> bool:
        return self.box is not None

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the card at the lower left if there is a scene to offer, and leave the room above to the messages."""
        look, scene = canvas.look, canvas.free
        unsaved = self._workspace.unsaved
        left = [] if unsaved.postponed or canvas.touring else unsaved.left
        width = min(look.px(RECOVERY_WIDTH), scene.width - look.px(24))
        self.box, unsaved.offered = None, False
        if not left or width < look.px(200) or scene.height < look.px(140):
            return
        line = imgui.get_text_line_height()
        height = look.px(30) + 2 * line + look.px(12) + imgui.get_frame_height()
        x, y = scene.x + look.px(12), scene.y + scene.height - look.px(12) - height
        self.box = Rect(round(x), round(y), round(width), round(height))
        unsaved.offered = True
        self._card(look, self.box, left, line)
        canvas.free = Rect(scene.x, scene.y, scene.width, self.box.y - scene.y)

    def _card(self, look: Look, box: Rect, left: list[Leftover], line: float) -> None:
        p, pad = look.palette, look.px(14)
        with windows.card(look, "Recovery", box):
            windows.stripe(look, box, p.accent)
            room = box.width - 2 * pad
            others = len(left) - 1
            more = plural(", and {count} more", ", and {count} more", others).format(count=others) if others else ""
            title = shortened(tr("“{title}”").format(title=printable(tr(left[0].title))), room - width_of(more)) + more
            with scopes.font(look.fonts.medium):
                text(box.x + pad, box.y + look.px(12), p.text, title)
            status = _status(left[0].when)
            text(box.x + pad, box.y + look.px(16) + line, p.dim, shortened(status, room))
            imgui.set_cursor_screen_pos((box.x + pad, box.y + look.px(24) + 2 * line))
            workspace = self._workspace
            actions: tuple[tuple[str, Callable[[], None]], ...] = (
                (RESTORE, lambda: restore(workspace, left[0])),
                (marked("Not now"), self.close),
                (marked("Delete"), lambda: workspace.unsaved.discard(left[0])),
            )
            for name, action in actions:
                with scopes.colored(p.fill if name == RESTORE else p.hovered, what="button"):
                    pressed = imgui.button(named(name))
                if name == "Not now":
                    tooltip(look, tr("Escape", "key"))
                if pressed:
                    action()
                    break
                imgui.same_line(0, look.px(6))

    def close(self) -> None:
        """Stop offering unsaved scenes in this window; they are kept for the next start."""
        self._workspace.unsaved.postponed = True


def _status(seconds: float) -> str:
    """Return a text that says when a scene was left, with the date if that is more than a day ago."""
    then = time.localtime(seconds)
    if time.time() - seconds < DAY:
        return time.strftime(tr("not saved when Poinsot closed at %H:%M"), then)
    return time.strftime(tr("not saved when Poinsot closed on %Y-%m-%d at %H:%M"), then)


class BeginningVeil(Overlay):
    """The veil over the scene that the window shows until the file with which it begins has been read."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def draw(self, canvas: UiCanvas) -> None:
        """Dim the whole window, and hold the motion, whose frames would slow the reading down; a tour comes first."""
        workspace = self._workspace
        if workspace.files.beginning and workspace.tour.tour is None:
            workspace.session.playback.held = True
            windows.veil(canvas.size)


class FirstStart(Card):
    """The caption of the first scene and its button, which remain while only the view of the scene is changed."""

    def __init__(self, workspace: Workspace, recovery: Recovery) -> None:
        self._workspace, self._state, self._scene = workspace, workspace.state, workspace.first_scene
        self._recovery = recovery

    @property
    def is_open(self) -> bool:
        return self._state.opening

    def close(self) -> None:
        self._scene.end()

    def _explain(self) -> None:
        """Begin the tour that explains the scene; afterwards the scene shows what the tour has explained."""
        self._scene.end()
        shown = {f"show.{name}": value for name, value in vars(Show()).items()}
        self._workspace.editor.change(shown | {"view.pan": View.pan, "view.zoom": View.zoom})
        self._workspace.tour.start(TOUR)

    def take_key(self, name: str) -> bool:
        """Press the button if the key is Enter; return whether it was pressed."""
        pressed = name == "Enter" and self.box is not None and self._state.opening
        if pressed:
            self._explain()
        return pressed

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the caption and below it the button, above the hint's place, unless unsaved scenes are offered."""
        look, scene = canvas.look, canvas.areas.scene
        self.box = None
        self._scene.follow()
        elsewhere = canvas.touring or canvas.hidden or canvas.chart or self._recovery.box is not None
        if not self._state.opening or elsewhere:
            return
        caption, why = tr("Nothing pushes it. Watch."), tr("Why?")
        letters = max(CAPTION_SIZE, CAPTION_FRACTION * scene.height / look.scale)
        with scopes.font(look.fonts.regular, letters):
            size = imgui.calc_text_size(caption)
        fits = min(1.0, WIDEST * scene.width / size.x)
        tall = imgui.get_frame_height() + look.px(6)
        wide = max(imgui.calc_text_size(why).x + look.px(40), look.px(96))
        middle = scene.x + 0.5 * scene.width
        bottom = scene.y + scene.height - max(BELOW * scene.height, look.px(LEAST))
        box = Rect(round(middle - wide / 2), round(bottom - tall), round(wide), round(tall))
        at = (round(middle - fits * size.x / 2), round(box.y - look.px(10) - fits * size.y))
        with scopes.font(look.fonts.regular, fits * letters):
            imgui.get_background_draw_list().add_text(at, u32(look.palette.text, 0.92), caption)
        self.box = box
        with windows.card(look, "First start", box):
            imgui.set_cursor_screen_pos((box.x, box.y))
            with scopes.colored(look.palette.fill, what="button"):
                pressed = imgui.button(why + "###why", box.size)
            tooltip(look, tr("Enter", "key"))
        if pressed:
            self._explain()


class FirstHint(Overlay):
    """A line with the first keys, shown once to a user, when no tour and no lecture explains the scene."""

    is_card = True

    def __init__(self, settings: Settings, overlays: Overlays, recovery: Recovery, clock: Callable[[], float]) -> None:
        self._settings, self._overlays, self._recovery, self._clock = settings, overlays, recovery, clock
        self._until: float | None = None

    def dragged(self) -> None:
        """End the hint, because the view was turned."""
        self._until = None

    def started(self, action: str) -> None:
        """End the hint if the action is one that it names."""
        if action in HINT_ACTIONS:
            self._until = None

    def wait(self) -> float | None:
        """Return the seconds until the hint ends, or None if it is not shown."""
        if self._until is None:
            return None
        left = max(0.0, self._until - self._clock())
        if left == 0.0:
            self._until = None  # one more frame is due, without the hint
        return left

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the line in the middle of the scene, above the messages, unless something else explains the scene."""
        look, free = canvas.look, canvas.free
        explained = canvas.touring or canvas.hidden or canvas.chart
        if explained or self._overlays.modal or self._recovery.box is not None:
            return
        if self._settings.kept and not self._settings.value(HINT_SETTING):
            self._until = self._clock() + HINT_SECONDS
            self._settings.change(HINT_SETTING, True)
        if self.wait() is None:
            return
        line, pad, margin = tr("Drag to turn, Space to pause, A for scenes, S for stereo"), look.px(12), look.px(12)
        size = imgui.calc_text_size(line, False, max(look.px(30), free.width - 2 * (margin + pad)))
        wide, tall = size.x + 2 * pad + 1.0, size.y + 2 * look.px(7)
        x, y = free.x + (free.width - wide) / 2, float(free.y + free.height) - margin - tall
        box = Rect(round(x), round(y), round(wide), round(tall))
        with windows.card(look, "First hint", box):
            imgui.set_cursor_screen_pos((box.x + pad, box.y + look.px(7)))
            with scopes.wrapped(pad + size.x + 1.0):
                imgui.text_unformatted(line)
