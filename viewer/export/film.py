"""Films of a scene: each frame at its exact time, however long it takes to draw."""

import contextlib
import math
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray

from viewer.common import __version__, signals
from viewer.common.errors import InputError, check_range, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.output_files import WholeFile, output_suffix
from viewer.common.part_file import disk_full, keep_free
from viewer.export import console, video
from viewer.export.console import Progress
from viewer.export.image_renderer import (
    SUBFRAMES,
    Exposure,
    Image,
    ImageRenderer,
    Shot,
    check_subframes,
    open_moments,
    subframes_for,
    with_names_of,
)
from viewer.export.video import GifWriter
from viewer.scenario.choices.stereo_modes import WIGGLES
from viewer.scenario.embedded import headed
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import LOOPS
from viewer.scene.annotations.label_layout import LabelMotion
from viewer.scene.annotations.picture_legend import LegendEntry, with_legend
from viewer.scene.camera.framing import along_path
from viewer.scene.constructions.poinsot import poinsot_subject
from viewer.scene.constructions.scale import construct
from viewer.scene.words.sources import title
from viewer.session.playback import FASTEST, SLOWEST
from viewer.session.session import Session

if TYPE_CHECKING:
    from viewer.replay.findings import Replay

Array = NDArray[np.float64]

SHORTEST, LONGEST = 1e-3, 24 * 3600.0  # s
OPEN = 0.01  # rad: a body that is further off after a period leaves a jump at the loop's seam
WAITING = 4  # frames that may wait to be encoded
NICER = 10  # added to the encoder's "niceness", on Linux, so that it gives way to the drawing
ROOM, ROOM_FRAMES = 1 << 22, 8  # bytes kept free for the end of the film, and frames for which there is room besides


@frozen
class FilmFormat:
    """A film format, with its highest and its default number of frames per second."""

    summary: str
    most_fps: int
    usual_fps: int


FORMATS = {  # by suffix
    **{suffix: FilmFormat(container.summary, 240, 60) for suffix, container in video.CONTAINERS.items()},
    ".gif": FilmFormat("GIF, 256 colours", 50, 25),
}


@frozen
class Film:
    """A film of `seconds` at `fps` frames per second.

    It begins at the simulated time `start` [s] and goes on at `speed` simulated seconds per second. The shutter opens
    at the time of each frame and stays open for `shutter_deg` / 360 of the time between two frames. That time is
    divided into `subframes` equal parts, by default into as many as the turning needs (`subframes_for`); the frame is
    the mean light at their middles. With a `shutter_deg` of 0 a frame shows one moment. `recording` has the recordings,
    one or several, from which the scene was made.
    """

    scenario: Scenario
    seconds: float
    fps: Fraction
    size: tuple[int, int] = (1280, 720)
    samples: int = 2
    start: float = 0.0
    speed: float = 1.0
    shutter_deg: float = 0.0
    subframes: int | None = None
    recording: "Replay | None" = None

    @property
    def count(self) -> int:
        """The number of its frames."""
        return max(1, round(self.seconds * self.fps))

    def pictures(self) -> Iterator[Iterator[Shot] | None]:
        """Yield an iterator over the shots of each frame, which has to be used up before the next frame is taken.

        Without a shutter the n-th frame shows the scene exactly at `start` + n / fps * speed
        (`RunningScene.snapshot_at`). While the motion is far from the next frame, None is yielded repeatedly.
        """
        session = Session(self.scenario, playing=False, recording=self.recording)
        open_for = self.shutter_deg / 360.0 / float(self.fps)
        for n in range(self.count):
            clock, clocks = float(n / self.fps), [0.0]
            while not session.scene.approach(self.start + clock * self.speed):
                yield None
            if open_for:
                clocks = open_moments(open_for, self.subframes or self._subframes(session, clock, open_for))
            yield self._shots(session, [clock + later for later in clocks], int(clock * WIGGLES))

    def shots(self) -> Iterator[Shot]:
        """Return the shots of all frames, one after the other."""
        return chain.from_iterable(filter(None, self.pictures()))

    def _subframes(self, session: Session, clock: float, open_for: float) -> int:
        """Return the number of moments for the frame at `clock`, whose shutter is open for `open_for` [s of film]."""
        snapshot = session.scene.snapshot_at(self.start + clock * self.speed)
        return subframes_for(snapshot, open_for * self.speed, self.size[1], SUBFRAMES)

    def _shots(self, session: Session, clocks: list[float], turn: int) -> Iterator[Shot]:
        """Yield the shots at the times `clocks` [s of film]; `turn` is that of `Shot`."""
        for clock in clocks:
            snapshot = session.scene.snapshot_at(self.start + clock * self.speed)
            yield Shot(snapshot, along_path(session.scenario, clock), self.size, self.samples, turn=turn)


def closed_loop(film: Film, frame: str) -> Film:
    """Return a film of one period that can be repeated without a jump, seen in a frame of LOOPS.

    The film begins some whole periods later, so that all trails are full from the start. Its speed is changed so that a
    whole number of frames makes a period. The space axes are not shown, as they do not come back after a period.
    `film.seconds` has no effect. Raises InputError if the motion or the camera does not come back after a period.
    """
    if frame not in LOOPS:
        raise refusal("loop: {frame} is unknown; allowed are {frames}", frame=shown(frame), frames=", ".join(LOOPS))
    path, view = film.scenario.camera_path, film.scenario.view
    if path.kind != "still":
        raise refusal("loop: the camera path {path} does not come back; allowed is still", path=path.kind)
    scenario = film.scenario.with_values({"view.frame": "repeating", "show.space_axes": False})
    session = Session(scenario, playing=False, recording=film.recording)
    first = session.snapshot()
    if film.recording is not None or first.bodies or session.scene.race is not None:
        raise refusal("loop: a recording, a race or several bodies do not repeat; allowed is a single free body")
    if first.period is None or not first.loads.free or first.moves:
        raise refusal("loop: this motion does not repeat; allowed is a free body that turns about a point at rest")
    start = film.start + math.ceil(view.trail_periods) * first.period
    begin, end = (_seen(session, scenario, time) for time in (start, start + first.period))
    angle = 2.0 * math.asin(min(float(np.linalg.norm(end - begin)) / math.sqrt(8.0), 1.0))
    if angle > OPEN:
        degrees = f"{math.degrees(angle):.2g}"
        raise refusal("loop: with this integrator the body stands {degrees}° off after a period", degrees=degrees)
    seconds = first.period / film.speed
    count = max(1, round(seconds * film.fps))
    return replace(
        film,
        scenario=scenario.with_value("view.frame", frame),
        seconds=float(count / film.fps),
        start=start,
        speed=film.speed * seconds * float(film.fps) / count,
    )


def _seen(session: Session, scenario: Scenario, time: float) -> Array:
    """Return the rotation, (3, 3), from the body to the frame in which the scene is seen, at a time [s]."""
    while not session.scene.approach(time):
        pass
    snapshot = session.scene.snapshot_at(time)
    subject = poinsot_subject(snapshot, scenario.view, construct(snapshot, scenario.view.vector_scale))
    return np.asarray(subject.frame_from_world @ snapshot.reading.rotation_world_from_body)


def check(path: str | os.PathLike[str], film: Film) -> str:
    """Return the suffix of the film's file. Raises InputError if this film cannot be written to a file of this name."""
    suffix = output_suffix(path, marked("film"), FORMATS)
    check_range("fps", float(film.fps), 1.0, FORMATS[suffix].most_fps)
    check_range("seconds", film.seconds, SHORTEST, LONGEST, " s")
    check_range("speed", film.speed, SLOWEST, FASTEST)
    check_range("shutter", film.shutter_deg, 0.0, 360.0, " degrees")
    if film.subframes is not None:
        check_subframes(film.subframes)
    latest = Session(film.scenario, playing=False, recording=film.recording).scene.latest
    last = film.start + float((film.count - 1 + film.shutter_deg / 360.0) / film.fps) * film.speed
    check_range("time", last, 0.0, latest, " s")
    if suffix != ".gif":
        video.check(suffix, film.scenario.stereo, film.size)
    return suffix


def write_film(path: str | os.PathLike[str], film: Film, renderer: Callable[[], ImageRenderer]) -> None:
    """Draw a film to a file.

    If the film ends before its last frame (a request to end, a failure of the physics, a full disk), the frames up to
    then are in a file beside `path`, like an incomplete `WholeFile`, and the cause is raised with the name of that
    file. In all other cases the film is written whole or not at all. Raises InputError, GraphicsError.
    """
    with Progress(film.count, "picture") as progress:
        steps = film_steps(path, film, renderer, progress.advance)
        deque(steps, maxlen=0)  # no code runs between two steps, where a request to end would not be caught


def film_steps(
    path: str | os.PathLike[str],
    film: Film,
    renderer: Callable[[], ImageRenderer],
    drawn: Callable[[], object],
    legend: Sequence[LegendEntry] = (),
) -> Generator[int, None, None]:
    """Draw a film to a file step by step, a large frame in several steps; call `drawn` after each frame.

    Every frame has the entries of `legend`.
    The generator yields the number of rows of the frame that are drawn. If it is closed before its end, it leaves no
    file.
    """
    suffix = check(path, film)
    renders, names, added = renderer(), LabelMotion(), 0
    ended: KeyboardInterrupt | InputError | None = None
    target = WholeFile(path)
    with recording(target, suffix, film.scenario, film.fps, film.size) as recorder:
        try:
            for shots in film.pictures():
                if shots is None:
                    yield 0
                    continue
                blurred, seconds = bool(film.shutter_deg), float(1 / film.fps)
                image = yield from _picture(renders, shots, blurred, names, seconds, legend)
                with signals.held():
                    recorder.add(image)
                    added += 1
                drawn()
                if recorder.full:
                    break
        except (KeyboardInterrupt, InputError) as error:
            if not recorder.begun:
                raise
            ended = error
        target.complete = added == film.count
    if not target.complete:
        holds = tr("{path} holds the first {count} of {total} pictures")
        holds = holds.format(path=target.path, count=recorder.count, total=film.count)
        console.raise_broken_off(ended, Path(path), holds)


def _picture(
    renders: ImageRenderer,
    shots: Iterator[Shot],
    blurred: bool,
    names: LabelMotion,
    seconds: float,
    legend: Sequence[LegendEntry],
) -> Generator[int, None, Image]:
    """Draw the first of `shots`, or the mean light of all of them if `blurred`, with the labels of the middle one.

    All show the `legend`. `names` moves the labels from their positions in the last frame, which was `seconds` ago.
    """
    if not blurred:
        shot = replace(next(shots), renamed=lambda frame: with_legend(names.led(frame, seconds), legend))
        return (yield from renders.steps(shot))
    moments = list(shots)
    (middle,) = moments[len(moments) // 2].frames()
    led = names.led(middle, seconds)
    exposure = Exposure()
    for shot in moments:
        shot = replace(shot, renamed=lambda frame: with_legend(with_names_of(frame, led), legend))
        exposure.add((yield from renders.steps(shot)))
    return exposure.mean()


@contextlib.contextmanager
def recording(
    target: AbstractContextManager[BinaryIO], suffix: str, scenario: Scenario, fps: Fraction, size: tuple[int, int]
) -> Iterator["Recorder"]:  # fmt: skip
    """Yield a recorder whose film is whole at the end of the block; an exception in the block leaves no film.

    `target` opens the file and completes it at the end. A request to end the program cannot interrupt the completing.
    """

    def begin(first: Image) -> "FilmWriter":
        text = headed(scenario.to_text(), __version__, 0.0)
        if suffix == ".gif":
            return GifWriter(file, size, float(1 / fps), text, [first])
        texts = {"title": title(scenario), "comment": text, "software": f"Poinsot {__version__}"}
        return video.VideoWriter(file, suffix, size, fps, scenario.stereo, texts)

    with contextlib.ExitStack() as ending, target as file:
        keep_free(file, ROOM + ROOM_FRAMES * 3 * size[0] * size[1])
        recorder = Recorder(file, begin)
        try:
            yield recorder
            ending.enter_context(signals.held())
        except BaseException:
            recorder.stop()
            raise
        recorder.finish()


FilmWriter = video.VideoWriter | video.GifWriter


class Recorder:
    """Encodes frames to an open file in a thread of its own, while the next frames are drawn.

    `begin` makes the writer from the first frame. An exception in the thread is raised again with the next frame or at
    the end. `count` is the number of frames encoded so far. `full` says that the disk is full, with just enough room
    for the end of the film.
    """

    def __init__(self, file: BinaryIO, begin: Callable[[Image], FilmWriter]) -> None:
        self._file, self._begin = file, begin
        self._writer: FilmWriter | None = None
        self._waiting: queue.Queue[Image | None] = queue.Queue(WAITING)
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="encoder", daemon=True)
        self.count, self.full = 0, False

    @property
    def begun(self) -> bool:
        """Whether a frame has been added."""
        return self._writer is not None

    def add(self, image: Image) -> None:
        """Add the next frame; wait while too many frames are not encoded yet."""
        if self._writer is None:
            self._writer = self._begin(image)
            self._thread.start()
        while True:
            self._check()
            with contextlib.suppress(queue.Full):
                self._waiting.put(image, timeout=0.2)
                break
        self.full = disk_full(self._file)

    def stop(self) -> None:
        """Wait until all frames are encoded, or the encoding has failed."""
        while self._thread.is_alive():
            with contextlib.suppress(queue.Full):
                self._waiting.put(None, timeout=0.2)
                self._thread.join()

    def finish(self) -> None:
        """Wait until all frames are encoded, and end the film, if there is one."""
        self.stop()
        self._check()
        if self._writer is not None:
            self._writer.finish()
        self.full = disk_full(self._file)

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        _lower_priority()
        try:
            while self._writer is not None and (image := self._waiting.get()) is not None:
                self._writer.add(image)
                self.count += 1
        except BaseException as error:  # whatever it is: the other thread raises it
            self._error = error


def _lower_priority() -> None:
    """Let this thread, and those that the codec starts from it, use only the time that the drawing leaves.

    If the encoding is the slower of the two, the drawing waits for it, so that it gets all the time there is. Measured
    on two cores, software rendering, 1280x720, samples 1: a tenth more frames per second.
    """
    if sys.platform == "linux":  # elsewhere the priority is that of the whole process
        with contextlib.suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICER)
