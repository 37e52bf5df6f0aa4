"""Positions and cards, drawn once as shapes, and written as SVG, PNG or GIF.

They show only public facts. The `alt` of every picture describes it.
"""
