"""The tree as an SVG picture for print and slides."""
