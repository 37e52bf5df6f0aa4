"""Finding an opponent: challenges open to anyone or to some, their seats and answers."""
