"""The steps of a turn, each named after a paragraph of the rules. Rulesets put them in order."""
