"""The demonstration that `./run` loads."""
