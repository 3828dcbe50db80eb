"""Attitude messages of CCSDS, in each convention."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from helpers.recorded_motion import Motion, check, motion
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from viewer.replay.formats.formats import read_recording
from viewer.scenario.recordings import is_recording

CCSDS = {
    "QUATERNION": (None, ()),
    "QUATERNION/ANGVEL": (None, ("rates",)),
    "EULER_ANGLE 321": ("321", ()),
    "EULER_ANGLE ZXZ": ("ZXZ", ()),
    "EULER_ANGLE/ANGVEL 123": ("123", ("rates",)),
}


def aem(made: Motion, kind: str, first: bool = False, backward: bool = False, body_is_a: bool = False,
        rate_frame: str = "B", day_of_year: bool = False, version: str = "1.0", segments: int = 1) -> str:  # fmt: skip
    """The message of a motion. The quaternion is that of the turn from A to B (B2A: back); with the body as A, that
    turn is the inverse of the body's, and so is the angular velocity of B against A."""
    sequence, rates = CCSDS[kind]
    turn = made.turn if backward == body_is_a else made.turn.inv()
    omega = made.rates if (rate_frame == "B") != body_is_a else made.turn.apply(made.rates)
    omega = np.degrees(-omega if body_is_a else omega)
    if sequence is None:
        attitude = turn.as_quat()[:, [3, 0, 1, 2]] if first else turn.as_quat()
    else:
        attitude = turn.as_euler(sequence.translate(str.maketrans("123", "XYZ")), degrees=True)
    frames = ("SC_BODY_1", "EME2000") if body_is_a else ("EME2000", "SC_BODY_1")
    meta = {
        "OBJECT_NAME": "A SPACECRAFT", "OBJECT_ID": "2026-001A", "REF_FRAME_A": frames[0], "REF_FRAME_B": frames[1],
        "ATTITUDE_DIR": "B2A" if backward else "A2B", "TIME_SYSTEM": "UTC", "START_TIME": "2026-12-31T23:59:59",
        "STOP_TIME": "2027-01-01T00:10:00", "ATTITUDE_TYPE": kind.split()[0],
        "QUATERNION_TYPE": "FIRST" if first else "LAST", "RATE_FRAME": f"REF_FRAME_{rate_frame}",
    }  # fmt: skip
    if sequence is not None:
        meta["EULER_ROT_SEQ"] = sequence
    text = (
        f"CCSDS_AEM_VERS = {version}\nCOMMENT made for a test\nCREATION_DATE = 2026-11-23T12:00:00\nORIGINATOR = ME\n\n"
    )
    begin = np.datetime64("2026-12-31T23:59:59", "ns")
    for part in np.array_split(np.arange(len(made.t)), segments):
        text += (
            "META_START\nCOMMENT one\n" + "".join(f"{key} = {value}\n" for key, value in meta.items()) + "META_STOP\n"
        )
        text += "\nDATA_START\n"
        for n in part:
            moment = str(begin + np.timedelta64(round(made.t[n] * 1e9), "ns"))
            if day_of_year:
                day = date.fromisoformat(moment[:10]).timetuple().tm_yday
                moment = f"{moment[:4]}-{day:03}{moment[10:]}Z"
            numbers = (*attitude[n], *(omega[n] if rates else ()))
            text += moment + " " + " ".join(f"{one:.16g}" for one in numbers) + "\n"
        text += "DATA_STOP\n"
    return text


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(list(CCSDS)), first=st.booleans(), backward=st.booleans(), body_is_a=st.booleans(),
    rate_frame=st.sampled_from("AB"), day_of_year=st.booleans(), version=st.sampled_from(["1.0", "2.0"]),
    seed=st.integers(0, 5),
)  # fmt: skip
def test_attitude_messages_in_each_convention(
    tmp_path, kind, first, backward, body_is_a, rate_frame, day_of_year, version, seed
):
    made = motion(seed)
    text = aem(made, kind, first, backward, body_is_a, rate_frame, day_of_year, version)
    (tmp_path / "a.aem").write_text(text)
    found = read_recording(tmp_path / "a.aem")
    assert found.format == "ccsds-aem"
    rates = bool(CCSDS[kind][1])
    check(found, made, rates=rates, close=3e-7)  # measured 2e-8, that of gimbal lock nearby


def with_rates_of_angles(made: Motion) -> str:
    """QUATERNION/RATE of version 1: the last three are no angular velocity (Orekit: QUATERNION_EULER_RATES)."""
    text = aem(made, "QUATERNION/ANGVEL").replace("QUATERNION/ANGVEL", "QUATERNION/RATE")
    return text.replace("DATA_START", "COMMENT rates of 313 angles\nDATA_START")


def test_rates_of_angles_are_not_taken_for_angular_velocities(tmp_path):
    (tmp_path / "a.aem").write_text(with_rates_of_angles(motion()))
    found = read_recording(tmp_path / "a.aem")
    assert found.rates is None
    assert found.warnings == ("left out the derivatives: angular velocities are taken from the orientations",)


@pytest.mark.parametrize(("kind", "others"), [("SPIN", 1), ("SPIN/NUTATION", 4), ("SPIN/NUTATION_MOM", 4)])
@pytest.mark.parametrize("backward", [False, True])
def test_the_spin_axis_and_the_turn_about_it_give_the_orientation(tmp_path, kind, others, backward):
    """The axis is the body's z, by right ascension and declination; the turn is counted from where the body's x lies in
    the plane of the equator, 90 degrees ahead (CCSDS 504.0-B, as Orekit reads it)."""
    made = motion()
    turn = made.turn if not backward else made.turn.inv()
    x, y, z = np.moveaxis(turn.as_matrix(), 2, 0)  # of the body, in the world
    alpha, delta = np.arctan2(z[:, 1], z[:, 0]), np.arcsin(z[:, 2])
    node = np.stack((-np.sin(alpha), np.cos(alpha), 0.0 * alpha), axis=1)  # x before it turns
    angle = np.arctan2(-np.sum(y * node, axis=1), np.sum(x * node, axis=1))
    attitude = np.degrees(np.column_stack((alpha, delta, angle)))
    text = aem(made, "QUATERNION", backward=backward).replace("= QUATERNION\n", f"= {kind}\n")
    lines, n = [], 0
    for line in text.split("\n"):
        if line.startswith("202") and " " in line:
            numbers = " ".join(f"{one:.15g}" for one in (*attitude[n], *np.ones(others)))
            line, n = f"{line.split()[0]} {numbers}", n + 1
        lines.append(line)
    (tmp_path / "a.aem").write_text("\n".join(lines))
    found = read_recording(tmp_path / "a.aem")
    assert found.warnings == ("left out the derivatives: angular velocities are taken from the orientations",)
    check(replace(found, warnings=()), made, rates=False, close=3e-7)


def in_xml(text: str) -> str:
    """A message of keywords in XML, as CCSDS 504.0-B-2 and 505.0-B have it: quaternions and angular velocities by the
    names of their parts, here with the scalar part first."""
    body, keys, block = "", "", ""
    for line in text.split("\n"):
        if line.startswith(("META_", "DATA_")):
            block = line
            body += {"META_START": "<segment><metadata>", "META_STOP": "</metadata>", "DATA_START": "<data>\n",
                     "DATA_STOP": "</data></segment>\n"}[line]  # fmt: skip
        elif block == "META_START" and "=" in line:
            key, value = line.split(" = ")
            keys = value if key == "ATTITUDE_TYPE" else keys
            body += f"<{key}>{value}</{key}>"
        elif block == "DATA_START":
            epoch, *numbers = line.split()
            inner = ""
            if keys.startswith("QUATERNION"):
                names = ("QC", "Q1", "Q2", "Q3")
                ordered = (numbers[3], *numbers[:3])
                inner = "".join(f"<{key}>{one}</{key}>" for key, one in zip(names, ordered, strict=True))
                inner, numbers = f"<quaternion>{inner}</quaternion>", numbers[4:]
            inner += "".join(f'<V_{n} units="deg"> {one} </V_{n}>' for n, one in enumerate(numbers))
            body += f"<attitudeState><COMMENT>a b</COMMENT><one><EPOCH>{epoch}</EPOCH>{inner}</one></attitudeState>\n"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<aem id="CCSDS_AEM_VERS" version="2.0"><body>{body}</body></aem>\n'


@pytest.mark.parametrize("kind", list(CCSDS))
@pytest.mark.parametrize("segments", [1, 3])
def test_messages_in_xml_are_those_of_keywords(tmp_path, kind, segments):
    text = aem(motion(), kind, segments=segments)
    (tmp_path / "a.aem").write_text(text)
    (tmp_path / "a.xml").write_text(in_xml(text))
    one, other = read_recording(tmp_path / "a.aem"), read_recording(tmp_path / "a.xml")
    assert other.format == "ccsds-aem"
    assert is_recording(str(tmp_path / "a.xml"))
    np.testing.assert_array_equal(other.time, one.time)
    np.testing.assert_array_equal(other.quaternion, one.quaternion)
    np.testing.assert_array_equal(other.gaps, one.gaps)
    assert other.declared == one.declared
    assert other.warnings == one.warnings
    if one.rates is not None:
        np.testing.assert_array_equal(other.rates, one.rates)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("</body></aem>", "", ": is no XML: no element found"),
        ("<Q1>", "<Q1>x", "line 3: qx: 'x"),
        ("<QC>", "<W>1</W><QC>", "line 3: 6 columns instead of 5"),
        ("<Q3>", "<Q3>1 2", "line 3: qz: '1_2"),
        ("T23:59:59.010000000</EPOCH>", "</EPOCH>", "line 4: '2026-12-31' is no time"),
        ("<aem", '<!DOCTYPE a [<!ENTITY b "c">]><aem', "a.xml: its XML declares entities; no message needs any"),
        ("<data>", "<dada>", "is no XML: mismatched tag"),
        (">QUATERNION<", ">WOBBLE<", "ATTITUDE_TYPE: 'WOBBLE' is not read"),
    ],
)
def test_xml_that_cannot_be_read_is_told_in_one_line(tmp_path, old, new, told):
    text = in_xml(aem(motion(), "QUATERNION"))
    assert old in text
    (tmp_path / "a.xml").write_text(text.replace(old, new, 1))
    with pytest.raises(ValueError, match=r"^a\.xml") as error:
        read_recording(tmp_path / "a.xml")
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_segments_of_a_message_are_joined_with_a_gap(tmp_path):
    (tmp_path / "a.txt").write_text(aem(motion(), "QUATERNION", segments=3))
    np.testing.assert_array_equal(read_recording(tmp_path / "a.txt").gaps, [100, 200])


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "ATTITUDE_TYPE = QUATERNION",
            "ATTITUDE_TYPE = WOBBLE",
            "ATTITUDE_TYPE: 'WOBBLE' is not read; allowed are QUATERNION",
        ),
        ("T23:59:59.010000000 ", "T23:59:59.010000000 1 ", "line 23: 6 columns instead of 5"),
        ("2026-12-31T23:59:59.010000000 ", "2026-12-31 ", "line 23: '2026-12-31' is no time"),
        ("2026-12-31T23:59:59.010000000 ", "2026-13-31T23:59:59 ", "line 23: '2026-13-31T23:59:59' is no time"),
        ("2026-12-31T23:59:59.010000000 ", "2026-12-31T23:59:60 ", "line 23: '2026-12-31T23:59:60' is no time"),
        ("2026-12-31T23:59:59.010000000 ", "2026-12-31T23:59:61.5 ", "line 23: '2026-12-31T23:59:61.5' is no time"),
    ],
)
def test_a_message_that_cannot_be_read_is_told(tmp_path, old, new, told):
    text = aem(motion(), "QUATERNION")
    assert old in text
    (tmp_path / "a.aem").write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=r"a\.aem") as error:
        read_recording(tmp_path / "a.aem")
    assert told in str(error.value)
