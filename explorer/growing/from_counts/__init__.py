"""Growing from counts alone: level by level, every split exact, whatever engine did the counting."""
