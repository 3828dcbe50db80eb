"""Every sentence in the code can be translated: it is in the catalogue, or in the list of those that need not be.

A sentence is a string with two words in it. Found are all in `viewer` but docstrings, names of ImGui's items, and the
command line, which is English.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "tools"))
import collect_texts

ROOT = Path(__file__).parents[1]
WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
PLACE = "\0"  # of a value in an f-string
TRANSLATED = {"tr", "marked", "named", "refusal", "Wording", "plural"}
ITEMS = {"icon_button", "dialog", "card", "plot", "mark"}  # their texts are names
ENGLISH = (  # commands without a window and what only they write; what only a Python program can do wrong
    "viewer/cli/", "viewer/app/diagnostics.py", "viewer/export/race_", "viewer/race/sweep.py", "viewer/race/verdict.py",
    "viewer/replay/findings.py", "viewer/replay/fits/likeness.py", "viewer/replay/fits/top.py",
    "viewer/replay/fits/torque.py", "viewer/physics/ensemble.py", "viewer/physics/ode.py", "viewer/physics/rotation.py",
    "viewer/physics/exact/", "viewer/common/ring_buffer.py",
)  # fmt: skip
NOT_SHOWN = {  # names of items, parts of the frame, words to search by, what other programs write, formats of files
    "viewer/__init__.py": ["module 'viewer' has no attribute \0"],
    "viewer/app/frames.py": ["last snapshot"],
    "viewer/cli/options.py": ["any field, such as",
                              "as last time"],
    "viewer/cli/window.py": ["Shows how a rigid body turns", "SCENE is a scene file", "or one of the presets",
                             "poinsot render "],
    "viewer/common/frozen.py": [" is _absent else "],  # a line of code
    "viewer/common/quantities.py": ["slug ft", "lb in", "\0 is not finite"],
    "viewer/export/console.py": ["it is closed"],
    "viewer/export/picture_files.py": ["PNG, any size, transparent if asked", "JPEG stereo: both eyes, the right view",
                                        "multi-picture: both eyes, as stereo cameras write them"],
    "viewer/export/offscreen.py": ["not loaded", "eglCreateContext failed"],
    "viewer/export/table_files.py": ["the scene of this table"],
    "viewer/export/gltf/scene.py": ["turn about L", "axes of the body", "turns about L"],
    "viewer/export/page/modules.py": [".js declares", ".js: cannot join"],
    "viewer/export/page/pages.py": ["<iframe"],  # HTML, as the next
    "viewer/export/page/shaders.py": ["#version 3", "void main() {", "flat in ", "flat out "],  # GLSL
    "viewer/export/page/words.py": ["<option value=", "<tr><th scope="],
    "viewer/export/page/writer.py": ["<img class=", "<article id="],
    "viewer/physics/integrators.py": ["integrators by name"],
    "viewer/physics/solids/mesh_files/glb.py": ["it names scene", "morph weights",
                                                "it does not begin with glTF", "its first part", "its second part",
                                                "it has \0 nodes", "a node has two parents", "a count is \0",
                                                "asks for bytes", "\0 asks for", "are sparse"],
    "viewer/physics/stepping/compiled.py": ["compiles steps", "First-class function type"],  # numba says it
    "viewer/render/shader_source.py": ["#pragma flat uniforms", "void main() {", "flat in ", "flat out "],  # GLSL
    "viewer/render/renderer.py": ["nothing has been drawn yet"],
    "viewer/replay/formats/recorders.py": ["gyroflow imu log", "format version,", "rotation type"],
    "viewer/replay/formats/stk.py": ["begin attitude"],
    "viewer/scenario/choices/stereo_modes.py": ["only a window has a buffer", "a single picture cannot alternate"],
    "viewer/scenario/embedded.py": ["picture at t = ", "<meta name="],
    "viewer/scenario/scene_file.py": ["no effect here; "],  # a comment in English, as the others there
    "viewer/scenario/sections/motion.py": ["No truncation error", "Does not converge", "conserves nothing"],  # of lines
    "viewer/session/session.py": ["nothing could be shown yet"],
    "viewer/scene/naming/things.py": ["the atlas of assets/fonts lacks"],  # to developers
    "viewer/ui/bars/toolbar.py": ["##stereo modes", "more tools"],
    "viewer/ui/lecture/board.py": ["lecture back", "lecture next", "lecture black", "lecture end"],
    "viewer/ui/overlays/commands.py": ["lecture talk list", "dark blank", "forward remote", "back remote",
                                       "language translation", "tour question"],
    "viewer/ui/overlays/saving.py": ["###cancel saving"],
    "viewer/ui/panel/race_section.py": ["race.add with"],
    "viewer/ui/panel/readouts.py": ["readout matrix", "readout precession", "no matrix is kept", "readout spin",
                                    "readout omega"],
    "viewer/ui/platform/imgui_module.py": ["imgui-bundle is not installed"],
    "viewer/ui/plots/head.py": ["close plots", "more of the plots"],
    "viewer/ui/panel/parts_form.py": ["kinds of parts"],
    "viewer/ui/panel/head.py": ["##where the numbers come from"],
    "viewer/ui/view/scene_view.py": ["nothing has been drawn that could be dragged"],
    "viewer/workspace/transitions.py": ["beside an inset"],
}  # fmt: skip
# of fields that no control shows: the manual has them, which is English
IN_MANUAL = ("viewer/scenario/bodies.py", "viewer/scenario/playlists.py", "viewer/scenario/tours.py",
             "viewer/scenario/scenario.py", "viewer/scenario/sections/lesson.py")  # fmt: skip
FIELDS = {"text", "texts", "field", "choice", "number", "integer", "switch", "Entries", "Text"}


def called(node: ast.AST) -> str:
    """The name of the function that is called."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def sentences(tree: ast.AST, silent: set[str]) -> Iterator[tuple[int, str]]:
    """The lines and texts of a module that are no docstrings, in no f-string again and in no call of `silent`."""
    passed: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for part in body if isinstance(body, list) else []:
            if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
                passed.add(id(part.value))
        if called(node) in silent:
            passed.update(id(part) for part in [*node.args, *(one.value for one in node.keywords)])  # type: ignore[attr-defined]
        if isinstance(node, ast.JoinedStr):
            passed.update(map(id, node.values))
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else PLACE for part in node.values)
            yield node.lineno, "".join(map(str, parts))


def untranslated(tree: ast.AST, known: list[str], silent: set[str]) -> list[tuple[int, str]]:
    """The sentences that nobody could translate; `known`: those in the registries."""

    def stands(text: str) -> bool:
        if PLACE not in text:
            return text in known
        pattern = re.compile(".+".join(map(re.escape, text.split(PLACE))), re.DOTALL)
        return any(map(pattern.fullmatch, known))

    found = ((line, text) for line, text in sentences(tree, silent) if WORDS.search(text))
    return [(line, text) for line, text in found if not stands(text)]


def test_every_sentence_in_the_code_can_be_translated():
    known = [text for text, _, _ in collect_texts.texts()]
    found, used = [], set()
    for path in sorted((ROOT / "viewer").rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        if where.startswith(ENGLISH) and where not in ("viewer/cli/window.py", "viewer/cli/options.py"):
            continue
        silent = TRANSLATED | ITEMS | (FIELDS if where in IN_MANUAL else set())
        if where.startswith("viewer/cli/"):
            silent |= {"add", "add_argument", "command_parser", "set_option"}
        for line, text in untranslated(ast.parse(path.read_text(encoding="utf-8")), known, silent):
            reason = next((part for part in NOT_SHOWN.get(where, ()) if part in text), None)
            used.add((where, reason))
            if reason is None:
                found.append(f"{where}:{line}: {text.replace(PLACE, '{}')}")
    assert found == [], "put these into tr(), marked(), refusal() or Wording()"
    assert {(where, part) for where, parts in NOT_SHOWN.items() for part in parts} - used == set(), (
        "no exception needed"
    )


def test_the_check_finds_a_sentence_of_its_own_and_one_with_a_value():
    tree = ast.parse(
        '"""A docstring here."""\nshow("no such file")\nshow(tr("all is well"))\nraise E(f"{x} is too large")'
    )
    assert untranslated(tree, [], TRANSLATED) == [(2, "no such file"), (4, "\0 is too large")]
    assert untranslated(tree, ["no such file", "mass is too large"], TRANSLATED) == []
