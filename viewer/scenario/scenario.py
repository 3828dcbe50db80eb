"""A whole scene as immutable values: how it is read from TOML and saved, and the physics that it describes."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Container, Iterable, Mapping
from functools import cache, cached_property
from math import cos, radians, sin
from pathlib import Path
from typing import Any, overload

from viewer.common.errors import InputError, allowed_names, nearest, refusal, shown
from viewer.common.frozen import frozen
from viewer.physics import loads as physics_loads
from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.simulation import Simulation
from viewer.physics.solids.limits import is_mesh_file
from viewer.physics.state import State
from viewer.scenario import consequences, custom_body, fields, scene_file
from viewer.scenario.bodies import MOST_BODIES, OWN, GivenMember, Member, read_member, shows_constructions
from viewer.scenario.consequences import MADE_OF, same_numbers, shape_changes, with_momentum_space
from viewer.scenario.custom_body import is_mesh_summary, mesh_values
from viewer.scenario.field import TEXT_LIMIT, Entries, Field, Kind
from viewer.scenario.fields import check_into, ended, fields_of, text
from viewer.scenario.presets import PRESETS, preset_text
from viewer.scenario.recordings import check_not_an_input
from viewer.scenario.sections.body import Body
from viewer.scenario.sections.lesson import Lesson
from viewer.scenario.sections.motion import Loads, Solver, Start
from viewer.scenario.sections.picture import CameraPath, Playback, Show, Stereo, View
from viewer.scenario.sections.race import Race, Recording

SOURCES = ("source", "assumed")  # the texts about the numbers of the bodies


@frozen
class Scenario:
    """A whole scene: immutable; `with_values` gives a changed copy.

    Parameters
    ----------
    title, summary, source, assumed : str, optional
        The texts of the scene.
    body, start, loads, solver, race, playback, view, show, stereo, camera_path, lesson, recording : optional
        Its sections, each with its fields; the tables of the manual list them.
    bodies : tuple of Member, optional
        Bodies side by side, each with a body and a start of its own.

    Examples
    --------
    >>> from viewer import Scenario
    >>> scene = Scenario.preset("t-handle").with_value("body.mass", 2)
    >>> scene.body.mass, scene.rigid_body().mass
    (2.0, 2.0)
    """

    title: str = text("Untitled", "Title", "name of the scene")
    summary: str = text("", "Summary", "one sentence: what there is to see")
    source: str = text("", "Numbers", "where the numbers of the scene come from")
    assumed: str = text("", "Assumed", "what is assumed where there is no source")
    body: Body = dataclasses.field(default_factory=Body)
    start: Start = dataclasses.field(default_factory=Start)
    loads: Loads = dataclasses.field(default_factory=Loads)
    solver: Solver = dataclasses.field(default_factory=Solver)
    race: Race = dataclasses.field(default_factory=Race)
    playback: Playback = dataclasses.field(default_factory=Playback)
    view: View = dataclasses.field(default_factory=View)
    show: Show = dataclasses.field(default_factory=Show)
    stereo: Stereo = dataclasses.field(default_factory=Stereo)
    camera_path: CameraPath = dataclasses.field(default_factory=CameraPath)
    lesson: Lesson = dataclasses.field(default_factory=Lesson)
    recording: Recording = dataclasses.field(default_factory=Recording)
    bodies: tuple[Member, ...] = fields.field((), Entries(
        "Bodies", "bodies side by side, each with a body and a start of its own", most=MOST_BODIES, read=read_member
    ))  # fmt: skip

    @classmethod
    def load(cls, path: str | os.PathLike[str], base: Scenario | None = None) -> Scenario:
        """Return the scene in a TOML file or in a picture made of a scene, or a new scene for a mesh file.

        Parameters
        ----------
        path : str or path
            The file.
        base : Scenario, optional
            The scene from which stereo, theme and other fields of the user's screen are taken if they are not set.

        Raises
        ------
        InputError
            If there is no such scene in the file; the error names the field, the value, what is allowed and the line.
        """
        if is_mesh_file(path):
            return (cls() if base is None else cls().with_screen_of(base)).with_values(mesh_values(path))
        return cls.from_text(scene_file.read(path), Path(path).name, base, Path(path).parent)

    @classmethod
    def preset(cls, name: str, base: Scenario | None = None) -> Scenario:
        """Return one of PRESETS.

        Parameters
        ----------
        name : str
            The preset's name.
        base : Scenario, optional
            The scene from which stereo, theme and other fields of the user's screen are taken if they are not set.

        Raises
        ------
        InputError
            If there is no preset of this name.
        """
        if name not in PRESETS:
            raise refusal(
                "preset: {name} is unknown; {allowed}", name=shown(name), allowed=allowed_names(name, PRESETS)
            )
        return cls.from_text(preset_text(name), f"{name}.toml", base)

    @classmethod
    def find(cls, name: str, base: Scenario | None = None) -> Scenario:
        """Return the preset of this name, or else the scene of the file at this path.

        Parameters
        ----------
        name : str
            A key of PRESETS, or a path.
        base : Scenario, optional
            The scene from which stereo, theme and other fields of the user's screen are taken if they are not set.

        Raises
        ------
        InputError
            If there is neither, or the file is not allowed.
        """
        if name in PRESETS:
            return cls.preset(name, base)
        if not os.path.lexists(name) and Path(name).name == name and not Path(name).suffix:
            raise refusal(
                "scene: {name} is neither a preset nor a file; {hint}presets are {presets}",
                name=shown(name),
                hint=nearest(name, list(PRESETS)),
                presets=", ".join(PRESETS),
            )
        return cls.load(name, base)

    @classmethod
    def from_text(
        cls, text: str, name: str = "scene", base: Scenario | None = None, folder: Path | None = None
    ) -> Scenario:
        """Return the scene that a TOML text describes; missing fields take their defaults.

        Parameters
        ----------
        text : str
            The text.
        name : str, optional
            What errors call the text.
        base : Scenario, optional
            The scene from which stereo, theme and other fields of the user's screen are taken if they are not set.
        folder : Path, optional
            The folder in which the files that the text names are looked for.

        Raises
        ------
        InputError
            If the text is no scene.
        """
        values = scene_file.parse(text, DECLARED, name, custom_body.check_local)
        if folder is not None:
            values = custom_body.located(values, folder)
        if "body.shape" in values:  # a text gets no example of what it lacks
            values = {f"body.{name}": getattr(Body(), name) for name in MADE_OF} | values
        return (cls() if base is None else cls().with_screen_of(base)).with_values(values)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a TOML file, whole or not at all; the comments of a scene file that it replaces are kept.

        Parameters
        ----------
        path : str or path
            The file.

        Raises
        ------
        InputError
            If the file cannot be written, or is one of the scene's own `files`.
        """
        check_not_an_input(path, self.files)
        values = custom_body.written(self._values(), Path(path).parent)

        def described(text: str) -> scene_file.Values:
            return Scenario.from_text(text)._values()

        scene_file.write(path, values, self._declared(), described, self.has_effect)

    def to_text(self, base: Scenario | None = None) -> str:
        """Return the TOML text of a scene file with every field.

        Parameters
        ----------
        base : Scenario, optional
            A scene. Remembered fields that have the same value as in this scene are left out.
        """
        same = {path for path in REMEMBERED_FIELDS if base is not None and self.value(path) == base.value(path)}
        declared = {
            section: {name: field for name, field in own.items() if f"{section}.{name}" not in same}
            for section, own in self._declared().items()
        }
        return scene_file.text_of(custom_body.written(self._values(), None), declared, self.has_effect)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the scene needs besides its own: those of its bodies and its recordings."""
        return custom_body.files_of(self._values())

    def _declared(self) -> fields.Declared:
        """Return the fields that a file of this scene has. Those of recordings are included only if it has one."""
        return {name: own for name, own in DECLARED.items() if name != "recording" or self.recording != Recording()}

    def _values(self) -> scene_file.Values:
        tables = tuple(member.written(self.body, self.start) for member in self.bodies)
        return {path: self.value(path) for path in FIELDS} | {"bodies": tables}

    def value(self, path: str) -> Any:
        """Return the value of a field.

        Parameters
        ----------
        path : str
            Its path, such as "body.mass".
        """
        section, _, name = current_path(path).rpartition(".")
        return getattr(getattr(self, section) if section else self, name)

    def with_value(self, path: str, value: Any) -> Scenario:
        """Return a copy with one field changed, and with what `with_values` changes along with it.

        Parameters
        ----------
        path : str
            Its path, such as "body.mass".
        value : object
            The new value.

        Raises
        ------
        InputError
            If the value is not allowed.
        """
        return self.with_values({path: value})

    def with_values(self, values: Mapping[str, Any], of: int | None = None) -> Scenario:
        """Return a copy with some fields changed. Every change of a scene is made by this method.

        Some changes bring others with them, unless the fields concerned are among `values`, too. A field that is set
        switches off what would set it automatically, such as the automatic speed. An integrator that takes no
        stabilisation switches the stabilisation off. Another frame sets the polar angle that suits the frame, unless
        the user has chosen an angle. A change to momentum space shows momentum space if the scene hides it.

        Parameters
        ----------
        values : mapping
            The new values by the paths of the fields.
        of : int, optional
            In a scene of several bodies, the index of the one whose body and start are set; None sets those of all.

        Raises
        ------
        InputError
            If a value is not allowed.
        """
        checked: dict[str, Any] = {}
        for path, value in with_momentum_space(values, self.value).items():
            check_into(checked, DECLARED, path, value)
        sections: dict[str, dict[str, Any]] = {}
        for path, value in checked.items():
            section, _, name = path.rpartition(".")
            sections.setdefault(section, {})[name] = value
        changed = sections.pop("", {})
        for section, given in sections.items():
            given |= ended(SECTIONS[section], given)
            if section == "solver" and "stabilisation" not in given and "integrator" in given:
                given |= {} if INTEGRATORS[given["integrator"]].correctable else {"stabilisation": "off"}
            if section == "view" and "frame" in given:
                given.setdefault("polar_angle_deg", self.view.polar_angle_in(given["frame"]))
            changed[section] = _with_given(getattr(self, section), given)
        own = {section: sections[section] for section in OWN if section in sections}
        if "bodies" in changed:
            body, start = changed.get("body", self.body), changed.get("start", self.start)
            changed["bodies"] = tuple(
                entry.member(body, start) if isinstance(entry, GivenMember) else entry for entry in changed["bodies"]
            )
        elif self.bodies and own:
            changed["bodies"] = tuple(
                _with_own(member, own) if of in (None, number) else member for number, member in enumerate(self.bodies)
            )
            if of is not None:
                changed = {name: value for name, value in changed.items() if name not in own}
        return dataclasses.replace(self, **changed)._with_true_texts(self, changed)._with_suited_values(changed)

    def _with_true_texts(self, before: Scenario, changed: Container[str]) -> Scenario:
        """Return the scene without the texts that were true only of the bodies in `before`.

        If mass or moments have changed, the source and the assumptions go, and the summary that tells how a mesh was
        opened. If the shape has changed, the title and the summary that come from a preset or a mesh go, too. Texts
        that are themselves `changed` stay.
        """
        old, new = ([scene.body, *(member.body for member in scene.bodies)] for scene in (before, self))
        if old == new:
            return self
        outdated = {*SOURCES} | ({"summary"} if is_mesh_summary(self.summary, before.body.file) else set())
        if "title" not in changed:
            named = {preset.title: preset.shape for preset in PRESETS.values()} | {Path(before.body.file).stem: "mesh"}
            other = [body.shape for body in old] != [body.shape for body in new]
            if self.title in named and (other or self.body.shape != (named[self.title] or Body.shape)):
                outdated |= {"title", "summary"}
        blank = {name: getattr(Scenario, name) for name in outdated if name not in changed and self.value(name)}
        if not blank or (len(old) == len(new) and all(map(same_numbers, old, new))):
            return self
        return dataclasses.replace(self, **blank)

    def _with_suited_values(self, changed: Iterable[str]) -> Scenario:
        """Return the scene with the automatic integration period and pulse that suit the bodies.

        They are computed anew only if one of the sections `changed` may matter to them.
        """
        if not {"body", "start", "bodies", "solver", "loads"}.intersection(changed):
            return self
        own = [self.of_body(number) for number in range(len(self.bodies))] or [self]
        try:
            bodies = [(one.rigid_body(), one.start_state()) for one in own]
        except InputError:  # sizes do not fit each other, which the motion made from them will report
            return self
        solver, loads = self.solver, self.loads
        if solver.auto_period:
            solver = dataclasses.replace(solver, integration_period=consequences.integration_period(bodies))
        if loads.auto_pulse:
            loads = dataclasses.replace(loads, pulse=consequences.pulse(bodies))
        return dataclasses.replace(self, solver=solver, loads=loads)

    def of_body(self, number: int) -> Scenario:
        """Return the scene of one of its bodies: the same, but with the body and the start of that one.

        Parameters
        ----------
        number : int
            The index of the body, from 0 on.
        """
        member = self.bodies[number]
        return dataclasses.replace(self, body=member.body, start=member.start)

    def body_name(self, number: int) -> str:
        """Return the name of one of several bodies, or else its number, from 1 on.

        Parameters
        ----------
        number : int
            The index of the body, from 0 on.
        """
        return self.bodies[number].name or f"{number + 1}"

    @cached_property
    def motion_fields(self) -> tuple[Any, ...]:
        """The values that determine the motion: first the bodies and their starts.

        The stabilisation is not among them, and neither is a race that is not shown.
        """
        race = None if self.race.show == "off" else self.race
        solver = self.solver.integrator, self.solver.step, self.solver.cap
        return self.bodies or (self.body, self.start), self.loads_value(), solver, race, self.recording

    def holds(self, text: str) -> bool:
        """Return whether a text of the scene is still true of it.

        The title and the summary of a preset are true while the motion is that of the preset; its source and its
        assumptions are true while the bodies and their starts are those of the preset.

        Parameters
        ----------
        text : str
            "title", "summary", "source" or "assumed".
        """
        sentence, count = getattr(self, text), 1 if text in SOURCES else None
        names = [name for name, preset in PRESETS.items() if sentence and getattr(preset, text) == sentence]
        return not names or any(self.motion_fields[:count] == _motion_of(name)[:count] for name in names)

    def has_effect(self, path: str) -> bool:
        """Return whether a field has any effect in this scene as it is.

        Parameters
        ----------
        path : str
            The field, such as "body.mass".
        """
        when, (section, _, name) = field_at(path).when, current_path(path).rpartition(".")
        if section == "body" and not custom_body.is_made_of(self.body, name):
            return False
        if when is None:
            return True
        value = self.value(when[0])
        return bool(value) if when[1] is None else value in when[1]

    def named_after(self, path: str | os.PathLike[str], before: str | os.PathLike[str] | None = None) -> Scenario:
        """Return the scene with the texts with which it is saved to a file.

        The scene is named after its file, unless it has a title of its own. The texts of a preset are saved only if
        they are still true of the scene. If the file is the one that the scene had before, the scene does not change.

        Parameters
        ----------
        path : str or path
            The file.
        before : str or path, optional
            The scene's file until now.
        """
        if before is not None and os.path.abspath(before) == os.path.abspath(path):
            return self
        name = Path(path).stem[:TEXT_LIMIT]
        titles = {preset.title for preset in PRESETS.values()} | {Scenario().title}
        if before is not None:
            titles.add(Path(before).stem)
        texts = {text: "" for text in ("summary", *SOURCES) if not self.holds(text)}
        return self.with_values(texts | {"title": name if self.title in titles and name.isprintable() else self.title})

    def with_screen_of(self, other: Scenario) -> Scenario:
        """Return the scene with those fields of another scene that belong to the user's screen.

        Parameters
        ----------
        other : Scenario
            The other scene.
        """
        return self.with_values({path: other.value(path) for path in SCREEN_FIELDS})

    def rigid_body(self) -> RigidBody:
        """Return the body of the section [body].

        Raises
        ------
        InputError
            If its sizes do not fit each other.
        """
        return custom_body.rigid_body(self.body)

    @property
    def moves(self) -> bool:
        """Whether the centre of mass moves at any time."""
        return any(self.start.linear_velocity) or self.loads_value().pushes

    @property
    def shows_constructions(self) -> bool:
        """Whether each of several bodies is shown with its construction, not alone."""
        return shows_constructions(self.view, len(self.bodies))

    def start_state(self) -> State:
        """Return the state at t = 0. Its orientation is given by turns about the space axes X, then Y, then Z."""
        (sx, cx), (sy, cy), (sz, cz) = (
            (sin(radians(angle) / 2), cos(radians(angle) / 2)) for angle in self.start.orientation_deg
        )
        orientation_wxyz = (  # q_z q_y q_x
            cz * cy * cx + sz * sy * sx,
            cz * cy * sx - sz * sy * cx,
            cz * sy * cx + sz * cy * sx,
            sz * cy * cx - cz * sy * sx,
        )
        mass = self.rigid_body().mass if any(self.start.linear_velocity) else 1.0
        return State(
            orientation_wxyz=orientation_wxyz,
            omega_body=self.start.angular_velocity,
            position=self.start.position,
            linear_momentum=[mass * part for part in self.start.linear_velocity],
        )

    def simulation(self, fast: bool = False) -> Simulation:
        """Return the motion from t = 0 on.

        Parameters
        ----------
        fast : bool, optional
            Whether its steps are compiled.

        Raises
        ------
        InputError
            If body, loads and integrator do not fit, or if numba is missing.
        """
        try:
            return Simulation(
                self.rigid_body(),
                self.start_state(),
                integrator=self.solver.integrator,
                step=self.solver.step,
                loads=self.loads_value(),
                stabilisation=self.solver.stabilisation,
                gradient=self.solver.gradient,
                largest_omega=self.solver.cap,
                fast=fast,
            )
        except ValueError as error:
            raise InputError(str(error)) from None

    def loads_value(self) -> physics_loads.Loads:
        """Return the loads that the section [loads] describes, with the weight of the body."""
        return self._loads_value

    @cached_property
    def _loads_value(self) -> physics_loads.Loads:  # a frame of the window asks for it 25 times
        names = {field.name for field in dataclasses.fields(physics_loads.Loads)} & fields_of(Loads).keys()
        loads = physics_loads.Loads(**{name: getattr(self.loads, name) for name in names})
        return loads.on(self.rigid_body()) if loads.gravity or any(self.body.pivot) else loads


@cache
def _motion_of(preset: str) -> tuple[Any, ...]:
    """Return the `motion_fields` of a preset."""
    return Scenario.preset(preset).motion_fields


def _with_own(member: Member, own: Mapping[str, dict[str, Any]]) -> Member:
    """Return a member with some values of its body and start changed.

    `own` has the values by section, then by name.
    """
    return dataclasses.replace(member, **{name: _with_given(getattr(member, name), own[name]) for name in own})


def _with_given(section: Any, given: dict[str, Any]) -> Any:
    """Return a section with some of its values changed."""
    return dataclasses.replace(section, **shape_changes(section, given) if isinstance(section, Body) else given)


SECTIONS: dict[str, Any] = {
    one.name: one.default_factory
    for one in dataclasses.fields(Scenario)
    if one.default_factory is not dataclasses.MISSING
}
DECLARED = {"": fields_of(Scenario)} | {section: fields_of(kind) for section, kind in SECTIONS.items()}
FIELDS = {
    f"{section}.{name}" if section else name: field
    for section, declared in DECLARED.items()
    for name, field in declared.items()
}
REMEMBERED_FIELDS = tuple(path for path, field in FIELDS.items() if field.remembered)  # kept by a user's settings
# what belongs to the user's screen and glasses, whichever scene is shown there
SCREEN_FIELDS = tuple(path for path, field in FIELDS.items() if field.remembered or path.startswith("stereo."))


def current_path(path: str) -> str:
    """Return the present path of a field that may be given by a former name; raises InputError if there is none."""
    return path if path in FIELDS else fields.current_path(DECLARED, path)


@overload
def field_at(path: str) -> Field: ...
@overload
def field_at(path: str, kind: type[Kind]) -> Kind: ...
def field_at(path: str, kind: type[Field] = Field) -> Field:
    """Return the declaration of the field at a path such as "body.mass"; it must be of this kind."""
    field = FIELDS[current_path(path)]
    assert isinstance(field, kind), f"{path} is a {type(field).__name__}"
    return field
