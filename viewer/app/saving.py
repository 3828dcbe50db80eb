"""Pictures and films that the dialog asks for: drawn between the window's frames, a few strips at a time."""

import contextlib
import copy
import time
from collections.abc import Generator, Iterator
from pathlib import Path

from viewer.app.capture import FILMS, PICTURE
from viewer.common import folders
from viewer.common.errors import GraphicsError, InputError, refusal, shown
from viewer.common.language import tr
from viewer.common.quantities.arithmetic import value_of
from viewer.common.quantities.units import UnitError
from viewer.export.image_renderer import ImageRenderer, Shot
from viewer.scenario.recordings import check_not_an_input
from viewer.scene.annotations.picture_legend import with_legend
from viewer.ui.host import Host
from viewer.ui.overlays.saving.wanted import FilmWanted, Kind, SaveProgress, Wanted

SLICE = 0.05  # s of drawing between two frames of the window
KNOWN = 0.02  # of the work: with less done the rest is not estimated


class Saving:
    """One file at a time; messages report where it is, or why there is none."""

    def __init__(self, app: Host) -> None:
        self._app = app
        self._renderer: ImageRenderer | None = None
        self._steps: Iterator[object] | None = None
        self._path = Path()
        self._done, self._total, self._film = 0, 1, False
        self._began = 0.0

    def kinds(self, film: bool) -> list[Kind]:
        """The kinds of pictures, or of films, the usual one first."""
        from viewer.export.film import film as films  # here, as below: starting does not need them
        from viewer.export.images import formats

        if film:
            return [Kind(suffix, kind.summary, kind.usual_fps) for suffix, kind in films.FORMATS.items()]
        return [
            Kind(suffix, kind.summary.partition(",")[0], 0, kind.transparent, kind.both_eyes)
            for suffix, kind in formats.FORMATS.items()
            if suffix != ".jpeg"
        ]

    def unused(self, film: bool) -> Path:
        """A file that is not there yet, beside the scene's own or in the user's folder."""
        usual = folders.videos if film else folders.pictures
        title = tr(self._app.session.scenario.title)
        return self._app.capture.new_file(title, FILMS[0] if film else PICTURE, usual).path

    def needed(self, suffix: str, size: str) -> tuple[int, float] | None:
        """How many pixels a picture of the size that is typed has, and about how many bytes; None where it is none."""
        from viewer.export.images.formats import needed
        from viewer.export.size import parse_size

        try:
            return needed(f"picture{suffix}", parse_size(size))
        except InputError:
            return None

    @property
    def size(self) -> tuple[int, int]:
        """Of the scene as it is shown, in pixels."""
        return self._app.scene_view.size

    @property
    def working(self) -> bool:
        """Whether a file is being written."""
        return self._steps is not None

    @property
    def progress(self) -> SaveProgress | None:
        """How far it is; None where there is none."""
        if self._steps is None:
            return None
        fraction = min(1.0, self._done / self._total)
        words = tr("{percent} %").format(percent=f"{100 * fraction:.0f}")
        if self._film:
            words = tr("{done} of {total} pictures").format(done=self._done, total=self._total)
        if fraction > KNOWN:
            from viewer.export.progress import duration

            spent = time.perf_counter() - self._began
            words += " · " + tr("{time} left").format(time=duration(spent * (1.0 - fraction) / fraction))
        return SaveProgress(self._path.name, fraction, words)

    def begin(self, wanted: Wanted) -> None:
        """Begins to write it. Raises InputError, which begins with the name of what is not allowed."""
        from viewer.export.size import parse_size

        if self.working:
            raise InputError(tr("A file is being saved: wait for its end, or cancel it"))
        size, path = parse_size(wanted.size), Path(wanted.path)
        check_not_an_input(path, self._app.documents.inputs)
        film = wanted.film
        steps = self._picture(wanted, path, size) if film is None else self._film_steps(film, path, size)
        self._path, self._film, self._done = path, film is not None, 0
        self._began = time.perf_counter()
        try:
            next(steps)  # what is refused is refused now
        except StopIteration:  # it was quick
            self._saved()
        else:
            self._steps = steps
        finally:
            self._app.ctx.screen.use()

    def _picture(self, wanted: Wanted, path: Path, size: tuple[int, int]) -> Generator[object, None, None]:
        from viewer.export.images.formats import image_steps

        snapshot = copy.deepcopy(self._app.session.snapshot())  # the motion goes on meanwhile
        scale = self._app.window.interface_scale
        entries = self._app.ui.legend_entries
        shot = Shot(
            snapshot,
            self._app.scene_view.scenario,
            size,
            transparent=wanted.transparent,
            scale=scale,
            renamed=lambda frame: with_legend(frame, entries),
        )
        self._total = size[1]
        for rows in image_steps(path, self._ready, shot):
            self._done = rows
            yield rows

    def _film_steps(self, wanted: FilmWanted, path: Path, size: tuple[int, int]) -> Generator[object, None, object]:
        from fractions import Fraction  # here, as in capture

        from viewer.export.film import film as films

        fields = ("fps", "start", "speed", "shutter")
        rate, start, speed, shutter = (_number(name, getattr(wanted, name)) for name in fields)
        film = films.Film(
            self._app.scene_view.scenario,
            _number("seconds", wanted.seconds),
            Fraction(rate).limit_denominator(1001),
            size,
            start=start,
            speed=speed,
            shutter_deg=shutter,
            recording=self._app.session.document.recordings,
        )
        films.check(path, film)
        self._total = film.count
        return films.film_steps(path, film, self._ready, self._picture_done)

    def _picture_done(self) -> None:
        self._done += 1

    def work(self) -> None:
        """Goes on with it for a while."""
        end = time.perf_counter() + SLICE
        try:
            while self._steps is not None and time.perf_counter() < end:
                next(self._steps)
        except StopIteration:
            self._saved()
        except (InputError, GraphicsError) as error:
            self._end()
            self._app.ui.messages.error(str(error))
        except BaseException:
            self._end()
            raise
        finally:
            self._app.ctx.screen.use()

    def _saved(self) -> None:
        self._end()
        self._app.ui.messages.notice(tr("Saved {path}").format(path=self._path))

    def cancel(self) -> None:
        """Ends it without a file."""
        if isinstance(self._steps, Generator):
            self._steps.close()
        self._end()
        self._app.ui.messages.notice(tr("Not saved: {name}").format(name=self._path.name))

    def _end(self) -> None:
        self._steps = None
        if self._renderer is not None:
            self._renderer.release()
            self._renderer = None

    def release(self) -> None:
        """Ends it: of a film, what is drawn is kept."""
        if isinstance(self._steps, Generator):
            with contextlib.suppress(KeyboardInterrupt, InputError, GraphicsError, StopIteration):
                self._steps.throw(KeyboardInterrupt())
        self._end()

    def _ready(self) -> ImageRenderer:
        if self._renderer is None:
            self._renderer = ImageRenderer(self._app.ctx)
        return self._renderer


def _number(name: str, typed: str) -> float:
    """The number typed for `name`; raises InputError."""
    if not typed.strip():
        raise refusal("{name}: is empty; allowed is a number", name=name)
    try:
        return value_of(typed.strip(), "s" if name in ("seconds", "start") else "")
    except UnitError as error:
        raise InputError(f"{name}: {error}") from None
    except ValueError:
        raise refusal("{name}: {value} is not a number", name=name, value=shown(typed)) from None
