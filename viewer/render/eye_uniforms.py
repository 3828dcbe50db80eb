"""The data of an eye that the shaders use: the uniform block of `shaders/include/eye.glsl`."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.render.program import EYE_BINDING
from viewer.scene.description import Layer, SceneDescription
from viewer.scene.stereo.views import EyeView

EYE = np.dtype(  # by the rules of std140: each column of a mat3 takes the room of a vec4
    [
        ("clip_from_world", "f4", (4, 4)),
        ("eye_world", "f4", 4),
        ("key_light", "f4", 4),
        ("halfway", "f4", 4),
        ("camera_forward", "f4", 4),
        ("pixels", "f4", 4),
        ("tile", "f4", 4),
        ("origin", "f4", 4),
        ("depths", "f4", 4),
        ("ray_from_pixel", "f4", (3, 4)),
    ]
)


def halfway(scene: SceneDescription) -> NDArray[np.float64]:
    """Return the normal (3,) of a mirror that reflects the key light towards a distant eye between both eyes.

    Both eyes use it and so see the reflection at the same place; with a normal for each eye they would see a lustre.
    """
    between = scene.key_light - scene.camera_forward
    return between / max(float(np.linalg.norm(between)), 1e-9)


class EyeUniforms:
    """The buffer of the uniform block."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._buffer = ctx.buffer(reserve=EYE.itemsize, dynamic=True)

    def use(self, layer: Layer, view: EyeView) -> None:
        """Make all that follows be drawn as one of the layer's views sees it."""
        self._buffer.write(_block(layer, view))
        self._buffer.bind_to_uniform_block(EYE_BINDING)


def _block(layer: Layer, view: EyeView) -> NDArray[np.void]:
    clip, forward = view.clip_from_world, layer.camera.distance
    depth_row, w_row = clip[2, :3], clip[3, :3]
    slope = (depth_row @ w_row) / (w_row @ w_row)  # clip z = slope * w + eye_depth, its value at the eye, where w is 0
    eye_depth = clip[2, 3] + depth_row @ view.position
    scale, shift = view.clip_from_whole
    (width, height), (across, up), offset = view.pixels, view.shown_size, view.from_drawn
    rays = np.linalg.inv(clip[(0, 1, 3), :3]) * (2.0 * forward / width, 2.0 * forward / height, forward)
    eye = np.zeros((), EYE)
    eye["clip_from_world"] = clip.T
    eye["eye_world"][:3] = view.position
    eye["key_light"][:3] = layer.scene.key_light
    eye["halfway"][:3] = halfway(layer.scene)
    eye["camera_forward"][:3] = layer.scene.camera_forward
    eye["pixels"] = (width, height, across, up)
    eye["tile"] = (*scale, *shift)
    eye["origin"] = (offset[0] - 0.5 * width, offset[1] - 0.5 * height, across / width, up / height)
    eye["depths"][:3] = (0.5 + 0.5 * slope, 0.5 * eye_depth / forward, forward)
    eye["ray_from_pixel"][:, :3] = rays.T
    return eye
