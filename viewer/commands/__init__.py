"""The verbs: what a key, a button, the palette or a tour does."""
