"""The only code that changes how the site runs."""
