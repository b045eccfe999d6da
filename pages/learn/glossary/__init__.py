"""The glossary: the field's terms in English and Chinese, what each means, and where it appears."""
