"""Every reader of what others have written, with the inputs that it is tried with. One entry in TARGETS each."""

import contextlib

from hypothesis import strategies as st

from helpers.fuzzing import Target
from helpers.hostile.commands import COMMAND_LINES, run_command
from helpers.hostile.edits import WORDS, mutations
from helpers.hostile.meshes import MESHES, read_bytes_as_mesh
from helpers.hostile.phones import ANSWERS, read_answers
from helpers.hostile.recordings import (
    HEADER_WORDS,
    HEADERS,
    LOG_WORDS,
    LOGS,
    array_with,
    arrays,
    packed_files,
    read_bytes_as_archive,
    read_files_as_recording,
    read_files_as_replay,
)
from helpers.hostile.scenes import (
    BLOCKS,
    LIST_WORDS,
    SCENES,
    TOUR_WORDS,
    VALUES_OF_FIELDS,
    files_in,
    pictures,
    read_bytes_as_playlist,
    read_bytes_as_scene,
    read_bytes_as_tour,
    read_values,
)
from helpers.hostile.texts import EXPRESSIONS, kept_files, read_kept, read_typed
from viewer.common.errors import InputError

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
