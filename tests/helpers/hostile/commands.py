"""Command lines that nobody expects, run with nothing drawn, computed or written."""

import contextlib
import io
from unittest import mock

from hypothesis import strategies as st

from helpers.fuzzing import NAMED
from viewer import cli
from viewer.common.errors import InputError

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
        for name in (
            "offscreen.render_to_file",
            "table_files.print_table",
            "table_files.write_table",
            "film.write_film",
            "contact_sheet.write_contact_sheet",
            "offscreen.offscreen_renderer",
            "picture_files.save_image",
            "race_files.write_report",
        ):
            enter(mock.patch(f"viewer.export.{name}"))
        enter(mock.patch("viewer.export.race_report.text_table", return_value=""))
        enter(mock.patch("viewer.race.trajectory.run_lane"))
        enter(mock.patch("viewer.cli.motion._swept", return_value={}))
        enter(mock.patch("viewer.cli.motion._runs_beside"))
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
