"""Any table whose names of columns, number of columns or comments say what the numbers are."""

from dataclasses import replace

from viewer.common.errors import InputError, refusal
from viewer.common.language import tr
from viewer.replay.conventions import Conventions, declared_in
from viewer.replay.files.column_names import roles_by_count, roles_by_name, tell_of_angles
from viewer.replay.files.contents import Contents, Table, columns_of, timed_columns
from viewer.replay.raw_recording import RATES, TIME, Progress, RawRecording, raw_recording


def recognises(contents: Contents) -> bool:
    """Whatever other formats leave."""
    return True


def understands(contents: Contents) -> bool:
    """Whether a table is a recording."""
    return any(_is_understood(table, contents.step) for table in contents.tables)


def _is_understood(table: Table, step: float | None) -> bool:
    try:
        _understood(table, step)
    except InputError:
        return False
    return True


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The first table that can be understood. Raises InputError, about the first table where there is none."""
    first: InputError | None = None
    for table in contents.tables:
        try:
            roles, declared, warnings = _understood(table, contents.step)
        except InputError as error:
            first = first or error
            continue
        used = {role: index for index, role in enumerate(roles) if role}
        if TIME[0] in used:
            columns = columns_of(table, used, progress, warnings)
        else:
            columns, _ = timed_columns(contents, table, used, progress, warnings)
            declared = replace(declared, time_unit="s")
        return raw_recording(contents.name, columns, declared, warnings)
    raise first or refusal("{name}: is a folder or an archive without a recording", name=contents.name)


def _understood(table: Table, step: float | None) -> tuple[list[str], Conventions, list[str]]:
    """(the role of each column, what is declared about them, warnings); `step`: between the rows, where it was said."""
    declared, warnings = declared_in(table.comments, table.where), []
    if table.names is None:
        roles = roles_by_count(table.columns, table.line, step is None)
        warnings.append(tr("no line of column names: columns taken as {names}").format(names=", ".join(roles)))
        return roles, declared, warnings
    roles, by_names = roles_by_name(table.names, table.line)
    if RATES[0] in roles:
        tell_of_angles(table.names, warnings)
    if by_names.order:  # a column named qw is the scalar part, whatever a comment declares
        declared = replace(declared, order=by_names.order)
    return roles, declared.filled_from(by_names), warnings
