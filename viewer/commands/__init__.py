"""The verbs: the functions that a key, a button, the palette or a tour calls."""
