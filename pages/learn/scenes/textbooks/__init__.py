"""Scenes about rules on which textbooks differ or err, each as a small experiment."""
