"""Reading notices and preferences."""
