"""`poinsot contact-sheet`: presets, views, themes and stereo modes in one picture."""

from pathlib import Path

from viewer.cli.options import command_parser, duration, set_option, settings, whole
from viewer.common.quantities.arithmetic import parse_size
from viewer.scenario.recordings import check_not_an_input
from viewer.scenario.scenario import Scenario

KINDS = ("presets", "views", "themes", "modes")


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
    parser = command_parser(
        "contact-sheet", "Draws presets in every view, theme and stereo mode into one picture; no window is needed."
    )
    add = parser.add_argument
    add("-o", "--output", required=True, metavar="FILE", help="picture to write: .png")
    for kind in KINDS:
        add(f"--{kind}", metavar="A,B,..", help=f"only these {kind}")
    add("--size", default="960x540", metavar="WxH", help="size in which each picture is drawn (960x540)")
    add("--reduce", type=whole, default=3, metavar="N", help="each picture is reduced to 1/N of that (3)")
    add("--time", type=duration, metavar="TIME", help="simulated time (what the window shows after 5 s)")
    set_option(parser, "any field, in every scene (as in a file)")
    options = parser.parse_args(argv)
    from viewer.export.images.contact_sheet import ContactSheet, write_contact_sheet
    from viewer.export.offscreen import offscreen_renderer

    names = {
        kind: tuple(name.strip() for name in getattr(options, kind).split(","))
        for kind in KINDS
        if getattr(options, kind) is not None
    }
    sheet = ContactSheet(
        **names,
        drawn=parse_size(options.size),
        reduced=options.reduce,
        time=options.time,
        changes=tuple(settings(options.set)),
    )
    check_not_an_input(options.output, Scenario().with_values(dict(sheet.changes)).files)
    write_contact_sheet(sheet, Path(options.output), offscreen_renderer)
    return 0
