"""``python -m duels.hands``: draw the sprite anew."""

from duels.hands.draw_hands import main

main()
