"""Numbers → codes, by compiled loops, what repeats among codes, and which of them leak the target."""
