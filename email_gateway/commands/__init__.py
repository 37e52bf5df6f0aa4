"""The commands an email may hold: one module per family, one table, and what each command does."""
