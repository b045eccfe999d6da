"""Write the files of c45/ and what Weka's C45Loader reads in them: `python tests/data/tools/write_c45.py CLASSPATH`.

Run with Weka 3.6.14 (Debian: packages weka and cup); the class path is weka.jar, cup.jar and cup_runtime.jar of
/usr/share/java, with colons between them. Weka wants no blank after a comma of a row, and knows no backslash.
"""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "c45"
HAND = {
    "golf": (
        "Play, Stay home.     | classes of Quinlan's table, with a gap, blanks and a comment\n\n"
        "outlook: sunny, overcast, rain.\ntemperature: continuous.\nhumidity:    continuous.   | per cent\n"
        "windy: true, false.\nnote: ignore.\nsize: small, very large, huge\n",
        "sunny,85,85,false,x,small,Stay home\novercast,83,?,true,y,very large,Play\nrain,70.5,96,?,?,huge,Play\n"
        "rain,-3,1e2,false,z,small,Play\n",
    ),
    "codes": (
        "| numbers as classes and as levels\n\n1, 0.\n\nblood pressure: continuous.\ngrade: 10, 2, 1.\n"
        "ward-no: A1, B2.\n",
        "120.25,2,A1,0\n?,10,B2,1\n-7E-1,?,?,1\n0,1,A1,0\n",
    ),
}


def main() -> None:
    """Write each pair of files, and Weka's table beside them."""
    for name, (names, rows) in HAND.items():
        (FOLDER / f"{name}.names").write_text(names)
        (FOLDER / f"{name}.data").write_text(rows)
        command = ["java", "-cp", sys.argv[1], "weka.core.converters.C45Loader", str(FOLDER / f"{name}.names")]
        written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        (FOLDER / f"{name}.arff").write_text(written[written.index("@relation") :])


if __name__ == "__main__":
    main()
