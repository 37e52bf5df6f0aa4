"""Open pages and programs hear at once that a battle has changed."""
