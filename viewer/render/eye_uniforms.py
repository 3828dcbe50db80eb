"""What the shaders know of an eye: the uniform block of `shaders/include/eye.glsl`."""

import moderngl
import numpy as np

from viewer.scene.description import Layer
from viewer.scene.stereo.views import EyeView

EYE_BYTES = 224


def write_eye(block: moderngl.Buffer, layer: Layer, view: EyeView) -> None:
    """Fills the block for one of the layer's views."""
    clip, forward = view.clip_from_world, layer.camera.distance
    depth_row, w_row = clip[2, :3], clip[3, :3]
    slope = (depth_row @ w_row) / (w_row @ w_row)  # clip z = slope * w + that of the eye, where w is 0
    eye_depth = clip[2, 3] + depth_row @ view.position
    scale, shift = view.clip_from_whole
    (width, height), (across, up), offset = view.pixels, view.shown_size, view.from_drawn
    rays = np.linalg.inv(clip[(0, 1, 3), :3]) * (2.0 * forward / width, 2.0 * forward / height, forward)
    data = np.zeros(EYE_BYTES // 4, dtype=np.float32)
    data[:16] = clip.T.ravel()
    data[16:19] = view.position
    data[20:23] = layer.scene.key_light
    data[24:27] = layer.scene.camera_forward
    data[28:32] = (width, height, across, up)
    data[32:36] = (*scale, *shift)
    data[36:40] = (offset[0] - 0.5 * width, offset[1] - 0.5 * height, across / width, up / height)
    data[40:43] = (0.5 + 0.5 * slope, 0.5 * eye_depth / forward, forward)
    data[44:56].reshape(3, 4)[:, :3] = rays.T
    block.write(data)
