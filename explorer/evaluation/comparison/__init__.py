"""Where two trees differ first, why, and on which rows their predictions agree."""
