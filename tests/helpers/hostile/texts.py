"""Typed numbers, and files that the program has kept and something has changed."""

import contextlib
import json
from pathlib import Path
from unittest import mock

import numpy as np
from hypothesis import strategies as st

from helpers.fuzzing import NAMED
from helpers.hostile.scenes import SCENES
from viewer.common import quantities
from viewer.common.errors import InputError
from viewer.common.quantities import QUANTITIES
from viewer.replay import scene as replay_scene
from viewer.scenario.field import Number
from viewer.scenario.scenario import FIELDS
from viewer.scene.words import formatting
from viewer.user import last_session
from viewer.user.settings import DECLARED, Settings

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
    assert all(np.isfinite(way).all() for way in quantities.readings(text, field.unit, bare))
    number = formatting.parse(field, text, bare)
    assert field.low <= number <= field.high
    return number


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
        mock.patch.object(replay_scene, "columns_file", return_value=path),
    ):
        replay_scene.recall_columns("a")
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
