"""What is said of recordings that strangers bring is true, or it is said that it cannot be told.

Free motions, tosses and hands run every time; others are slow, since a motion that is not free is compared with every
integrator.
"""

import json
import re

import numpy as np
import pytest
from helpers.strangers_recordings import KINDS, NAMES, PER_SECOND, Stranger, stranger

from viewer import cli

CHEAP = [n for n in range(300) if KINDS[n % len(KINDS)] in ("free", "toss", "hand")]
QUICK = CHEAP[:40]
SLOW = CHEAP[40:] + [n for n in range(len(KINDS)) if n not in CHEAP]  # the latter 1 to 10 s of processor time each
DENIED = re.compile(r"no free body moves|no motion of a free body|no free motion")
DOUBT = re.compile(r"cannot be told|nothing in the numbers")


def asked(file: Stranger, folder, capsys) -> tuple[dict, str]:
    """What `poinsot replay --json` finds, and all it says in words."""
    path = folder / "stranger.csv"
    path.write_text(file.text)
    status = cli.main(["replay", "--json", str(path)])
    said = capsys.readouterr()
    assert status in (0, 2), said.err
    found = json.loads(said.out) if status == 0 else {}
    return found, "\n".join(found["findings"] if found else re.split("; |\n", said.err))


def wrong_conventions(file: Stranger, words: str) -> list[str]:
    """Units and conventions that are claimed without a doubt, and are not those of the file."""
    wrong = []
    for line in words.splitlines():
        claimed = re.search(r"(?:inferred|taken as usual): ([^(;]*)", line)
        if claimed is None or DOUBT.search(line):
            continue
        for value in re.split(r", (?:as|since) ", claimed[1])[0].split(","):
            kind = next((kind for kind, values in VALUES.items() if value.strip() in values), None)
            if kind is not None and value.strip() != file.conventions[kind]:
                wrong.append(f"{value.strip()} is {file.conventions[kind]}")
    seconds = re.search(r"rows over ([\d.e+-]+) s", words)
    if seconds and abs(float(seconds[1]) / file.seconds - 1.0) > 0.03 and not DOUBT.search(words):
        wrong.append(f"{seconds[1]} s are {file.seconds:.4g} s")
    return wrong


VALUES = {
    "order": {"wxyz", "xyzw"}, "direction": {"world from body", "body from world"}, "frame": {"body", "world"},
    "rates": {"rad/s", "deg/s"}, "time": set(PER_SECOND),
}  # fmt: skip


def wrong_motion(file: Stranger, found: dict, words: str) -> list[str]:
    """What is claimed of the motion, and is not so."""
    flights = [(flight["begin_s"], flight["end_s"]) for flight in found.get("flights", ())]
    free, wrong = "verdict: true" in words, []
    differ = "against the orientations" in words or "rates and orientations disagree" in words
    if differ and not file.reversed_axes:
        wrong.append("rates and orientations agree")
    repaired = re.search(r"([xyz](?: and [xyz])?) of the rates (?:is|are) reversed", words)
    if file.reversed_axes and repaired and repaired[1] != file.reversed_axes:
        wrong.append(f"{repaired[1]} are not the reversed axes, which are {file.reversed_axes}")
    if file.kind in ("free", "spin") and (DENIED.search(words) or ("verdict:" in words and not free and not differ)):
        wrong.append("it is free")
    if file.kind in ("steered", "hand") and (free or flights):
        wrong.append("it is not free")
    if file.kind == "engine" and free and file.visible:
        wrong.append("the integrator errs")
    if file.pulse and (free or any(a < file.pulse[0] and b > file.pulse[1] for a, b in flights)):
        wrong.append("it is pushed")
    if file.kind == "toss":
        wrong += [f"{a} to {b} s is no toss" for a, b in flights if not any(a < y and b > x for x, y in file.spans)]
    name, alike = found.get("resembles"), re.search(r"as much as ([\w, -]+)\)", words)
    told = {name, *(alike[1].split(", ") if alike else ())}  # those that the rows cannot tell from it are named with it
    if name not in (None, "exact") and not told & set(NAMES.get(file.engine, ())):
        wrong.append(f"{name} is {file.engine or file.kind}")
    return wrong


def pulls(file: Stranger, found: dict) -> list[float]:
    """How many sigma the ratios of the moments are off, one beyond rounding in the tenth digit."""
    if file.ratios is None or file.engine or not found.get("moments_sigma"):
        return []
    order = np.argsort(found["moments"])
    ratios, sigma = (np.array(found[name])[order] / max(found["moments"]) for name in ("moments", "moments_sigma"))
    return [float(max(abs(ratios[j] - file.ratios[j]) - 2e-9, 0.0) / max(sigma[j], 1e-12)) for j in (0, 1)]


@pytest.mark.parametrize("number", [*QUICK, *(pytest.param(n, marks=pytest.mark.slow) for n in SLOW)])
def test_nothing_false_is_said_of_a_stranger_s_recording(number, tmp_path, capsys):
    file = stranger(number)
    found, words = asked(file, tmp_path, capsys)
    assert (wrong_conventions(file, words), wrong_motion(file, found, words)) == ([], []), words
    assert max(pulls(file, found), default=0.0) < 4.0, words  # 2.6 in 164 ratios
