"""The parallax of the nearest and the farthest point, and whether the eyes bear it: shown by icon, text and colour."""

from viewer.common.color import Color
from viewer.common.language import marked, tr
from viewer.scene.stereo.comfort import Comfort, Parallax
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons
from viewer.ui.widgets.drawing import Look, row, text, text_right, tooltip
from viewer.ui.widgets.style import u32

COLUMN = 58.0  # px at scale 1
UNITS = ("%", "°", "mm")
MEANING = marked("Distance on the screen between the two eyes' images of a point")
SIGN = marked("negative: in front of the screen; positive: behind it")


def draw(look: Look, comfort: Comfort) -> None:
    """A table with the nearest and the farthest point, and the verdict below."""
    _row(look, marked("Parallax"), UNITS, look.palette.dim)
    tooltip(look, tr(MEANING), tr(SIGN), tr("% of the picture's width, angle at the eye, mm on this screen"))
    for name, parallax in ((marked("Nearest"), comfort.nearest), (marked("Farthest"), comfort.farthest)):
        color = look.palette.text if parallax.comfortable else look.palette.danger
        _row(look, name, figures(parallax), color)
        tooltip(look, tr(MEANING), tr(SIGN))
    good = comfort.comfortable
    left, top, _ = row("verdict", imgui.get_text_line_height())
    tooltip(look, tr("Comfortable: between 1 % in front of the screen and 2 % behind it, and never 63 mm apart"))
    color = look.palette.good if good else look.palette.danger
    icon, radius = icons.tick if good else icons.cross, 0.3 * imgui.get_text_line_height()
    middle = top + imgui.get_text_line_height() / 2
    icon(imgui.get_window_draw_list(), left + 1.4 * radius, middle, radius, u32(color))
    imgui.dummy((0.0, look.px(2)))
    text(left + look.px(20), top, color, tr("comfortable") if good else verdict(comfort))


def figures(parallax: Parallax) -> tuple[str, ...]:
    """Fraction in %, angle in degrees and length in mm, with their signs."""
    metres = parallax.metres
    millimetres = "—" if metres is None else _signed(1e3 * metres, 1)
    return _signed(100.0 * parallax.fraction, 2), _signed(parallax.degrees, 2), millimetres


def verdict(comfort: Comfort) -> str:
    """What is too far apart."""
    if comfort.nearest.comfortable:
        return tr("too far behind the screen")
    return tr("too far in front of the screen") if comfort.farthest.comfortable else tr("too much depth")


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def _row(look: Look, name: str, cells: tuple[str, ...], color: Color) -> None:
    """A name at the left, three columns at the right."""
    left, top, right = row(f"comfort {name}", imgui.get_text_line_height())
    text(left, top, look.palette.dim, tr(name))
    for i, cell in enumerate(reversed(cells)):
        text_right(right - i * look.px(COLUMN), top, color, cell)
