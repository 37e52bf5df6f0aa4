"""The real `./run` stack on free ports with data of its own, for journeys."""
