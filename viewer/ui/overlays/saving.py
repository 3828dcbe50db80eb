"""The dialog that saves a picture or a film, the card of the progress, and the mark of a film being recorded."""

import os
from pathlib import Path

from viewer.common.errors import GraphicsError, InputError, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.quantities import UnitError, parse_size, value_of
from viewer.export.writer import Writer
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.sections.picture import LOOPS
from viewer.scene.words.formatting import printable
from viewer.session.session import Session
from viewer.ui.layout import Rect
from viewer.ui.overlay import Card, FormDialog, Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import form, scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, tooltip, width_of
from viewer.ui.widgets.style import u32
from viewer.workspace.questions import PictureQuestion
from viewer.workspace.workspace import Workspace

SIZES = ("1920x1080", "3840x2160")  # offered besides the size of the scene in the window and a typed size
SHOWN, ONCE, OTHER = "shown", "once", "other"
ROOM = 2  # lines that are kept for the reason of a refusal, so that the buttons do not move
MARK_MARGIN, MARK_RADIUS = 14.0, 5.0  # px at scale 1, of the recording mark
WIDTH, MARGIN, PAD = 320.0, 12.0, 12.0  # of the card, at scale 1
FIELDS = {  # the labels that stand before errors, by the field names with which these errors begin
    "seconds": marked("Length"), "start": marked("From"), "speed": marked("Speed"), "fps": marked("Frames per second"),
    "shutter": marked("Shutter"), "name": marked("Name"), "folder": marked("Folder"), "size": marked("Size"),
    "transparent": marked("Background"), "loop": marked("Length"), "stereo.mode": marked("Kind"), "output": "",
}  # fmt: skip
UNITS = {"seconds": "s", "start": "s", "speed": "×", "fps": "", "shutter": "°"}
SHUTTER = marked("Motion blur: 180° keeps the shutter open for half the time of a picture, as film cameras do")


@frozen
class Kind:
    """A kind of file. `fps` is the usual number of frames per second of a film, and 0 for a picture.

    `both_eyes`: the file holds each eye's picture, whatever the stereo mode. `plays`: it shows the motion, so that no
    size in pixels is asked for.
    """

    suffix: str
    label: str
    fps: int = 0
    transparent: bool = False
    both_eyes: bool = False
    plays: bool = False


def kinds(film: bool) -> dict[str, Kind]:
    """Return the kinds of pictures, or of films, by their suffixes, the usual one first."""
    from viewer.export import film as films  # here, as below: starting does not need them
    from viewer.export import picture_files

    if film:
        return {suffix: Kind(suffix, kind.summary, kind.usual_fps) for suffix, kind in films.FORMATS.items()}
    return {
        suffix: Kind(suffix, kind.label, 0, kind.transparent, kind.both_eyes, kind.plays)
        for suffix, kind in picture_files.FORMATS.items()
        if suffix != ".jpeg"
    }


class SaveDialog(FormDialog[PictureQuestion]):
    """The dialog that saves a picture or a film; it remembers the choices made the last time."""

    kind = PictureQuestion

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, "Save")
        self._session, self._writer = workspace.session, workspace.writer
        self._film = False
        self._once: float | None = None  # of a film: `_time_once` when the dialog was opened
        self._kinds: dict[str, Kind] = {}  # by their suffixes
        self._suffixes: dict[bool, str] = {}  # the chosen ones, of a picture (False) and of a film (True)
        self._size = SHOWN
        self._transparent = False
        self._form.typed = dict.fromkeys(FIELDS, "") | {"size": SIZES[0], "seconds": "10", "shutter": "0"}
        self._length = ONCE  # a period or the whole recording, a loop of the name of its frame, or what is typed
        self._replaces = ""  # the file that the next press replaces

    def _show_question(self, question: PictureQuestion) -> None:
        unused = question.unused
        self._film, self._kinds = question.film, kinds(question.film)
        self._once = self._time_once() if self._film else None
        self._suffixes.setdefault(self._film, next(iter(self._kinds)))
        self._form.refused, self._replaces = "", ""
        start = self._session.snapshot().reading.time if self._session.document.recordings is None else 0.0
        self._form.typed |= {
            "start": f"{start:.3f}",
            "speed": f"{self._session.scene.speed:g}",
            "name": printable(unused.stem),
            "folder": printable(str(unused.parent)),
            "fps": f"{self._kind.fps}",
        }

    @property
    def _kind(self) -> Kind:
        return self._kinds[self._suffixes[self._film]]

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the dialog; the motion is held while it asks about a picture."""
        super().draw(canvas)
        if self.is_open:
            self._session.playback.held = not self._film

    def _contents(self, look: Look) -> None:
        with self._form.rows():
            self._rows(look)
        form.refused(look, self._form.refused, ROOM)
        imgui.dummy((0.0, look.px(2)))
        if self._film:
            if imgui.button(tr("Record now") + "###record"):
                self.close()
                self._writer.toggle_film()
            tooltip(look, tr("Films what you do until you end it (Ctrl+R)"))
            imgui.same_line()
        if not self._form.refused:  # what was asked about has changed since
            self._replaces = ""
        taken = self._form.answer(look, (tr("Replace") if self._replaces else tr("Save")) + "###save")
        if taken is False:
            self.close()
        elif taken and self.is_open:
            self._take()

    def _rows(self, look: Look) -> None:
        """Draw the rows in which something is chosen or typed."""
        mode, kind = STEREO_MODES[self._session.scenario.stereo.mode], self._kind
        eyes = tr("both eyes") if kind.both_eyes else tr(mode.label)
        self._form.heading(look, tr("Save a film") if self._film else tr("Save a picture"), eyes)
        imgui.dummy((0.0, look.px(2)))
        called = {suffix: tr(each.label) for suffix, each in self._kinds.items()}
        self._suffixes[self._film] = self._form.choose(look, "kind", called, kind.suffix, tr("Kind"))
        if self._kind is not kind:
            self._form.typed["fps"] = f"{self._kind.fps}"
        if not self._kind.plays:
            self._choose_size(look)
        if self._film:
            self._film_rows(look)
        elif self._kind.transparent and mode.layout != "anaglyph":
            form.label(look, tr("Background"))
            self._transparent = imgui.checkbox(tr("Transparent") + "###transparent", self._transparent)[1]
        self._form.field(look, "name", tr("Name"), self._kind.suffix)
        self._form.field(look, "folder", tr("Folder"))
        if self._film and self._session.motion.changes:
            form.remark(look, tr("What you pushed or changed while it ran is not in this film. Record now keeps it."))
        elif self._kind.plays and self._session.motion.changes:
            form.remark(look, tr("What you pushed or changed while it ran is not in this file."))

    def _choose_size(self, look: Look) -> None:
        shown, room = tr("as shown, {size}").format(size=self._shown_size), imgui.get_content_region_avail().x
        sizes = {SHOWN: shown} | {size: size for size in SIZES} | {OTHER: tr("other")}
        width = (room - look.px(form.LABEL)) / 2 if self._size == OTHER else 0.0
        self._size = self._form.choose(look, "size", sizes, self._size, tr("Size"), width)
        if width:
            imgui.same_line()
            self._form.field(look, "size")
        needed = None if self._film else self._needed
        if needed is not None:
            million, megabytes = (f"{count / 1e6:.{1 if count < 1e7 else 0}f}" for count in needed)
            form.label(look, "")
            words = tr("{pixels} million pixels, about {megabytes} MB")
            form.remark(look, words.format(pixels=million, megabytes=megabytes))

    @property
    def _needed(self) -> tuple[int, float] | None:
        """The number of pixels and the approximate number of bytes of the picture; None if no valid size is typed."""
        from viewer.export.picture_files import needed

        try:
            return needed(f"picture{self._kind.suffix}", parse_size(self._wanted_size))
        except InputError:
            return None

    @property
    def _wanted_size(self) -> str:
        size = SHOWN if self._kind.plays else self._size
        return {SHOWN: self._shown_size, OTHER: self._form.typed["size"]}.get(size, size)

    @property
    def _shown_size(self) -> str:
        width, height = self._writer.picture().size
        return f"{width // 2 * 2}x{height // 2 * 2}" if self._film else f"{width}x{height}"

    def _film_rows(self, look: Look) -> None:
        """Draw the rows of a film: length, start, speed, frame rate and shutter."""
        lengths = self._lengths()
        length = self._chosen_length
        if len(lengths) > 1:
            chosen = self._form.choose(look, "length", lengths, length, tr("Length"), meanings=self._length_meanings)
            if chosen != length:
                self._length = length = chosen
        if length == OTHER:
            self._form.field(look, "seconds", "" if len(lengths) > 1 else tr("Length"), "s")
        for name in ("start", "speed", "fps", "shutter"):
            self._form.field(look, name, tr(FIELDS[name]), UNITS[name])
        tooltip(look, tr(SHUTTER))

    def _lengths(self) -> dict[str, str]:
        """Return the texts of the lengths that are offered, by their keys.

        They are the whole length of a recording, or one period and the closed loops of a motion that repeats, and any
        length that the user types.
        """
        once, recorded = self._once, self._session.document.recordings is not None
        if once is None:
            return {OTHER: tr("other")}
        seconds = self._period_seconds(once)
        if recorded:
            return {ONCE: tr("all of it, {seconds} s").format(seconds=seconds), OTHER: tr("other")}
        return {
            ONCE: tr("one period, {seconds} s").format(seconds=seconds),
            **{frame: tr("closed loop, {how}").format(how=tr(how)) for frame, how in LOOPS.items()},
            OTHER: tr("other"),
        }

    @property
    def _length_meanings(self) -> dict[str, tuple[str, ...]]:
        """The lines of the tooltips of the lengths of a free motion."""
        if self._session.document.recordings is not None:
            return {}
        return {
            ONCE: (tr("No loop: after a period the body turns as before, but stands turned about L"),),
            **dict.fromkeys(LOOPS, (tr("The last picture leads on to the first, and the trails are full in both"),)),
        }

    @property
    def _chosen_length(self) -> str:
        """The length that was chosen last, if it is offered."""
        lengths = self._lengths()
        return self._length if self._length in lengths else next(iter(lengths))

    def _time_once(self) -> float | None:
        """Return the time [s] at which a recording ends, or one period of a motion that repeats; None for any other.

        The period is that of the film's motion, which leaves out what was pushed or changed while the motion ran.
        """
        if (ends := self._session.document.recorded_until) is not None:
            return ends
        snapshot = Session(self._session.scenario, playing=False).snapshot()
        return snapshot.period if snapshot.loads.free and not snapshot.strays else None

    def _period_seconds(self, period: float) -> str:
        """Return how many seconds of film one period takes at the typed speed, as a text."""
        try:
            return f"{period / value_of(self._form.typed['speed']):.4g}"
        except (ValueError, ZeroDivisionError):
            return "–"

    def _take(self) -> None:
        """Begin to write the file and close the dialog; replacing a file needs a second press of the button."""
        name, suffix = self._form.typed["name"].strip(), self._kind.suffix
        folder = os.path.expanduser(self._form.typed["folder"].strip())
        path = Path(folder, name if name.lower().endswith(suffix) else name + suffix)
        again, self._replaces, self._form.refused = self._replaces == str(path), "", ""
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
                self._refuse(*(field, why) if field in FIELDS else ("output", str(error)))

    def _refuse(self, field: str, why: str) -> None:
        label = FIELDS[field]
        self._form.refused = printable(f"{tr(label)}: {why}" if label else why)

    def _begin(self, path: Path) -> None:
        """Begin to write the file. Raises InputError, which begins with the name of the field that is refused."""
        size = parse_size(self._wanted_size)
        if not self._film:
            self._writer.begin_picture(path, size, self._transparent and self._kind.transparent)
            return
        from fractions import Fraction

        from viewer.export.film import Film, closed_loop

        chosen, once, typed = self._chosen_length, self._once, self._form.typed
        length = typed["seconds"] if chosen == OTHER or once is None else self._period_seconds(once)
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
        self._writer.begin_film(path, closed_loop(film, chosen) if chosen in LOOPS else film)


def number_of(name: str, typed: str) -> float:
    """Return the number that was typed for a field of the dialog. Raises InputError."""
    if not typed.strip():
        raise refusal("{name}: is empty; allowed is a number", name=name)
    try:
        return value_of(typed.strip(), "s" if UNITS[name] == "s" else "")
    except UnitError as error:
        raise InputError(f"{name}: {error}") from None
    except ValueError:
        raise refusal("{name}: {value} is not a number", name=name, value=shown(typed)) from None


class RecordingMark(Overlay):
    """The length of the film being recorded, shown in the scene's upper left corner but not in the film."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def draw(self, canvas: UiCanvas) -> None:
        if not self._writer.recording or canvas.hidden:
            return
        look, scene, target = canvas.look, canvas.areas.scene, imgui.get_background_draw_list()
        middle, radius = 0.5 * imgui.get_text_line_height(), look.px(MARK_RADIUS)
        x, y = scene.x + look.px(MARK_MARGIN), scene.y + look.px(MARK_MARGIN)
        target.add_circle_filled((x + radius, y + middle), radius, u32(look.palette.danger))
        target.add_text((x + 3 * radius, y), u32(look.palette.text), f"{self._writer.seconds:.0f} s")


class ProgressCard(Card):
    """The card of a file being saved: its progress as a bar and in words, and a button that cancels the saving."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def draw(self, canvas: UiCanvas) -> None:
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
        place = canvas.room_for(width + 2 * margin, height + 2 * margin)
        left, top = place.x + place.width - width - margin, place.y + margin
        self.box = Rect(round(left), round(top), round(width), round(height))
        with windows.card(look, "Saving", self.box):
            x, room = left + pad, width - 2 * pad
            text(x, top + look.px(7), p.text, shortened(printable(job.path.name), room))
            y = top + look.px(7) + line + look.px(4)
            text(x, y, p.dim, shortened(job.text, room))
            y += line + look.px(6)
            cancel = tr("Cancel")
            button, tall = width_of(cancel) + look.px(20), imgui.get_frame_height()
            imgui.set_cursor_screen_pos((x, y + tall / 2 - look.px(3)))
            with scopes.colored(p.accent, what="plot_histogram"), scopes.colored(p.active, what="frame_bg"):
                imgui.progress_bar(job.fraction, (room - button - look.px(10), look.px(6)), "")
            imgui.set_cursor_screen_pos((x + room - button, y))
            if imgui.button(f"{cancel}###cancel saving", (button, 0.0)):
                self._writer.cancel()
