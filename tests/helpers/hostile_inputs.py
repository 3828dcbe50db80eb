"""Inputs that nobody expects, for whatever reads what others have written. One entry in TARGETS each."""

import contextlib
import http.client
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from hypothesis import strategies as st

from helpers.fake_phone import FakePhone
from helpers.frames import picture_of
from helpers.fuzzing import NAMED, Target
from helpers.recording_examples import Files, example_recordings, packed, saved
from viewer import cli
from viewer.common.errors import InputError
from viewer.common.quantities import arithmetic
from viewer.common.quantities.units import QUANTITIES
from viewer.common.resources import folder
from viewer.export.console import json_text
from viewer.physics.body import RigidBody
from viewer.physics.solids import mesh_body
from viewer.physics.solids.mesh_files.limits import SUFFIXES
from viewer.replay.analysis import replay
from viewer.replay.live.live_recording import LiveRecording
from viewer.replay.live.phone import Phone
from viewer.replay.live.watch import FlightWatch
from viewer.replay.reader import read_recording
from viewer.replay.recording import Recording, interpret
from viewer.replay.scene import scene_of
from viewer.scenario import embedded, playlists
from viewer.scenario.field import Choice, Field, Integer, Number, Switch, Vector
from viewer.scenario.presets import PRESETS, preset_text
from viewer.scenario.scenario import FIELDS, Scenario
from viewer.scenario.tours import parse
from viewer.scene.words import formatting
from viewer.scene.words.describe import facts
from viewer.session.session import Session
from viewer.user import column_mappings, last_session
from viewer.user.settings import DECLARED, Settings

# -- mutations --------------------------------------------------------------------------------------------------------

NUMBER = re.compile(rb"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
NUMBERS = [
    *(
        b"9" * 400,
        b"9" * 5000,
        b'"1' + b" " * 20_000 + b'("',
        "\u0663".encode(),
        "\u00bd".encode(),
        b'"1"',
        b"[]",
        b"{}",
    ),
    *b"0 -0 1 -1 0.5 1e308 -1e308 1e-308 5e-324 1e999 inf -inf nan NaN 1e30 -1e30 1e-30 1e160 1e-160 1e15".split(),
    *b"9007199254740993 4294967296 2147483648 -2147483649 65536 256 0x10 1_000 1,5 true null".split(),
]
FACTORS = [1e-300, 1e-200, 1e-160, 1e-100, 1e-30, 1e-15, 1e-6, 0.0, -1.0, 1e6, 1e15, 1e30, 1e100, 1e160, 1e300]


def edited(data: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    """`data` with, at each share of its length, so many bytes replaced by others."""
    for at, length, piece in edits:
        start = int(at * len(data))
        data = data[:start] + piece + data[start + length :]
    return data[: embedded.TEXT_LIMIT + 10]


def with_numbers(data: bytes, at: list[float], number: bytes) -> bytes:
    """A text with a few of its numbers replaced, at shares of them all."""
    found = list(NUMBER.finditer(data))
    chosen = {int(share * (len(found) - 1)) for share in at} if found else set()
    for match in (found[index] for index in sorted(chosen, reverse=True)):
        data = data[: match.start()] + number + data[match.end() :]
    return data


def scaled(data: bytes, every: int, first: int, factor: float) -> bytes:
    """A text with every so many of its numbers multiplied, as a column of a table."""
    counted = count()

    def new(match: "re.Match[bytes]") -> bytes:
        chosen = next(counted) % every == first % every
        return repr(float(match[0]) * factor).encode() if chosen else match[0]

    return NUMBER.sub(new, data)


def mutations(corpus: list[bytes], pieces: list[bytes], text: bool = True) -> st.SearchStrategy[bytes]:
    """Files of the corpus with a few edits, or other numbers where they are text, and bytes of no file at all."""
    piece = st.one_of(st.sampled_from(pieces), st.binary(max_size=6))
    edit = st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 1, 1, 2, 4, 9, 60, 10**6]), piece)
    file = st.sampled_from(corpus)
    found = [st.builds(edited, file, st.lists(edit, max_size=5))]
    if text:
        shares = st.lists(st.floats(0, 1), min_size=1, max_size=4)
        found.append(st.builds(with_numbers, file, shares, st.sampled_from(NUMBERS)))
        found.append(st.builds(scaled, file, st.integers(1, 15), st.integers(0, 14), st.sampled_from(FACTORS)))
    return st.one_of(*found, st.binary(max_size=300))


# -- scenes -----------------------------------------------------------------------------------------------------------


def run_scene(session: Session) -> None:
    """What the window does in the first moment of a scene: all that it shows is a number."""
    session.scene.advance(0.02)
    picture_of(session, (320, 240))
    json.dumps(facts(session), allow_nan=False)


def read_bytes_as_scene(data: bytes) -> object:
    """A scene file with these bytes, as the program opens it."""
    Path(NAMED).write_bytes(data)
    scenario = Scenario.load(NAMED)
    run_scene(Session(scenario))
    return scenario


SCENES = [preset_text(name).encode() for name in PRESETS]
SCENES.append(Scenario().to_text().encode())
WORDS = [
    b"9" * 400,
    b"[" * 300,
    b"\xff",
    b"\0",
    b"\n",
    b"\n[body]\n",
    b" = ",
    b"version = 2\n",
    b"keys = [[0, 1, 2, 3]]",
]
WORDS += b"mass nan -inf 1e999 0x true \" ''' [[ ] { } # . , \\u0000 1979-05-27 /etc/passwd ${HOME} !!python".split()
WORDS.append(b"\"__import__('os').system('touch x')\"")


def pictures() -> list[bytes]:
    """Small pictures of every kind, each with a scene inside."""
    text = embedded.headed(SCENES[0].decode(), "0", 1.0)
    head = embedded.png_chunk(b"IHDR", bytes(13))
    data = embedded.png_chunk(b"IDAT", bytes(40))
    png = embedded.PNG_BEGIN + head + embedded.png_text_chunk(text) + data + embedded.png_chunk(b"IEND", b"")
    packed = embedded.PNG_KEYWORD + b"\0\1\0\0\0" + zlib.compress(text.encode())
    zipped = embedded.PNG_BEGIN + head + embedded.png_chunk(b"iTXt", packed) + embedded.png_chunk(b"IEND", b"")
    comment = text.encode()
    jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + b"\xff\xda"
    blocks = b"".join(bytes([len(part)]) + part for part in (comment[i : i + 255] for i in range(0, len(comment), 255)))
    gif = b"GIF89a" + bytes(4) + b"\x80\0\0" + bytes(6) + b"!\xf9\x01\0\0!\xfe" + blocks + b"\0;"
    return [png, zipped, jpeg, gif]


BLOCKS = [b"iTXt", b"\xff\xfe", b"\0\0\0\x01", b"\xff" * 4]


def about(field: Field) -> st.SearchStrategy[Any]:
    """Values that a field allows, those at its ends among them; few that it does not."""
    if isinstance(field, Choice):
        return st.sampled_from([name for name, _ in field.choices])
    if isinstance(field, Switch):
        return st.booleans()
    low, high = max(field.low, -1e300), min(field.high, 1e300)
    if isinstance(field, Integer):
        return st.one_of(st.integers(int(low), int(min(high, low + 20))), st.integers(int(low), int(high)))
    ends = [low, high, field.soft_low, field.soft_high, *(sign * size for size in SIZES for sign in (-1.0, 1.0))]
    inside = st.one_of(st.sampled_from([end for end in ends if low <= end <= high]), st.floats(low, high))
    outside = st.sampled_from([2.0 * high + 1.0, low - abs(low) - 1.0, float("nan"), float("inf")])
    number = st.integers(0, 9).flatmap(lambda chance: inside if chance else outside)
    return st.lists(number, min_size=field.size, max_size=field.size) if isinstance(field, Vector) else number


def read_values(given: tuple[str, list[tuple[str, Any]]]) -> object:
    """A preset with values that its fields allow."""
    name, values = given
    scenario = Scenario.preset(name).with_values(dict(values))
    run_scene(Session(scenario))
    return scenario


SIZES = [1e-300, 1e-160, 1e-100, 1e-30, 1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12, 1e30, 1e100, 1e160]
VALUED = {path: field for path, field in FIELDS.items() if isinstance(field, (Number, Choice, Switch))}
VALUES_OF_FIELDS = st.tuples(
    st.sampled_from([name for name in PRESETS if name != "twenty-boxes"]),
    st.lists(
        st.sampled_from(sorted(VALUED)).flatmap(lambda path: st.tuples(st.just(path), about(VALUED[path]))),
        min_size=1,
        max_size=5,
    ),
)

# -- the command line -------------------------------------------------------------------------------------------------

COMMANDS = [*cli.COMMANDS, ""]
OPTIONS = (
    "-o --output --time --size --stereo --swap-eyes --theme --samples --transparent --seconds --fps --speed --every"
    " --integrator --stabilisation --set --paused --version --help -- - --tour --integrators --step --periods --sweep"
    " --steps-per-rotation --executor --workers --quaternion --angular-velocity --time-unit --moments --beside --show"
    " --presets --views --themes --modes --reduce --glasses --method --json"
).split()
VALUES = (
    "rod sphere a.png a.jpg a.mkv a.gif a.csv a.npz a. 0 1 -1 1e9 nan inf 1/3 64x64 0x0 mono anaglyph dark split exact"
    " off body.mass=2 body.mass=[ = view.zoom=nan camera_path.keys=[[0,1,2,3]] auto ../.. / θ"
    " a.html a.csv exact,rk4+closest-point rk4+ 5..500:12 5..:x 500..5:3 none processes tcp:// wxyz body,rpm 1,2,3"
    " rod,sphere red-cyan dubois first-steps poinsot"
).split()
VALUES += [NAMED, "9" * 50, "title=\x00", "", " ", "\udcff", "a\nb"]


def run_command(words: list[str]) -> object:
    """The command `poinsot`, with nothing drawn, computed or written: what it does with its words."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.ExitStack() as stack:
        enter = stack.enter_context
        for name in ("images.api.render_to_file", "tables.formats.print_table"):
            enter(mock.patch(f"viewer.export.{name}"))
        for name in (
            "tables.formats.write_table",
            "film.film.write_film",
            "images.contact_sheet.write_contact_sheet",
            "offscreen.offscreen_renderer",
            "images.formats.save_image",
            "race.formats.write_report",
        ):
            enter(mock.patch(f"viewer.export.{name}"))
        enter(mock.patch("viewer.export.race.report.text_table", return_value=""))
        enter(mock.patch("viewer.race.trajectory.run_lane"))
        enter(mock.patch("viewer.cli.race._swept", return_value={}))
        enter(mock.patch("viewer.cli.race._runs_beside"))
        enter(mock.patch("viewer.app.diagnostics.examine", return_value={"ok": True, "picture": {"right": True}}))
        enter(mock.patch("viewer.cli.window._no_display", return_value=True))
        enter(mock.patch("viewer.replay.live.phone.Phone._ask", side_effect=InputError("nobody is asked")))
        enter(contextlib.redirect_stdout(out))
        enter(contextlib.redirect_stderr(err))
        try:
            status = cli.main(words)
        except SystemExit as end:  # --help, --version
            status = end.code
    assert status in (0, 2), (status, words)
    said = err.getvalue()
    assert "Traceback" not in said
    assert said.count("\n") <= 1, (said, words)
    assert (status == 2) <= said.startswith("poinsot: "), (said, words)
    if status == 2:
        raise InputError(said.rstrip("\n"))
    return out.getvalue()


COMMAND_LINES = st.builds(
    lambda command, scene, words: [word for word in (command, *scene, *words) if word != "" or len(words) % 2],
    st.sampled_from(COMMANDS),
    st.sampled_from([[], ["rod"], ["sphere"], [NAMED], ["nothing"], ["nothing.csv"]]),
    st.lists(st.one_of(st.sampled_from(OPTIONS), st.sampled_from(VALUES), st.text(max_size=8)), max_size=6),
)


# -- tours and playlists ----------------------------------------------------------------------------------------------


def read_bytes_as_tour(data: bytes) -> object:
    """A guided tour of these bytes."""
    tour = parse(data.decode(errors="replace"), NAMED)
    return [tour.scenario(number, Scenario()) for number in range(len(tour.steps))]


def read_bytes_as_playlist(data: bytes) -> object:
    """A lecture of these bytes."""
    Path(NAMED).write_bytes(data)
    playlists.is_playlist(NAMED)
    return playlists.load(NAMED)


def files_in(name: str) -> list[bytes]:
    """The TOML files in a folder of the program's."""
    return [file.read_bytes() for file in (folder("assets") / name).iterdir() if file.name.endswith(".toml")]


TOUR_WORDS = [*WORDS, b"\n[[steps]]\n", b'text = "a"\n', b'scene = "rod"\n', b"changes = { ", b'point = "body"']
LIST_WORDS = [*WORDS, b"\n[[items]]\n", b'scene = "rod"\n', b'scene = "input"\n', b'tour = "first-steps"\n', b"note = "]

# -- recordings -------------------------------------------------------------------------------------------------------


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


# -- phones -----------------------------------------------------------------------------------------------------------


def read_answers(answers: list[bytes]) -> object:
    """What a phone sends, one question after the other; what is collected is written, and looked through."""
    left, recording, problems = list(answers), LiveRecording(), []

    def connect(connection: http.client.HTTPConnection) -> None:
        connection.sock = mock.Mock()
        connection.sock.makefile.return_value = io.BytesIO(left.pop(0) if left else b"")

    with mock.patch.object(http.client.HTTPConnection, "connect", connect):
        client = Phone("phone")
        while left:
            try:
                recording.add(client.poll())
            except InputError as error:
                problems.append(error)
    time = recording.time
    if not len(time):
        raise problems[0] if problems else InputError("nothing came")
    for values in (time, recording.omega_body, recording.orientation_wxyz, *recording.at(time[-1]), recording.rate):
        assert np.isfinite(values).all()
    recording.write(io.StringIO())
    with contextlib.suppress(InputError):
        FlightWatch("phone")._newest(
            0, time - recording.began, recording.orientation_wxyz, recording.omega_body, recording.acceleration
        )
    return recording


def answers_of_a_phone() -> tuple[bytes, list[bytes]]:
    """What it says of itself, and what it has measured at several times."""
    phone, times, found = FakePhone(), np.arange(120) * 0.02, []
    for sensor in ("gyroscope", "accelerometer"):
        phone.measure(sensor, times, np.stack((np.sin(times), 5.0 + 0.0 * times, np.cos(2.0 * times)), axis=1))
    for phone.until in (0.5, 1.0, 2.4):
        asked = [
            f"{name}=" + (f"{phone.until - 0.5}|{names['t']}" if found else "full")
            for names in phone.sensors.values()
            for name in names.values()
        ]
        found.append(json.dumps(phone.get("&".join(asked))).encode())
    return json.dumps(phone.config()).encode(), found


CONFIG, GIVEN = answers_of_a_phone()
PHONE_WORDS = [
    *WORDS,
    b"\\ud800",
    b"null",
    b'{"buffer":',
    b'"status"',
    b"gyr_time",
    b"NaN",
    b"-Infinity",
    b'"x"',
    b"[]",
]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
HEAD_WORDS = [
    b"\r\n",
    b"Content-Length: 9",
    b"Content-Length: -1",
    b"Transfer-Encoding: chunked",
    b"302",
    b"404",
    b"\xff",
]
ANSWERS = st.builds(
    lambda config, answers, head, at: [
        (head if number == at else HEAD) + answer for number, answer in enumerate([config, *answers])
    ],
    st.one_of(st.just(CONFIG), mutations([CONFIG], PHONE_WORDS)),
    st.lists(st.one_of(st.sampled_from(GIVEN), mutations(GIVEN, PHONE_WORDS)), min_size=1, max_size=4),
    st.one_of(st.just(HEAD), mutations([HEAD], HEAD_WORDS)),
    st.integers(0, 4),
)

# -- numbers that are typed -------------------------------------------------------------------------------------------

TYPED = [path for path, field in FIELDS.items() if isinstance(field, Number)]
SIGNS = (
    "+ - * / ^ ** ( ) , . ; [ ] | pi tau sqrt e 1/60 1 2.5 1e999 1e-320 9**9**9 0/0 ½ ² − · µ _ inf nan j 0x1".split()
)
SIGNS += [" ", "\n", "\0", "9" * 99, "(" * 50, *{unit.name for kind in QUANTITIES.values() for unit in kind.units}]
PLAIN = ["1", "2*3", "pi/2", "1/60 s", "5.41 d", "120 rpm", "12 mm", "2e-3", "sqrt(2)", "−3", "0,5", "30 °", "7 g"]
EXPRESSIONS = st.tuples(
    st.sampled_from(TYPED),
    st.one_of(
        st.lists(st.one_of(st.sampled_from(PLAIN), st.sampled_from(SIGNS)), min_size=1, max_size=3).map("".join),
        st.lists(st.sampled_from(SIGNS), max_size=8).map("".join),
        st.text(max_size=12),
    ),
    st.sampled_from([1.0, 1e-3, 1e-6, 60.0, 86400.0]),
)


def read_typed(given: tuple[str, str, float]) -> object:
    """A number as it is typed into the box of a field."""
    path, text, bare = given
    field = FIELDS[path]
    assert all(np.isfinite(way).all() for way in arithmetic.readings(text, field.unit, bare))
    number = formatting.parse(field, text, bare)
    assert field.low <= number <= field.high
    return number


# -- what the program keeps -------------------------------------------------------------------------------------------


def read_kept(data: bytes) -> object:
    """A file that the program has written and something has changed: it is read, and written again."""
    path = Path(f"{NAMED}-kept") / "kept.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    settings = Settings(path)
    assert all(problem.isprintable() for problem in settings.problems), settings.problems
    settings.change("panel.width", 300.0)
    assert settings.save() is None
    path.write_bytes(data)
    with (
        mock.patch.object(last_session, "path", return_value=path),
        mock.patch.object(column_mappings, "path", return_value=path),
    ):
        column_mappings.recall("a")
        with contextlib.suppress(InputError):
            last_session.load(settings.scene_defaults())
    if settings.problems:
        raise InputError(settings.problems[0])
    return settings


def kept_files() -> list[bytes]:
    """One of each kind."""
    lines = []
    for section, kind in DECLARED.items():
        lines += [f"[{section}]", *(f"{key} = {json.dumps(value)}" for key, value in vars(kind()).items())]
    scene = json.dumps(SCENES[0].decode())
    last = f'version = 1\nfile = ""\npanel = "open"\nscene = {scene}\n'
    return ["\n".join(lines).encode(), last.encode(), b'{"a": "t=1"}']


# -- meshes -----------------------------------------------------------------------------------------------------------

MESH_WORDS = [
    *WORDS, b"f 1 2 3\n", b"v 1 2 3\n", b"1e40", b"-1", b"\x80\x96\x98\x00", b"mtllib /etc/passwd\n", b"float",
    b"property list uchar float vertex_indices\n", b"element face 0\n", b"element vertex 0\n", b"double"
]  # fmt: skip


def meshes() -> list[tuple[str, bytes]]:
    """Small meshes in every format, with its suffix."""
    import trimesh

    found = [(".ply", (folder("assets") / "bodies" / "phone.ply").read_bytes())]
    for mesh in (trimesh.creation.box((1.0, 2.0, 3.0)), trimesh.creation.icosphere(1)):
        found += [
            (f".{kind[:3]}", mesh.export(file_type=kind)) for kind in ("stl", "stl_ascii", "obj", "off", "glb", "ply")
        ]
        found.append((".ply", mesh.export(file_type="ply", encoding="ascii")))
    assert {suffix for suffix, _ in found} == set(SUFFIXES)
    return [(suffix, data if isinstance(data, bytes) else data.encode()) for suffix, data in found]


def read_bytes_as_mesh(given: tuple[str, bytes, str]) -> object:
    """A body from a mesh file with that suffix and these bytes, in that unit."""
    suffix, data, unit = given
    Path(NAMED + suffix).write_bytes(data)
    mesh_body._kept.clear()
    source = mesh_body.mesh_source(NAMED + suffix)
    assert np.isfinite(source.extents).all()
    assert source.likely_unit in mesh_body.UNITS
    longest = 1.0 if unit == "longest" else None
    return RigidBody.from_mesh(NAMED + suffix, unit=None if longest else unit, longest=longest, mass=1.0)


UNITS = st.sampled_from(["m", "mm", "longest"])
MESHES = st.one_of(
    [st.tuples(st.just(suffix), mutations([data], MESH_WORDS, b"\0" not in data), UNITS) for suffix, data in meshes()]
)

TARGETS = {
    target.name: target
    for target in (
        Target("scene", mutations(SCENES, WORDS), read_bytes_as_scene, 0.2),
        Target("values", VALUES_OF_FIELDS, read_values, 0.1),
        Target("picture", mutations(pictures(), [*WORDS, *BLOCKS]), read_bytes_as_scene, 0.2),
        Target("tour", mutations(files_in("tours"), TOUR_WORDS), read_bytes_as_tour),
        Target("playlist", mutations(files_in("playlists"), LIST_WORDS), read_bytes_as_playlist),
        Target("recording", LOGS, read_files_as_recording, 0.3),
        Target("replay", LOGS, read_files_as_replay, 0.02),
        Target("archive", mutations(packed_files(), LOG_WORDS, text=False), read_bytes_as_archive),
        Target("array", st.one_of(mutations(HEADERS, HEADER_WORDS).map(array_with), arrays()), read_files_as_recording),
        Target("phone", ANSWERS, read_answers),
        Target("mesh", MESHES, read_bytes_as_mesh),
        Target("typed number", EXPRESSIONS, read_typed),
        Target("kept file", mutations(kept_files(), WORDS), read_kept, 0.3),
        Target("command line", COMMAND_LINES, run_command),
    )
}

for _words in ([], ["nothing"], ["render", "rod", "-o", "a.png"], ["render", "rod", "-o", "a.mkv", "--seconds", "1"],
               ["simulate", "rod"], ["simulate", "rod", "-o", "a.npz"], ["presets"], ["--set", "a=1"], ["tours"],
               ["race", "rod", "-o", "a.html"], ["replay", "a.csv", "--beside", "rk4"], ["contact-sheet", "-o=a.png"],
               ["stereo-chart", "-o", "a.png"], ["doctor", "--json"], ["rod", "--tour", "nothing"],
               ["body", "a.stl", "--mass", "1"], ["live"], ["formats"]):  # fmt: skip
    with contextlib.suppress(InputError):  # unwatched, so that what is imported late is there
        run_command(_words)
