"""Forms for challenges."""
