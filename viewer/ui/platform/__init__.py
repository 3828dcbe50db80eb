"""The window, and what connects Dear ImGui with it."""
