"""Studies of battles: what-if studies on the board, analyses by the bots' search, and sealed notes."""
