"""The exported page in a browser without a network."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import explorer as ex
from tests.oracles import used_trees
from tests.oracles.golden_walk import dataset_of


def opened_offline(browser: Browser, path: Path, scheme: str = "light"):
    """The page, and what it complained of."""
    context = browser.new_context(color_scheme=scheme, offline=True, viewport={"width": 1000, "height": 800})
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda request: complaints.append(request.url) if request.url.startswith("http") else None)
    page.goto(path.as_uri())
    until(page, "Boolean(globalThis.decisionTreeViews?.get('page')?.tree)")
    return page, complaints


def until(page, condition: str) -> None:
    """Wait for a condition, asked from here: within the page its own policy forbids text as code."""
    for _ in range(800):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"It never came true: {condition}")


def clicked(page, node: int) -> None:
    """Click on a node where it stands now, when the picture has come to rest."""
    page.wait_for_timeout(600)
    place = page.evaluate(f"globalThis.decisionTreeViews.get('page').nodeCentre({node})")
    page.mouse.click(place["x"], place["y"])


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 28)")])
def test_the_page_works_without_a_network(browser, tmp_path, scheme, ground):
    tree = ex.grow(dataset_of("play_tennis"), ex.ID3)
    file = tmp_path / "tree.html"
    file.write_text(ex.to_html(tree), "utf-8")
    page, complaints = opened_offline(browser, file, scheme)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
    assert page.evaluate("globalThis.decisionTreeViews.get('page').leafCount()") == 5
    clicked(page, 5)
    page.get_by_text("Node 5: Outlook = Sunny and Humidity = Normal").wait_for()
    assert complaints == []
    page.context.close()


@pytest.mark.journey
def test_the_slider_moves_without_a_network(browser, tmp_path):
    data = dataset_of("play_tennis")
    path = ex.cost_complexity_path(ex.grow(data, ex.ID3))
    sequence = ex.to_slider(path, data)
    file = tmp_path / "path.html"
    file.write_text(ex.to_html(path.tree, sequence), "utf-8")
    page, complaints = opened_offline(browser, file)
    page.get_by_role("slider").first.press("End")
    until(page, "globalThis.decisionTreeViews.get('page').leafCount() === 1")
    parts = [page.locator(name) for name in (".tv-strip", ".tv-curve", ".tv-table", ".tv-link")]
    tops = [part.bounding_box()["y"] for part in parts]
    assert tops == sorted(tops)  # with no other place on the page, they stand below the view
    assert "1 leaf" in page.locator(".tv-curve-now").inner_text()
    assert complaints == []
    page.context.close()


def test_names_of_a_table_stay_text(browser, tmp_path):
    tree, _ = used_trees.nasty_tree('</script><script>alert(1)</script><img src=x onerror="alert(2)">')
    file = tmp_path / "nasty.html"
    file.write_text(ex.to_html(tree), "utf-8")
    page, complaints = opened_offline(browser, file)
    clicked(page, 0)
    page.get_by_text("Node 0: all rows").wait_for()
    assert complaints == []
    page.context.close()


def test_the_policy_of_the_page_runs_its_own_script_and_nothing_else(browser, tmp_path):
    tree = ex.grow(dataset_of("play_tennis"), ex.ID3)
    content = ex.to_html(tree)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', content)[1]
    assert "unsafe" not in policy
    assert {part.split()[0] for part in policy.split("; ")} == {
        *("default-src", "style-src", "script-src", "base-uri", "form-action")
    }
    added = (
        '<script>document.title = "taken"</script><style>body { display: none }</style><img src="data:," onerror="x()">'
    )
    file = tmp_path / "changed.html"
    file.write_text(
        content.replace("</header>", f'<a id="a" onclick="document.title = 1" href="#">a</a></header>{added}'), "utf-8"
    )
    page, complaints = opened_offline(browser, file)
    page.locator("#a").click()
    assert page.title() == "Decision tree for PlayTennis"
    assert page.evaluate("getComputedStyle(document.body).display") == "block"
    assert page.evaluate("globalThis.decisionTreeViews.get('page').leafCount()") == 5
    refused = " ".join(complaints)
    assert all(f"{kind}-src" in refused for kind in ("script", "style"))
    page.context.close()


def test_a_report_has_its_looks_under_its_policy(browser, tmp_path):
    data = dataset_of("play_tennis")
    tree = ex.grow(data, ex.ID3)
    made = ex.Provenance(ex.load_sample("play_tennis"), data, tree, (data,))
    file = tmp_path / "report.html"
    file.write_text(ex.to_report(made, "html"), "utf-8")
    context = browser.new_context(offline=True)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(file.as_uri())
    least = page.evaluate("getComputedStyle(document.querySelector('figure svg')).minWidth")
    assert least.endswith("px")
    assert float(least[:-2]) > 100
    assert complaints == []
    context.close()
