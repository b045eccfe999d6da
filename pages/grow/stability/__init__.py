"""The tab about the stability of the grown tree: resamples, root features, the selected node, and the trees."""
