"""The dialog that saves a picture or a film, the card that shows how far one is, and the mark of a film that is
recorded."""

import os
from pathlib import Path

from viewer.common.errors import GraphicsError, InputError, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.quantities import UnitError, parse_size, value_of
from viewer.export.writer import Writer
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.field import Field, Number, Text
from viewer.scene.words.formatting import printable
from viewer.ui.layout import Rect
from viewer.ui.overlay import Canvas, Card, FormDialog, Overlay
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import form, scopes, windows
from viewer.ui.widgets.drawing import Look, combo, shortened, text, text_right, tooltip, width_of
from viewer.ui.widgets.style import u32
from viewer.workspace.questions import PictureQuestion
from viewer.workspace.workspace import Workspace

SIZES = ("1920x1080", "3840x2160")  # beside that of the scene in the window, and what is typed
SHOWN, OWN = 0, len(SIZES) + 1
LONGEST = 1000  # letters
ROOM = 2  # lines for what is refused: the buttons stay where they are
MARK_MARGIN, MARK_RADIUS = 14.0, 5.0  # px at scale 1, of the recording mark
WIDTH, MARGIN, PAD = 320.0, 12.0, 12.0  # of the card, at scale 1
FIELDS: dict[str, Field] = {  # what is typed, by the names with which errors begin
    "seconds": Number(marked("Length"), "", unit="s"),
    "start": Number(marked("From"), "", unit="s"),
    "speed": Number(marked("Speed"), "", unit="×"),
    "fps": Number(marked("Frames per second"), ""),
    "shutter": Number(
        marked("Shutter"),
        marked("Motion blur: 180° keeps the shutter open for half the time of a picture, as film cameras do"),
        unit="°",
    ),
    "name": Text(marked("Name"), ""),
    "folder": Text(marked("Folder"), ""),
}
LABELS = {key: field.label for key, field in FIELDS.items()} | {  # what stands before an error
    "size": marked("Size"), "transparent": marked("Background"), "stereo.mode": marked("Kind"), "output": "",
}  # fmt: skip


@frozen
class Kind:
    """A kind of file. `fps`: frames per second of a film unless others are asked for, 0 for a picture. `both_eyes`: it
    holds each eye's picture, whatever the stereo mode."""

    suffix: str
    label: str
    fps: int = 0
    transparent: bool = False
    both_eyes: bool = False


def kinds(film: bool) -> list[Kind]:
    """The kinds of pictures, or of films, the usual one first."""
    from viewer.export import film as films  # here, as below: starting does not need them
    from viewer.export import picture_files

    if film:
        return [Kind(suffix, kind.summary, kind.usual_fps) for suffix, kind in films.FORMATS.items()]
    return [
        Kind(suffix, kind.label, 0, kind.transparent, kind.both_eyes)
        for suffix, kind in picture_files.FORMATS.items()
        if suffix != ".jpeg"
    ]


class SaveDialog(FormDialog[PictureQuestion]):
    """What was chosen is there again the next time."""

    kind = PictureQuestion

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, "Save")
        self._session, self._writer = workspace.session, workspace.writer
        self._film = False
        self._kinds: list[Kind] = []
        self._chosen = {False: 0, True: 0}  # number of the kind of picture, and of film
        self._size, self._own_size = SHOWN, SIZES[0]
        self._transparent = False
        self._typed = dict.fromkeys(FIELDS, "") | {"shutter": "0"}
        self._period = True  # the film is one period long, or as long as the recording
        self._refused = ""  # why what was asked for is not possible
        self._replaces = ""  # the file that the next press replaces

    def _show_question(self, question: PictureQuestion) -> None:
        unused = question.unused
        self._film, self._kinds = question.film, kinds(question.film)
        self._refused, self._replaces = "", ""
        start = self._session.snapshot().reading.time if self._session.document.recordings is None else 0.0
        self._typed |= {
            "start": f"{start:.3f}",
            "speed": f"{self._session.scene.speed:g}",
            "seconds": self._typed["seconds"] or "10",
            "name": printable(unused.stem),
            "folder": printable(str(unused.parent)),
            "fps": f"{self._kind.fps}",
        }

    @property
    def _kind(self) -> Kind:
        return self._kinds[self._chosen[self._film]]

    def draw(self, canvas: Canvas) -> None:
        """Draw the dialog; the motion waits while a picture is asked about."""
        super().draw(canvas)
        if self.is_open:
            self._session.playback.held = not self._film

    def _contents(self, look: Look) -> None:
        with self._form.rows():
            entered = self._rows(look)
        form.refused(look, self._refused, ROOM)
        self._buttons(look, entered)

    def _rows(self, look: Look) -> bool:
        """What is chosen and typed; whether Enter was pressed in a field."""
        mode = STEREO_MODES[self._session.scenario.stereo.mode]
        right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
        with scopes.font(look.fonts.medium):
            imgui.text_unformatted(tr("Save a film") if self._film else tr("Save a picture"))
        eyes = tr("both eyes") if self._kind.both_eyes else tr(mode.label)
        text_right(right, imgui.get_item_rect_min().y, look.palette.dim, eyes)
        imgui.dummy((0.0, look.px(2)))
        self._choose_kind(look)
        self._choose_size(look)
        entered = self._film_rows(look) if self._film else False
        if not self._film and self._kind.transparent and mode.layout != "anaglyph":
            form.label(look, tr("Background"))
            self._transparent = imgui.checkbox(tr("Transparent") + "###transparent", self._transparent)[1]
        entered = self._row(look, "name", unit=self._kind.suffix) or entered
        entered = self._row(look, "folder") or entered
        if self._film and self._session.motion.changes:
            with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
                imgui.text_unformatted(
                    tr("What you pushed or changed while it ran is not in this film. Record now keeps it.")
                )
        return entered

    def _choose_kind(self, look: Look) -> None:
        form.label(look, tr("Kind"))
        with combo(look, "##kind", tr(self._kind.label), imgui.get_content_region_avail().x) as opened:
            for i, kind in enumerate(self._kinds if opened else ()):
                if imgui.selectable(f"{tr(kind.label)}###{kind.suffix}", kind is self._kind)[0]:
                    self._chosen[self._film], self._refused = i, ""
                    self._typed["fps"] = f"{kind.fps}"

    def _choose_size(self, look: Look) -> None:
        form.label(look, tr("Size"))
        names = [tr("as shown, {size}").format(size=self._shown_size), *SIZES, tr("other")]
        room = imgui.get_content_region_avail().x
        own = self._size == OWN
        with combo(look, "##size", names[self._size], room / 2 if own else room) as opened:
            for i, name in enumerate(names if opened else ()):
                if imgui.selectable(f"{name}###size{i}", i == self._size)[0]:
                    self._size, self._refused = i, ""
        if own:
            imgui.same_line()
            imgui.set_next_item_width(-1)
            self._own_size = imgui.input_text("##own size", self._own_size)[1][:LONGEST]
        needed = None if self._film else self._needed
        if needed is not None:
            text = tr("{pixels} million pixels, about {megabytes} MB")
            form.label(look, "")
            with scopes.colored(look.palette.dim):
                imgui.text_unformatted(text.format(pixels=_rounded(needed[0]), megabytes=_rounded(needed[1])))

    @property
    def _needed(self) -> tuple[int, float] | None:
        """How many pixels the picture has, and about how many bytes; None where what is typed is no size."""
        from viewer.export.picture_files import needed

        try:
            return needed(f"picture{self._kind.suffix}", parse_size(self._wanted_size))
        except InputError:
            return None

    @property
    def _wanted_size(self) -> str:
        return (self._shown_size, *SIZES, self._own_size)[self._size]

    @property
    def _shown_size(self) -> str:
        width, height = self._writer.picture().size
        return f"{width // 2 * 2}x{height // 2 * 2}" if self._film else f"{width}x{height}"

    def _film_rows(self, look: Look) -> bool:
        """Length, start, speed and rate; whether Enter was pressed in one of them."""
        period, entered = self._once, False
        if period is not None:
            form.label(look, tr("Length"))
            recorded = self._session.document.recordings is not None
            text = tr("all of it, {seconds} s") if recorded else tr("one period, {seconds} s")
            label = text.format(seconds=self._period_seconds(period))
            self._period = imgui.checkbox(f"{label}###period", self._period)[1]
        if period is None or not self._period:
            entered = self._row(look, "seconds", label="" if period is not None else None)
        for key in ("start", "speed", "fps", "shutter"):
            entered = self._row(look, key) or entered
        return entered

    @property
    def _once(self) -> float | None:
        """Return how long the motion goes on [s]: that of a recording to its end, else one period, if it repeats."""
        ends, snapshot = self._session.document.recorded_until, self._session.snapshot()
        repeats = snapshot.loads.free and not snapshot.strays
        return ends if ends is not None else snapshot.period if repeats else None

    def _period_seconds(self, period: float) -> str:
        """One period at the speed that is typed, in seconds of film."""
        try:
            return f"{period / value_of(self._typed['speed']):.4g}"
        except (ValueError, ZeroDivisionError):
            return "–"

    def _row(self, look: Look, key: str, label: str | None = None, unit: str | None = None) -> bool:
        """Draw the row of a field; return whether Enter was pressed. `label`, `unit`: in place of the field's."""
        field = FIELDS[key]
        form.label(look, tr(field.label) if label is None else label)
        entered, typed = form.text_field(look, f"##save {key}", self._typed[key], field.unit if unit is None else unit)
        if field.description:
            tooltip(look, tr(field.description))
        if typed != self._typed[key]:
            self._typed[key], self._refused, self._replaces = typed[:LONGEST], "", ""
        return entered

    def _buttons(self, look: Look, entered: bool) -> None:
        imgui.dummy((0.0, look.px(2)))
        if self._film:
            if imgui.button(tr("Record now") + "###record"):
                self.close()
                self._writer.toggle_film()
            tooltip(look, tr("Films what you do until you end it (Ctrl+R)"))
            imgui.same_line()
        cancelled, pressed = form.buttons(look, (tr("Replace") if self._replaces else tr("Save")) + "###save")
        if cancelled:
            self.close()
        if self.is_open and (pressed or entered or form.enter_pressed()):
            self._take()

    def _take(self) -> None:
        """Hands it on; replacing a file needs a second press of the button."""
        name, suffix = self._typed["name"].strip(), self._kind.suffix
        folder = os.path.expanduser(self._typed["folder"].strip())
        path = Path(folder, name if name.lower().endswith(suffix) else name + suffix)
        again, self._replaces, self._refused = self._replaces == str(path), "", ""
        if not name:
            self._refuse("name", tr("Type a name"))
        elif not os.path.isdir(folder or "."):
            self._refuse("folder", tr("{folder} not found").format(folder=folder))
        elif os.path.exists(path) and not again:
            self._replaces = str(path)
            self._refuse("output", tr("{name} already exists").format(name=path.name))
        else:
            try:
                self._begin(path)
                self.close()
            except (InputError, GraphicsError) as error:
                field, _, why = str(error).partition(": ")
                self._refuse(*(field, why) if field in LABELS else ("output", str(error)))

    def _refuse(self, field: str, why: str) -> None:
        label = LABELS[field]
        self._refused = printable(f"{tr(label)}: {why}" if label else why)

    def _begin(self, path: Path) -> None:
        """Begin to write the file. Raises InputError, which begins with the name of what is not allowed."""
        size = parse_size(self._wanted_size)
        if not self._film:
            self._writer.begin_picture(path, size, self._transparent and self._kind.transparent)
            return
        from fractions import Fraction

        from viewer.export.film import Film

        period, typed = self._once, self._typed
        length = self._period_seconds(period) if self._period and period is not None else typed["seconds"]
        rate, start, speed, shutter = (number_of(name, typed[name]) for name in ("fps", "start", "speed", "shutter"))
        film = Film(
            self._writer.picture().scenario,
            number_of("seconds", length),
            Fraction(rate).limit_denominator(1001),
            size,
            start=start,
            speed=speed,
            shutter_deg=shutter,
            recording=self._session.document.recordings,
        )
        self._writer.begin_film(path, film)


def number_of(name: str, typed: str) -> float:
    """The number typed for a field of the dialog. Raises InputError."""
    if not typed.strip():
        raise refusal("{name}: is empty; allowed is a number", name=name)
    try:
        return value_of(typed.strip(), "s" if name in ("seconds", "start") else "")
    except UnitError as error:
        raise InputError(f"{name}: {error}") from None
    except ValueError:
        raise refusal("{name}: {value} is not a number", name=name, value=shown(typed)) from None


def _rounded(count: float) -> str:
    """So many millions, with a digit after the point where that is a small number."""
    return f"{count / 1e6:.1f}" if count < 1e7 else f"{count / 1e6:.0f}"


class RecordingMark(Overlay):
    """How long the film is that is recorded, in the scene's upper left corner; no film shows it."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def draw(self, canvas: Canvas) -> None:
        if not self._writer.recording or canvas.hidden:
            return
        look, scene, target = canvas.look, canvas.areas.scene, imgui.get_background_draw_list()
        middle, radius = 0.5 * imgui.get_text_line_height(), look.px(MARK_RADIUS)
        x, y = scene.x + look.px(MARK_MARGIN), scene.y + look.px(MARK_MARGIN)
        target.add_circle_filled((x + radius, y + middle), radius, u32(look.palette.danger))
        target.add_text((x + 3 * radius, y), u32(look.palette.text), f"{self._writer.seconds:.0f} s")


class ProgressCard(Card):
    """A bar, how long it will still take, and a button that cancels it."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def draw(self, canvas: Canvas) -> None:
        """Draw the card while a file is being saved."""
        look, scene = canvas.look, canvas.areas.scene
        self.box, job = None, self._writer.job
        if job is None or canvas.hidden:
            return
        p, pad, margin, line = look.palette, look.px(PAD), look.px(MARGIN), imgui.get_text_line_height()
        width = min(look.px(WIDTH), scene.width - 2 * margin)
        height = 2 * line + imgui.get_frame_height() + look.px(26)
        if width < look.px(120) or height + 2 * margin > scene.height:
            return
        left, top = scene.x + scene.width - width - margin, scene.y + margin
        self.box = Rect(round(left), round(top), round(width), round(height))
        with windows.card(look, "Saving", self.box):
            x, room, target = left + pad, width - 2 * pad, imgui.get_window_draw_list()
            text(x, top + look.px(7), p.text, shortened(printable(job.path.name), room))
            y = top + look.px(7) + line + look.px(4)
            text(x, y, p.dim, shortened(job.text, room))
            y += line + look.px(6)
            cancel = tr("Cancel")
            button, tall = width_of(cancel) + look.px(20), imgui.get_frame_height()
            end, middle, half = x + room - button - look.px(10), y + tall / 2, look.px(3)
            target.add_rect_filled((x, middle - half), (end, middle + half), u32(p.active), half)
            done = x + (end - x) * job.fraction
            target.add_rect_filled((x, middle - half), (done, middle + half), u32(p.accent), half)
            imgui.set_cursor_screen_pos((x + room - button, y))
            if imgui.button(f"{cancel}###cancel saving", (button, 0.0)):
                self._writer.cancel()
