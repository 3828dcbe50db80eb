"""The modules of `assets/page/`: joined to one, in which no name is declared twice."""

import pytest

from viewer.common import resources
from viewer.export.page import modules
from viewer.export.page.modules import joined

NAMES = sorted(
    path.name.removesuffix(".js")
    for path in resources.folder("assets").joinpath("page").iterdir()
    if path.name.endswith(".js")
)


def test_all_modules_can_be_joined_and_are_those_that_they_import():
    assert "linear" in NAMES
    source = joined(NAMES)
    assert "function dot(" in source
    assert "\nimport " not in source
    assert "\nexport " not in source


@pytest.fixture
def of_modules(monkeypatch):
    def write(**sources):
        monkeypatch.setattr(modules, "module", sources.__getitem__)

    return write


def test_a_module_comes_once_and_after_those_that_it_imports(of_modules):
    of_modules(
        main='import { one } from "./first.js";\nimport { two } from "./second.js";\nrun(one, two);\n',
        second='import { one } from "./first.js";\nexport const two = 2 * one;\n',
        first="export const one = 1;\n",
    )
    assert joined(["main"]).split() == "const one = 1; const two = 2 * one; run(one, two);".split()


def test_a_name_that_two_modules_declare_is_refused(of_modules):
    of_modules(first="export const length = 1;\n", second="function length() {}\n")
    with pytest.raises(ValueError, match=r"second\.js declares length, which first\.js declares, too"):
        joined(["first", "second"])


@pytest.mark.parametrize("line", ["export default 3;", 'import * as all from "./second.js";', "export { one };"])
def test_what_cannot_be_joined_is_refused(of_modules, line):
    of_modules(first=f"const one = 1;\n{line}\n")
    with pytest.raises(ValueError, match="cannot join"):
        joined(["first"])
