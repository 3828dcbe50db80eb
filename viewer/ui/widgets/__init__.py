"""The widgets and the look of the ui, made from Dear ImGui."""
