"""Reading reports and the journal."""
