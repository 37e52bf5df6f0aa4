"""The API of leagues and cups."""
