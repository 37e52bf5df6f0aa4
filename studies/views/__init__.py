"""Pages of studies, analyses and notes."""
