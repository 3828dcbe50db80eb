"""The window and Dear ImGui's way to it."""
