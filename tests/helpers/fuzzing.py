"""Inputs that nobody expects, for whatever reads what others have written. One entry in TARGETS each.

An input may be refused in one line; it may not raise anything else, hang, open a file that nobody named, or let code of
its own run: Python's audit hook watches what is opened, started and compiled meanwhile.
"""

import contextlib
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from hypothesis import strategies as st

from viewer import cli
from viewer.common.errors import GraphicsError, InputError
from viewer.common.resources import folder
from viewer.physics.body import RigidBody
from viewer.physics.solids import mesh_body
from viewer.replay.reader import read_recording
from viewer.scenario import embedded
from viewer.scenario.presets import PRESETS, preset_text
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import parse

FORBIDDEN = tuple(
    "os.system os.exec os.posix_spawn os.remove os.rename subprocess.Popen socket.connect ctypes.dlopen pty.spawn"
    " shutil.rmtree webbrowser.open".split()
)
NAMED = "input"  # the file that is named, in the current folder
PROGRAM = (folder("assets"), Path(cli.__file__).parents[1], sys.prefix, sys.base_prefix)
OURS = tuple(str(Path(str(path)).resolve()) for path in PROGRAM)


@dataclass(frozen=True)
class Target:
    """`inputs`: what is tried; `read`: reads one of them in an empty folder, may raise InputError of one line."""

    name: str
    inputs: st.SearchStrategy[Any]
    read: Callable[[Any], object]


def attempt(target: Target, value: Any) -> bool:
    """Tries one input; whether it was taken. AssertionError where it did what no input may do."""
    with watched() as seen:
        try:
            target.read(value)
            taken = True
        except (InputError, GraphicsError) as error:
            assert "\n" not in str(error)
            assert len(str(error)) < 2000
            taken = False
    assert not seen, f"{target.name}: {seen[:3]} for {value!r}"
    return taken


_watching: list[list[str]] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event.startswith(FORBIDDEN):
        _watching[-1].append(f"{event} {arguments!r:.200}")
    elif event in ("exec", "compile"):  # allowed is what the program imports
        code = arguments[0] if event == "exec" else arguments[1]
        file = getattr(code, "co_filename", code)
        literal = event == "compile" and file == "<unknown>"  # ast.literal_eval, of numpy; what runs would be seen
        if not literal and not str(file).startswith((*OURS, "<frozen")):
            _watching[-1].append(f"{event} {file!r}")
    elif event == "open" and isinstance(arguments[0], str | bytes):
        path = os.path.realpath(os.fsdecode(arguments[0]))
        if not path.startswith(os.path.realpath(NAMED)) and not path.startswith(OURS):
            _watching[-1].append(f"open {path}")


sys.addaudithook(_hook)


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    """What happens meanwhile that must not."""
    seen: list[str] = []
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching.pop()


# -- scenes -----------------------------------------------------------------------------------------------------------


def read_bytes_as_scene(data: bytes) -> object:
    """A scene file with these bytes, as the program opens it."""
    Path(NAMED).write_bytes(data)
    scenario = Scenario.load(NAMED)
    scenario.simulation()
    return scenario


def edited(data: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    """`data` with, at each share of its length, so many bytes replaced by others."""
    for at, length, piece in edits:
        start = int(at * len(data))
        data = data[:start] + piece + data[start + length :]
    return data[: embedded.TEXT_LIMIT + 10]


def mutations(corpus: list[bytes], pieces: list[bytes]) -> st.SearchStrategy[bytes]:
    """Files of the corpus with a few edits, and bytes of no file at all."""
    piece = st.one_of(st.sampled_from(pieces), st.binary(max_size=6))
    edit = st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 1, 1, 2, 4, 9, 60, 10**6]), piece)
    return st.one_of(st.builds(edited, st.sampled_from(corpus), st.lists(edit, max_size=5)), st.binary(max_size=300))


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
        enter(mock.patch("viewer.export.tables.formats.write_table", lambda path, table: table.rows))
        enter(mock.patch("viewer.export.film.film.write_film", lambda path, film, renderer: film.count))
        for name in (
            "images.contact_sheet.write_contact_sheet",
            "offscreen.offscreen_renderer",
            "images.formats.save_image",
            "race.formats.write_report",
        ):
            enter(mock.patch(f"viewer.export.{name}"))
        enter(mock.patch("viewer.export.race.text.text_table", return_value=""))
        enter(mock.patch("viewer.race.trajectory.run_lane"))
        enter(mock.patch("viewer.cli.race._swept", return_value={}))
        enter(mock.patch("viewer.cli.race._runs_beside"))
        enter(mock.patch("viewer.app.diagnostics.examine", return_value={"ok": True, "picture": {"right": True}}))
        enter(mock.patch("viewer.cli.window._no_display", return_value=True))
        enter(mock.patch("viewer.replay.phone.Phone._ask", side_effect=InputError("nobody is asked")))
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


def read_bytes_as_log(data: bytes) -> object:
    """Another engine's log with these bytes."""
    Path(NAMED).write_bytes(data)
    return read_recording(NAMED)


def read_bytes_as_tour(data: bytes) -> object:
    """A guided tour of these bytes."""
    tour = parse(data.decode(errors="replace"), NAMED)
    return [tour.scenario(number, Scenario()) for number in range(len(tour.steps))]


TOURS = [path.read_bytes() for path in folder("assets").joinpath("tours").iterdir() if path.name.endswith(".toml")]
TOUR_WORDS = [*WORDS, b"\n[[steps]]\n", b'text = "a"\n', b'scene = "rod"\n', b"changes = { ", b'point = "body"']
LOGS = [
    b"# moments: 1, 2, 3\n# quaternion: xyzw\ntime,qx,qy,qz,qw,wx,wy,wz\n"
    + b"".join(b"%d.5,0,0,0,1,0.1,2,%d\n" % (n, n) for n in range(12)),
    b"t;qw;qx;qy;qz\n" + b"".join(b"%d;1;0;0;0\n" % n for n in range(12)),
]
LOG_WORDS = [*WORDS, b";", b"\t", b"time", b"# angular velocity: world, rpm\n", b"omega_x", b"1e-320", b"\r\n", b'""']

MESH_WORDS = [*WORDS, b"f 1 2 3\n", b"v 1 2 3\n", b"1e40", b"-1", b"\x80\x96\x98\x00", b"mtllib /etc/passwd\n"]


def meshes() -> list[tuple[str, bytes]]:
    """A small mesh in every format, with its suffix."""
    import trimesh

    cube = trimesh.creation.box((1.0, 2.0, 3.0))
    kinds = {"stl": {}, "stl_ascii": {}, "obj": {}, "ply": {}, "off": {}, "glb": {}}
    found = [(f".{kind[:3]}", cube.export(file_type=kind, **more)) for kind, more in kinds.items()]
    return [(suffix, data if isinstance(data, bytes) else data.encode()) for suffix, data in found]


def read_bytes_as_mesh(given: tuple[str, bytes]) -> object:
    """A body from a mesh file with that suffix and these bytes."""
    suffix, data = given
    Path(NAMED + suffix).write_bytes(data)
    mesh_body._kept.clear()
    return RigidBody.from_mesh(NAMED + suffix, unit="m", mass=1.0)


MESHES = st.one_of([st.tuples(st.just(suffix), mutations([data], MESH_WORDS)) for suffix, data in meshes()])

TARGETS = {
    target.name: target
    for target in (
        Target("scene", mutations(SCENES, WORDS), read_bytes_as_scene),
        Target("picture", mutations(pictures(), [*WORDS, *BLOCKS]), read_bytes_as_scene),
        Target("tour", mutations(TOURS, TOUR_WORDS), read_bytes_as_tour),
        Target("log", mutations(LOGS, LOG_WORDS), read_bytes_as_log),
        Target("mesh", MESHES, read_bytes_as_mesh),
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
