"""What goes on meanwhile and can be ended: a file that is read, a film that waits, a phone that is followed."""

from functools import partial

from viewer.commands.opening import end_opening
from viewer.workspace.messages import Activity
from viewer.workspace.workspace import Workspace


def activity(workspace: Workspace) -> Activity | None:
    """Return what takes the program long just now, with what ends it; None where there is nothing."""
    writer, phone, opening = workspace.writer, workspace.phone, workspace.files.opening
    if opening is not None:
        return Activity(opening.text, partial(end_opening, workspace))
    if writer.waiting is not None:
        return Activity(writer.waiting, writer.toggle_film)
    if phone is not None and phone.state is not None:
        return Activity(phone.state, phone.end, phone.proposed)
    return None
