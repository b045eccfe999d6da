"""What the pages show of a tree with constraints: its verdicts, formulas and notes."""

from tests.pages.app import fine, opened, tab, texts


def at_wind(**more):
    return fine(opened("Grow", choice='{"op": "force", "path": [], "feature": "Wind", "test": "best"}', **more))


def test_the_page_shows_the_forced_split_before_all_others_and_its_formula():
    app = at_wind(chi2_level="0.05", mdl_stop="true")
    rows = next(frame.value for frame in app.dataframe if frame.key == "candidates")
    assert rows["feature"].tolist() == ["Wind", "Outlook", "Humidity", "Temperature"]
    assert rows["verdict"].tolist() == ["✓ chosen by hand", *["the node would have stopped"] * 3]
    # Outlook has p = 0.170
    assert "Without it, the node would have stopped: the split is not significant" in texts(app.markdown)
    captions = texts(app.caption)
    assert "χ² of the split by hand = 0.933, df = 1, p = 0.334: above 0.05, but a split by hand stays." in captions
    assert "bits with the split by hand: no fewer." in captions
    app = fine(tab(app, "node.tab", "Formula"))
    # gain of Wind: H(5/14) − 8/14·H(2/8) − 6/14·1
    assert any(r"\approx 0.0481\end{aligned}" in formula.value for formula in app.latex)
    other = fine(app.selectbox("formula.of.0").set_value("Outlook").run())
    assert any(r"\approx 0.247\end{aligned}" in formula.value for formula in other.latex)


def test_the_best_split_and_what_lost_to_it_are_shown_where_there_is_no_stop():
    verdicts = next(frame.value for frame in at_wind().dataframe if frame.key == "candidates")["verdict"].tolist()
    assert verdicts == ["✓ chosen by hand", "would have won", "< 0.247", "< 0.247"]


def test_a_tie_is_shown_where_neither_was_taken():
    # either length or width of the petals parts the first species from the others: gain ratio 1 for both
    app = fine(opened("Grow", data="iris", recipe="C4.5", choice='{"op": "lock", "path": []}'))
    rows = next(frame.value for frame in app.dataframe if frame.key == "candidates").set_index("feature")
    assert rows["verdict"]["petallength"] == "would have won"
    assert rows["verdict"]["petalwidth"] == "tie: an earlier column would have won"
