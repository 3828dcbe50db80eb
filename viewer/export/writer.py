"""Writes the scene of a window, without its interface, to files: pictures, films and plots.

A file is written in steps, some between every two frames of the window. So is a film that is recorded while the user
goes on: each of its steps adds the frame that the window has just drawn.
"""

import contextlib
import copy
import io
import re
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from viewer.common import folders
from viewer.common.errors import GraphicsError, InputError, refusal
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.output_files import NewFile, numbered
from viewer.export.console import duration
from viewer.export.image_renderer import Image, ImageRenderer, Shot
from viewer.scenario.choices.stereo_modes import WIGGLES
from viewer.scenario.recordings import check_not_an_input
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scene.annotations.label_layout import LabelMotion
from viewer.scene.annotations.picture_legend import LegendEntry, with_legend
from viewer.scene.description import Frame
from viewer.scene.presentation import Transition
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot

if TYPE_CHECKING:
    from viewer.export.film import Film, Recorder

FPS = 60  # of a film that is recorded
SLICE = 0.05  # s that a job may take between two frames of the window
PROMPT = 1.0  # s of real time that a recorded film waits for its next frame without a message
ESTIMATED = 0.02  # of the work, that must be done before the remaining time is estimated
FILMS, PICTURE = (".mp4", ".mkv"), ".png"  # a recorded film is of the first kind that allows its stereo mode


@frozen
class WindowPicture:
    """How the window shows the scene.

    `size` is in pixels. `scale` is the size of lines and letters in pixels, relative to that on a screen of scale 1.
    """

    scenario: Scenario
    size: tuple[int, int]
    scale: float
    transition: Transition
    legend: tuple[LegendEntry, ...]

    def with_legend(self, frame: Frame) -> Frame:
        """Return a frame of the scene with the legend that the window shows."""
        return with_legend(frame, self.legend)


@dataclass(eq=False)
class Job:
    """A file that is being written; so far `done` of `total` frames of a film, or rows of a picture, are drawn.

    If `steps` are closed before their end, they leave no file.
    """

    path: Path
    total: int
    film: bool
    steps: Generator[int, None, object] = field(init=False)
    began: float = field(default_factory=time.perf_counter)
    done: int = 0

    def advance(self) -> None:
        """Count one more frame as drawn."""
        self.done += 1

    @property
    def fraction(self) -> float:
        """The fraction of the work that is done, 0..1."""
        return min(1.0, self.done / self.total)

    @property
    def text(self) -> str:
        """The progress and the remaining time, in words."""
        words = tr("{percent} %").format(percent=f"{100 * self.fraction:.0f}")
        if self.film:
            words = tr("frame {done} of {total}").format(done=self.done, total=self.total)
        if self.fraction <= ESTIMATED:
            return words
        spent = time.perf_counter() - self.began
        return words + " · " + tr("{time} left").format(time=duration(spent * (1.0 - self.fraction) / self.fraction))


@dataclass(eq=False)
class RecordedFilm:
    """A film of the frames that the window draws.

    `due` is when the film began to wait for its next frame, in seconds of `time.perf_counter`, or None. `ending` says
    that its next step is its last.
    """

    new: NewFile
    steps: Generator[None, None, None] = field(init=False)
    frames: int = 0
    due: float | None = None
    ending: bool = False

    @property
    def seconds(self) -> float:
        """The length of the film so far."""
        return self.frames / FPS


class Writer:
    """Writes files of the scene of `session`, which the window shows as `picture` says.

    `notice` and `error` get a line about each file, which says where it is or why it was not written. `inputs` returns
    the files from which the scene was read. A file whose name the user does not choose is written beside the scene's
    own file if there is one, else to the user's folder for its kind.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        session: Session,
        picture: Callable[[], WindowPicture],
        inputs: Callable[[], Iterable[str]],
        notice: Callable[[str], object],
        error: Callable[[str], object],
    ) -> None:
        self._ctx, self._session, self.picture, self._inputs = ctx, session, picture, inputs
        self._notice, self._error = notice, error
        self._renderer: ImageRenderer | None = None
        self.job: Job | None = None
        self.film: RecordedFilm | None = None

    @property
    def recording(self) -> bool:
        """Whether a film of the frames that the window draws is being recorded."""
        return self.film is not None

    @property
    def busy(self) -> bool:
        """Whether any file is being written."""
        return self.film is not None or self.job is not None

    @property
    def seconds(self) -> float:
        """The length of the recorded film so far; 0 without one."""
        return 0.0 if self.film is None else self.film.seconds

    @property
    def waiting(self) -> str | None:
        """The message about the recorded film while it has to wait long for its next frame; else None."""
        if self.film is None or self.film.due is None or time.perf_counter() - self.film.due < PROMPT:
            return None
        return tr("The film waits until the motion has come to its next picture: slow it down, or Escape ends the film")

    def unused(self, film: bool) -> Path:
        """Return the path of a file that does not exist yet, for a picture or a film of the scene."""
        title, usual = tr(self._session.scenario.title), folders.videos if film else folders.pictures
        return self._new_file(title, FILMS[0] if film else PICTURE, usual).path

    def save_picture(self, suffix: str = PICTURE) -> None:
        """Write the scene, as it is shown, to a picture file with this suffix."""

        def write() -> Path:
            from viewer.export.picture_files import image_steps

            new = self._new_file(tr(self._session.scenario.title), suffix, folders.pictures)
            shot = self._shot(self._session.snapshot(), self.picture().size)
            deque(image_steps(new.path, self._ready, shot, new), maxlen=0)
            return new.path

        self._save(write)

    def save_plots_table(self, heading: Sequence[str], rows: Iterable[Sequence[float]]) -> None:
        """Write the curves of the plots as a table; an empty cell stands for no value."""
        lines = [",".join("" if np.isnan(value) else repr(float(value)) for value in row) for row in rows]
        self._save_plots(".csv", folders.documents, "\n".join((",".join(heading), *lines, "")).encode())

    def save_plots_picture(self, pixels: Image) -> None:
        """Write a picture of the plots, (H, W, 3)."""
        from PIL import Image as pillow

        data = io.BytesIO()
        pillow.fromarray(pixels).save(data, format="PNG")
        self._save_plots(PICTURE, folders.pictures, data.getvalue())

    def _save_plots(self, suffix: str, usual: Callable[[], Path], data: bytes) -> None:
        def write() -> Path:
            title = tr("{title} plots").format(title=tr(self._session.scenario.title))
            new = self._new_file(title, suffix, usual)
            with new as file:
                file.write(data)
            return new.path

        self._save(write)

    def begin_picture(self, path: Path, size: tuple[int, int], transparent: bool) -> None:
        """Begin to write a picture that fits the scene at this moment. Raises InputError, GraphicsError."""
        from viewer.export.picture_files import image_steps

        snapshot = copy.deepcopy(self._session.snapshot())  # the motion goes on meanwhile
        job = Job(path, size[1], film=False)
        shot = replace(self._shot(snapshot, size, transparent), fitted=True)
        job.steps = image_steps(path, self._ready, shot)
        self._begin(job)

    def begin_film(self, path: Path, film: "Film") -> None:
        """Begin to write a film with the legend that the window shows now. Raises InputError, GraphicsError."""
        from viewer.export import film as films

        films.check(path, film)
        job = Job(path, film.count, film=True)
        job.steps = films.film_steps(path, film, self._ready, job.advance, self.picture().legend)
        self._begin(job)

    def _begin(self, job: Job) -> None:
        self.check_free()
        check_not_an_input(job.path, self._inputs())
        self.job = job
        try:
            self._step(job)  # errors of the arguments are raised now
        except BaseException:
            self._end_job()
            raise
        finally:
            self._ctx.screen.use()

    def check_free(self) -> None:
        """Raise InputError while a file is being written: only one is written at a time."""
        if self.job is not None:
            raise InputError(tr("A file is being saved: wait for its end, or cancel it"))

    def work(self) -> None:
        """Go on with the job for a while, if there is one."""
        end = time.perf_counter() + SLICE
        try:
            while self.job is not None and time.perf_counter() < end:
                self._step(self.job)
        except (InputError, GraphicsError) as error:
            self._end_job()
            self._error(str(error))
        except BaseException:
            self._end_job()
            raise
        finally:
            self._ctx.screen.use()

    def _step(self, job: Job) -> None:
        """Do one step of a job, or end the job if it has no more steps."""
        try:
            rows = next(job.steps)
        except StopIteration:
            self._end_job()
            self._saved(job.path)
        else:
            job.done = job.done if job.film else rows

    def cancel(self) -> None:
        """End the job without a file."""
        if (job := self.job) is not None:
            job.steps.close()
            self._end_job()
            self._notice(tr("Not saved: {name}").format(name=job.path.name))

    def _end_job(self) -> None:
        self.job = None
        self._release_renderer()

    def toggle_film(self) -> None:
        """Begin a film of the frames that the window draws, in the present size and stereo mode, or end it.

        Raises InputError if the film cannot be begun.
        """
        if self.film is None:
            self._begin_film()
        else:
            self._attempt(self._end_film)

    def _begin_film(self) -> None:
        from fractions import Fraction  # here: with its decimals 4 ms of every start

        from viewer.export import film, video

        shown = self.picture()
        (width, height), scenario, suffix = shown.size, shown.scenario, FILMS[0]
        size = (width // 2 * 2, height // 2 * 2)
        try:
            video.check(suffix, scenario.stereo, size)
        except InputError:
            suffix = FILMS[-1]
            video.check(suffix, scenario.stereo, size)
        new = self._new_file(tr(scenario.title), suffix, folders.videos)
        begun = RecordedFilm(new)
        file = film.recording(new, suffix, scenario, Fraction(FPS), size)
        begun.steps = self._frames(begun, file, scenario.stereo, size)
        next(begun.steps)
        self.film = begun
        self._notice(tr("Recording a film to {folder}").format(folder=new.path.parent))

    def _frames(
        self, film: RecordedFilm, file: AbstractContextManager["Recorder"], stereo: Stereo, size: tuple[int, int]
    ) -> Generator[None, None, None]:
        """At each step, add the frame that has just been drawn to the film, until it is ending or the disk is full.

        Frames during transitions of camera and eyes are added, too.
        """
        names = LabelMotion()
        with file as recorder:
            yield
            while not film.ending:
                shown = self.picture()
                shot = Shot(
                    self._session.snapshot(),
                    replace(shown.scenario, stereo=stereo),
                    size,
                    samples=1,
                    turn=int(film.seconds * WIGGLES),
                    scale=shown.scale,
                    transition=shown.transition,
                    renamed=lambda frame: self.picture().with_legend(names.led(frame, 1.0 / FPS)),
                )
                recorder.add(self._ready().render(shot))
                film.frames += 1
                if recorder.full:
                    break
                yield

    def wait(self) -> None:
        """Note that the window has not drawn the next frame of the film yet."""
        if self.film is not None and self.film.due is None:
            self.film.due = time.perf_counter()

    def record(self) -> None:
        """Add the picture that the window has just drawn to the film, as its next frame.

        If that fails, the film ends without a file; if the disk is full, it ends with the frames up to now.
        """
        self._attempt(self._add_frame)
        self._release_renderer()
        self._ctx.screen.use()

    def _add_frame(self) -> None:
        film = self.film
        assert film is not None
        film.due = None
        try:
            next(film.steps)
        except StopIteration:
            self.film = None
            text = tr("The disk is full: {file} holds the first {seconds} s")
            raise InputError(text.format(file=film.new.path, seconds=f"{film.seconds:.1f}")) from None
        except BaseException:
            self.film = None
            raise

    def _end_film(self) -> None:
        film, self.film = self.film, None
        assert film is not None
        self._release_renderer()
        if film.frames == 0:
            film.steps.close()
            return
        film.ending = True
        next(film.steps, None)
        self._notice(tr("Saved {file} ({seconds} s)").format(file=film.new.path, seconds=f"{film.seconds:.1f}"))

    def release(self) -> None:
        """End all files that are being written, keep the frames that are drawn, and free the memory."""
        if self.film is not None:
            with contextlib.suppress(InputError):
                self._end_film()
        if self.job is not None:
            with contextlib.suppress(KeyboardInterrupt, InputError, GraphicsError, StopIteration):
                self.job.steps.throw(KeyboardInterrupt())
        self._end_job()

    def _shot(self, snapshot: Snapshot, size: tuple[int, int], transparent: bool = False) -> Shot:
        """Return the shot of the scene as the window shows it, with its legend."""
        shown = self.picture()
        return Shot(
            snapshot, shown.scenario, size, transparent=transparent, scale=shown.scale, renamed=shown.with_legend
        )

    def _save(self, write: Callable[[], Path]) -> None:
        """Write a file at once, and report where it is or why it was not written."""
        self._attempt(lambda: self._saved(write()))
        self._release_renderer()
        self._ctx.screen.use()

    def _saved(self, path: Path) -> None:
        """Report where a file is, and what it cannot show of the scene."""
        from viewer.export.picture_files import PAGE, remarks

        told = tr("Saved {path}").format(path=path)
        remark = remarks(path, self.picture().scenario) if path.suffix.lower() == PAGE else ""
        self._notice(f"{told}. {remark}" if remark else told)

    def _attempt(self, what: Callable[[], object]) -> None:
        """Call `what`, and report its error, if any."""
        try:
            what()
        except (InputError, GraphicsError) as error:
            self._error(str(error))

    def _ready(self) -> ImageRenderer:
        if self._renderer is None:
            self._renderer = ImageRenderer(self._ctx)
        return self._renderer

    def _release_renderer(self) -> None:
        """Free the renderer's memory if no other file is being written."""
        if self._renderer is not None and self.job is None and self.film is None:
            self._renderer.release()
            self._renderer = None

    def _new_file(self, title: str, suffix: str, usual: Callable[[], Path]) -> NewFile:
        """Return a new file, "title 1.png" or the next number, beside the scene's file or else in the `usual` folder.

        The folder is made if it is missing; raises InputError if it cannot be made.
        """
        scene = self._session.document.path
        folder = Path(scene).absolute().parent if scene else usual()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refusal("{folder}: cannot be made: {reason}", folder=folder, reason=error.strerror or error) from None
        stem = " ".join(re.sub(r'[\\/:*?"<>|\x00-\x1f]', " ", title).split()).strip(". ")[:60] or "Poinsot"
        return NewFile(folder, numbered(f"{stem} ", suffix))
