"""Names, numbers, ticks and legends in the scene."""
