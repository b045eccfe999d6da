"""The Compare page: two or three trees side by side and their first difference."""
