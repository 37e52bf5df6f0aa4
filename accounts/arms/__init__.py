"""Coats of arms: what a name looks like. Pure: the same name, number and edition give the same arms for ever.

`design` reads the arms from the name, `blazons` writes what is to be drawn as one word, and `drawing` draws it.
"""
