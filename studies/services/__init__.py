"""The code that changes studies, analyses and notes."""
