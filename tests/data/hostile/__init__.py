"""Hostile files by format, each with what reading it must give."""
