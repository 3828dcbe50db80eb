"""Quantities: their units, and how what somebody types is read as one."""
