"""The section of a scene that says what lecture mode shows beside the scene: a few controls and a few large numbers."""

import re

from viewer.common.errors import allowed_names, refusal, shown
from viewer.common.frozen import frozen
from viewer.scenario.field import Choice, Field, Number, Switch, Vector
from viewer.scenario.fields import fields_of, texts
from viewer.scenario.sections.body import Body
from viewer.scenario.sections.motion import Loads, Solver, Start
from viewer.scenario.sections.picture import Playback, Show, Stereo, View
from viewer.scenario.sections.race import Race

MOST = 3  # controls, and readouts
READOUTS = (
    "time", "omega", "energy", "momentum", "period", "energy_error", "momentum_error",
)  # fmt: skip
CONTROLS = (Number, Choice, Switch)  # the kinds of fields that can be controls
_SECTIONS = {
    "body": Body, "start": Start, "loads": Loads, "solver": Solver, "race": Race, "playback": Playback, "view": View,
    "show": Show, "stereo": Stereo,
}  # fmt: skip


@frozen
class Control:
    """A field, or the component `index` of a vector, written as "body.mass" or "start.angular_velocity[1]"."""

    path: str
    index: int = 0

    @classmethod
    def parse(cls, text: str) -> "Control":
        """Return the control of "FIELD" or "FIELD[INDEX]"; raises InputError if there is no such control."""
        match = re.fullmatch(r"([\w.]+)(?:\[(\d)\])?", text.strip())
        if match is None:
            raise refusal("{given} is not a field, such as body.mass or start.angular_velocity[1]", given=shown(text))
        path, index = match[1], match[2]
        field = _field(path)
        if isinstance(field, Vector) and (index is None or int(index) >= field.size):
            listed = ", ".join(f"{path}[{i}]" for i in range(field.size))
            raise refusal("{given} is not a component; allowed are {listed}", given=shown(text), listed=listed)
        if not isinstance(field, Vector) and index is not None:
            raise refusal("{given} has no components; allowed is {path}", given=shown(text), path=path)
        return cls(path, int(index or 0))


def _field(path: str) -> Field:
    """Return the declaration of a field that can be a control; raises InputError if it cannot."""
    section, _, name = path.partition(".")
    if section not in _SECTIONS:
        raise refusal(
            "{path}: section not found; {allowed}", path=shown(path), allowed=allowed_names(section, _SECTIONS)
        )
    fields = {name: field for name, field in fields_of(_SECTIONS[section]).items() if isinstance(field, CONTROLS)}
    if name not in fields:
        raise refusal("{path}: field not found; {allowed}", path=shown(path), allowed=allowed_names(name, fields))
    return fields[name]


def _check_readout(text: str) -> None:
    if text not in READOUTS:
        raise refusal("{given} is unknown; {allowed}", given=shown(text), allowed=allowed_names(text, READOUTS))


@frozen
class Lesson:
    """What lecture mode shows beside the scene."""

    controls: tuple[str, ...] = texts(
        (), "Controls", "the fields that can be changed in lecture mode, such as body.mass or"
        " start.angular_velocity[1]; none: those that suit the scene", most=MOST, entry=Control.parse
    )  # fmt: skip
    readouts: tuple[str, ...] = texts(
        (), "Readouts", f"the large numbers, of {', '.join(READOUTS)}; none: those that suit the scene", most=MOST,
        entry=_check_readout
    )  # fmt: skip
