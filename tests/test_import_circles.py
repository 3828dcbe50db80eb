"""No module imports another one that imports it, directly or on the way, not even for its types alone."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def modules() -> dict[str, Path]:
    """All modules of the program by their names."""
    paths = (ROOT / "viewer").rglob("*.py")
    return {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in paths}


def imported_by(path: Path, known: set[str]) -> set[str]:
    """The modules that one imports anywhere, also within functions and under `TYPE_CHECKING`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {name if name in known else node.module for name in names}
    return found & known


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """The modules of an import circle, each imported by the one before; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other() -> None:
    known = modules()
    assert circle_in({name: imported_by(path, set(known)) - {name} for name, path in known.items()}) == []


def test_a_circle_is_found() -> None:
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) != []
