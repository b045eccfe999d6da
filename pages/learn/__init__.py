"""The Learn page: scenes that are played and asked, exercises, the glossary, and a table that one draws."""
