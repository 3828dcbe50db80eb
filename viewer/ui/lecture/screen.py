"""What the audience of a lecture sees over the scene: a bright ring around the pointer, and the black screen."""

import numpy as np

from viewer.ui.overlay import Overlay, Overlays, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.platform.imgui_renderer import ImguiRenderer
from viewer.ui.widgets.style import u32
from viewer.workspace.lecture import Lecture
from viewer.workspace.state import UiState

TEXELS = 256  # side of the pictures
REACH = 1.6  # half their side, in radii of the ring
RADIUS = 46.0  # at scale 1
DIMMED = 0.32  # opacity of the shade outside the ring
WARM, BLACK = (1.0, 0.78, 0.25), (0.0, 0.0, 0.0)


def ring_opacity(radius: np.ndarray) -> np.ndarray:
    """Return the ring's opacity at these distances from the pointer, in radii of the ring: soft at both sides."""
    return np.asarray(np.exp(-(((radius - 1.0) / 0.055) ** 2)) + 0.35 * np.exp(-(((radius - 1.0) / 0.2) ** 2))) / 1.35


def shade_opacity(radius: np.ndarray) -> np.ndarray:
    """Return the shade's opacity at these distances, in radii of the ring, as a fraction of its full opacity."""
    rise = np.clip((radius - 0.95) / (REACH - 1.0), 0.0, 1.0)
    return np.asarray(rise * rise * (3.0 - 2.0 * rise))


class Spotlight(Overlay):
    """The ring around the pointer, and the shade outside it; their pictures are made when they are first needed."""

    def __init__(self, renderer: ImguiRenderer, state: UiState, overlays: Overlays) -> None:
        self._renderer, self._state, self._overlays = renderer, state, overlays
        self._textures: tuple[int, int] | None = None  # shade, ring

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the ring around the pointer, and the shade if the pointer is over the scene."""
        look, scene, at = canvas.look, canvas.areas.scene, canvas.pointer
        if at is None or not self._state.spot or self._overlays.modal:
            return
        target, reach = imgui.get_foreground_draw_list(), round(REACH * look.px(RADIUS))
        low, high = (at[0] - reach, at[1] - reach), (at[0] + reach, at[1] + reach)
        shade, ring = self._pictures()
        if scene.holds(*at):
            corners = (scene.x, scene.y), (scene.x + scene.width, scene.y + scene.height)
            places = [((x - low[0]) / (2 * reach), (y - low[1]) / (2 * reach)) for x, y in corners]  # in the picture
            target.add_image(imgui.ImTextureRef(shade), *corners, *places, u32(BLACK, DIMMED))
        target.add_image(imgui.ImTextureRef(ring), low, high, (0, 0), (1, 1), u32(WARM))

    def _pictures(self) -> tuple[int, int]:
        if self._textures is None:
            line = (np.arange(TEXELS) + 0.5) * (2.0 * REACH / TEXELS) - REACH
            radius = np.hypot(line, line[:, np.newaxis])
            shade, ring = (self._picture(of(radius)) for of in (shade_opacity, ring_opacity))
            self._textures = shade, ring
        return self._textures

    def _picture(self, opacity: np.ndarray) -> int:
        pixels = np.full((TEXELS, TEXELS, 4), 255, np.uint8)
        pixels[:, :, 3] = np.round(255.0 * opacity)
        return self._renderer.add_texture((TEXELS, TEXELS), pixels.tobytes())


class BlackScreen(Overlay):
    """The black screen, over everything."""

    def __init__(self, lecture: Lecture, state: UiState) -> None:
        self._lecture, self._state = lecture, state
        self._takes_text = False  # whether the next text belongs to the key that has lit the screen

    @property
    def is_open(self) -> bool:
        return self._state.black

    @property
    def modal(self) -> bool:
        return self.is_open

    def close(self) -> None:
        self._lecture.light()

    def take_key(self, key: str) -> bool:
        self._takes_text = self._lecture.light()
        return self._takes_text

    def take_text(self, typed: str) -> bool:
        taken, self._takes_text = self._takes_text, False
        return taken

    def draw(self, canvas: UiCanvas) -> None:
        if self.is_open:
            corners = (0.0, 0.0), (float(canvas.size[0]), float(canvas.size[1]))
            imgui.get_foreground_draw_list().add_rect_filled(*corners, u32((0.0, 0.0, 0.0)))
