"""What one window works on, without OpenGL and Dear ImGui."""
