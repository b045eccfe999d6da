"""Hostile text files."""

import math
import random

from tests.data.hostile.case import SMALL, Case

ROWS = b"a,b\n" + b"1,x\n" * 100_000
LONG = 1234567890123456789


def wide(names: bytes, columns: int) -> bytes:
    return b",".join([names] * columns) + b"\n" + b",".join([b"1"] * columns) + b"\n"


NOT_TABLES = [
    Case("empty.csv", b"", said="'empty.csv' is empty"),
    Case("blank.csv", b" \r\n\n  \n", said="nothing but blank lines"),
    Case("only_mark.csv", b"\xef\xbb\xbf", said="nothing but blank lines"),
    Case("only_header.csv", b"a,b\n", said="no rows"),
    Case("only_comments.csv", b"# a\n# b\n", said="nothing but comments"),
    Case("zeros.csv", b"\x00" * 5000, said="nothing but zero bytes"),
    Case("random.csv", lambda: random.Random(1).randbytes(5000), said="not a text file"),
    Case("page.csv", b"\n <!DOCTYPE html><html><table></table>", said="web page"),
    Case("paper.csv", b"%PDF-1.7\n", said="PDF"),
    Case("code.pkl", b"\x80\x04\x95\x0c\x00cos\nsystem\n", said="could run code"),
    Case("feed.xml", b"<?xml version='1.0'?><a/>", said="XML"),
    Case("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 9, said="without a workbook"),
    Case("locked.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), said="password"),
    Case("array.npy", b"\x93NUMPY\x01\x00", said="NumPy"),
]

BYTES = [
    Case(
        "stray_nul.csv", b"a,b\n1,2\n3\x00,4\n", said="Line 3 of 'stray_nul.csv' has a control character (0x00, byte 10"
    ),
    Case("late_nul.csv", ROWS + b"\x00,y\n", said="Line 100002"),
    Case("control.csv", b"a,b\n1,2\n" * 300 + b"3,\x1a\n", said="(0x1a, byte"),
    Case("return.csv", b"a,b\r1,x\r2,y\r", (2, 2), (1, "b", "y")),
    Case("mixed_ends.csv", b"a,b\r\n1,x\r2,y\n3,z", (3, 2), (2, "b", "z")),
    Case("mark.csv", "\ufeffä,b\n1,2\n".encode(), (1, 2), (0, "ä", 1)),
    Case("marks.csv", "\ufeffa,b\n1,\ufeff2\n".encode(), (1, 2), (0, "b", "\ufeff2")),
    Case("utf16.csv", "a,b\n1,ж\n".encode("utf-16"), (1, 2), (0, "b", "ж")),
    Case("utf16_unmarked.csv", "a,b\n1,x\n".encode("utf-16-be"), (1, 2), (0, "a", 1)),
    Case("utf16_odd.csv", "a,b\n1,2\n".encode("utf-16")[:-1], said="starts like UTF-16"),
    Case("utf16_surrogate.csv", b"\xff\xfea\x00\n\x00\x00\xd8\n\x00", said="starts like UTF-16"),
    Case("utf32.csv", "a,b\n1,ß\n".encode("utf-32"), (1, 2), (0, "b", "ß")),
    Case("chinese.csv", "名,数\n青绿,1\n乌黑,2\n".encode("gb18030"), (2, 2), (0, "名", "青绿")),
    Case("euro.csv", "preis €,n\n1,Müller\n".encode("cp1252"), (1, 2), (0, "n", "Müller")),
    Case("bad_utf8.csv", "a,b\nжжжж,1\n".encode() + b"\xff,2\n", said="Line 3 of 'bad_utf8.csv' has a byte (0xff)"),
    Case("late_bad_utf8.csv", "ж,b\n".encode() * 90_000 + b"\xff,2\n", said="Line 90001"),
    Case("surrogate_bytes.csv", "жжжжжж,б\n".encode() + b"\xed\xa0\x80,2\n", said="Line 2"),
    Case("emoji.csv", "who,n\n👩‍👩‍👧,1\n".encode(), (1, 2), (0, "who", "👩‍👩‍👧")),
]

QUOTES = [
    Case("open_quote.csv", b'a,b\n1,"2\n' + b"3,4\n" * 50, said="never closed"),
    Case("open_quote_late.csv", ROWS + b'1,"x\n', said="never closed"),
    Case("after_quote.csv", b'a,b\n"x"y,1\n', (1, 2), (0, "a", "xy")),
    Case("line_in_cell.csv", b'a,b\n"x\ny",1\n', (1, 2), (0, "a", "x\ny")),
    Case("short_row.csv", b"a,b,c\n1,2,3\n4,5\n", said="Line 3 of 'short_row.csv' has 2 cells, but the header has 3"),
    Case("long_row.csv", b"a,b\n1,2\n1,2,3\n", said="Line 3 of 'long_row.csv' has 3 cells"),
    Case("long_first.csv", b"a,b\n1,2,3\n4,5,6\n", said="Line 2 of 'long_first.csv' has 3 cells"),
    Case("late_row.csv", ROWS + b"1,2,3\n", said="Line 100002 of 'late_row.csv' has 3 cells"),
    Case("giant_cell.csv", lambda: b"a,b\n1," + b"x" * 3_000_000 + b"\n", (1, 2), (0, "b", "x" * 3_000_000)),
    Case("giant_name.csv", lambda: b"a," + b"x" * 300_000 + b"\n1,2\n", said="longer than 131,072"),
    Case("trailing.csv", b"a,b,\n1,2,\n", (1, 2), (0, "b", 2)),
]

SIZES = [
    Case("wide_header.csv", lambda: wide(b"name" * 20, 5000), (1, 5000), (0, "name" * 20 + " (5000)", 1)),
    Case("unnamed.csv", lambda: wide(b"", 20_000), (1, 20_000), (0, "column 20000", 1), noted="20,000 columns"),
    Case("same_name.csv", lambda: wide(b"x", 20_000), (1, 20_000), (0, "x (20000)", 1), noted="19,999 columns"),
    Case("too_wide.csv", lambda: wide(b"x", 200_001), said="more than 100,000 columns"),
    Case("commas.csv", lambda: b"," * 20_000_000, said="more than 100,000 columns"),
    Case("rows_of_commas.csv", lambda: (b"," * 999 + b"\n") * 5000, said="2,000,000 cells", budget=SMALL),
    Case("many_rows.csv", lambda: b"a\n" + b"1\n" * 200_000, said="100,000 rows", budget=SMALL),
    Case("many_bytes.csv", lambda: b"a,b\n" + b"1," + b"x" * (40 << 20) + b"\n", said="32 MB", budget=SMALL),
]

LEADS = [
    Case("sep.csv", b"sep=;\na;b\n1;x\n", (1, 2), (0, "b", "x"), noted="Line 1 ('sep=;')"),
    Case("sep_marked.csv", '\ufeff"sep=,"\r\na,b\r\n1,x\r\n'.encode(), (1, 2), (0, "b", "x")),
    Case(
        "comments.csv", b"# who, when\n#\na,b\n1,x\n", (1, 2), (0, "b", "x"), noted="Lines 1 ('# who, when'), 2 ('#')"
    ),
    Case("percent.csv", b"% made by R\na;b\n1,5;x\n", (1, 2), (0, "a", 1.5)),
    Case("hash_name.csv", b"#id,b\n1,x\n2,y\n", (2, 2), (1, "#id", 2)),
    Case("title.csv", b"Sales 2024\n\nshop;sum\nA;10\nB;12\n", (2, 2), (1, "sum", 12), noted="Line 1 ('Sales 2024')"),
    Case("padded_title.csv", b"Sales,,\n,,\nshop,sum,n\nA,10,1\n", (1, 3), (0, "sum", 10)),
]

VALUES = [
    Case("backslash_n.csv", b"a,b\n\\N,x\n2,\\N\n", (2, 2), (0, "a", None)),
    Case("all_missing.csv", b"a,b\n?,\nNA,null\n", said="no rows"),
    Case("too_large.csv", b"a,b\n1e400,1\n", (1, 2), (0, "a", math.inf)),
    Case("words_of_numbers.csv", b"a,b\ninf,1\n-Infinity,2\n", (2, 2), (1, "a", -math.inf)),
    Case("long_ids.csv", f"id,b\n{LONG},1\n{LONG + 1},2\n".encode(), (2, 2), (1, "id", LONG + 1)),
    Case("long_gap.csv", f"id,b\n{LONG},1\nNA,3\n{LONG + 1},2\n".encode(), (3, 2), (2, "id", str(LONG + 1))),
    Case("longest.csv", b"id,b\n" + b"9" * 400 + b",1\n", (1, 2), (0, "id", "9" * 400)),
    Case("zeros_first.csv", b"plz,b\n01234,1\nx,2\n", (2, 2), (0, "plz", "01234")),
    Case("underscore.csv", b"a,b\n1_000,1\n", (1, 2), (0, "a", "1_000")),
    Case("hexadecimal.csv", b"a,b\n0x10,1\n", (1, 2), (0, "a", "0x10")),
    Case("arabic.csv", "a,b\n١٢,1\n".encode(), (1, 2), (0, "a", "١٢")),
    Case("booleans.csv", b"a,b\ntrue,1\nFALSE,2\n", (2, 2), (1, "a", "FALSE")),
    Case("late_word.csv", ROWS + b"late,z\n", (100_001, 2), (0, "a", "1")),
]

NAMES = [
    Case("html.csv", b"<script>alert(1)</script>,b\n1,2\n", (1, 2), (0, "<script>alert(1)</script>", 1)),
    Case("formula.csv", b"=cmd|' /C calc'!A0,b\n=1+1,2\n", (1, 2), (0, "=cmd|' /C calc'!A0", "=1+1")),
    Case("bidi.csv", "a\u202eb,c\u200b\n1,2\n".encode(), (1, 2), (0, "a\u202eb", 1)),
    Case("twice.csv", b"a,a, a ,\n1,2,3,4\n", (1, 4), (0, "a (3)", 3)),
    Case("numbers.csv", b"1,2\n3,4\n", (1, 2), (0, "2", 4), noted="all of it is numbers"),
    Case("one_column.csv", b"text\nhello, world\nfoo\n", (2, 1), (0, "text", "hello, world")),
    Case("tabs.csv", b"a\tb\n1\tx, y\n", (1, 2), (0, "b", "x, y")),
]

CASES = [*NOT_TABLES, *BYTES, *QUOTES, *SIZES, *LEADS, *VALUES, *NAMES]
