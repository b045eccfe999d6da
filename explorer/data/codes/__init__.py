"""Numbers → codes, by compiled loops, and what repeats among codes."""
