"""The recordings in one archive or folder, each with the members that belong to it."""

from collections.abc import Callable, Sequence

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.files.source import Member, Source

MOST_SHOWN = 6  # names in a line


def one_recording(source: Source, holds_one: Callable[[Source], bool], by_folder: bool = False) -> Source:
    """The source with the members of one recording: the one that its path names, else the first, with a line that
    names the others. `holds_one`: whether a member alone is a recording; `by_folder`: whether those of a folder are one
    together.

    Raises InputError where it holds nothing of the wanted name.
    """
    chosen = _wanted(source)
    if not source.packed or len(source.members) < 2:
        return source
    mains = [member for member in source.members if member.encoding and holds_one(_with(source, [member]))]
    if by_folder:
        mains = list({member.folder: member for member in mains}.values())
    found = [main for main in mains if main in chosen]
    if not found:
        return _with(source, chosen)
    if len(mains) < 2:
        return source
    folders = {main.folder for main in mains}
    kept = [
        member
        for member in source.members
        if member is found[0] or (member not in mains and _nearest(member, folders) in (None, found[0].folder))
    ]
    warnings = source.warnings
    if len(found) > 1:
        names = [(main.folder if by_folder else "") or main.name for main in found]
        text = tr("holds {count} recordings, {names}; read is {first}, another one by its path: {path}")
        path = shown(f"{source.name}/{names[1]}")
        told = text.format(count=len(names), names=_listed(names), first=shown(names[0]), path=path)
        warnings = (*warnings, told)
    return Source(source.name, kept, True, warnings)


def _wanted(source: Source) -> list[Member]:
    """The members of the wanted name, or in the folder of that name; all where none is wanted."""
    wanted = source.wanted
    if not wanted:
        return source.members
    found = [member for member in source.members if member.name == wanted or member.name.startswith(wanted + "/")]
    if not source.packed or not found:
        names = [member.name for member in source.members] if source.packed else [source.name]
        raise refusal(
            "{name}: holds no {inside}; it holds {names}",
            name=source.name,
            inside=shown(wanted),
            names=_listed(names),
        )
    return found


def _with(source: Source, members: list[Member]) -> Source:
    return Source(source.name, members, True, source.warnings)


def _nearest(member: Member, folders: set[str]) -> str | None:
    """The innermost of these folders that the member is in; None for none."""
    around = [folder for folder in folders if not folder or f"{member.folder}/".startswith(folder + "/")]
    return max(around, key=len, default=None)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(shown(name) for name in names[:MOST_SHOWN]) + (", ..." if len(names) > MOST_SHOWN else "")
