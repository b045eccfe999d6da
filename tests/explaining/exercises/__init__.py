"""Exercises: what is asked, checked and explained."""
