"""A table of which one line can be chosen, as high as its texts in whatever width it has."""
