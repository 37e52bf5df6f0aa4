"""The base layer: the site's numbers, whether it is well, and what keeps it so."""
