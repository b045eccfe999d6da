"""Undo and redo of steps: the keys and buttons, and the words of a step."""
