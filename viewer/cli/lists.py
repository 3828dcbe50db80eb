"""`poinsot presets`, `tours`, `integrators`, `stereo-modes`, `formats`: what there is to choose from."""

from viewer.cli.options import command_parser
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario import tours as tour_files
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.presets import PRESETS


def _list(argv: list[str], name: str, description: str, summaries: dict[str, str]) -> int:
    command_parser(name, description).parse_args(argv)
    width = max(map(len, summaries))
    for entry, summary in summaries.items():
        print(f"{entry:<{width}}  {summary}")
    return 0


def presets(argv: list[str]) -> int:
    """The scenes that come with the program."""
    summaries = {preset.name: preset.summary for preset in PRESETS.values()}
    return _list(argv, "presets", "Lists the scenes that come with the program.", summaries)


def tours(argv: list[str]) -> int:
    """The guided tours that come with the program."""
    summaries = {tour.name: f"{tour.title}: {tour.summary}" for tour in tour_files.tours().values()}
    return _list(argv, "tours", "Lists the guided tours; `poinsot --tour NAME` begins with one.", summaries)


def integrators(argv: list[str]) -> int:
    """The methods that compute the motion."""
    summaries = {entry.name: f"{entry.summary} ({entry.source})" for entry in INTEGRATORS.values()}
    return _list(argv, "integrators", "Lists the methods that compute the motion.", summaries)


def stereo_modes(argv: list[str]) -> int:
    """The modes that show both eyes' pictures."""
    summaries = {mode.name: mode.summary for mode in STEREO_MODES.values()}
    return _list(argv, "stereo-modes", "Lists the modes that show both eyes' pictures.", summaries)


def formats(argv: list[str]) -> int:
    """The formats of recordings."""
    from viewer.replay.formats.formats import FORMATS  # here: scipy takes long to import

    summaries = {entry.name: f"{entry.summary} ({entry.example})" for entry in FORMATS.values()}
    return _list(argv, "formats", "Lists the formats of recordings; each is recognised by what is in it.", summaries)
