"""The only code that changes notices, deliveries and preferences."""
