"""The scenes, one file each: a function that gives its steps, with numbers from the package and no widget."""
