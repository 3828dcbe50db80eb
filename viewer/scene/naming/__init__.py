"""The things in the scene, by name and under the pointer."""
