"""``python -m duels.hands``: redraw the sprite."""

from duels.hands.draw_hands import main

main()
