"""Dear ImGui's draw data drawn with moderngl: textures on demand, one buffer for corners, one for indices.

Both buffers keep their contents until ImGui has laid out another frame.
"""

import ctypes
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import moderngl
import numpy as np

from viewer.common import resources
from viewer.render.framebuffers import RenderTarget, plain_state
from viewer.render.program import Program
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui

Viewport = tuple[int, int, int, int]
Box = tuple[int, int, int, int]  # left, top, right and bottom
Command = tuple[int, Viewport, int, int]  # texture; scissor, the origin lower left; number and first of the indices

FIRST_VERTICES = 1 << 15  # corners that the buffer holds at first: 20 bytes each
INDEX = np.dtype(f"u{imgui.INDEX_SIZE}")
CORNER = np.dtype({"names": ["at"], "formats": ["2f4"], "offsets": [0], "itemsize": imgui.VERTEX_SIZE})


class ImguiRenderer:
    """The GL objects of one ImGui context; positions are pixels of the interface, from its upper left corner."""

    def __init__(self, ctx: moderngl.Context) -> None:
        """`ctx`: the context to draw with; an ImGui context must be current."""
        self._ctx: Any = ctx
        self._program = ctx.program(
            vertex_shader=resources.read_text("shaders", "ui.vert"),
            fragment_shader=resources.read_text("shaders", "ui.frag"),
        )
        self._program["atlas"] = 0
        self._textures: dict[int, moderngl.Texture] = {}
        self._layer: RenderTarget | None = None  # the ui before it is squeezed; colours are premultiplied
        self._layer_array: Any = None
        self._vertices = ctx.buffer(reserve=FIRST_VERTICES * imgui.VERTEX_SIZE, dynamic=True)
        self._indices = ctx.buffer(reserve=FIRST_VERTICES * 2 * imgui.INDEX_SIZE, dynamic=True)
        self._vertex_array = self._make_vertex_array()
        self._taken = -1  # number of the frame that is in the buffers
        self._size = 0, 0  # of the ui in that frame, in pixels
        self._commands: list[Command] = []
        self._covered: list[Box] = []  # what each of its draw lists covers at most, with even edges
        imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures.value
        imgui.get_platform_io().renderer_texture_max_width = ctx.info["GL_MAX_TEXTURE_SIZE"]
        imgui.get_platform_io().renderer_texture_max_height = ctx.info["GL_MAX_TEXTURE_SIZE"]

    def _make_vertex_array(self) -> moderngl.VertexArray:
        array: moderngl.VertexArray = self._ctx.vertex_array(
            self._program,
            [(self._vertices, "2f 2f 4f1", "in_position", "in_texture", "in_color")],
            index_buffer=self._indices,
            index_element_size=imgui.INDEX_SIZE,
        )
        return array

    def draw(self, framebuffer: Any, parts: Sequence[Rect], window_height: int, gray: bool = False) -> None:
        """Draw the result of `imgui.render()` into each of these parts of a window, over its contents.

        A part is as large as the interface, or half as wide or half as high: then the interface is squeezed into it.
        """
        if self._taken != imgui.get_frame_count():
            self._take()
        size = self._size
        if not self._commands:
            return
        self._program["gray"] = gray
        viewports = [part.viewport(window_height) for part in parts]
        with plain_state(self._ctx):
            if all(part.size == size for part in parts):
                self._draw_commands(framebuffer, viewports)
            else:
                self._draw_squeezed(framebuffer, viewports)

    def read(self, size: tuple[int, int], ground: tuple[float, float, float]) -> Any:
        """Return the pixels (H, W, 3) of an interface of `size` pixels over the colour `ground`, the top row first."""
        width, height = size
        target = RenderTarget(self._ctx, size, depth=False)
        target.framebuffer.clear(*ground, 1.0)
        self.draw(target.framebuffer, [Rect(0, 0, width, height)], height)
        pixels = np.frombuffer(target.framebuffer.read(components=3, alignment=1), np.uint8).reshape(height, width, 3)
        if self._ctx.screen is not None:
            self._ctx.screen.use()  # moderngl goes on binding a released framebuffer
        target.release()
        return pixels[::-1]

    def _draw_squeezed(self, framebuffer: Any, viewports: Sequence[Viewport]) -> None:
        """Draw the interface from the buffers into each of the viewports, which are half as wide or half as high."""
        ctx, size = self._ctx, self._size
        if self._layer_array is None:
            self._layer_array = ctx.vertex_array(Program(ctx, "fullscreen.vert", "ui_layer.frag").program, [])
        if self._layer is None or self._layer.size != size:
            if self._layer is not None:
                self._layer.release()
            self._layer = RenderTarget(ctx, size, depth=False)
            self._layer.smooth(True)
        self._layer.framebuffer.clear()
        self._draw_commands(self._layer.framebuffer, [(0, 0, *size)])
        framebuffer.use()
        ctx.enable_only(moderngl.BLEND)
        ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        self._layer.texture.use(0)
        for viewport in viewports:
            ctx.viewport = x, y, width, height = viewport
            across, down = size[0] // width, size[1] // height
            for left, top, right, bottom in disjoint(self._covered):  # the rest of the layer is empty
                low = x + left // across, y + (size[1] - bottom) // down
                framebuffer.scissor = *low, (right - left) // across, (bottom - top) // down
                self._layer_array.render(moderngl.TRIANGLES, vertices=3)
        framebuffer.scissor = None

    def _draw_commands(self, framebuffer: Any, viewports: Sequence[Viewport]) -> None:
        """Draw the interface from the buffers into each of the viewports, which have its size."""
        ctx = self._ctx
        framebuffer.use()
        ctx.enable_only(moderngl.BLEND)
        ctx.blend_equation = moderngl.FUNC_ADD
        kept = moderngl.ONE_MINUS_SRC_ALPHA
        ctx.blend_func = moderngl.SRC_ALPHA, kept, moderngl.ONE, kept
        self._program["display_size"] = self._size
        render, used = self._vertex_array.render, None
        for viewport in viewports:
            ctx.viewport = viewport
            left, low = viewport[:2]
            for texture, (x, y, width, height), count, first in self._commands:
                if texture != used:
                    self._textures[texture].use(0)
                    used = texture
                framebuffer.scissor = left + x, low + y, width, height
                render(moderngl.TRIANGLES, vertices=count, first=first)
        framebuffer.scissor = None  # before anything else is drawn there

    def _take(self) -> None:
        """Copy the result of `imgui.render()` into the buffers, its draw lists one after the other."""
        self._serve_textures()
        data = imgui.get_draw_data()
        self._taken, self._commands, self._covered = imgui.get_frame_count(), [], []
        self._size = width, height = int(data.display_size.x), int(data.display_size.y)
        if min(self._size) <= 0 or data.cmd_lists_count == 0:
            return
        self._make_room(data.total_vtx_count * imgui.VERTEX_SIZE, data.total_idx_count * imgui.INDEX_SIZE)
        before = start = 0  # corners and indices of the lists before
        for commands in data.cmd_lists:
            corners, indices = commands.vtx_buffer.size(), commands.idx_buffer.size()
            if not indices:
                continue
            written = _bytes(commands.vtx_buffer, corners * imgui.VERTEX_SIZE)
            self._vertices.write(written, before * imgui.VERTEX_SIZE)
            at = np.frombuffer(written, CORNER)["at"] / 2.0
            (left, top), (right, bottom) = 2 * np.floor(at.min(axis=0)), 2 * np.ceil(at.max(axis=0))
            self._covered.append(
                (max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom)))
            )
            own = np.frombuffer(_bytes(commands.idx_buffer, indices * imgui.INDEX_SIZE), INDEX)
            self._indices.write(own + INDEX.type(before), start * imgui.INDEX_SIZE)
            for command in commands.cmd_buffer:
                clip, count = command.clip_rect, command.elem_count
                left, top = max(0, int(clip.x)), max(0, int(clip.y))
                right, bottom = min(width, int(clip.z)), min(height, int(clip.w))
                if right > left and bottom > top and count:
                    scissor = left, height - bottom, right - left, bottom - top
                    self._commands.append((command.tex_ref.get_tex_id(), scissor, count, start + command.idx_offset))
            before, start = before + corners, start + indices

    def _make_room(self, vertex_bytes: int, index_bytes: int) -> None:
        """Empty the buffers, and enlarge them if they are too small."""
        if vertex_bytes > self._vertices.size or index_bytes > self._indices.size:
            self._release_buffers()
            self._vertices = self._ctx.buffer(reserve=max(2 * vertex_bytes, 1), dynamic=True)
            self._indices = self._ctx.buffer(reserve=max(2 * index_bytes, 1), dynamic=True)
            self._vertex_array = self._make_vertex_array()
        self._vertices.orphan()
        self._indices.orphan()

    def add_texture(self, size: tuple[int, int], rgba: bytes, shrinks: bool = False) -> int:
        """Add a picture of `size` pixels, with mipmaps if it `shrinks` when drawn; return ImGui's number for it.

        Beyond its edges the picture continues with the colours there. It is kept until it is removed, or the renderer
        released.
        """
        created = self._ctx.texture(size, 4, rgba)
        created.repeat_x = created.repeat_y = False
        if shrinks:
            created.build_mipmaps()
        created.filter = (moderngl.LINEAR_MIPMAP_LINEAR if shrinks else moderngl.LINEAR, moderngl.LINEAR)
        self._textures[created.glo] = created
        return int(created.glo)

    def remove_texture(self, texture: int) -> None:
        """Delete a picture that was added; a layout that shows the picture is from now on drawn without it."""
        self._textures.pop(texture).release()
        self._commands = [command for command in self._commands if command[0] != texture]

    def _serve_textures(self) -> None:
        """Create, update and delete the textures that ImGui asks for."""
        status = imgui.ImTextureStatus
        for texture in imgui.get_platform_io().textures:
            if texture.status == status.want_create:
                pixels = texture.get_pixels_array()
                texture.set_tex_id(self.add_texture((texture.width, texture.height), pixels.tobytes()))
                texture.set_status(status.ok)
            elif texture.status == status.want_updates:
                pixels = np.asarray(texture.get_pixels_array()).reshape(texture.height, texture.width, 4)
                target = self._textures[texture.get_tex_id()]
                for part in texture.updates:
                    x, y, w, h = part.x, part.y, part.w, part.h
                    target.write(pixels[y : y + h, x : x + w].tobytes(), viewport=(x, y, w, h))
                texture.set_status(status.ok)
            elif texture.status == status.want_destroy and texture.unused_frames > 0:
                self._textures.pop(texture.get_tex_id()).release()
                texture.set_tex_id(0)
                texture.set_status(status.destroyed)

    def _release_buffers(self) -> None:
        self._vertex_array.release()
        self._vertices.release()
        self._indices.release()

    def release(self) -> None:
        """Delete every GL object and tell ImGui, whose context must be current, that its textures are gone."""
        for texture in imgui.get_platform_io().textures:
            texture.set_tex_id(0)
            texture.set_status(imgui.ImTextureStatus.destroyed)
        for created in self._textures.values():
            created.release()
        self._textures.clear()
        self._release_buffers()
        self._program.release()
        if self._layer is not None:
            self._layer.release()
            self._layer_array.program.release()
            self._layer_array.release()


def disjoint(boxes: Sequence[Box]) -> Iterator[Box]:
    """Yield boxes that cover the same pixels as `boxes`, and each of them once."""
    edges = sorted({edge for _, top, _, bottom in boxes for edge in (top, bottom)})
    for top, bottom in pairwise(edges):
        done = 0
        for left, right in sorted((left, right) for left, upper, right, lower in boxes if upper <= top < lower):
            if right > max(left, done):
                yield max(left, done), top, right, bottom
                done = right


def _bytes(vector: Any, size: int) -> Any:
    """Return the first `size` bytes of one of ImGui's vectors, without a copy."""
    return (ctypes.c_ubyte * size).from_address(vector.data_address())
