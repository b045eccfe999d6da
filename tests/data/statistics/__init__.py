"""Small files of SPSS, Stata and SAS, written by pyreadstat: `python -m tests.data.statistics.write`."""
