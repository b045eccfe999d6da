"""The picture of candidate splits and the bags into which they put rows."""
