"""Pictures of several trees: rows left out, all trees of a depth, boosting by rounds, bootstrap samples."""
