"""Every format that tables are read from, written in the same bytes each time: a format is one entry of `FORMATS`."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import sqlite3
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from tests.fuzz.declared import DECLARED
from tests.fuzz.mutations import Damage, mutated_bytes, mutated_text
from tests.fuzz.old_files import OLD_FILES
from tests.fuzz.packing import Write, of_one_type, zipped


def delimited(delimiter: str, suffix: str, encoding: str = "utf-8") -> Write:
    """Text with a delimiter."""

    def write(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
        text = frame.to_csv(index=False, sep=delimiter).encode(encoding, "replace")
        return f"t.{suffix}", damage(text, mutated_text)

    return write


def in_gzip(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """Gzipped text."""
    return "t.csv.gz", gzip.compress(delimited(",", "csv")(frame, damage)[1], mtime=0)


def in_zip(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """Text in a zip archive, sometimes beside another file."""
    return "t.zip", zipped({"t.csv": delimited(";", "csv")(frame, damage)[1], "readme.md": b"# about"})


def _xml(text: object) -> str:
    return escape("".join(character for character in str(text) if character >= " "))


def excel(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A workbook with one sheet."""
    rows = []
    for number, cells in enumerate([list(frame.columns), *frame.to_numpy(dtype=object).tolist()], 1):
        written = "".join(_excel_cell(cell) for cell in cells)
        rows.append(f'<row r="{number}">{written}</row>')
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    document = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    sheet = f'<worksheet xmlns="{main}"><sheetData>{"".join(rows)}</sheetData></worksheet>'
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    members = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
        f'"application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/><Override '
        f'PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{document}'
        '/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{document}"><sheets><sheet name="s" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type='
        f'"{document}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": sheet,
    }
    return "t.xlsx", zipped({name: damage(text.encode("utf-8", "replace"), mutated_text, sheet is text)
                             for name, text in members.items()})  # fmt: skip


def _excel_cell(cell: object) -> str:
    if cell is None:
        return "<c/>"
    if isinstance(cell, int | float):
        return f"<c><v>{cell!r}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{_xml(cell)}</t></is></c>'


def open_document(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """An OpenDocument spreadsheet with one sheet."""
    lines = [
        f"<table:table-row>{''.join(map(_open_document_cell, cells))}</table:table-row>"
        for cells in [list(frame.columns), *frame.to_numpy(dtype=object).tolist()]
    ]
    names = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"' for short in ("office", "table", "text")
    )
    content = (
        f"<office:document-content{names}><office:body><office:spreadsheet>"
        f'<table:table table:name="s">{"".join(lines)}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return "t.ods", zipped(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": damage(content.encode("utf-8", "replace"), mutated_text),
        }
    )


def _open_document_cell(cell: object) -> str:
    if cell is None:
        return '<table:table-cell table:number-columns-repeated="1"/>'
    if isinstance(cell, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{cell!r}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{_xml(cell)}</text:p></table:table-cell>'


def _arrow(frame: pd.DataFrame) -> pa.Table:
    arrays = [pa.array(of_one_type(list(frame.iloc[:, i])), from_pandas=True) for i in range(frame.shape[1])]
    return pa.Table.from_arrays(arrays, [str(name) for name in frame.columns])


def parquet(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A Parquet file."""
    content = io.BytesIO()
    pyarrow.parquet.write_table(_arrow(frame), content)
    return "t.parquet", damage(content.getvalue(), mutated_bytes)


def feather(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A Feather file."""
    content = io.BytesIO()
    pyarrow.feather.write_feather(_arrow(frame), content)
    return "t.feather", damage(content.getvalue(), mutated_bytes)


def json_lines(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A JSON object a line."""
    names = [str(name) for name in frame.columns]
    lines = [json.dumps(dict(zip(names, row, strict=True))) for row in frame.to_numpy(dtype=object).tolist()]
    return "t.jsonl", damage("\n".join(lines).encode(), mutated_text)


def nested_json(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A document with the records in a list within it, and all but their first value in records of their own."""
    names = [str(name) for name in frame.columns]
    rows = [dict(zip(names, row, strict=True)) for row in frame.to_numpy(dtype=object).tolist()]
    first = names[:1]
    records = [{**{k: row[k] for k in first}, "in": {k: v for k, v in row.items() if k not in first}} for row in rows]
    return "t.json", damage(json.dumps({"n": len(rows), "at": {"rows": records}}, indent=1).encode(), mutated_text)


def arff(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """Weka's text format."""
    names = [f"@attribute {json.dumps(str(name))} string" for name in frame.columns]
    rows = [",".join("?" if cell is None else json.dumps(cell) for cell in row)
            for row in frame.to_numpy(dtype=object).tolist()]  # fmt: skip
    return "t.arff", damage("\n".join(["@relation t", *names, "@data", *rows]).encode(), mutated_text)


def keel(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """KEEL's text format: numbers with their range, categories with their levels."""
    heads, columns = [], []
    for i in range(frame.shape[1]):
        cells = of_one_type(list(frame.iloc[:, i]))
        known = [cell for cell in cells if cell is not None]
        if known and all(isinstance(cell, int | float) for cell in known):
            heads.append(f"@attribute v{i} real[{min(known)}, {max(known)}]")  # type: ignore[type-var]
        else:
            heads.append(f"@attribute v{i}{{{', '.join(dict.fromkeys(json.dumps(cell) for cell in known))}}}")
        columns.append(["<null>" if cell is None else json.dumps(cell) for cell in cells])
    rows = [", ".join(row) for row in zip(*columns, strict=True)]
    return "t.dat", damage("\n".join(["@relation t", *heads, "@inputs v0", "@data", *rows]).encode(), mutated_text)


def _column_names(frame: pd.DataFrame) -> list[str]:
    """Names that a database can have: distinct without case, not empty."""
    return [f"{i}{str(name)[:20]}".replace("\0", "").replace('"', '""') for i, name in enumerate(frame.columns)]


def _storable(cell: object) -> object:
    if isinstance(cell, int):
        return cell if abs(cell) < 2**63 else str(cell)
    return cell.replace("\0", "") if isinstance(cell, str) else cell


def sqlite(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A SQLite database with one table."""
    names = _column_names(frame)
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE t (" + ", ".join(f'"{name}"' for name in names) + ")")
        places = ", ".join("?" for _ in names)
        rows = [[_storable(cell) for cell in row] for row in frame.to_numpy(dtype=object).tolist()]
        database.executemany(f"INSERT INTO t VALUES ({places})", rows)
        database.commit()
        return "t.sqlite", damage(database.serialize(), mutated_bytes)


def duckdb_file(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A DuckDB database with one table; DuckDB writes it as a file, in a folder that is removed at once."""
    import duckdb

    names = _column_names(frame)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.duckdb"
        with duckdb.connect(path) as database:
            database.execute("CREATE TABLE t (" + ", ".join(f'"{name}" VARCHAR' for name in names) + ")")
            rows = [[None if cell is None else str(_storable(cell)) for cell in row]
                    for row in frame.head(20).to_numpy(dtype=object).tolist()]  # fmt: skip
            if rows:
                database.executemany(f"INSERT INTO t VALUES ({', '.join('?' for _ in names)})", rows)
        return "t.duckdb", damage(path.read_bytes(), mutated_bytes)


def statistics(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A file of SPSS, Stata or SAS, by the number of rows; their writers write a path, in a folder removed at once."""
    import pyreadstat

    writers = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}
    suffix = list(writers)[len(frame) % 3]
    columns = {f"v{i}": of_one_type(list(frame.iloc[:, i])) for i in range(frame.shape[1])}
    plain = pd.DataFrame({name: [_short(cell) for cell in cells] for name, cells in columns.items()})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t.{suffix}"
        writers[suffix](plain, path)
        return f"t.{suffix}", damage(path.read_bytes(), mutated_bytes)


def _short(cell: object) -> object:
    """A cell as these programs hold it: a float, or a short text without the signs that end one."""
    if cell is None or isinstance(cell, float):
        return cell
    return float(cell) if isinstance(cell, int) else str(cell).replace("\0", "")[:60]


FORMATS: dict[str, Write] = {
    "csv": delimited(",", "csv"),
    "semicolons": delimited(";", "csv", "cp1252"),
    "tsv": delimited("\t", "tsv", "utf-16"),
    "pipes": delimited("|", "txt", "utf-8-sig"),
    "gzip": in_gzip,
    "zip": in_zip,
    "xlsx": excel,
    "ods": open_document,
    "parquet": parquet,
    "feather": feather,
    "json lines": json_lines,
    "nested json": nested_json,
    "arff": arff,
    "keel": keel,
    **DECLARED,
    **OLD_FILES,
    "sqlite": sqlite,
}
with contextlib.suppress(ImportError):
    import duckdb

    assert duckdb
    FORMATS["duckdb"] = duckdb_file
with contextlib.suppress(ImportError):
    import pyreadstat

    assert pyreadstat
    FORMATS["statistics"] = statistics
