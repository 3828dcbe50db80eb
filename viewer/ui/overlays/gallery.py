"""The gallery over the window: presets with a picture and a sentence each, tours, and the user's own files."""

import io
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from viewer.commands import lecture
from viewer.commands.documents import ask_open, open_named
from viewer.commands.opening import open_scene, restore
from viewer.common import resources
from viewer.common.frozen import frozen
from viewer.common.language import plural, tr
from viewer.scenario.playlists import playlists
from viewer.scenario.presets import GROUPS, PRESETS
from viewer.scenario.tours import tours
from viewer.scene.words.formatting import named, printable
from viewer.scene.words.sources import sources
from viewer.ui.layout import Rect
from viewer.ui.overlay import Modal, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.platform.imgui_renderer import ImguiRenderer
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, icon_button, text, text_right, tooltip, width_of
from viewer.ui.widgets.style import Palette, u32
from viewer.workspace.workspace import Workspace

WIDEST, NARROWEST_CARD = 1180.0, 200.0  # at scale 1
THUMBNAIL = (640, 400)  # px: twice as large as a card at scale 1
GAP, PAD, ROUND = 10.0, 9.0, 5.0
HEADINGS = GROUPS | {
    "tours": "Guided tours",
    "lectures": "Playlists",
    "recent": "Recent files",
    "unsaved": "Unsaved scenes",
}


@frozen
class Card:
    """A card of the gallery. `group` is a key of HEADINGS, `picture` the preset whose thumbnail it shows, or "".

    `note` stands at the right of the title; `sources` are the paragraphs of its tooltip, which say where the numbers
    come from.
    """

    group: str
    title: str
    summary: str
    run: Callable[[], object]
    picture: str = ""
    note: str = ""
    sources: tuple[str, ...] = ()


def cards(workspace: Workspace) -> Iterator[Card]:
    """Yield a card for each preset, tour, playlist, recent file and unsaved scene."""
    for number, (name, preset) in enumerate(PRESETS.items(), start=1):
        key = str(number) if number <= 9 else ""
        run = partial(open_scene, workspace, name)
        yield Card(preset.group, tr(preset.title), tr(preset.summary), run, name, key, tuple(sources(preset)))
    for tour in tours().values():
        start, count = partial(workspace.tour.start, tour.name), len(tour.steps)
        steps = plural("{count} step", "{count} steps", count).format(count=count)
        yield Card("tours", tr(tour.title), tr(tour.summary), start, tour.picture, steps)
    for playlist in playlists().values():
        items = plural("{count} item", "{count} items", len(playlist.items)).format(count=len(playlist.items))
        first = playlist.items[0].scene if playlist.items[0].scene in PRESETS else ""
        summary = tr("A list of scenes and tours for lecture mode (F5)")
        yield Card("lectures", tr(playlist.title), summary, partial(lecture.begin, workspace, playlist), first, items)
    for path in map(Path, workspace.files.recent):
        folder, reopen = printable(str(path.parent)), partial(open_named, workspace, str(path))
        yield Card("recent", printable(path.name), folder, reopen)
    for left in workspace.unsaved.left:
        again = partial(restore, workspace, left)
        yield Card("unsaved", printable(tr(left.title)), tr("not saved when Poinsot closed"), again)


def ground_of(palette: Palette) -> str:
    """Return the name of the folder of thumbnails that suits a palette: "dark" or "light"."""
    return "light" if sum(palette.background) > 1.5 else "dark"


class Thumbnails:
    """Small pictures of the presets on a dark or a light background, each read when it is first drawn.

    If a picture is drawn `gray`, it is for coloured glasses, through which both eyes see a grey alike.
    """

    def __init__(self, renderer: ImguiRenderer) -> None:
        self._renderer = renderer
        self._textures: dict[tuple[str, str, bool], int] = {}

    def draw(self, look: Look, name: str, x: float, y: float, width: float, gray: bool) -> float:
        """Draw the picture of a preset with its upper left corner at (x, y); return its height."""
        height, rounding = round(width * THUMBNAIL[1] / THUMBNAIL[0]), look.px(ROUND)
        key = (ground_of(look.palette), name, gray)
        if key not in self._textures:
            self._textures[key] = self._load(*key)
        corners = (x, y), (x + width, y + height)
        texture = imgui.ImTextureRef(self._textures[key])
        white = u32((1.0, 1.0, 1.0))
        imgui.get_window_draw_list().add_image_rounded(texture, *corners, (0, 0), (1, 1), white, rounding)
        return height

    def release(self) -> None:
        """Delete the pictures, 1.3 MB each."""
        for texture in self._textures.values():
            self._renderer.remove_texture(texture)
        self._textures.clear()

    def _load(self, ground: str, name: str, gray: bool) -> int:
        from PIL import Image

        with Image.open(io.BytesIO(resources.read_bytes("assets", "thumbnails", ground, f"{name}.webp"))) as image:
            picture = (image.convert("L") if gray else image).convert("RGBA")
        return self._renderer.add_texture(picture.size, picture.tobytes(), shrinks=True)


class Gallery(Modal):
    """The gallery, which takes every key while it is open."""

    fills = True

    def __init__(
        self,
        workspace: Workspace,
        thumbnails: Thumbnails,
    ) -> None:
        self._workspace, self._thumbnails = workspace, thumbnails
        self.cards: list[Card] = []
        self.at = 0  # the card that Enter takes
        self.rect: Rect | None = None  # of the gallery as drawn last
        self._rows: list[list[int]] = []  # the cards as they were laid out
        self._comes = False  # whether the next frame scrolls to the card `at`

    def toggle(self, group: str = "") -> None:
        """Open the gallery at the first card of a group, or close it."""
        self.is_open = not self.is_open
        self._rows = []
        if self.is_open:
            self.cards = list(cards(self._workspace))
            self.at = next((at for at, card in enumerate(self.cards) if card.group == group), 0)
            self._comes = self.at > 0

    def take_key(self, key: str) -> bool:
        """Act on a key; the gallery takes them all."""
        steps = {"Left": -1, "Right": 1, "Tab": 1, "Shift+Tab": -1}
        rows = {"Up": -1, "Down": 1, "PageUp": -2, "PageDown": 2, "Home": -99, "End": 99}
        if key in ("Escape", "A", "Shift+A"):
            self.close()
        elif key == "Enter":
            self._run(self.at)
        elif key in ("O", "Ctrl+O"):
            self._open_file()
        elif key in steps:
            self._choose(min(len(self.cards) - 1, max(0, self.at + steps[key])))
        elif key in rows:
            self._move(rows[key])
        return True

    def take_text(self, typed: str) -> bool:
        """Take typed text, which has no meaning in the gallery."""
        return True

    def _move(self, by: int) -> None:
        """Go down by this number of rows, or up if it is negative; stay in the column if the row has it."""
        row = next((i for i, row in enumerate(self._rows) if self.at in row), None)
        if row is None:
            return
        column = self._rows[row].index(self.at)
        there = self._rows[min(len(self._rows) - 1, max(0, row + by))]
        self._choose(there[min(column, len(there) - 1)])

    def _choose(self, at: int) -> None:
        self.at, self._comes = at, True

    def _run(self, at: int) -> None:
        if at < len(self.cards):
            self.close()
            self.cards[at].run()

    def _open_file(self) -> None:
        self.close()
        ask_open(self._workspace)

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the gallery; a click beside it closes it."""
        self.rect = None
        if not self.is_open:
            self._thumbnails.release()
            return
        look, size, gray = canvas.look, canvas.size, canvas.gray
        margin = look.px(12)
        width = max(1.0, min(look.px(WIDEST), size[0] - 2 * margin))
        tall = max(1.0, size[1] - 2 * margin)
        self.rect = Rect(round((size[0] - width) / 2), round(margin), round(width), round(tall))
        with windows.dialog(look, "Gallery", self.rect, (16, 12)):
            self._head(look)
            with scopes.child("Cards", (0.0, 0.0)):
                self._groups(look, gray)
            if windows.clicked_beside(self.rect):
                self.close()

    def _head(self, look: Look) -> None:
        """Draw the title, and at the right the buttons that open a file and close the gallery."""
        start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        side = imgui.get_frame_height()
        y = start.y + (side - imgui.get_text_line_height()) / 2
        with scopes.font(look.fonts.medium):
            text(start.x, y, look.palette.text, tr("Scenes and tours"))
        button = width_of(tr("Open file…")) + look.px(24)
        imgui.set_cursor_screen_pos((start.x + room - side - look.px(6) - button, start.y))
        if imgui.button(named("Open file…"), (button, 0.0)):
            self._open_file()
        tooltip(look, "O")
        imgui.same_line(0, look.px(6))
        if icon_button(look, "close gallery", icons.cross, side, side, plain=True):
            self.close()
        imgui.dummy((0.0, look.px(2)))

    def _groups(self, look: Look, gray: bool) -> None:
        """Draw all cards under their headings, in as many columns as there is room for."""
        gap, room = look.px(GAP), imgui.get_content_region_avail().x - look.px(12)
        columns = max(1, int((room + gap) // (look.px(NARROWEST_CARD) + gap)))
        width = float(int((room - (columns - 1) * gap) / columns))
        left, y = imgui.get_cursor_screen_pos().x, imgui.get_cursor_screen_pos().y
        self._rows = []
        for group in dict.fromkeys(card.group for card in self.cards):
            members = [at for at, card in enumerate(self.cards) if card.group == group]
            if self._rows:
                y += look.px(8)
            text(left, y, look.palette.dim, tr(HEADINGS[group]))
            y += imgui.get_text_line_height() + look.px(6)
            for first in range(0, len(members), columns):
                row = members[first : first + columns]
                self._rows.append(row)
                tall = max(self._height(look, self.cards[at], width) for at in row)
                for column, at in enumerate(row):
                    x = left + column * (width + gap)
                    self._card(look, at, Rect(round(x), round(y), round(width), round(tall)), gray)
                y += tall + gap
        imgui.set_cursor_screen_pos((left, y))
        imgui.dummy((1.0, 1.0))

    def _height(self, look: Look, card: Card, width: float) -> float:
        """Return the height of a card."""
        pad = look.px(PAD)
        text_height = imgui.calc_text_size(card.summary, False, width - 2 * pad).y
        picture = round(0.625 * width) if card.picture else 0.0
        return float(picture + self._title(look, card, width)[1] + text_height + 2 * pad + look.px(4))

    def _title(self, look: Look, card: Card, width: float) -> tuple[float, float]:
        """Return the width that a card's title has beside the note, and the title's height at this width."""
        room = width - 2 * look.px(PAD) - (width_of(card.note) + look.px(6) if card.note else 0.0)
        with scopes.font(look.fonts.medium):
            return room, float(imgui.calc_text_size(card.title, False, room).y)

    def _card(self, look: Look, at: int, box: Rect, gray: bool) -> None:
        """Draw a card; moving the mouse over it selects it, a click opens it."""
        card, p, pad = self.cards[at], look.palette, look.px(PAD)
        imgui.set_cursor_screen_pos((box.x, box.y))
        clicked = imgui.invisible_button(f"{card.title}##card {card.group}", box.size)
        if at == self.at and self._comes:
            self._comes = False
            imgui.set_scroll_here_y(0.5)
        if not imgui.is_item_visible():
            return
        if card.sources:
            tooltip(look, *card.sources)
        moved = imgui.get_io().mouse_delta
        if imgui.is_item_hovered() and (moved.x or moved.y):
            self.at = at
        low, high = (box.x, box.y), (box.x + box.width, box.y + box.height)
        target, rounding = imgui.get_window_draw_list(), look.px(ROUND)
        target.add_rect_filled(low, high, u32(p.raised), rounding)
        y = float(box.y)
        if card.picture:
            y += self._thumbnails.draw(look, card.picture, box.x, box.y, box.width, gray)
        y += pad
        if card.note:
            text_right(box.x + box.width - pad, y, p.dim, card.note)
        room, tall = self._title(look, card, box.width)
        imgui.set_cursor_screen_pos((box.x + pad, y))
        with scopes.font(look.fonts.medium), scopes.wrapped(box.x + pad + room - imgui.get_window_pos().x + 1.0):
            imgui.text_unformatted(card.title)
        imgui.set_cursor_screen_pos((box.x + pad, y + tall + look.px(4)))
        with scopes.wrapped(box.x + box.width - pad - imgui.get_window_pos().x + 1.0), scopes.colored(p.dim):
            imgui.text_unformatted(card.summary)
        if at == self.at:
            target.add_rect(low, high, u32(p.accent), rounding, thickness=look.px(2))
        if clicked:
            self._run(at)
