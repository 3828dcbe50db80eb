"""Measures what the tests notice: changes one thing in a function of the program, runs the tests that call it, and says
which changes no test noticed.

    python tests/tools/mutants.py --rooms physics session --count 60 --seed 1

Nothing is written into the source: the tests are collected once, and each mutant lives in a fork of that process, in
which the function's code is replaced. A first fork traces which test calls which function, and what each test costs;
a mutant then meets the tests that call its function, the cheapest first, until one fails or `--seconds` of processor
time are over. Of a parametrized test only the first `--cases` cases run, and no test marked slow.
"""

import argparse
import ast
import copy
import gc
import json
import os
import random
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("physics", "scenario", "session", "scene", "replay")
OTHER_OPERATOR: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or,
    ast.Or: ast.And,
}  # fmt: skip
ALIVE, KILLED = 0, 1


@dataclass(frozen=True)
class Mutant:
    """A change of one node: its file, its number in a walk of the tree, its line, and a description."""

    file: Path
    node: int
    line: int
    change: str

    @property
    def room(self) -> str:
        return self.file.relative_to(ROOT / "viewer").parts[0]

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}: {self.change}"


def change_of(node: ast.AST) -> tuple[str, Callable[[Any], None]] | None:
    """Return a possible change of a node: its description, and the function that makes it to such a node."""
    match node:
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) if type(op) in OTHER_OPERATOR:
            other = OTHER_OPERATOR[type(op)]
            return f"{type(op).__name__} -> {other.__name__}", lambda n: setattr(n, "op", other())
        case ast.Compare(ops=[op]) if type(op) in OTHER_OPERATOR:
            other = OTHER_OPERATOR[type(op)]
            return f"{type(op).__name__} -> {other.__name__}", lambda n: setattr(n, "ops", [other()])
        case ast.UnaryOp(op=ast.USub()):
            return "without the minus", lambda n: setattr(n, "op", ast.UAdd())
        case ast.UnaryOp(op=ast.Not()):
            return "without the not", lambda n: setattr(n, "operand", _negated(n.operand))
        case ast.Constant(value=bool() as value):
            return f"{value} -> {not value}", lambda n: setattr(n, "value", not value)
        case ast.Constant(value=int() | float() as value):
            new = value + 1 if isinstance(value, int) else 1.5 * value + (value == 0.0)
            return f"{value} -> {new}", lambda n: setattr(n, "value", new)
        case ast.If() | ast.IfExp() | ast.While():
            return f"{type(node).__name__} with the opposite condition", lambda n: setattr(n, "test", _negated(n.test))
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            return "returns None", lambda n: setattr(n, "value", ast.Constant(None))
    return None


def _negated(condition: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), condition)


def _inside_functions(tree: ast.AST) -> set[ast.AST]:
    """Return the nodes in bodies of functions, except error messages, assertions and annotations."""
    found: set[ast.AST] = set()

    def visit(node: ast.AST, inside: bool) -> None:
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr):
            return
        if inside:
            found.add(node)
        if isinstance(node, ast.FunctionDef):
            for part in node.body:
                visit(part, True)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                visit(node.value, inside)
        else:
            for part in ast.iter_child_nodes(node):
                visit(part, inside)

    visit(tree, False)
    return found


def mutants_of(file: Path) -> Iterator[Mutant]:
    """Return every mutant of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    inside = _inside_functions(tree)
    for number, node in enumerate(ast.walk(tree)):
        change = change_of(node) if node in inside else None
        if change is not None:
            yield Mutant(file, number, getattr(node, "lineno", 0), change[0])


def code_pairs(mutant: Mutant) -> list[tuple[CodeType, CodeType]]:
    """Return the code objects that the mutant changes, each with its changed version, the outermost function first."""
    tree = ast.parse(mutant.file.read_text(encoding="utf-8"))
    changed = copy.deepcopy(tree)
    node = next(node for number, node in enumerate(ast.walk(changed)) if number == mutant.node)
    change = change_of(node)
    assert change is not None
    change[1](node)
    ast.fix_missing_locations(changed)
    found = []

    def compare(old: CodeType, new: CodeType) -> None:
        if old == new:
            return
        if old.co_flags & 0x1:  # CO_OPTIMIZED: of a function, not of a module or a class
            found.append((old, new))
        inner = [[part for part in code.co_consts if isinstance(part, CodeType)] for code in (old, new)]
        if len(inner[0]) == len(inner[1]):  # else the compiler left one out, whose branch is never taken
            for pair in zip(*inner, strict=True):
                compare(*pair)

    compare(*(compile(part, str(mutant.file), "exec") for part in (tree, changed)))
    return found


def functions_of(code: CodeType, file: Path) -> list[FunctionType]:
    """Return the functions of the running program that have this code."""
    return [
        function
        for function in gc.get_objects()
        if isinstance(function, FunctionType) and function.__code__ == code and Path(code.co_filename) == file
    ]


def in_a_fork(work: Callable[[], int], seconds: float) -> int:
    """Return the exit status of `work` in a fork of this process, KILLED if it takes more than `seconds` of
    processor time or twenty times that by the clock."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(20 * seconds))  # s by the clock, on a busy machine as well
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        status = KILLED
        try:
            status = work()
        finally:
            os._exit(status)
    _, waited = os.waitpid(child, 0)
    return ALIVE if waited == 0 else KILLED


class Hunt:
    """The plugin of pytest that runs the mutants instead of the tests."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.fates: dict[str, Counter[str]] = defaultdict(Counter)
        self.alive: list[str] = []

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keeps the first cases of each test that is not slow."""
        cases: Counter[str] = Counter()
        kept = []
        for item in items:
            name = item.nodeid.partition("[")[0]
            cases[name] += 1
            if cases[name] <= self.options.cases and item.get_closest_marker("slow") is None:
                kept.append(item)
        items[:] = kept

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        calls, costs = self._trace(session)
        chance = random.Random(self.options.seed)
        share = self.options.count // len(self.options.rooms)
        for room in self.options.rooms:
            files = sorted((ROOT / "viewer" / room).rglob("*.py"))
            every = [mutant for file in files for mutant in mutants_of(file)]
            chance.shuffle(every)
            tried = 0
            for mutant in every:
                if tried == share:
                    break
                pairs = code_pairs(mutant)
                if not pairs or not functions_of(pairs[0][0], mutant.file):
                    continue  # nothing at run time, or a file that no test imports
                outermost = pairs[0][0]
                tried += 1
                name = f"{mutant.file.relative_to(ROOT)}:{outermost.co_qualname}"
                tests = sorted(calls.get(name, ()), key=costs.__getitem__)
                fate = self._try(session, mutant, pairs, tests, costs)
                self.fates[room][fate] += 1
                print(f"{fate:9} {mutant}  ({outermost.co_qualname}, {len(tests)} tests)", flush=True)
        return True

    def _trace(self, session: pytest.Session) -> tuple[dict[str, list[int]], list[float]]:
        """Return the tests that call each function, and each test's seconds; from the file of an earlier run if any.

        The key of a function is "file:qualname".
        """
        file = Path(self.options.trace)
        names = [item.nodeid for item in session.items]
        if not file.exists():
            in_a_fork(lambda: self._traced(session, file), 36_000)
        kept = json.loads(file.read_text())
        costs = [kept["costs"].get(name, 1e9) for name in names]
        numbers = {name: number for number, name in enumerate(names)}
        calls = {
            function: [numbers[name] for name in tests if name in numbers] for function, tests in kept["calls"].items()
        }
        return calls, costs

    def _traced(self, session: pytest.Session, file: Path) -> int:
        calls: dict[str, list[str]] = defaultdict(list)
        costs: dict[str, float] = {}
        seen: set[CodeType] = set()
        program = str(ROOT / "viewer")

        def note(frame: FrameType, event: str, argument: Any) -> None:
            seen.add(frame.f_code)

        for number, item in enumerate(session.items):
            seen.clear()
            failed, begun = session.testsfailed, time.process_time()
            sys.settrace(note)
            following = session.items[number + 1] if number + 1 < len(session.items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            sys.settrace(None)
            if session.testsfailed > failed:
                continue  # one that fails by itself notices nothing
            costs[item.nodeid] = time.process_time() - begun
            for code in seen:
                if code.co_filename.startswith(program):
                    calls[f"{Path(code.co_filename).relative_to(ROOT)}:{code.co_qualname}"].append(item.nodeid)
        file.write_text(json.dumps({"calls": calls, "costs": costs}))
        return ALIVE

    def _try(
        self,
        session: pytest.Session,
        mutant: Mutant,
        pairs: list[tuple[CodeType, CodeType]],
        tests: list[int],
        costs: list[float],
    ) -> str:
        """Return "killed", "alive", or "uncalled" if no test calls the function."""
        if not tests:
            self.alive.append(f"{mutant}  (no test calls it)")
            return "uncalled"

        def run() -> int:
            for old, new in pairs:
                for function in functions_of(old, mutant.file):
                    function.__code__ = new
            spent, chosen = 0.0, []
            for number in tests:
                spent += costs[number]
                if spent > self.options.seconds and chosen:
                    break
                chosen.append(number)
            for place, number in enumerate(chosen):
                following = session.items[chosen[place + 1]] if place + 1 < len(chosen) else None
                session.config.hook.pytest_runtest_protocol(item=session.items[number], nextitem=following)
                if session.testsfailed:
                    return KILLED
            return ALIVE

        if in_a_fork(run, 5 * self.options.seconds + 10) != ALIVE:
            return "killed"
        self.alive.append(str(mutant))
        return "alive"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", nargs="+", default=list(ROOMS), help="of the program, whose functions are changed")
    parser.add_argument("--tests", nargs="+", default=None, help="that are run; without: those of the rooms")
    parser.add_argument("--count", type=int, default=50, help="mutants, the same number in each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=2, help="of each parametrized test")
    parser.add_argument("--seconds", type=float, default=10.0, help="processor time for the tests of a mutant")
    parser.add_argument(
        "--trace", default="/tmp/poinsot-test-calls.json", help="where it is kept which test calls what"
    )
    options = parser.parse_args()
    hunt = Hunt(options)
    tests = options.tests or [str(ROOT / "tests" / room) for room in options.rooms]
    pytest.main(
        ["-p", "no:cacheprovider", "-o", "addopts=", "-p", "no:terminal", "--rootdir", str(ROOT), *tests],
        plugins=[hunt],
    )
    for room, fates in hunt.fates.items():
        tried = sum(fates.values())
        print(f"{room:10} {fates['killed']} of {tried} killed ({fates['killed'] / tried:.0%})  {dict(fates)}")
    print("\n".join(("alive:", *hunt.alive)))


if __name__ == "__main__":
    main()
