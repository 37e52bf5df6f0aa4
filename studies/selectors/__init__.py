"""What each reader may see of studies, analyses and notes."""
