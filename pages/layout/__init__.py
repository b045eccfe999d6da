"""The workbench in which every page is laid out: bar, rail, summary line, stage, inspector; its only style sheet."""
