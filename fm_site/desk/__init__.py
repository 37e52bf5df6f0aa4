"""The janitors' desk: one page that says what waits for a janitor, and leads to where it is done."""
