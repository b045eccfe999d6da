"""Small files written by the tools whose formats they have, and what the tool's own reader says of each, as JSON."""
