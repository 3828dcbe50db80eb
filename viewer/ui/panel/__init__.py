"""The panel: a section of it is a class made from `Section`."""
