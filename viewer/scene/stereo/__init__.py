"""The two eyes: where they stand, what they see, and what they bear."""
