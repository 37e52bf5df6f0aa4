"""``python -m fm_site.hands``: draw the sprite anew."""

from fm_site.hands.draw_hands import main

main()
