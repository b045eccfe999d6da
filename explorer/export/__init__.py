"""The tree in other forms: text, code, ONNX, PMML, SQL, DOT, office files, and a report with its script."""

from explorer.export.c_header import to_c
from explorer.export.dot import to_dot
from explorer.export.estimator import to_sklearn
from explorer.export.javascript import to_javascript
from explorer.export.onnx_model import to_onnx
from explorer.export.pmml import to_pmml
from explorer.export.python import to_python
from explorer.export.sql import to_sql
from explorer.export.text import to_listing, to_text

__all__ = [
    "to_c",
    "to_dot",
    "to_javascript",
    "to_listing",
    "to_onnx",
    "to_pmml",
    "to_python",
    "to_sklearn",
    "to_sql",
    "to_text",
]
