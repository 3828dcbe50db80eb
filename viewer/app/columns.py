"""Asks in the window what the columns of a recording's table are."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from viewer.common.errors import InputError
from viewer.common.language import tr

if TYPE_CHECKING:
    from viewer.replay.mapping import ColumnMapping
    from viewer.ui.host import Host


Done: TypeAlias = "Callable[[ColumnMapping], str | None]"


def offer_columns(host: "Host", path: str, error: str, done: Done) -> None:
    """Shows why a recording cannot be opened; of a table with the way to say its columns otherwise."""
    from viewer.replay.mapping import preview  # here: few windows read a recording

    try:
        preview(path, None)
    except InputError:  # it is no table
        return
    host.workspace.messages.offer(
        error, tr("Columns..."), lambda: ask_columns(host, path, None, done), lambda: True, error=True
    )


def ask_columns(host: "Host", path: str, names: Sequence[str] | None, done: Done) -> str | None:
    """Asks about the table with these names in a file, which do not say it; None: of its first table, where the user
    wants to say it otherwise than before. Returns the error where that fails."""
    from viewer.replay.mapping import preview  # here: few windows read a recording
    from viewer.replay.scene import recalled

    def ask() -> None:
        columns, shape = preview(path, names)
        host.workspace.messages.clear()  # about another file
        host.ui.columns_dialog.ask(path, columns, done, None if names is not None else recalled(shape), names is None)

    return host.workspace.messages.attempt(ask)
