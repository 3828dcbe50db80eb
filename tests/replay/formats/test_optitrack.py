"""Takes of OptiTrack Motive, with the lines above their numbers as older and newer versions write them."""

import numpy as np
import pytest
from helpers.recorded_motion import check, motion

from viewer.replay.formats.formats import read_recording

FIRST = (
    "Format Version,1.23,Take Name,Throw 1,Capture Frame Rate,100.000000,Rotation Type,Quaternion,Length Units,Meters"
)


def take(newer: bool, bodies: int = 1, first: str = FIRST) -> str:
    made = motion()
    kinds = ["Rotation"] * 4 + ["Position"] * 3 + ["Mean Marker Error"]
    axes = ["X", "Y", "Z", "W", "X", "Y", "Z", ""]
    names = [name for body in ("Racket", "Wand")[:bodies] for name in [body] * 8]
    begin = (lambda word: ["", word]) if newer else (lambda word: ["", ""])
    lines = [
        begin("Type") + ["Rigid Body"] * 8 * bodies,
        begin("Name") + names,
        begin("ID") + [f'"{1 + n // 8}"' for n in range(8 * bodies)],
        ["", ""] + kinds * bodies,
        (["Frame", "Time (Seconds)"] if newer else ["", ""]) + axes * bodies,
    ]
    for n, (t, q) in enumerate(zip(made.t, made.quaternions("xyzw"), strict=True)):
        own = [f"{one:.17g}" for one in (*q, 0.1, 1.2, 0.3)] + ["0.0004"]
        lines.append([str(n), f"{t:.6f}", *own, *(["0", "0", "0", "1", "0", "0", "0", ""] * (bodies - 1))])
    return "\n".join([first, "", *(",".join(line) for line in lines)]) + "\n"


@pytest.mark.parametrize("newer", [True, False])
@pytest.mark.parametrize("bodies", [1, 2])
def test_the_first_rigid_body_of_a_take(tmp_path, newer, bodies):
    (tmp_path / "take.csv").write_text(take(newer, bodies))
    found = read_recording(tmp_path / "take.csv")
    assert found.format == "optitrack"
    told = ("2 rigid bodies: the first one's motion is read, 'Racket'",)
    assert found.warnings == (told if bodies == 2 else ())
    check(found, motion(), rates=False)


def test_frames_in_which_the_body_was_not_seen_are_a_gap(tmp_path):
    lines = take(True).splitlines()
    for row in range(57, 67):
        lines[row] = ",".join(lines[row].split(",")[:2]) + "," * 8
    (tmp_path / "take.csv").write_text("\n".join(lines))
    found = read_recording(tmp_path / "take.csv")
    assert (len(found.time), found.gaps.tolist()) == (290, [50])
    assert found.warnings == ("left out 10 rows with nan or inf, the first of them row 51",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            take(True, first=FIRST.replace("Quaternion", "XYZ")),
            "Rotation Type: 'XYZ' is not read; export the take with",
        ),
        (take(True).replace("X,Y,Z,W", "X,Y,Z,V"), "its first rotation has not the columns X, Y, Z, W"),
        (FIRST + "\n\n1,2,3\n", "take.csv"),
    ],
)
def test_what_is_no_take_with_quaternions(tmp_path, text, says):
    (tmp_path / "take.csv").write_text(text)
    with pytest.raises(ValueError, match=says):
        read_recording(tmp_path / "take.csv")


def test_a_turn_is_that_from_the_body_to_the_room(tmp_path):
    (tmp_path / "take.csv").write_text(take(True))
    np.testing.assert_allclose(read_recording(tmp_path / "take.csv").quaternion, motion().quaternions(), atol=1e-12)
