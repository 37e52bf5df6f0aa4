"""Pages of battles, rulesets and records. The ladder's pages are here too, as they name rulesets and openings."""
