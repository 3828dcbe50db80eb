"""Dear ImGui without the rest of imgui-bundle, in half of the time that `import imgui_bundle` takes.

The bundle's own `__init__` also imports asyncio, ssl and its demos (45 of 90 ms); the compiled module needs none of
it. A later `import imgui_bundle` finds this very module and still works.
"""

import importlib
import importlib.util
import sys
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any, TypeAlias


def _load() -> ModuleType:
    """Return the compiled module of imgui-bundle."""
    name = "imgui_bundle._imgui_bundle"
    if name in sys.modules:
        return sys.modules[name]
    package = importlib.util.find_spec("imgui_bundle")
    if package is None:
        raise ModuleNotFoundError("imgui-bundle is not installed", name="imgui_bundle")
    spec = PathFinder.find_spec(name, package.submodule_search_locations)
    if spec is None or spec.loader is None:
        return importlib.import_module(name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


# mypy does not read imgui-bundle, so these names stand for its types
DrawList: TypeAlias = Any  # imgui.ImDrawList
Font: TypeAlias = Any  # imgui.ImFont

imgui: Any = _load().imgui
implot: Any = _load().implot
