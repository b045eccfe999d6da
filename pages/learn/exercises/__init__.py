"""Compute it yourself: blank tables of one node that are checked cell by cell, and sheets of them to print."""
