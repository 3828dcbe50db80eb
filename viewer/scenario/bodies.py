"""The bodies of a scene that has several, each with a name, a body and a start: the tables [[bodies]] of its file."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from viewer.common.errors import InputError, prefixed, refusal, shown
from viewer.common.frozen import frozen
from viewer.scenario.field import Field, Text
from viewer.scenario.fields import check_into, ended, fields_of
from viewer.scenario.scene_file import check_keys
from viewer.scenario.sections.body import Body
from viewer.scenario.sections.motion import Start
from viewer.scenario.sections.picture import View

MOST_BODIES = 64
MOST_CONSTRUCTIONS = 6  # bodies that are shown with their constructions unless the scene says otherwise
OWN = {"body": Body, "start": Start}  # the sections that each body has of its own
_DECLARED: dict[str, dict[str, Field]] = {"": {}} | {section: fields_of(kind) for section, kind in OWN.items()}
_NAME = Text("Name", "what stands above the body")


@frozen
class Member:
    """One of the bodies of a scene; its name may be empty."""

    name: str
    body: Body
    start: Start

    def written(self, body: Body, start: Start) -> dict[str, Any]:
        """Return the table of this member in a scene's file: its values that differ from the scene's body and start."""
        found: dict[str, Any] = {"name": self.name} if self.name else {}
        for section, own, common in (("body", self.body, body), ("start", self.start, start)):
            fields = fields_of(OWN[section])
            other = {name: getattr(own, name) for name in fields if getattr(own, name) != getattr(common, name)}
            other |= {name: getattr(own, name) for name in ended(OWN[section], other)}
            if other:
                found[section] = {name: fields[name].plain(value) for name, value in other.items()}
        return found


@frozen
class GivenMember:
    """A body as its table gives it: its name, and by path the values that differ from those of the scene."""

    name: str
    values: tuple[tuple[str, Any], ...]

    def member(self, body: Body, start: Start) -> Member:
        """Return the member in a scene with this body and this start."""
        given: dict[str, dict[str, Any]] = {section: {} for section in OWN}
        for path, value in self.values:
            section, _, name = path.partition(".")
            given[section][name] = value
        own, begin = (values | ended(OWN[section], values) for section, values in given.items())
        return Member(self.name, dataclasses.replace(body, **own), dataclasses.replace(start, **begin))


def read_member(path: str, table: Any) -> Member | GivenMember:
    """Return the body that a table describes, checked; `path`, such as "bodies[3]", names the table in errors."""
    if isinstance(table, Member | GivenMember):
        return table
    if not isinstance(table, Mapping):
        raise refusal("{path}: {table} is not a table", path=path, table=shown(table))
    check_keys(table, ("name", *OWN), f"{path}.")
    name, values = "", dict[str, Any]()
    for key, entry in table.items():
        if key == "name":
            name = _NAME.check(f"{path}.name", entry)
        elif not isinstance(entry, Mapping):
            raise refusal(
                "{path}.{key}: {entry} is not a table; write [bodies.{key}] or {key} = {{...}}",
                path=path,
                key=key,
                entry=shown(entry),
            )
        else:
            for field, value in entry.items():
                try:
                    check_into(values, _DECLARED, f"{key}.{field}", value)
                except InputError as error:
                    raise prefixed(f"{path}.", error) from None
    return GivenMember(name, tuple(values.items()))


def in_one_space(view: View) -> bool:
    """Return whether several bodies are shown in one space before one camera, not each in a cell of its own."""
    return view.bodies == "together" and view.construction != "momentum"


def shows_constructions(view: View, count: int) -> bool:
    """Return whether each of `count` bodies is shown with its construction, not alone."""
    few = view.bodies == "auto" and count <= MOST_CONSTRUCTIONS
    return few or view.bodies == "constructions" or view.construction == "momentum"
