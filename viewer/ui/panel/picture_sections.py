"""The panel's sections about the picture: View, Stereo with the picture's parallax, Camera path, and Show."""

from viewer.common.color import Color
from viewer.common.language import marked, tr
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import SECTIONS, field_at
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.scene.stereo.comfort import Comfort, Parallax
from viewer.scene.words.formatting import named
from viewer.ui.bars.timeline import LEAKS
from viewer.ui.panel.section import Section
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons
from viewer.ui.widgets.drawing import Look, row, text, text_right, tooltip, width_of
from viewer.ui.widgets.fields import DEFAULT
from viewer.ui.widgets.style import u32
from viewer.user.settings import setting_at

OCTANT_BUTTON = marked("First octant (Shift+M)")
COLUMN = 58.0  # px at scale 1
UNITS = ("%", "°", "mm")
MEANING = marked("Distance on the screen between the two eyes' images of a point")
SIGN = marked("negative: in front of the screen; positive: behind it")
BOX_AND_DOT = 35.0  # at scale 1: width of the box before a label in the section Show, and of the dot after it
# switches whose colour in the theme has another name
COLOR_OF = {"ellipsoid": "shell", "plane": "grid", "rolling_ticks": "polhode", "loads": "force", "centre_path": "text"}
SOUND = "sound.on"


class ViewSection(Section):
    """The camera; in momentum space also a button for the view of the octant in the paper's Fig. 3."""

    title = marked("View")
    settings_shown = ("panel.language",)

    def draw(self, look: Look) -> None:
        """Draw all rows, as wide as there is room."""
        for name in fields_of(SECTIONS["view"]):
            self.row(look, f"view.{name}")
        if self._session.scenario.view.construction == "momentum":
            if imgui.button(named(OCTANT_BUTTON), (imgui.get_content_region_avail().x, 0.0)):
                self._workspace.animator.show_octant(self._session.scenario.view)
            self._controls.focus.button(look, OCTANT_BUTTON)
        self.setting(look, "panel.language")


class StereoSection(Section):
    """The stereo mode and the eyes; the numbers of automatically placed eyes are those in the picture."""

    title = marked("Stereo")

    def row(self, look: Look, path: str) -> None:
        """Draw the row of a field; below the row of `comfort` stands the parallax of the picture."""
        picture, stereo, name = self._scene_view, self._session.scenario.stereo, path.partition(".")[2]
        if self._state.chart and path in LEAKS:  # they are in the chart's own bar
            return
        if name in ("separation", "convergence") and stereo.comfort and picture.eyes is not None:
            if self._session.scenario.has_effect(path):
                new = self._controls.edit(look, path, field_at(path), getattr(picture.eyes, name), DEFAULT.value(path))
                if new is not None:
                    self._controls.editor.change({path: new})
        else:
            super().row(look, path)
        measured = None if self._state.quiz_open else picture.comfort
        if name == "comfort" and measured is not None and len(STEREO_MODES[stereo.mode].eyes) > 1:
            draw_parallax(look, measured)


class CameraPathSection(Section):
    """The path along which the camera moves by itself."""

    title = marked("Camera path")


class ShowSection(Section):
    """What the picture shows, as boxes to tick in two columns."""

    title = marked("Show")
    settings_shown = ("names.pointer", "names.legend", SOUND)

    def draw(self, look: Look) -> None:
        """Draw all boxes."""
        room, start = imgui.get_content_region_avail().x, imgui.get_cursor_pos_x()
        names = list(fields_of(SECTIONS["show"]))
        labels = [tr(field.label) for field in fields_of(SECTIONS["show"]).values()]
        widest = max(width_of(label) for label in labels[1::2]) + look.px(BOX_AND_DOT)
        second = min(room / 2, room - widest)
        for i, name in enumerate(names):
            if i % 2:
                imgui.same_line(start + second)
            self.row(look, f"show.{name}")
        for number, path in enumerate(self.settings_shown):
            if number % 2:
                imgui.same_line(start + second)
            self.setting(look, path)
        if imgui.button(named("Hide the interface (H)"), (imgui.get_content_region_avail().x, 0.0)):
            self._state.toggle("hidden")
        self._controls.focus.button(look, "Hide the interface (H)")

    def row(self, look: Look, path: str) -> None:
        """Draw the box of a thing in the scene, with its colour if it has one of its own."""
        self._controls.switch(look, path)
        name = path.partition(".")[2]
        color = getattr(theme_of(self._session.scenario), COLOR_OF.get(name, name), None)
        if color is not None:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            middle = high.x + look.px(7), (low.y + high.y) / 2
            imgui.get_window_draw_list().add_circle_filled(middle, look.px(3), u32(color))

    def setting(self, look: Look, path: str) -> None:
        """Draw the box of a setting."""
        field, on = setting_at(path), bool(self._settings.value(path))
        if self._controls.box(look, path, tr(field.label), on, tr(field.description)):
            if path == SOUND:  # which a machine may not have
                self._workspace.in_window["sound"]()
            else:
                self._settings.change(path, not on)


def draw_parallax(look: Look, comfort: Comfort) -> None:
    """Draw a table with the parallax of the nearest and the farthest point, and below it whether it is comfortable."""
    _cells(look, marked("Parallax"), UNITS, look.palette.dim)
    tooltip(look, tr(MEANING), tr(SIGN), tr("% of the picture's width, angle at the eye, mm on this screen"))
    for name, parallax in ((marked("Nearest"), comfort.nearest), (marked("Farthest"), comfort.farthest)):
        color = look.palette.text if parallax.comfortable else look.palette.danger
        _cells(look, name, figures(parallax), color)
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
    """Return a parallax as texts with signs: in % of the picture's width, in degrees, and in mm on the screen."""
    metres = parallax.metres
    millimetres = "—" if metres is None else _signed(1e3 * metres, 1)
    return _signed(100.0 * parallax.fraction, 2), _signed(parallax.degrees, 2), millimetres


def verdict(comfort: Comfort) -> str:
    """Return a text that says why a picture is not comfortable."""
    if comfort.nearest.comfortable:
        return tr("too far behind the screen")
    return tr("too far in front of the screen") if comfort.farthest.comfortable else tr("too much depth")


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def _cells(look: Look, name: str, cells: tuple[str, ...], color: Color) -> None:
    """Draw a name at the left and three columns at the right."""
    left, top, right = row(f"comfort {name}", imgui.get_text_line_height())
    text(left, top, look.palette.dim, tr(name))
    for i, cell in enumerate(reversed(cells)):
        text_right(right - i * look.px(COLUMN), top, color, cell)
