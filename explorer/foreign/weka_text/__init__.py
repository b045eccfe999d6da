"""Trees of Weka from the text that it prints."""
