"""Films of a scene: each picture at its exact time, however long it takes to draw."""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

from viewer.common import signals
from viewer.common.errors import InputError, brief, shown
from viewer.common.output_files import whole_file
from viewer.common.part_file import disk_full, keep_free
from viewer.common.version import __version__
from viewer.export.film import video
from viewer.export.film.encoder import Encoder, FilmWriter
from viewer.export.film.gif import GifWriter
from viewer.export.image_renderer import Image, ImageRenderer, Shot
from viewer.export.progress import Progress
from viewer.scenario.choices.stereo_modes import WIGGLES
from viewer.scenario.embedded import headed
from viewer.scenario.scenario import Scenario
from viewer.scene.camera import path as camera_path
from viewer.session.session import Session

SUFFIXES = (".mkv", ".mp4", ".gif")
LONGEST = 24 * 3600.0  # s
RATES = {".mkv": (1, 240), ".mp4": (1, 240), ".gif": (1, 50)}  # pictures a second
USUAL_RATE = {".mkv": 60, ".mp4": 60, ".gif": 25}

ROOM, ROOM_PICTURES = 1 << 22, 8  # bytes kept free for the end, and for so many pictures that wait


@dataclass(frozen=True)
class Film:
    """`seconds` of film at `fps` pictures a second, from the simulated time `start` [s] on, at `speed` simulated
    seconds a second."""

    scenario: Scenario
    seconds: float
    fps: Fraction
    size: tuple[int, int] = (1280, 720)
    samples: int = 2
    start: float = 0.0
    speed: float = 1.0

    @property
    def count(self) -> int:
        """How many pictures it has."""
        return max(1, round(self.seconds * self.fps))

    def shots(self) -> Iterator[Shot]:
        """Its pictures: the n-th shows the scene at `start` + n / fps * speed, exactly; see `Session.moment`."""
        session = Session(self.scenario, playing=False)
        for n in range(self.count):
            clock = float(n / self.fps)
            snapshot = session.snapshot_at(self.start + clock * self.speed)
            scenario = camera_path.at(session.scenario, clock)
            yield Shot(snapshot, scenario, self.size, self.samples, turn=int(clock * WIGGLES))


def check(path: str | os.PathLike[str], film: Film) -> None:
    """Raises InputError where a film like this cannot be written to a file of this name."""
    suffix = suffix_of(path)
    least, most = RATES[suffix]
    if not least <= film.fps <= most:
        raise InputError(f"fps: {float(film.fps):g} is outside {least}..{most} pictures a second in {suffix}")
    if not 1 / film.fps <= film.seconds <= LONGEST:
        raise InputError(
            f"seconds: {brief(film.seconds)} s is outside {float(1 / film.fps):.4g}..{LONGEST:g} s"
        )
    if not 1e-6 <= film.speed <= 1e6:
        raise InputError(f"speed: {brief(film.speed)} is outside 1e-06..1e+06 simulated seconds a second")
    if not Path(path).parent.is_dir():
        raise InputError(f"output: there is no folder {shown(os.fspath(Path(path).parent))}")
    if suffix != ".gif":
        video.check(suffix, film.scenario.stereo, film.size)


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The end of a film's name; raises InputError where it is none."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"output: {shown(os.fspath(path))} is no film; allowed are names in {', '.join(SUFFIXES)}"
        )
    return suffix


def write_film(path: str | os.PathLike[str], film: Film, renderer: Callable[[], ImageRenderer]) -> int:
    """Draws a film to a file; returns how many pictures it has, fewer than the film's after a request to end.

    Then, and where the physics fails on the way or the disk is full, the file holds what was drawn till then, and
    InputError says so. In all other cases it is written whole or not at all. Raises InputError, GraphicsError.
    """
    check(path, film)
    drawn, failed = renderer(), ""
    with recording(whole_file(path), suffix_of(path), film.scenario, film.fps, film.size) as recorder:
        try:
            with Progress(film.count, "picture") as progress:
                for shot in film.shots():
                    with signals.held():  # so that it ends after a picture, not in one
                        recorder.add(drawn.render(shot))
                    progress.advance()
                    if recorder.full:
                        break
        except KeyboardInterrupt:
            if recorder.empty:
                raise
        except InputError as error:
            if recorder.empty:
                raise
            failed = str(error)
    if recorder.full:
        failed = f"{path}: cannot be written: {os.strerror(errno.ENOSPC)}"
    if failed:
        raise InputError(f"{failed}; {path} holds the first {recorder.count} of {film.count} pictures")
    return recorder.count


@contextlib.contextmanager
def recording(
    target: AbstractContextManager[BinaryIO],
    suffix: str,
    scenario: Scenario,
    fps: Fraction,
    size: tuple[int, int],
) -> Iterator["Recorder"]:
    """A film file that grows picture by picture, whole at the end of the block; what the block raises leaves none.

    `target`: gives the open file, and takes it at the end. A request to end the program comes too late to stop that.
    """
    with contextlib.ExitStack() as ending, target as file:
        keep_free(file, ROOM + ROOM_PICTURES * 3 * size[0] * size[1])
        recorder = Recorder(file, suffix, scenario, fps, size)
        try:
            yield recorder
            ending.enter_context(signals.held())
        except BaseException:
            recorder.stop()
            raise
        recorder.finish()
        recorder.full = disk_full(file)


class Recorder:
    """Encodes pictures to an open file, in a thread of its own.

    `full`: the disk is; there is room for the end of the film, and no more.
    """

    def __init__(
        self, file: BinaryIO, suffix: str, scenario: Scenario, fps: Fraction, size: tuple[int, int]
    ) -> None:
        self._file, self._suffix, self._scenario, self._fps, self._size = file, suffix, scenario, fps, size
        self._writer: FilmWriter | None = None
        self._encoder: Encoder | None = None
        self.full = False

    @property
    def empty(self) -> bool:
        """Whether no picture has come yet."""
        return self._encoder is None

    @property
    def count(self) -> int:
        """How many pictures are encoded."""
        return 0 if self._encoder is None else self._encoder.count

    def add(self, image: Image) -> None:
        """The next picture; waits while too many are not encoded yet."""
        if self._encoder is None:
            self._writer = self._begun(image)
            self._encoder = Encoder(self._writer)
        self._encoder.add(image)
        self.full = disk_full(self._file)

    def _begun(self, first: Image) -> FilmWriter:
        text = headed(self._scenario.to_text(), __version__, 0.0)
        if self._suffix == ".gif":
            return _GifFilm(GifWriter(self._file, self._size, text, [first]), float(1 / self._fps))
        texts = {"title": self._scenario.title, "comment": text, "software": f"Poinsot {__version__}"}
        return video.VideoWriter(
            self._file, self._suffix, self._size, self._fps, self._scenario.stereo, texts
        )

    def finish(self) -> None:
        """Encodes what waits, and ends the film."""
        if self._encoder is not None:
            self._encoder.finish()
        if isinstance(self._writer, video.VideoWriter):
            self._writer.tag(self._file)

    def stop(self) -> None:
        """Ends the encoding; the file is not wanted any more."""
        if self._encoder is not None:
            self._encoder.stop()


class _GifFilm:
    """A GIF whose pictures are shown equally long."""

    def __init__(self, writer: GifWriter, seconds: float) -> None:
        self._writer, self._seconds = writer, seconds

    def add(self, image: Image) -> None:
        """The next picture."""
        self._writer.add(image, self._seconds)

    def finish(self) -> None:
        """The end of the film."""
        self._writer.finish()
