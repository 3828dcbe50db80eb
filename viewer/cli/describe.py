"""`poinsot describe`: a scene in plain words, for a screen reader or a stream."""

from viewer.cli.options import changed_scene, command_parser, duration, scene_options
from viewer.common.language import ENGLISH, choose, languages
from viewer.export.console import json_text


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status."""
    parser = command_parser("describe", "Describes a scene and its motion in plain words; no window is needed.")
    add = parser.add_argument
    add("scene", metavar="SCENE", help="a scene file, a preset, a picture made of one, or a recording")
    add("--time", type=duration, default=0.0, metavar="TIME", help='the simulated time, such as 10 or "5.41 d" (0)')
    add("--stereo", metavar="MODE", help="the stereo mode, as `poinsot stereo-modes` lists them")
    add("--language", choices=languages(), default=ENGLISH, help=f"{', '.join(languages())} ({ENGLISH})")
    add("--json", action="store_true", help="as JSON, with every digit")
    scene_options(parser)
    options = parser.parse_args(argv)
    choose(options.language)
    from viewer.export import console
    from viewer.scenario.scenario import Scenario
    from viewer.scene.words.describe import describe, facts
    from viewer.session.opening import read
    from viewer.session.session import Session

    scenario, recording = read(options.scene, Scenario(), tell=console.report)
    session = Session(changed_scene(scenario, options), playing=False, recording=recording)
    session.run_to(options.time)
    print(json_text(facts(session)) if options.json else describe(session))
    return 0
