"""Scenes about more trees than one: how sure a tree is, the shortest tree, boosting and bagging."""
