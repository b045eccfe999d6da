"""R's table `Titanic`, as `as.data.frame(Titanic)` prints it: 2,201 people in 32 combinations."""

from itertools import product

import pandas as pd

_COMBINATIONS = product(["No", "Yes"], ["Child", "Adult"], ["Male", "Female"], ["1st", "2nd", "3rd", "Crew"])
_COUNTS = (
    *(0, 0, 35, 0, 0, 0, 17, 0, 118, 154, 387, 670, 4, 13, 89, 3),
    *(5, 11, 13, 0, 1, 13, 14, 0, 57, 14, 75, 192, 140, 80, 76, 20),
)
TITANIC = pd.DataFrame(list(_COMBINATIONS), columns=["Survived", "Age", "Sex", "Class"]).assign(Freq=_COUNTS)[
    ["Class", "Sex", "Age", "Survived", "Freq"]
]
