"""Read challenges."""
