"""Small pictures of the presets, from assets/thumbnails, each read when it is first drawn."""

import io

from viewer.common import resources
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.platform.imgui_renderer import ImguiRenderer
from viewer.ui.widgets.style import u32

SIZE = (320, 200)


class Thumbnails:
    """Draws them. `gray`: for coloured glasses, through which each eye sees every grey alike."""

    def __init__(self, renderer: ImguiRenderer) -> None:
        self._renderer = renderer
        self._textures: dict[tuple[str, bool], int] = {}

    def draw(self, name: str, x: float, y: float, width: float, rounding: float, gray: bool) -> float:
        """The picture of a preset with its upper left corner at (x, y); returns its height."""
        height = round(width * SIZE[1] / SIZE[0])
        key = (name, gray)
        if key not in self._textures:
            self._textures[key] = self._load(name, gray)
        corners = (x, y), (x + width, y + height)
        texture = imgui.ImTextureRef(self._textures[key])
        white = u32((1.0, 1.0, 1.0))
        imgui.get_window_draw_list().add_image_rounded(texture, *corners, (0, 0), (1, 1), white, rounding)
        return height

    def _load(self, name: str, gray: bool) -> int:
        from PIL import Image

        with Image.open(io.BytesIO(resources.read_bytes("assets", "thumbnails", f"{name}.png"))) as image:
            picture = (image.convert("L") if gray else image).convert("RGBA")
        return self._renderer.add_texture(picture.size, picture.tobytes())
