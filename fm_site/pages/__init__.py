"""The pages of the whole site, and those that need more than one app."""
