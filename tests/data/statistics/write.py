"""Write the small files of SPSS, Stata and SAS beside this script, by pyreadstat's own writers."""

import pandas as pd

from tests.data.statistics.survey import FOLDER, MEASURES, MISSING, STATA_CODES, SURVEY, VALUE_LABELS


def main() -> None:
    """Write each file."""
    import pyreadstat

    frame = pd.DataFrame(SURVEY)
    labels = {"variable_value_labels": VALUE_LABELS, "column_labels": {"trust": "How much do you trust them?"}}
    spss = {**labels, "missing_ranges": MISSING, "variable_measure": MEASURES}
    pyreadstat.write_sav(frame, FOLDER / "survey.sav", **spss)
    pyreadstat.write_sav(frame, FOLDER / "survey.zsav", compress=True, **spss)
    plain = frame.drop(columns="city")
    for version in (8, 15):
        pyreadstat.write_dta(plain, FOLDER / f"survey_{version}.dta", version=version, **labels)
    coded = plain.astype({"trust": object}).assign(trust=STATA_CODES)
    pyreadstat.write_dta(
        coded, FOLDER / "codes.dta", variable_value_labels={"trust": {1: "low", 2: "mid", "a": "refused"}},
        missing_user_values={"trust": ["a", "b"]},
    )  # fmt: skip
    for version in (5, 8):
        pyreadstat.write_xport(plain, FOLDER / f"survey_{version}.xpt", file_format_version=version)


if __name__ == "__main__":
    main()
