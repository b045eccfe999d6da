"""Parts of pages that several pages show: the frame of a page, trees, tables, controls, downloads."""
