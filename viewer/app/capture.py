"""What a window writes of what it shows: pictures, films and its plots, in files with numbered names."""

import contextlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.app import plot_files
from viewer.common import folders
from viewer.common.errors import InputError, refusal
from viewer.common.language import tr
from viewer.common.output_files import NewFile, numbered
from viewer.export.image_renderer import ImageRenderer, Shot
from viewer.scenario.choices.stereo_modes import WIGGLES
from viewer.scenario.sections.picture import Stereo
from viewer.scene.annotations.label_motion import LabelMotion
from viewer.scene.annotations.picture_legend import with_legend
from viewer.scene.description import Frame
from viewer.ui.host import Host

if TYPE_CHECKING:
    from viewer.export.film.film import Recorder

FPS = 60
PROMPT = 1.0  # s on the wall that a picture of a film is waited for without a word
FILMS, PICTURE = (".mp4", ".mkv"), ".png"  # a film is of the first kind that takes its stereo mode


@dataclass
class _Film:
    """A film that is being written. `file`: the context in which `recorder` is open."""

    new: NewFile
    stereo: Stereo
    size: tuple[int, int]
    file: contextlib.AbstractContextManager["Recorder"]
    recorder: "Recorder"
    names: LabelMotion = field(default_factory=LabelMotion)
    pictures: int = 0
    due: float | None = None  # since when the next picture has been waited for, on the wall
    waited: float = 0.0  # s on the wall for those before

    @property
    def seconds(self) -> float:
        """Its length so far."""
        return self.pictures / FPS

    def discard(self, error: BaseException) -> None:
        """Ends it without a file. Raises InputError where `error` is that it cannot be written."""
        self.file.__exit__(type(error), error, error.__traceback__)


class Capture:
    """Exports the scene of `app` as it is shown, without the interface. Messages report what was written, or why not.

    A file stands beside the scene's own if there is one, else in the user's folder for its kind.
    """

    def __init__(self, app: Host) -> None:
        self._app = app
        self._renderer: ImageRenderer | None = None
        self._film: _Film | None = None
        self._plots_wanted = False  # as a picture, once the frame is complete

    @property
    def recording(self) -> bool:
        """Whether a film is being written."""
        return self._film is not None

    @property
    def seconds(self) -> float:
        """The length of the film so far."""
        return 0.0 if self._film is None else self._film.seconds

    @property
    def waiting(self) -> str | None:
        """The message about the film while its next picture is long in coming."""
        if self._film is None or self._film.due is None or time.perf_counter() - self._film.due < PROMPT:
            return None
        return tr("The film waits until the motion has come to its next picture: slow it down, or Escape ends the film")

    def picture_kinds(self) -> dict[str, str]:
        """Summaries of the picture formats other than the usual one, by suffix."""
        from viewer.export.images.formats import FORMATS  # here, as below: starting does not need it

        return {suffix: kind.summary for suffix, kind in FORMATS.items() if suffix not in (PICTURE, ".jpeg")}

    def save_picture(self, suffix: str = PICTURE) -> None:
        """Writes the scene to a picture file of that kind."""
        self._write(lambda: self._save_picture(suffix))
        self._app.ctx.screen.use()

    def _save_picture(self, suffix: str) -> Path:
        from viewer.export.images.formats import write_image

        view = self._app.scene_view
        new = self.new_file(tr(self._app.session.scenario.title), suffix, folders.pictures)
        scale = self._app.window.interface_scale
        shot = Shot(self._app.session.snapshot(), view.scenario, view.size, scale=scale, renamed=self.with_legend)
        try:
            write_image(new.path, self._ready, shot, new)
        finally:
            self._release_renderer()
        return new.path

    def with_legend(self, frame: Frame) -> Frame:
        """A frame with the legend that the window shows."""
        return with_legend(frame, self._app.ui.legend_entries)

    def toggle_film(self) -> None:
        """Begins a film in the present size and stereo mode, or ends it. Raises InputError where there can be none."""
        if self.recording:
            self._app.ui.messages.attempt(self._end_film)
        else:
            self._begin_film()

    def _begin_film(self) -> None:
        from fractions import Fraction  # here: with its decimals 4 ms of every start

        from viewer.export.film import film, video

        scenario, (width, height) = self._app.scene_view.scenario, self._app.scene_view.size
        size = (width // 2 * 2, height // 2 * 2)
        suffix = FILMS[0]
        try:
            video.check(suffix, scenario.stereo, size)
        except InputError:
            suffix = FILMS[-1]
            video.check(suffix, scenario.stereo, size)
        new = self.new_file(tr(scenario.title), suffix, folders.videos)
        file = film.recording(new, suffix, scenario, Fraction(FPS), size)
        self._film = _Film(new, scenario.stereo, size, file, file.__enter__())
        self._app.ui.messages.notice(tr("Recording a film to {folder}").format(folder=new.path.parent))

    def wait(self) -> None:
        """What has just been drawn is not yet the next picture of the film."""
        if self._film is not None and self._film.due is None:
            self._film.due = time.perf_counter()

    def record(self) -> None:
        """What has just been drawn is the next picture of the film, camera and eyes on the move included.

        Where that fails the film ends without a file; where the disk is full, with what was drawn until then.
        """
        self._app.ui.messages.attempt(self._add_picture)
        self._app.ctx.screen.use()

    def _add_picture(self) -> None:
        film, view = self._film, self._app.scene_view
        assert film is not None
        if film.due is not None:
            film.waited, film.due = film.waited + time.perf_counter() - film.due, None
        shot = Shot(
            self._app.session.snapshot(),
            replace(view.scenario, stereo=film.stereo),
            film.size,
            samples=1,
            turn=int(film.seconds * WIGGLES),
            scale=self._app.window.interface_scale,
            transition=view.transition,
            renamed=lambda frame: self.with_legend(film.names.led(frame, 1.0 / FPS)),
        )
        try:
            film.recorder.add(self._ready().render(shot))
        except BaseException as error:
            self._film = None
            film.discard(error)
            raise
        film.pictures += 1
        if film.recorder.full:
            self._film = None
            film.file.__exit__(None, None, None)
            raise InputError(
                tr("The disk is full: {file} holds the first {seconds} s").format(
                    file=film.new.path, seconds=f"{film.seconds:.1f}"
                )
            )

    def _end_film(self) -> None:
        film, self._film = self._film, None
        assert film is not None
        self._release_renderer()
        if film.pictures == 0:
            film.discard(refusal("the film has no picture"))
            return
        film.file.__exit__(None, None, None)
        text = tr("Saved {file} ({seconds} s)")
        if film.waited > PROMPT:
            text = tr("Saved {file} ({seconds} s); its pictures waited {waited} s for the motion")
        self._app.ui.messages.notice(
            text.format(file=film.new.path, seconds=f"{film.seconds:.1f}", waited=f"{film.waited:.0f}")
        )

    def save_plots_csv(self) -> None:
        """Writes the curves that the plots show as a table."""
        plots = self._app.ui.plots
        self._write(lambda: plot_files.write_csv(plots, self._plots_file(".csv", folders.documents)))

    def save_plots_png(self) -> None:
        """Writes a picture of the plots once the frame is complete."""
        self._plots_wanted = True

    def frame_complete(self) -> None:
        """The frame is complete: writes the picture of the plots if one was asked for."""
        rect = self._app.ui.layout.areas.plots
        if self._plots_wanted and rect is not None:
            pixels = self._app.ui.picture(rect)
            self._write(lambda: plot_files.write_png(pixels, self._plots_file(PICTURE, folders.pictures)))
        self._plots_wanted = False

    def release(self) -> None:
        """Ends the film and gives the memory back."""
        if self.recording:
            with contextlib.suppress(InputError):
                self._end_film()
        self._release_renderer()

    def _release_renderer(self) -> None:
        if self._renderer is not None:
            self._renderer.release()
            self._renderer = None

    def _ready(self) -> ImageRenderer:
        if self._renderer is None:
            self._renderer = ImageRenderer(self._app.ctx)
        return self._renderer

    def _write(self, write: Callable[[], Path]) -> None:
        """Writes a file and reports where it is, or why there is none."""
        self._app.ui.messages.attempt(lambda: self._app.ui.messages.notice(tr("Saved {file}").format(file=write())))

    def _plots_file(self, suffix: str, usual: Callable[[], Path]) -> NewFile:
        return self.new_file(tr("{title} plots").format(title=tr(self._app.session.scenario.title)), suffix, usual)

    def new_file(self, title: str, suffix: str, usual: Callable[[], Path]) -> NewFile:
        """A file to write: "title 1.png" or the next, beside the scene's file, else in its `usual` folder.

        Makes that folder; raises InputError where it cannot be made.
        """
        scene = self._app.documents.path
        folder = Path(scene).absolute().parent if scene else usual()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refusal("{folder}: cannot be made: {reason}", folder=folder, reason=error.strerror or error) from None
        stem = " ".join(re.sub(r'[\\/:*?"<>|\x00-\x1f]', " ", title).split()).strip(". ")[:60] or "Poinsot"
        return NewFile(folder, numbered(f"{stem} ", suffix))
