"""Read studies, analyses and notes as each reader may see them."""
