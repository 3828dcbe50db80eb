"""The objects of one window, without OpenGL and Dear ImGui."""
