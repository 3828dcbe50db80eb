"""A section of the panel, and the texts by which a search finds its rows."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from viewer.common.language import tr
from viewer.scenario.field import Field
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import SECTIONS, Scenario
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.fields import FieldWidgets, has_widget
from viewer.user.settings import default_of, setting_at
from viewer.workspace.workspace import Workspace

Draw = Callable[[Look], object]
Row = tuple[tuple[str, ...], Draw]  # the texts by which it is found, and the function that draws it


class Section:
    """A row for each field of a section of the scene, and below them rows for settings."""

    title = ""  # in English
    settings_shown: tuple[str, ...] = ()  # the paths of these settings

    def __init__(self, workspace: Workspace, controls: FieldWidgets, scene_view: SceneView) -> None:
        self._workspace, self._controls, self._scene_view = workspace, controls, scene_view
        self._session, self._settings, self._state = workspace.session, workspace.settings, workspace.state

    @property
    def key(self) -> str:
        """The name of the section in a scene file."""
        return self.title.lower().replace(" ", "_")

    def draw(self, look: Look) -> None:
        """Draw all rows, as wide as there is room."""
        for name in fields_of(SECTIONS[self.key]):
            self.row(look, f"{self.key}.{name}")
        for path in self.settings_shown:
            self.setting(look, path)

    def row(self, look: Look, path: str) -> None:
        """Draw the row of a field of the scene."""
        self._controls.row(look, path)

    def setting(self, look: Look, path: str) -> None:
        """Draw the row of a setting."""
        new = self._controls.edit(look, path, setting_at(path), self._settings.value(path), default_of(path))
        if new is not None:
            self._settings.change(path, new)

    def form_of(self, path: str) -> Draw | None:
        """Return the form that draws a field together with others, or None if the field has a row of its own."""
        return None

    def rows(self) -> Iterator[Row]:
        """Yield the rows that a search can find; a form is found by each of its fields."""
        for path, field in fields(self._session.scenario, self.key):
            form = self.form_of(path)
            if form is not None or has_widget(field):
                texts = (*texts_of(path, field), *waiting_for(self._session.scenario, path))
                yield texts, form or partial(self.row, path=path)
        for path in self.settings_shown:
            yield texts_of(path, setting_at(path)), partial(self.setting, path=path)


def fields(scenario: Scenario, section: str) -> Iterator[tuple[str, Field]]:
    """Yield (path, field) for the fields of a section that have an effect in this scene.

    The mass of a mesh is always among them, as it can be given in place of the density.
    """
    for name, field in fields_of(SECTIONS[section]).items() if section in SECTIONS else ():
        path = f"{section}.{name}"
        if scenario.has_effect(path) or (path, scenario.body.shape) == ("body.mass", "mesh"):  # it can be given
            yield path, field


def texts_of(path: str, field: Field) -> tuple[str, ...]:
    """Return the texts by which a row is found, in English and in the user's language."""
    words = [word for word in (field.label, field.description, field.keywords) if word]
    return (*words, *(tr(word) for word in words), field.symbol, path, path.replace("_", " "))


def waiting_for(scenario: Scenario, path: str) -> Iterator[str]:
    """Yield the texts of the fields that have no effect because the field at `path`, in the same section, is off."""
    section = path.partition(".")[0]
    for name, field in fields_of(SECTIONS[section]).items():
        if field.when is not None and field.when[0] == path and not scenario.value(path):
            yield from texts_of(f"{section}.{name}", field)


def fits(query: str, texts: Sequence[str]) -> bool:
    """Return whether every word of `query` is in one of the texts."""
    texts = [text.casefold() for text in texts]
    return all(any(word in text for text in texts) for word in query.casefold().split())


def fits_title(query: str, title: str) -> bool:
    """Return whether a query begins a section's title, in English or in the user's language."""
    return any(name.casefold().startswith(query.casefold().strip()) for name in (title, tr(title)))
