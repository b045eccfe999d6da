"""What an algorithm can choose between: each choice with its definition as a function of statistics."""
