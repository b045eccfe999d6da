"""Faults that cases of the fuzz targets have found, each as a table or file of its own."""

import io
import json
import zipfile

import pandas as pd
import pytest

import explorer as ex
from explorer.json_text import parsed


def test_a_zip_archive_whose_directory_lies_before_the_file_is_refused():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("t.csv", "a,b\n1,2\n" * 20)
    content = packed.getvalue()
    start = content.rindex(b"PK\x05\x06") + 16  # where the end record says that the directory begins
    offset = int.from_bytes(content[start : start + 4], "little") + 258
    broken = content[:start] + offset.to_bytes(4, "little") + content[start + 4 :]
    with pytest.raises(ex.InputError, match="damaged zip archive"):
        ex.read_table(broken, "t.zip")


def test_a_member_of_a_zip_archive_without_a_name_is_passed_over():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("t.csv"), "a,b\n1,2\n")
        archive.writestr("u.csv", "a,b\n1,3\n")
        archive.filelist[0].filename = ""
    assert ex.read_table(packed.getvalue(), "t.zip").frame["b"].tolist() == [3]


def test_classes_that_are_integers_beyond_64_bits_are_predicted():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": pd.Series([10**30, 10**30, 7, 7], dtype=object)})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"y": "categorical"})
    tree = ex.grow(data, ex.CART)
    assert [str(value) for value in tree.predict(frame)] == [str(10**30), str(10**30), "7", "7"]
    assert ex.rules(tree).predict(frame).tolist() == tree.predict(frame).tolist()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_half_a_surrogate_pair_in_json_is_no_text(encoding):
    written = json.dumps({"name": "\ud800", "whole": "\U0001f333"})
    with pytest.raises(ex.InputError, match="no JSON"):
        parsed(written.encode(encoding), lambda: ex.InputError("no JSON"))
    with pytest.raises(ex.InputError, match="no JSON"):
        parsed(written, lambda: ex.InputError("no JSON"))
    whole = json.dumps({"whole": "\U0001f333"})
    assert parsed(whole.encode(encoding), lambda: ex.InputError("no JSON")) == {"whole": "\U0001f333"}
