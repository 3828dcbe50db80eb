"""The panel, whose sections are classes made from `Section`."""
