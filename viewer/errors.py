"""What a user can get wrong, and what a machine can lack: each error is one line that can be shown as it is."""


class SceneError(ValueError):
    """A scene, or an argument, that cannot be used: names the field, the value got and what is allowed."""


class GraphicsError(RuntimeError):
    """This machine cannot draw: says what is missing."""


PACKAGES = "on Debian: apt-get install libegl1 libgl1"  # what a machine without OpenGL needs
