"""The dialog to open a file or to save a scene: a list of folders and files, and below it a path to type."""

import re
from collections.abc import Callable
from pathlib import Path

from viewer.common.language import marked, tr
from viewer.physics.solids.limits import is_mesh_file
from viewer.scenario import embedded
from viewer.scenario.recordings import is_recording
from viewer.scenario.scenario import Scenario
from viewer.scene.words.formatting import named, printable
from viewer.ui.overlay import Dialog, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import form, scopes, windows
from viewer.ui.widgets.drawing import Look, shortened
from viewer.workspace.questions import FileQuestion, MeshFileQuestion, OpenQuestion, SaveQuestion
from viewer.workspace.workspace import Workspace

SUFFIX = ".toml"
SHOWN_AT_MOST = 500
NAME_LIMIT = 60  # the most letters of a suggested name
SIZE = 460.0, 420.0  # of the dialog, at scale 1


def is_scene(path: Path) -> bool:
    """Return whether a path has the name of a scene file."""
    return path.suffix.lower() == SUFFIX


def can_open(path: Path) -> bool:
    """Return whether a path has the name of a scene, a picture that may hold one, a mesh or a recording."""
    known = is_scene(path) or is_mesh_file(path) or is_recording(str(path))
    return known or path.suffix.lower() in embedded.SUFFIXES


def entries(folder: Path, wanted: Callable[[Path], bool] = is_scene) -> list[tuple[str, Path]]:
    """Return the entries of a folder: the folder above, its folders, and files that are `wanted`; no hidden ones.

    Raises OSError if the folder cannot be read.
    """
    above = [("../", folder.parent)] if folder.parent != folder else []
    paths = sorted((path for path in folder.iterdir() if path.name[0] != "."), key=lambda path: path.name.lower())
    folders = [(printable(path.name) + "/", path) for path in paths if path.is_dir()]
    files = [(printable(path.name), path) for path in paths if wanted(path) and not path.is_dir()]
    return (above + folders + files)[:SHOWN_AT_MOST]


def file_name(title: str) -> str:
    """Return a name for the file of a scene with this title, in the user's language, such as dumb-bell-spun.toml."""
    words = "-".join(re.findall(r"\w+", tr(title).lower()))[:NAME_LIMIT]
    return (words if words and title != Scenario.title else "scene") + SUFFIX


class FileDialog(Dialog[FileQuestion]):
    """The dialog that asks for a file, or for several."""

    kind = FileQuestion

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._folder = _current_folder()
        self._listing: list[tuple[str, Path]] = []
        self._name = ""
        self._chosen: dict[str, Path] = {}  # by their names in the list; several only with Ctrl
        self._error: str | None = None
        self._overwrite: str | None = None
        self._opening = False
        self._typing = False  # whether the field of the name gets the keyboard in the next frame

    @property
    def _saving(self) -> bool:
        return isinstance(self._question, SaveQuestion)

    @property
    def _several(self) -> bool:
        """Whether several files can be chosen."""
        return isinstance(self._question, OpenQuestion)

    def _show_question(self, question: FileQuestion) -> None:
        self._name, self._title = "", marked("Open a scene, a picture of one, a mesh or a recording")
        self._wanted: Callable[[Path], bool] = can_open
        if isinstance(question, MeshFileQuestion):
            self._title, self._wanted = marked("Choose a mesh"), is_mesh_file
        if isinstance(question, SaveQuestion):
            self._title, self._wanted = marked("Save the scene as"), is_scene
            self._name = printable(Path(question.near).name) if question.near else file_name(question.title)
        self._chosen, self._error, self._overwrite = {}, None, None
        self._typing = False
        self._enter((_current_folder() / question.near).parent if question.near else _current_folder())
        if isinstance(question, SaveQuestion) and question.why:
            self._overwrite, self._error = str(self._meant(self._name)), printable(question.why)

    def _enter(self, folder: Path) -> None:
        """Show another folder; if it cannot be read, keep the present one and say why."""
        try:
            self._listing = entries(folder, self._wanted)
            self._folder = folder
            self._error, self._chosen = None, {}
        except OSError as error:
            self._error = printable(f"{folder}: {error.strerror}")

    def _draw_window(self, canvas: UiCanvas, opening: bool) -> bool:
        look, self._opening = canvas.look, self._opening or opening
        size = look.px(SIZE[0]), look.px(SIZE[1])
        with windows.modal(look, "File", size, canvas.size, self._opening) as seen:
            if not seen:
                return self._opening
            goes_on = self._goes_on(look)
            if not goes_on:
                imgui.close_current_popup()
        return goes_on

    def _contents(self, look: Look) -> None:
        with scopes.font(look.fonts.medium):
            imgui.text_unformatted(tr(self._title))
        form.remark(look, _end_of(printable(str(self._folder)), imgui.get_content_region_avail().x))
        error, hint = self._error or "", ""
        if self._several and sum(is_recording(name) for name, _ in self._listing) > 1:
            hint = tr("Ctrl-click to open several recordings together")
        self._list(look, -2 * imgui.get_frame_height_with_spacing() - form.refused_height(error or hint))
        if self._opening or self._typing:
            imgui.set_keyboard_focus_here()
            self._opening = self._typing = False
        imgui.set_next_item_width(-1)
        entered, typed = imgui.input_text_with_hint("##path", tr("name or path"), self._name, form.entering())
        if typed != self._name:  # the error was about another name
            self._name, self._error, self._overwrite, self._chosen = typed, None, None, {}
        entered = form.entered_in(entered)
        form.refused(look, error)
        if hint and not error:
            form.remark(look, hint)
        self._buttons(look, entered)

    def _list(self, look: Look, height: float) -> None:
        """Draw folders and files; a double click takes one."""
        flags = imgui.ChildFlags_.always_use_window_padding.value
        with scopes.child("files", (0.0, height), flags, look.palette.raised):
            for name, path in self._listing:
                flag = imgui.SelectableFlags_.allow_double_click.value
                clicked = imgui.selectable(
                    f"{name}##{printable(str(path))}", name in self._chosen or self._name == name, flag
                )[0]
                if clicked and name.endswith("/"):
                    self._enter(path)
                    self._typing = imgui.is_mouse_released(0)  # the arrow keys go on in the list
                    break
                if clicked:
                    if self._several and imgui.get_io().key_ctrl:
                        self._choose_too(name, path)
                        continue
                    chosen_before, self._name = self._name == name, name
                    self._error, self._overwrite, self._chosen = None, None, {name: path}
                    self._typing = True  # so that Enter takes the name
                    if chosen_before and imgui.is_mouse_double_clicked(0):
                        self._take()
                        break
            if all(name.endswith("/") for name, _ in self._listing):
                form.remark(
                    look, tr("No scenes in this folder") if self._saving else tr("Nothing to open in this folder")
                )

    def _choose_too(self, name: str, path: Path) -> None:
        """Add a file to the chosen ones, or remove it if it is one of them."""
        if name in self._chosen:
            del self._chosen[name]
        else:
            self._chosen[name] = path
        self._name, self._error = ", ".join(self._chosen), None

    def _buttons(self, look: Look, entered: bool) -> None:
        """Draw the button that takes the file, and the one that leaves the dialog."""
        label = marked("Replace") if self._overwrite else marked("Save") if self._saving else marked("Open")
        cancelled, pressed = form.buttons(look, named(label))
        if cancelled:
            self.close()
        if self.is_open and (pressed or entered):
            self._take()

    def _take(self) -> None:
        """Enter the folder, or answer the question with the file; replacing a file needs a second press of a button."""
        self._typing = True  # if the dialog stays open
        name = self._name.strip()
        if len(self._chosen) > 1:
            if all(map(is_recording, self._chosen)):
                self._hand_on([str(path) for path in self._chosen.values()])
            else:
                self._error = tr("only recordings can be opened together")
            return
        if not name:
            self._error = tr("type a name or choose a file")
            return
        try:
            path = self._meant(name)
            if path.is_dir():
                self._name = ""
                self._enter(path.resolve())
                return
            if self._saving and path.exists() and self._overwrite != str(path):
                self._overwrite = str(path)
                self._error = printable(tr("{name} already exists").format(name=path.name))
                return
        except (OSError, RuntimeError) as error:  # longer than a name may be, ~ of an unknown user
            self._error = f"{name}: {getattr(error, 'strerror', None) or error}"
            return
        self._hand_on([str(path)])

    def _hand_on(self, paths: list[str]) -> None:
        """Answer the question with the paths and close the dialog; if they cannot be opened or saved, say why."""
        answer = self._question.answer
        problem = self._workspace.messages.for_dialog(lambda: answer(paths))
        self._error = None if problem is None else printable(problem)
        self._overwrite = None
        if self._error is None:
            self.close()

    def _meant(self, name: str) -> Path:
        """Return the path that a name in the dialog stands for: a listed entry, else a path from the shown folder."""
        for listed, path in self._listing:
            if listed == name:
                return path
        path = self._folder / Path(name).expanduser()
        return path.with_suffix(SUFFIX) if self._saving and not path.suffix and not path.is_dir() else path


def _current_folder() -> Path:
    """Return the folder where the app was started, or the root folder if that one no longer exists."""
    try:
        return Path.cwd()
    except OSError:
        return Path("/")


def _end_of(path: str, room: float) -> str:
    """Return a path or, if it is too long for `room` pixels, as much of its end as has room after an ellipsis."""
    if shortened(path, room) == path:
        return path
    backwards = shortened(path[::-1], room)
    return "…" + backwards.rstrip("…")[::-1]
