"""Pages about email."""
