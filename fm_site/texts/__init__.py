"""The texts of the site in every language."""
