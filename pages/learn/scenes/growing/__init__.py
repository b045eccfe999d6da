"""Scenes about growing: impurity, the choice of a split, ID3, C4.5 and CART."""
