"""What one reads and studies beside a battle: the rulebook, lessons and puzzles, what-if studies on the board, analyses
by the bots' search, and sealed notes."""
