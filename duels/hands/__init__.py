"""The eight signs of the board, drawn from the joints of fingers, so that all hands look alike and one width of line or
one joint is changed in one place. ``python -m duels.hands`` writes the SVG sprite."""
