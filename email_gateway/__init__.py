"""Email in, as orders, and email out, as reports: one more entry point, and all sending."""
