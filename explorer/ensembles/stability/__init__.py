"""How stable a tree is under resampling of its rows, and how far apart two trees are."""
