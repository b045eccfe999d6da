"""How trees grow: bags, cuts, groupings, measures of impurity, and what a split tells."""
