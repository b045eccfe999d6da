"""Data, splits, scores and decision regions as Plotly figures."""
