"""The life of a battle: terms, orders, turns, events, deadlines, reports and its live page."""
