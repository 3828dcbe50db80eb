"""The constructions and what is drawn of them."""
