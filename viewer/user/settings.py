"""The user's settings: a TOML file in the user's configuration folder.

A setting is declared once, like a field of a scene, with range, unit and meaning. The fields of a scene that belong to
the user's screen (`Field.remembered`: theme, glasses) are settings, too, for scenes that do not set them.

A broken file never stops anything: a setting that cannot be read takes its default, and `problems` has a line about
it. Several programs may run at once: each writes only its own changes, into the file as it is at that time.
"""

from pathlib import Path
from typing import Any, overload

from viewer.common import folders, input_files, locks
from viewer.common.errors import InputError, refusal
from viewer.common.frozen import frozen
from viewer.common.language import SYSTEM, languages, tr
from viewer.common.output_files import WholeFile
from viewer.scenario.field import Field, Kind
from viewer.scenario.fields import choice, fields_of, integer, number, switch, texts
from viewer.scenario.scenario import REMEMBERED_FIELDS, Scenario, field_at

FILE = "settings.toml"
PANEL_WIDTH = 308.0  # pixels at scale 1
NARROWEST_PANEL = 250.0  # in a narrower one, the numbers touch
PLOTS_HEIGHT = 210.0
SIZE_LIMIT = 100_000  # bytes
LOCK_TIMEOUT = 1.0  # s
LARGEST_COORDINATE = 100_000  # pixels, beyond every desktop


@frozen
class Window:
    """Where the window was, in the system's units."""

    width: int = integer(1280, "Width", "width of the window", 64, 16384)
    height: int = integer(720, "Height", "height of the window", 64, 16384)
    x: int = integer(0, "Left", "left edge on the desktop", -LARGEST_COORDINATE, LARGEST_COORDINATE)
    y: int = integer(0, "Top", "upper edge on the desktop", -LARGEST_COORDINATE, LARGEST_COORDINATE)
    fullscreen: bool = switch(False, "Full screen", "the window takes the whole screen")


@frozen
class Panel:
    """How the panel looks."""

    width: float = number(PANEL_WIDTH, "Width", "width of the panel at text size 1", NARROWEST_PANEL, 800.0)
    text_size: float = number(
        1.0, "Text size", "size of the interface relative to that of the screen", 0.6, 2.5, unit="×"
    )
    tensor: str = choice(
        "body", "Inertia tensor", "the axes in which it is given",
        [("body", "body axes"), ("space", "space axes"), ("file", "file axes")],
    )  # fmt: skip
    language: str = choice(
        SYSTEM, "Language", "language of this window; files, logs and the other commands stay English",
        [(SYSTEM, "As the system"), *languages().items()],
    )  # fmt: skip
    open_sections: tuple[str, ...] = texts(("Scene", "Body", "Start"), "Open sections", "the open sections")


@frozen
class Plots:
    """How the plots look."""

    height: float = number(PLOTS_HEIGHT, "Height", "height of the plots at text size 1", 90.0, 1000.0)


@frozen
class Names:
    """What the things in the scene are called."""

    pointer: bool = switch(True, "Names", "what the pointer is over in the scene says its name and its value")
    legend: bool = switch(False, "Legend", "the names of the things in the scene, in their colours")


@frozen
class Sound:
    """What is heard."""

    on: bool = switch(False, "Sound", "the pitch follows |ω|, a click marks each flip, the side is that of the contact")


@frozen
class Hints:
    """Which hints have been shown."""

    first: bool = switch(False, "First hint", "the line that names the first gestures and keys has been shown")


@frozen
class Scenes:
    """The scene files that were used last."""

    recent: tuple[str, ...] = texts((), "Recent", "the files opened or saved last, the latest first", most=10)


DECLARED: dict[str, Any] = {
    "window": Window, "panel": Panel, "plots": Plots, "names": Names, "sound": Sound, "scenes": Scenes,
    "hints": Hints,
}  # fmt: skip


class Settings:
    """The settings of one run. Without a `path` none are read and none are written."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._changed: set[str] = set()
        self.problems: list[str] = []  # what was wrong with the file, a line each
        self.found = path is not None and path.exists()  # whether an earlier run has left a file
        self._values: dict[str, Any] = {} if path is None else self._read(path)

    @classmethod
    def of_user(cls) -> "Settings":
        """Return the settings in the user's configuration folder."""
        return cls(folders.config() / FILE)

    def value(self, path: str) -> Any:
        """Return the value at a path such as "panel.width", or its default."""
        return self._values[path] if path in self._values else default_of(path)

    @property
    def kept(self) -> bool:
        """Whether the settings are kept for the next run."""
        return self._path is not None

    def has(self, path: str) -> bool:
        """Return whether the setting has a value of its own, not just its default."""
        return path in self._values

    def change(self, path: str, value: Any) -> None:
        """Set a value, which `save` writes. Raises InputError if it is not allowed."""
        checked = setting_at(path).check(path, value)
        if path not in self._values or self._values[path] != checked:
            self._values[path] = checked
            self._changed.add(path)

    def scene_defaults(self) -> Scenario:
        """Return a scene of the defaults and the user's settings, for what a scene file does not set."""
        return Scenario().with_values({path: self._values[path] for path in REMEMBERED_FIELDS if path in self._values})

    def save(self) -> str | None:
        """Write the changes to the file; return a line that says why if that fails."""
        if self._path is None or not self._changed:
            return None
        try:
            folders.make_private(self._path.parent)
            with locks.exclusive(self._path.with_suffix(".lock"), LOCK_TIMEOUT):
                self._write(self._path)
        except TimeoutError:  # it is an OSError
            text = tr("{path}: another program holds {name}.lock; these settings are not saved yet")
            return text.format(path=self._path, name=self._path.stem)
        except OSError as error:
            text = tr("{path}: cannot be written: {reason}")
            return text.format(path=self._path, reason=error.strerror or error)
        except InputError as error:
            return str(error)
        self._changed.clear()
        return None

    def _read(self, path: Path) -> dict[str, Any]:
        """Return the values in a file by their paths; add a line to `problems` for each that cannot be used."""
        try:
            tables = _tables(path)
        except InputError as error:
            self.problems.append(tr("{error}; default settings are used").format(error=error))
            return {}
        values: dict[str, Any] = {}
        for section, entries in tables.items():
            for name, entry in entries.items() if isinstance(entries, dict) else ():
                setting = f"{section}.{name}"
                field = _declared(setting)
                try:
                    if field is not None:  # a newer version may know more
                        values[setting] = field.check(setting, entry)
                except InputError as error:
                    self.problems.append(tr("{error} ({path}); the default is used").format(error=error, path=path))
        return values

    def _write(self, path: Path) -> None:
        """Write the changes into the file as it is now."""
        import tomlkit  # here: only writing needs it

        document = tomlkit.document()
        if path.exists():
            try:
                _tables(path)
                document = tomlkit.parse(input_files.read_text(path, SIZE_LIMIT))
            except (InputError, ValueError):
                path.replace(path.with_suffix(".broken.toml"))
        for setting in sorted(self._changed):
            section, _, name = setting.partition(".")
            if not isinstance(document.get(section), dict):
                document[section] = tomlkit.table()
            value = self._values[setting]
            document[section][name] = list(value) if isinstance(value, tuple) else value
        with WholeFile(path, private=True) as file:
            file.write(tomlkit.dumps(document).encode("utf-8"))


@overload
def setting_at(path: str) -> Field: ...
@overload
def setting_at(path: str, kind: type[Kind]) -> Kind: ...
def setting_at(path: str, kind: type[Field] = Field) -> Field:
    """Return the declaration of a setting, which must be of this kind; raises InputError if there is none."""
    field = _declared(path)
    if field is None:
        raise refusal("{path}: setting not found", path=path)
    assert isinstance(field, kind), f"{path} is a {type(field).__name__}"
    return field


def default_of(path: str) -> Any:
    """Return the default of a setting."""
    section, _, name = path.partition(".")
    return getattr(DECLARED[section](), name) if section in DECLARED else Scenario().value(path)


def _declared(path: str) -> Field | None:
    section, _, name = path.partition(".")
    if section in DECLARED and name in fields_of(DECLARED[section]):
        return fields_of(DECLARED[section])[name]
    return field_at(path) if path in REMEMBERED_FIELDS else None


def _tables(path: Path) -> dict[str, Any]:
    """Return the tables of a settings file, or none if there is no file. Raises InputError if it cannot be read."""
    try:
        return input_files.parse_toml(input_files.read_text(path, SIZE_LIMIT), str(path))
    except input_files.MissingFile:
        return {}
