"""Recordings of other programs, archives and arrays that nobody expects."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from helpers.fuzzing import NAMED
from helpers.hostile.edits import WORDS, mutations
from helpers.hostile.scenes import run_scene
from helpers.recording_examples import Files, example_recordings, packed, saved
from viewer.export.console import json_text
from viewer.replay.analysis import replay
from viewer.replay.formats.formats import read_recording
from viewer.replay.recording import Recording, interpret
from viewer.replay.scene import scene_of
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session


def written(files: Files) -> str:
    """The name of the file, or of the archive, with these in it."""
    if len(files) == 1:
        name, data = next(iter(files.items()))
        path = NAMED + Path(name).suffix
        Path(path).write_bytes(data)
        return path
    with zipfile.ZipFile(f"{NAMED}.zip", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return f"{NAMED}.zip"


def read_files_as_recording(files: Files) -> Recording:
    """The motion in another program's files."""
    found = interpret(read_recording(written(files)))
    assert np.isfinite(found.orientation_wxyz).all()
    assert np.isfinite(found.omega_body).all()
    assert all(line.isprintable() for line in found.warnings), found.warnings
    return found


def read_files_as_replay(files: Files) -> object:
    """All that is found in a recording, and the scene that shows it."""
    found = replay(read_files_as_recording(files))
    json_text(found.data())
    run_scene(Session(scene_of(found, Scenario()), recording=found))
    return found


def read_bytes_as_archive(data: bytes) -> object:
    """An archive of these bytes."""
    Path(f"{NAMED}.zip").write_bytes(data)
    return interpret(read_recording(f"{NAMED}.zip"))


def of_files(files: Files) -> st.SearchStrategy[Files]:
    """The files of one recording, one of them changed."""

    def with_other(name: str) -> st.SearchStrategy[Files]:
        text = not name.endswith((".npy", ".npz"))
        return mutations([files[name]], LOG_WORDS, text).map(lambda data: files | {name: data})

    return st.one_of([with_other(name) for name in files])


def packed_files() -> list[bytes]:
    """Archives of the recordings that are several files."""
    found = []
    for files in (*RECORDINGS.values(), {"one/a.csv": b"1", "a.csv": RECORDINGS["columns"]["a.csv"]}):
        if len(files) > 1:
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in files.items():
                    archive.writestr(name, data)
            found.append(file.getvalue())
    return found


RECORDINGS = example_recordings()
LOG_WORDS = [
    *WORDS, b";", b"\t", b"time", b"# angular velocity: world, rpm\n", b"omega_x", b"1e-320", b"\r\n", b'""', b"<",
    b"# moments: 1,2,9\n", b"&#0;", b"\xff\xfe", b"END", b"2026-02-30T00:00:00"
]  # fmt: skip
LOGS = st.one_of([of_files(files) for files in RECORDINGS.values()])
HEADERS = [b"{'descr': '<f8', 'fortran_order': False, 'shape': (40, 4), }", b"{'descr': '<f8', 'shape': (4, 40)}"]
HEADER_WORDS = [
    *b"( [ { ) ' ''' \\ 1L - O <U9 <M8 <c16 True \xff \n (( ,,".split(b" "),
    b"9" * 30,
    b"(" * 9000,
    b"-" * 9000,
]
KINDS = "f8 >f8 f4 f2 i8 i1 u1 ? c16 U3 M8[s] V4".split()
SOME_VALUES = [0.0, 1.0, -1.0, np.nan, np.inf, 1e308, 5e-324, 1e15, 65504.0]


def array_with(header: bytes) -> Files:
    """An array that numpy has saved, with another header."""
    data = RECORDINGS["columns, array"]["a.npy"][-8 * 160 :]
    return {"a.npy": b"\x93NUMPY\x01\0" + len(header[:60_000]).to_bytes(2, "little") + header[:60_000] + data}


@st.composite
def arrays(draw: Callable[..., Any]) -> Files:
    """Arrays of any shape and kind, with a number that nobody expects."""
    shape, kind = draw(st.lists(st.integers(0, 12), min_size=1, max_size=3)), np.dtype(draw(st.sampled_from(KINDS)))
    made = np.sin(np.arange(np.prod(shape, dtype=int)) * 1.3).reshape(shape)
    if made.size:
        made.flat[draw(st.integers(0, made.size - 1))] = draw(st.sampled_from(SOME_VALUES))
    with np.errstate(all="ignore"):
        array = np.zeros(shape, kind) if kind.kind in "MV" else made.astype(kind)
    time = np.arange(len(array)) * draw(st.sampled_from([0.01, 0.0, 1e-300, 1e300]))
    return {"a.npz": packed(time=time, qpos=array, qvel=array)} if draw(st.booleans()) else {"a.npy": saved(array)}
