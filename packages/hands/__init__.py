"""The eight drawn signs: finger skeletons in, one SVG sprite out (``python -m packages.hands``)."""
