"""Garbage is looked for again once everything is imported."""

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from viewer.common import garbage


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    gc.enable()
    gc.unfreeze()


def test_what_is_imported_is_not_looked_at_again() -> None:
    garbage.put_off()
    assert not gc.isenabled()
    garbage.look_again()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 10_000  # measured 150000


def test_nothing_is_kept_for_good_where_it_was_not_put_off() -> None:
    before = gc.get_freeze_count()
    garbage.look_again()
    assert gc.get_freeze_count() == before


def test_commands_look_for_garbage() -> None:
    program = (
        "import gc, sys; from viewer.cli import lists; from viewer.__main__ import main\n"
        "lists.presets = lambda words: 10 + gc.isenabled()\n"
        "sys.argv = ['poinsot', 'presets']; sys.exit(main())"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 11
