"""Attitude ephemeris messages of CCSDS 504.0-B (AEM), versions 1 and 2, as keywords with values (KVN) or in XML."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import BODY_FROM_WORLD, WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents
from viewer.replay.files.lines import Line, lines_of, numbers, seconds_of
from viewer.replay.files.source import Member
from viewer.replay.formats.columns import Columns, FileFormat
from viewer.replay.formats.orientations import quaternions_of_angles
from viewer.replay.raw_recording import QUATERNION, RATES, Progress, RawRecording, raw_recording

MARK = "ccsds_aem_vers"
XML_QUATERNION = ("Q1", "Q2", "Q3", "QC")
LONGEST_TEXT = 200  # characters of an element
ANGLES = ("first", "second", "third")
OTHERS = {  # by the second part of the type: the columns beside the attitude, and whether they are rates
    "": ((), False), "ANGVEL": (RATES, True), "DERIVATIVE": (("d1", "d2", "d3", "d4"), False),
    "RATE": (("d1", "d2", "d3"), False), "NUTATION": (("nutation", "period", "phase"), False),
    "NUTATION_MOM": (("alpha", "delta", "speed"), False),
}  # fmt: skip
READ = ("QUATERNION", "QUATERNION/DERIVATIVE", "QUATERNION/ANGVEL", "QUATERNION/RATE", "EULER_ANGLE",
        "EULER_ANGLE/DERIVATIVE", "EULER_ANGLE/ANGVEL", "EULER_ANGLE/RATE", "SPIN", "SPIN/NUTATION",
        "SPIN/NUTATION_MOM")  # fmt: skip
SPIN = (
    "spin_alpha",
    "spin_delta",
    "spin_angle",
)  # of the body's z axis: right ascension, declination; the turn about it
OF_BODY = re.compile(
    r"(SC|ACC|ACTUATOR|AST|CSS|DSS|ESA|GYRO|IMU|INSTRUMENT|MTA|RW|SA|SENSOR|STARTRACKER|TAM)(_.*|\d*)$"
)
DESCRIBING = ("OBJECT_ID", "REF_FRAME_A", "REF_FRAME_B", "ATTITUDE_DIR", "ATTITUDE_TYPE", "QUATERNION_TYPE",
              "EULER_ROT_SEQ", "RATE_FRAME", "ANGVEL_FRAME")  # fmt: skip
FRAMES = ("REF_FRAME_A", "REF_FRAME_B")
EPOCHS = "%Y-%m-%dT%H:%M:%S", "%Y-%jT%H:%M:%S"  # by month and day, or by the day of the year


@dataclass
class Segment:
    """A block of metadata with its rows of data."""

    keys: dict[str, str] = field(default_factory=dict)
    rows: list[Line] = field(default_factory=list)

    @property
    def described(self) -> tuple[str, ...]:
        """The values that two segments must have in common to be one recording."""
        return tuple(self.keys.get(name, "") for name in DESCRIBING)


def _message(contents: Contents) -> tuple[Member, bool] | None:
    """Return the first message, found by its first keyword or the version in its XML, and whether it is in XML."""
    if member := next(contents.begins(MARK), None):
        return member, False
    member = next((one for one in contents.begins("<") if MARK in one.text_start.lower()), None)
    return None if member is None else (member, True)


def _read(contents: Contents, message: tuple[Member, bool], progress: Progress) -> RawRecording:
    """Return the recording in the segments that are described like the first one. Raises InputError."""
    member, in_xml = message
    where = contents.source.shown(member)
    warnings: list[str] = []
    segments = _xml_segments(member, where) if in_xml else _segments(lines_of(member, where, progress))
    if not segments:
        raise refusal("{name}: contains no table of numbers", name=where)
    alike = [segment for segment in segments if segment.described == segments[0].described]
    if len(alike) < len(segments):
        text = tr("left out segments that are described otherwise than the first one: {count}")
        warnings.append(text.format(count=len(segments) - len(alike)))
    keys = alike[0].keys
    names, rates = _names(keys, where)
    rows = [row for segment in alike for row in segment.rows]
    time = seconds_of(rows, EPOCHS, "2026-11-23T12:00:00.5", where)
    found = dict(zip(names, numbers(rows, names, where, skip=1), strict=True))
    if not rates and (len(names) > len(QUATERNION) or names[:3] == SPIN):
        warnings.append(tr("left out the derivatives: angular velocities are taken from the orientations"))
    columns = {"t": time} | {name: column for name, column in found.items() if name in (*QUATERNION, *RATES)}
    if names[:3] == SPIN:
        alpha, delta, turned = (found[name] for name in SPIN)
        columns |= quaternions_of_angles(np.stack((90.0 + alpha, 90.0 - delta, turned), axis=1), "313", where)
    elif names[:3] == ANGLES:
        angles = np.stack([found[name] for name in ANGLES], axis=1)
        columns |= quaternions_of_angles(angles, keys.get("EULER_ROT_SEQ", ""), where)
    starts = np.cumsum([len(segment.rows) for segment in alike])[:-1]
    breaks = [float(time[start]) for start in starts if start < len(time)]
    return raw_recording(contents.name, columns, _declared(keys, columns), warnings, breaks)


def _segments(lines: Iterable[Line]) -> list[Segment]:
    """Return the segments of a message with keywords."""
    found: list[Segment] = []
    block = ""
    for number, line in lines:
        word, equals, value = line.partition("=")
        word = word.strip().upper()
        if word.split(" ")[0] == "COMMENT":
            continue
        if word in ("META_START", "DATA_START"):
            block = word
            if word == "META_START":
                found.append(Segment())
        elif word in ("META_STOP", "DATA_STOP"):
            block = ""
        elif block == "META_START" and equals:
            found[-1].keys[word] = value.strip().upper()
        elif block == "DATA_START" and found:
            found[-1].rows.append((number, line))
    return [segment for segment in found if segment.rows]


def _xml_segments(member: Member, where: str) -> list[Segment]:
    """Return the segments of a message in XML. Raises InputError.

    Their rows are as in a message with keywords: the epoch, the quaternion with its scalar part last, and then the
    other values of an attitude state in their order.
    """
    found: list[Segment] = []
    inside: list[str] = []  # the elements, from the outermost
    values: dict[str, str] = {}
    text = ""
    parser = expat.ParserCreate()

    def start(name: str, _: object) -> None:
        nonlocal text
        inside.append(name.rpartition(":")[2].upper())
        text = ""
        if inside[-1] == "SEGMENT":
            found.append(Segment({"QUATERNION_TYPE": "LAST"}))
        elif inside[-1] == "ATTITUDESTATE":
            values.clear()

    def end(_: str) -> None:
        nonlocal text
        name = inside.pop()
        if found and name == "ATTITUDESTATE":
            first = [values.pop(key, "") for key in ("EPOCH", *(key for key in XML_QUATERNION if key in values))]
            found[-1].rows.append((parser.CurrentLineNumber, " ".join((*first, *values.values()))))
        elif found and text.strip() and "ATTITUDESTATE" in inside and name != "COMMENT":
            values[name] = "_".join(text.split())
        elif found and "METADATA" in inside and name != "QUATERNION_TYPE":
            found[-1].keys[name] = text.strip().upper()
        text = ""

    def letters(some: str) -> None:
        nonlocal text
        text = (text + some)[:LONGEST_TEXT]

    def entity(*_: object) -> None:
        raise refusal("{name}: its XML declares entities; no message needs any", name=where)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = letters, entity
    try:
        with member.open() as file:
            parser.ParseFile(file)
    except expat.ExpatError as error:
        raise refusal(
            "{where}: is no XML: {reason}",
            where=f"{where}, line {error.lineno}",
            reason=expat.errors.messages[error.code],
        ) from None
    return [segment for segment in found if segment.rows]


def _names(keys: dict[str, str], where: str) -> tuple[tuple[str, ...], bool]:
    """Return the names of the columns after the epoch, and whether the last three are angular velocities."""
    kind = keys.get("ATTITUDE_TYPE", "").replace(" ", "_")
    if kind not in READ:
        raise refusal(
            "{name}: ATTITUDE_TYPE: {given} is not read; allowed are {allowed}",
            name=where,
            given=shown(kind),
            allowed=", ".join(READ),
        )
    attitude, _, other = kind.partition("/")
    if attitude == "SPIN":
        return (*SPIN, "spin_speed", *OTHERS[other][0]), False
    if attitude == "EULER_ANGLE":
        names, rates = OTHERS[other]
        return ANGLES + names[:3], rates
    first = keys.get("QUATERNION_TYPE", "LAST") == "FIRST"
    quaternion = QUATERNION if first else (*QUATERNION[1:], QUATERNION[0])
    names, rates = OTHERS[other]
    return quaternion + names, rates


def _declared(keys: dict[str, str], columns: Columns) -> Conventions:
    """Return the conventions that the metadata declare; reverse the rates in `columns` if they are those of the world.

    The quaternion turns the axes of A into those of B, so it takes vectors from B to A; with the direction B2A it is
    the other way round. Either A or B may be the body.
    """
    of_body = [bool(OF_BODY.match(keys.get(frame, ""))) for frame in FRAMES]
    body_is_a = of_body[0] and not of_body[1]
    backward = (keys.get("ATTITUDE_DIR", "A2B") == "B2A") != body_is_a
    frame = keys.get("RATE_FRAME") or keys.get("ANGVEL_FRAME") or ""
    in_a = frame in ("REF_FRAME_A", keys.get("REF_FRAME_A")) and frame != keys.get("REF_FRAME_B")
    in_body = in_a == body_is_a if frame else True
    if body_is_a and RATES[0] in columns:  # the angular velocity is that of B against A
        for role in RATES:
            columns[role] = -columns[role]
    name = keys.get("OBJECT_NAME", "")
    return Conventions(
        "wxyz",
        BODY_FROM_WORLD if backward else WORLD_FROM_BODY,
        "body" if in_body else "world",
        "deg/s",
        "s",
        source=name[:80] if name.isprintable() else "",
    )


CCSDS_AEM = FileFormat(_message, _read)
