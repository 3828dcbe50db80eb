"""Pictures and films of what the window shows: the scene without the interface, in files with numbered names."""

import contextlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from viewer.common.errors import InputError
from viewer.common.output_files import NewFile, numbered
from viewer.export.image_renderer import ImageRenderer, Shot
from viewer.scenario.choices.stereo_modes import WIGGLES
from viewer.scenario.scenario import Scenario
from viewer.scene.presentation import Transition
from viewer.session.snapshot import Snapshot
from viewer.user import folders

FPS = 60
FILM = ".mkv"


class Capture:
    """What is saved of one window. `ctx`: its OpenGL context."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx
        self._renderer: ImageRenderer | None = None
        self._film: _Running | None = None

    @property
    def recording(self) -> bool:
        """Whether a film is being written."""
        return self._film is not None

    @property
    def seconds(self) -> float:
        """The length of the film so far."""
        return 0.0 if self._film is None else self._film.shots / FPS

    def save_picture(
        self,
        snapshot: Snapshot,
        scenario: Scenario,
        size: tuple[int, int],
        scale: float,
        near: str | None,
        suffix: str,
    ) -> Path:
        """Writes a picture, shown as `scenario` says, beside the scene's file `near` if there is one; returns its path.

        `scale`: pixels per pixel of the screen at scale 1. `suffix`: which kind. Raises InputError, GraphicsError.
        """
        from viewer.export.images.formats import write_image  # here, as below: starting does not need it

        new = new_file(scenario.title, suffix, near, folders.pictures)
        try:
            write_image(new.path, self._ready, Shot(snapshot, scenario, size, scale=scale), new)
        finally:
            if self._renderer is not None:
                self._renderer.release()  # larger than what the window needs
        return new.path

    def begin(self, scenario: Scenario, size: tuple[int, int], near: str | None) -> Path:
        """Begins a film in that size and stereo mode; returns its folder. Raises InputError where there can be none."""
        from viewer.export.film import video

        size = (size[0] // 2 * 2, size[1] // 2 * 2)
        video.check(FILM, scenario.stereo, size)
        new = new_file(scenario.title, FILM, near, folders.videos)
        self._film = _Running(new, scenario, size)
        return new.path.parent

    def add(self, snapshot: Snapshot, scenario: Scenario, scale: float, transition: Transition) -> None:
        """The film's next picture, with camera and eyes on the move; in the stereo mode in which the film began.

        Raises InputError and ends the film, without a file, where that fails. Where the disk is full the film ends,
        too, and its file holds what was drawn till then.
        """
        running = self._film
        assert running is not None
        scenario = replace(scenario, stereo=running.stereo)
        turn = int(running.shots / FPS * WIGGLES)
        shot = Shot(snapshot, scenario, running.size, 1, turn=turn, scale=scale, transition=transition)
        try:
            with running.failing():
                running.recorder.add(self._ready().render(shot))
        except BaseException:
            self._film = None
            raise
        running.shots += 1
        if running.recorder.full:
            raise InputError(f"The disk is full. {self.end()}")

    def end(self) -> str | None:
        """Ends the film; says what was written, None where nothing was begun. Raises InputError where that fails."""
        running, self._film = self._film, None
        if running is None:
            return None
        if running.shots == 0:
            running.drop()
            return None
        running.files.close()
        return f"Saved {running.new.path} ({running.shots / FPS:.1f} s)"

    def _ready(self) -> ImageRenderer:
        if self._renderer is None:
            self._renderer = ImageRenderer(self._ctx)
        return self._renderer

    def release(self) -> None:
        """Ends what runs and gives the memory back."""
        with contextlib.suppress(InputError):
            self.end()
        if self._renderer is not None:
            self._renderer.release()


class _Running:
    """A film that is being written."""

    def __init__(self, new: NewFile, scenario: Scenario, size: tuple[int, int]) -> None:
        from fractions import Fraction

        from viewer.export.film import film

        self.new, self.size, self.stereo = new, size, scenario.stereo
        self.shots = 0
        self.files = contextlib.ExitStack()
        self.recorder = self.files.enter_context(film.recording(new, FILM, scenario, Fraction(FPS), size))

    @contextlib.contextmanager
    def failing(self) -> Any:
        """What is raised inside clears the file away."""
        with contextlib.ExitStack() as stack:
            stack.push(self.files.__exit__)
            yield
            stack.pop_all()

    def drop(self) -> None:
        """Leaves no file."""
        with contextlib.suppress(_Unwanted), self.failing():
            raise _Unwanted


class _Unwanted(Exception):
    """A film with no picture."""


def new_file(title: str, suffix: str, near: str | None, usual: Callable[[], Path]) -> NewFile:
    """A file to write: "title 1.png" or the next, beside the file `near`, else in the folder that is `usual` for it."""
    folder = Path(near).absolute().parent if near else usual()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    stem = " ".join(re.sub(r'[\\/:*?"<>|\x00-\x1f]', " ", title).split()).strip(". ")[:60] or "Poinsot"
    return NewFile(folder, numbered(f"{stem} ", suffix))
