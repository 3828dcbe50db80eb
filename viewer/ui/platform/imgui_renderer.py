"""Draws Dear ImGui's draw data with moderngl: textures on demand, one buffer for corners, one for indices."""

import ctypes
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np

from viewer.common import resources
from viewer.render.framebuffers import plain_state
from viewer.render.program import Program
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui

Viewport = tuple[int, int, int, int]

FIRST_VERTICES = 1 << 15  # corners that the buffer holds at first: 20 bytes each


class ImguiRenderer:
    """Owns the GL objects of one ImGui context. Pixels are the interface's own; the origin is the upper left."""

    def __init__(self, ctx: moderngl.Context) -> None:
        """`ctx`: the context to draw with; an ImGui context must be current."""
        self._ctx: Any = ctx
        self._program = ctx.program(
            vertex_shader=resources.read_text("shaders", "ui.vert"),
            fragment_shader=resources.read_text("shaders", "ui.frag"),
        )
        self._program["atlas"] = 0
        self._textures: dict[int, moderngl.Texture] = {}
        self._layer: OffscreenLayer | None = None  # where it is needed
        self._vertices = ctx.buffer(reserve=FIRST_VERTICES * imgui.VERTEX_SIZE, dynamic=True)
        self._indices = ctx.buffer(reserve=FIRST_VERTICES * 2 * imgui.INDEX_SIZE, dynamic=True)
        self._vertex_array = self._make_vertex_array()
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

    def draw(self, framebuffer: Any, parts: Sequence[Rect], window_height: int) -> None:
        """Draws what `imgui.render()` left into each of these parts of a window, over what is there.

        A part is as large as the interface, or half as wide or high, where it is squeezed.
        """
        self._serve_textures()
        data = imgui.get_draw_data()
        size = int(data.display_size.x), int(data.display_size.y)
        if min(size) <= 0 or data.cmd_lists_count == 0:
            return
        viewports = [part.viewport(window_height) for part in parts]
        with plain_state(self._ctx):
            if all(part.size == size for part in parts):
                self._draw_lists(data, framebuffer, size, viewports)
            else:
                self._layer = self._layer or OffscreenLayer(self._ctx)
                self._draw_lists(data, self._layer.cleared(size), size, [(0, 0, *size)])
                self._layer.put(framebuffer, viewports)

    def read(self, size: tuple[int, int], ground: tuple[float, float, float]) -> Any:
        """The same in an interface of `size` pixels over one colour: (H, W, 3), the top row first."""
        width, height = size
        target = self._ctx.framebuffer([self._ctx.texture(size, 4)])
        target.clear(*ground, 1.0)
        self.draw(target, [Rect(0, 0, width, height)], height)
        pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(height, width, 3)
        if self._ctx.screen is not None:
            self._ctx.screen.use()  # moderngl goes on binding a released framebuffer
        target.color_attachments[0].release()
        target.release()
        return pixels[::-1]

    def _draw_lists(self, data: Any, framebuffer: Any, size: tuple[int, int], viewports: Sequence[Viewport]) -> None:
        """Draws all command lists into each of the viewports, which have the interface's size."""
        ctx = self._ctx
        framebuffer.use()
        ctx.enable_only(moderngl.BLEND)
        ctx.blend_equation = moderngl.FUNC_ADD
        kept = moderngl.ONE_MINUS_SRC_ALPHA
        ctx.blend_func = moderngl.SRC_ALPHA, kept, moderngl.ONE, kept
        self._program["display_size"] = size
        for commands in data.cmd_lists:
            self._draw_list(commands, framebuffer, size, viewports)
        framebuffer.scissor = None  # before anything else is drawn there

    def _draw_list(self, commands: Any, framebuffer: Any, size: tuple[int, int], viewports: Sequence[Viewport]) -> None:
        """Draws one command list; a command's clip rectangle is (left, top, right, bottom) in pixels."""
        self._upload(commands)
        width, height = size
        used = seen = None
        for command in commands.cmd_buffer:
            clip = command.clip_rect
            left, top = max(0, int(clip.x)), max(0, int(clip.y))
            right, bottom = min(width, int(clip.z)), min(height, int(clip.w))
            if right <= left or bottom <= top or command.elem_count == 0:
                continue
            texture = command.tex_ref.get_tex_id()
            if texture != used:
                self._textures[texture].use(0)
                used = texture
            for viewport in viewports:
                x, y = viewport[:2]
                if viewport != seen:
                    self._ctx.viewport = seen = viewport
                framebuffer.scissor = (x + left, y + height - bottom, right - left, bottom - top)
                self._vertex_array.render(moderngl.TRIANGLES, vertices=command.elem_count, first=command.idx_offset)

    def _upload(self, commands: Any) -> None:
        """Brings a list's corners and indices into the buffers, enlarging them where they are too small."""
        vertex_bytes = commands.vtx_buffer.size() * imgui.VERTEX_SIZE
        index_bytes = commands.idx_buffer.size() * imgui.INDEX_SIZE
        if vertex_bytes > self._vertices.size or index_bytes > self._indices.size:
            self._release_buffers()
            self._vertices = self._ctx.buffer(reserve=max(2 * vertex_bytes, 1), dynamic=True)
            self._indices = self._ctx.buffer(reserve=max(2 * index_bytes, 1), dynamic=True)
            self._vertex_array = self._make_vertex_array()
        for buffer, vector, size in (
            (self._vertices, commands.vtx_buffer, vertex_bytes),
            (self._indices, commands.idx_buffer, index_bytes),
        ):
            if size:
                buffer.orphan()
                buffer.write((ctypes.c_ubyte * size).from_address(vector.data_address()))

    def add_texture(self, size: tuple[int, int], rgba: bytes, shrinks: bool = False) -> int:
        """A picture of `size` pixels to draw with, also much smaller where it `shrinks`; returns what ImGui knows it
        by. It stays until the release."""
        created = self._ctx.texture(size, 4, rgba)
        if shrinks:
            created.build_mipmaps()
        created.filter = (moderngl.LINEAR_MIPMAP_LINEAR if shrinks else moderngl.LINEAR, moderngl.LINEAR)
        self._textures[created.glo] = created
        return int(created.glo)

    def _serve_textures(self) -> None:
        """Creates, updates and deletes the textures that ImGui asks for."""
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
        """Deletes every GL object and tells ImGui that its textures are gone; the ImGui context must be current."""
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


class OffscreenLayer:
    """The ui in a texture of its own, premultiplied by its opacity, from which it is put into the window squeezed."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx: Any = ctx
        self._program = Program(ctx, "fullscreen.vert", "ui_layer.frag")
        self._array = ctx.vertex_array(self._program.program, [])
        self._texture: Any = None
        self._framebuffer: Any = None

    def cleared(self, size: tuple[int, int]) -> Any:
        """Its framebuffer, of `size` pixels, cleared."""
        if self._texture is None or self._texture.size != size:
            self._release_picture()
            self._texture = self._ctx.texture(size, 4)
            self._framebuffer = self._ctx.framebuffer([self._texture])
        self._framebuffer.clear()
        return self._framebuffer

    def put(self, framebuffer: Any, viewports: Sequence[Viewport]) -> None:
        """Lays it over each of the viewports in `framebuffer`, half as wide or half as high as it is."""
        ctx = self._ctx
        framebuffer.use()
        ctx.enable_only(moderngl.BLEND)
        ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        self._texture.use(0)
        for viewport in viewports:
            ctx.viewport = viewport
            self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Deletes its GL objects."""
        self._release_picture()
        self._array.release()
        self._program.program.release()

    def _release_picture(self) -> None:
        if self._texture is not None:
            self._framebuffer.release()
            self._texture.release()
