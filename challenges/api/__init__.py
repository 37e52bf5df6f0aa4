"""The API of challenges."""
