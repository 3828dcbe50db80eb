"""Where the camera stands, and what it has to show."""
