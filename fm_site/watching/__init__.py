"""The featured board: which battle the site shows, and how it is drawn."""
