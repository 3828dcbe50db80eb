"""The black screen of a lecture: any key or a press of the mouse shows the scene again."""

from viewer.session.session import Session
from viewer.ui.overlay import Canvas, Overlay
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.style import u32


class BlackScreen(Overlay):
    """Lies over everything; the motion waits while it is black."""

    is_open = False

    def __init__(self, session: Session) -> None:
        self._session = session
        self._plays = False  # the motion, once the screen is lit again
        self._takes_text = False  # the text that comes next belongs to the key that has lit the screen

    @property
    def modal(self) -> bool:
        return self.is_open

    def darken(self) -> None:
        """Black the screen."""
        self._plays = self._session.playback.playing
        self._session.playback.pause()
        self.is_open = True

    def light(self) -> bool:
        """Show the scene again; return whether the screen was black."""
        was_black, self.is_open = self.is_open, False
        if was_black and self._plays:
            self._session.playback.play()
        return was_black

    def close(self) -> None:
        self.light()

    def take_key(self, key: str) -> bool:
        self._takes_text = self.light()
        return self._takes_text

    def take_text(self, typed: str) -> bool:
        taken, self._takes_text = self._takes_text, False
        return taken

    def draw(self, canvas: Canvas) -> None:
        if self.is_open:
            corners = (0.0, 0.0), (float(canvas.size[0]), float(canvas.size[1]))
            imgui.get_foreground_draw_list().add_rect_filled(*corners, u32((0.0, 0.0, 0.0)))
