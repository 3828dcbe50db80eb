"""What only a picture, a film or the gallery needs is given back once it is done or closed."""

import moderngl
import pytest


@pytest.fixture
def live(monkeypatch):
    """The ids of OpenGL's textures and programs that exist, each with its kind."""
    found = {}

    def counted(kind: str) -> None:
        create = getattr(moderngl.Context, kind)

        def created(self, *args, **options):
            made = create(self, *args, **options)
            found[kind, made.glo] = kind
            return made

        monkeypatch.setattr(moderngl.Context, kind, created)

    def forgotten(kind: str, wrapper: type) -> None:
        release = wrapper.release

        def released(self):
            if not isinstance(self.mglo, moderngl.InvalidObject):
                found.pop((kind, self.glo), None)
            release(self)

        monkeypatch.setattr(wrapper, "release", released)

    for kind, wrapper in (("texture", moderngl.Texture), ("program", moderngl.Program)):
        counted(kind)
        forgotten(kind, wrapper)
    return lambda kind: sum(one == kind for one in found.values())


def test_a_picture_leaves_no_shader_and_no_texture_behind(desktop, live):
    shown = desktop(preset="rod")
    before = live("program"), live("texture")
    shown.key("ctrl+p")
    assert shown.message.startswith("Saved ")
    assert (live("program"), live("texture")) == before


def test_a_film_leaves_no_shader_behind(desktop, live):
    shown = desktop(preset="rod")
    before = live("program")
    shown.app.workspace.writer.toggle_film()
    shown.until(lambda: shown.app.workspace.writer.seconds > 0.1)
    assert live("program") > before
    shown.app.workspace.writer.toggle_film()
    assert shown.message.startswith("Saved ")
    assert live("program") == before


def test_the_closed_gallery_leaves_no_pictures_behind(desktop, live):
    shown = desktop()
    shown.settle()
    before = live("texture")
    for _ in range(2):
        shown.key("a")
        shown.settle()
        assert live("texture") > before
        shown.key("Escape")
        shown.settle()
        assert live("texture") == before
