"""The base layer: the site's policy, health and upkeep."""
