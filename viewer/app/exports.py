"""What a window writes of what it shows: pictures, films, its plots. Says where they are, or why there are none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from viewer.app import plot_files
from viewer.app.capture import new_file
from viewer.common.output_files import NewFile
from viewer.user import folders

PICTURE = ".png"


class Exports:
    """Of one app, whose `capture` it drives. Pictures and films are of the scene as it is shown."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._plots_wanted = False  # as a picture, once the frame is complete

    def picture_kinds(self) -> dict[str, str]:
        """The kinds of picture files but for the usual one: what each is, by the end of its name."""
        from viewer.export.images.formats import FORMATS  # here: starting does not need it

        return {suffix: kind.summary for suffix, kind in FORMATS.items() if suffix not in (PICTURE, ".jpeg")}

    def save_picture(self, suffix: str = PICTURE) -> None:
        """Writes the scene to a numbered picture file."""
        app = self._app
        snapshot, scenario = app.session.snapshot(), app.scene_view.scenario
        size, scale, path = app.scene_view.size, app.window.interface_scale, app.documents.path
        self._write(lambda: app.capture.save_picture(snapshot, scenario, size, scale, path, suffix))
        self._drawn_elsewhere()

    def toggle_film(self) -> None:
        """Begins a film, or ends it."""
        app = self._app
        if app.capture.recording:
            app.attempt(self._end_film)
        else:
            folder = app.capture.begin(app.scene_view.scenario, app.scene_view.size, app.documents.path)
            app.ui.messages.notice(f"Recording a film to {folder}")
        app.ui.touched()

    def _end_film(self) -> None:
        if told := self._app.capture.end():
            self._app.ui.messages.notice(told)

    def record(self) -> None:
        """What has just been drawn is the next picture of the film."""
        app = self._app
        snapshot, scenario, scale = (
            app.session.snapshot(),
            app.scene_view.scenario,
            app.window.interface_scale,
        )
        app.attempt(lambda: app.capture.add(snapshot, scenario, scale, app.scene_view.transition))
        self._drawn_elsewhere()

    def save_plots_csv(self) -> None:
        """Writes the curves that the plots show into a new file, beside the scene's or in the user's documents."""
        plots = self._app.ui.plots
        self._write(lambda: plot_files.write_csv(plots, self._plots_file(".csv", folders.documents)))

    def save_plots_png(self) -> None:
        """Writes what the plots show into a new picture, where those of the scene go, once the frame is complete."""
        self._plots_wanted = True

    def frame_complete(self) -> None:
        """The frame is complete: writes the picture of the plots, where one was asked for."""
        if not self._plots_wanted:
            return
        app, self._plots_wanted = self._app, False
        place = app.ui.layout.plots
        if place is not None:
            pixels = app.ui.picture(place)
            self._write(lambda: plot_files.write_png(pixels, self._plots_file(PICTURE, folders.pictures)))

    def _plots_file(self, suffix: str, usual: Callable[[], Path]) -> NewFile:
        """A new file for what the plots show, named after the scene."""
        app = self._app
        return new_file(f"{app.session.scenario.title} plots", suffix, app.documents.path, usual)

    def _write(self, write: Callable[[], Path]) -> None:
        """Writes a file and says where it is, or why there is none."""
        app = self._app
        app.attempt(lambda: app.ui.messages.notice(f"Saved {write()}"))
        app.ui.touched()

    def _drawn_elsewhere(self) -> None:
        """Something else was drawn with the window's OpenGL."""
        self._app.ctx.screen.use()
