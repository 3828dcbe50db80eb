"""The plots above the timeline."""
