"""How much of a motion is recorded."""

import pytest

from viewer.session import checkpoints


@pytest.fixture(params=[True, False], ids=["all rows", "few rows"])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once with room for every row, once with so little that nearly every state has to be stepped to again."""
    if not request.param:
        monkeypatch.setattr(checkpoints, "RECENT", 8)
        monkeypatch.setattr(checkpoints, "SPARSE", 8)
