"""The link of a page: what is in it, and how a file of one's own is known again."""

from urllib.parse import parse_qs, urlsplit

from tests.pages.app import SAMPLE_FILES, fine, opened, picked, table, texts, uploaded, went


def shared(app):
    """The page with its panel of the link open."""
    app.session_state["share"] = True
    return fine(app.run())


def link_of(app):
    """The address that the page offers to copy."""
    return next(code.value for code in shared(app).code if "data=" in code.value or "file=" in code.value)


def test_the_link_holds_the_settings():
    settings = {
        "data": "iris",
        "recipe": "CART",
        "alpha": "0.05",
        "hand": "-2",
        "feature": ["petallength", "petalwidth"],
    }
    app = fine(opened("Prune", **settings))
    query = parse_qs(urlsplit(link_of(app)).query)
    assert query == {name: value if isinstance(value, list) else [value] for name, value in settings.items()}
    again = fine(opened("Prune", **query))
    assert link_of(again) == link_of(app)


def test_the_link_copied_from_the_projector_opens_without_the_presenter_mode():
    app = fine(opened("Grow", data="iris", presenter="yes"))
    assert parse_qs(urlsplit(link_of(app)).query) == {"data": ["iris"]}
    assert app.query_params["presenter"] == "yes", "the projector's own address keeps it"


def test_the_link_of_a_file_says_what_is_not_in_it():
    app = fine(uploaded(opened(), "iris.csv", SAMPLE_FILES.joinpath("iris.csv").read_bytes()))
    assert set(parse_qs(urlsplit(link_of(app)).query)) == {"file", "file_name", "target"}
    assert "Your file is not part of the link" in texts(shared(app).markdown)
    assert "Your file is not part of the link" not in texts(shared(opened()).markdown)


def test_the_address_of_a_file_of_one_s_own_waits_for_the_file():
    content = SAMPLE_FILES.joinpath("car.csv").read_bytes()
    app = picked(went(uploaded(opened(), "car.csv", content), "Grow"), "grow", "CART")
    query = {key: app.query_params[key] for key in app.query_params}
    assert "data" not in query
    again = opened(**query)
    assert "Upload the same file" in texts(again.info)
    assert again.query_params["file"] == query["file"], "the address is kept until the file is there"
    again = uploaded(again, "other.csv", content + b"low,low,2,2,small,low,unacc\n")
    assert "not the file of this view" in texts(again.warning)
    again = uploaded(again, "car (1).csv", content)
    assert "is the file of this view" in texts(again.info), "under another name, after a wrong one"
    again = fine(went(again, "Grow"))
    assert again.segmented_control("grow.recipe").value == "CART"
    assert table(again) == "car (1).csv"
