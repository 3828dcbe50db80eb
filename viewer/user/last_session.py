"""The last session: what was open when the last window closed, for the next start that names no scene.

It is one file, written whole or not at all. A file that cannot be read is moved aside, so that nothing is lost, and the
error says where it is.
"""

import contextlib
import dataclasses
import re
from dataclasses import field
from pathlib import Path
from typing import Any

from viewer.common import folders, input_files
from viewer.common.errors import InputError, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.output_files import WholeFile
from viewer.scenario import embedded
from viewer.scenario.recordings import is_recording
from viewer.scenario.scenario import Scenario

FILE = "left-off.toml"
BROKEN = "left-off.broken.toml"
VERSION = 1
TRUE_FALSE, TEXT = marked("true or false"), marked("a text")
KINDS: dict[str, tuple[type, Any, str]] = {  # what the file holds: type, default, what is allowed
    "version": (int, VERSION, marked("a whole number")), "file": (str, "", TEXT), "checksum": (str, "", TEXT),
    "recordings": (list, [], marked("a list of texts")), "flight": (str, "", TEXT),
    "repair": (bool, False, TRUE_FALSE),
    "unsaved": (bool, False, TRUE_FALSE),
    "plots": (bool, False, TRUE_FALSE), "panel": (str, "auto", marked("auto, open or folded")),
    "scene": (str, "", TEXT),
}  # fmt: skip
SCENE = "scene"  # its name in errors
PANEL = {"auto": None, "open": True, "folded": False}


@frozen
class LastSession:
    """The scene of the last window, and what was open with it.

    `file` is the scene's own file, or None. `checksum` is that of the file when it was last read or written, empty if
    it is not known. `recordings` are the absolute paths of the recordings that run beside the scene. `flight` and
    `repair` say how they are read, as these options of `poinsot replay` do. `unsaved` says that no file of the user
    holds the scene as it is. `plots` and `panel` are as in `UiState`. `problem` is a line for the user about how the
    session was read.
    """

    scenario: Scenario
    file: str | None = None
    unsaved: bool = False
    plots: bool = False
    panel: bool | None = None
    recordings: tuple[str, ...] = ()
    flight: str | None = None
    repair: bool = False
    problem: str | None = field(default=None, compare=False)
    checksum: str = ""


def path() -> Path:
    """Return the path of the session's file."""
    return folders.state() / FILE


def save(left: LastSession, base: Scenario) -> str | None:
    """Write the session; return a line that says why if that fails.

    `base` is the scene that has the user's settings. Fields of the user's screen that are as in `base` are not written,
    so that later changes of the settings apply to the scene.
    """
    import tomlkit  # here: only writing needs it

    document = tomlkit.document()
    panel = next(name for name, is_open in PANEL.items() if is_open is left.panel)
    text = left.scenario.to_text(base)
    own = str(Path(left.file).absolute()) if left.file else ""
    values = {"version": VERSION, "file": own, "checksum": left.checksum, "recordings": list(left.recordings),
              "flight": left.flight or "", "repair": left.repair, "unsaved": left.unsaved, "plots": left.plots,
              "panel": panel}  # fmt: skip
    document.update(values)
    document["scene"] = tomlkit.string(text, multiline=True)
    try:
        folders.make_private(path().parent)
        with WholeFile(path(), private=True) as file:
            file.write(tomlkit.dumps(document).encode("utf-8"))
    except (OSError, InputError, UnicodeEncodeError) as error:
        return tr("{path}: cannot be written: {reason}").format(path=path(), reason=error)
    return None


def load(base: Scenario) -> LastSession | None:
    """Return the last session, or None if there was none; `base` is as for `save`. Raises InputError.

    A saved scene is read anew from its file, and has the view of the session. Recordings are not read.
    """
    try:
        return _read(base)
    except input_files.MissingFile:
        return None
    except InputError as error:
        kept = path()
        with contextlib.suppress(OSError):
            path().replace(path().with_name(BROKEN))
            kept = path().with_name(BROKEN)
        reason = str(error).removeprefix(str(path())).lstrip(":, ")
        raise refusal(
            "The last scene cannot be opened; it is kept as {kept}: {reason}", kept=kept, reason=reason
        ) from None


def _read(base: Scenario) -> LastSession:
    name = str(path())
    table = input_files.parse_toml(input_files.read_text(path(), 2 * embedded.TEXT_LIMIT), name)
    values = {key: _checked(key, table.get(key, default)) for key, (_, default, _) in KINDS.items()}
    if values["panel"] not in PANEL:
        raise refusal(
            "panel: {value}; allowed is {allowed}", value=shown(values["panel"]), allowed=tr(KINDS["panel"][2])
        )
    if not values["scene"].strip():
        raise refusal("scene: is missing; the text of a scene file belongs there")
    try:
        scenario = _openable(Scenario.from_text(values["scene"], SCENE, base))
    except InputError as error:  # lines are counted in the scene, which is only a part of the file
        reason = re.sub(rf" \({SCENE}(, line \d+)?\)$", "", str(error))
        raise InputError(re.sub(rf"^{SCENE}, line \d+: ", f"{SCENE}: ", reason)) from None
    file, unsaved, problem = values["file"] or None, values["unsaved"], None
    recordings = tuple(values["recordings"])
    if file is not None and is_recording(file):  # as older versions wrote it, for a single recording
        file, recordings = None, (file,)
    if file is not None and not unsaved:
        try:
            saved = _openable(Scenario.load(file, base))
            scenario = dataclasses.replace(saved, view=scenario.view, playback=scenario.playback)
        except InputError as error:  # it is gone: then the scene has no file any more
            file, unsaved = None, True
            problem = tr("{error}; the scene is as you left it, but no file holds it").format(error=error)
    panel, flight = PANEL[values["panel"]], values["flight"] or None
    known = values["checksum"] if unsaved else ""  # else the file has just been read
    return LastSession(scenario, file, unsaved, values["plots"], panel, recordings, flight,
                       values["repair"], problem, known)  # fmt: skip


def _openable(scenario: Scenario) -> Scenario:
    """Return the scenario. Raises InputError if a mesh file is missing or broken, or if values do not fit together."""
    for one in [scenario.of_body(number) for number in range(len(scenario.bodies))] or [scenario]:
        one.simulation()
    return scenario


def same_but_for_screen(scenario: Scenario, other: Scenario) -> bool:
    """Return whether two scenes differ at most in how they are seen: view, speed, stereo, theme."""
    seen = dataclasses.replace(other, view=scenario.view, playback=scenario.playback)
    return seen.with_screen_of(scenario) == scenario


def _checked(key: str, value: Any) -> Any:
    """Return the value of a key of the file. Raises InputError if it is not allowed."""
    kind, _, allowed = KINDS[key]
    if type(value) is not kind or (isinstance(value, list) and not all(isinstance(entry, str) for entry in value)):
        raise refusal("{key}: {value}; allowed is {allowed}", key=key, value=shown(value), allowed=tr(allowed))
    if key == "version" and value != VERSION:
        raise refusal("version: {value} is not that of this program, which reads {known}", value=value, known=VERSION)
    return value
