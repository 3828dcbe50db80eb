"""The scene in words and numbers."""
