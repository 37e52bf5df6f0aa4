"""The orders that a mail may hold: one table, one entry each, and what each of them does."""
