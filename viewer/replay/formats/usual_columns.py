"""Any table whose names of columns, number of columns or comments say what the numbers are."""

from dataclasses import replace

from viewer.common.errors import InputError, refusal
from viewer.common.language import tr
from viewer.replay.conventions import declared_in
from viewer.replay.files.column_names import roles_by_count, roles_by_name, tell_of_angles
from viewer.replay.files.contents import Contents, Table
from viewer.replay.formats.columns import NOTHING_DECLARED, ColumnFormat, Found
from viewer.replay.raw_recording import RATES, Progress, RawRecording


def recognises(contents: Contents) -> bool:
    """Take whatever other formats leave."""
    return True


def understands(contents: Contents) -> bool:
    """Tell whether one of the tables is a recording by the usual names of its columns, or by their number."""

    def is_recording(table: Table) -> bool:
        try:
            _understood(table, contents.step)
        except InputError:
            return False
        return True

    return any(map(is_recording, contents.tables))


def read(contents: Contents, progress: Progress) -> RawRecording:
    """Return the recording in the first table that can be understood. Raises InputError, about the first table where
    there is none."""
    first: InputError | None = None
    for table in contents.tables:
        try:
            found = _understood(table, contents.step)
        except InputError as error:
            first = first or error
            continue
        as_found = ColumnFormat(lambda own: _understood(own, contents.step), NOTHING_DECLARED)
        return as_found.read_table(contents, table, found, progress)
    raise first or refusal("{name}: is a folder or an archive without a recording", name=contents.name)


def _understood(table: Table, step: float | None) -> Found:
    """Return what the columns of a table are by their names, their number or its comments; `step`: between the rows,
    where it was said. Raises InputError."""
    declared, warnings = declared_in(table.comments, table.where), []
    if table.names is None:
        roles = roles_by_count(table.columns, table.line, step is None)
        warnings.append(tr("no line of column names: columns taken as {names}").format(names=", ".join(roles)))
    else:
        roles, by_names = roles_by_name(table.names, table.line)
        if RATES[0] in roles:
            tell_of_angles(table.names, warnings)
        if by_names.order:  # a column named qw is the scalar part, whatever a comment declares
            declared = replace(declared, order=by_names.order)
        declared = declared.filled_from(by_names)
    return Found({role: index for index, role in enumerate(roles) if role}, declared, tuple(warnings))
