"""The rules of the game, in pure Python: no Django, no clock, no input or output, no global randomness."""
