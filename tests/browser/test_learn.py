"""Every scene is played to its end by keys alone, in both languages and themes, in the window of a small laptop."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from pages.learn.path import SCENES
from pages.learn.scenes import own
from tests.browser.steps import DONE, awaited, in_theme, opened, settled
from tests.oracles.examples import journey

LANGUAGES = ["en", "zh"]
"""The theme changes from scene to scene: each is seen in one theme in English, in the other one in Chinese."""
STRIP = "[...document.querySelectorAll('.st-key-lesson_strip *')].map((each) => each.shadowRoot).find(Boolean)"
STRIP_IS = f"(wanted) => {STRIP}?.querySelector('.strip')?.dataset.settled === wanted"
ANSWERED = f"() => {STRIP}.querySelector('.strip').dataset.open === '0'"
AT = f"""() => {{
  const strip = {STRIP}.querySelector('.strip');
  return {{
    settled: strip.dataset.settled, open: Number(strip.dataset.open), steps: strip.querySelectorAll('.dot').length,
    next: strip.querySelector('.next').textContent,
  }};
}}"""
FAULTS = f"""() => {{
  const faults = [];
  const main = document.querySelector('[data-testid=stMain]');
  if (main.scrollHeight > main.clientHeight + 1) faults.push('the page scrolls down');
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
  for (const each of document.querySelectorAll('[data-testid=stException], [data-testid=stAlertContentError]')) {{
    faults.push(each.textContent);
  }}
  const labels = '.st-key-learn_rail button, .st-key-inspector :is(button, h3, p), [data-testid=stTopNavLink]';
  const inStrip = {STRIP}.querySelectorAll('button, .said, .strip');
  for (const each of [...document.querySelectorAll(labels), ...inStrip]) {{
    if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline') {{
      faults.push(`cut: ${{each.textContent}}`);
    }}
  }}
  const roots = [...document.querySelectorAll('.st-key-lesson_picture *')].map((each) => each.shadowRoot);
  for (const root of roots.filter(Boolean)) {{
    const frame = root.querySelector('.pic-root')?.getBoundingClientRect();
    for (const text of frame ? root.querySelectorAll('.pic-svg text:not(.pic-leaving)') : []) {{
      const {{ left, right, top, bottom, width }} = text.getBoundingClientRect();
      const isOut = left < frame.left - 2 || right > frame.right + 2;
      const isAbove = top < frame.top - 2 || bottom > frame.bottom + 2;
      if (width && (isOut || isAbove)) faults.push(`outside the picture: ${{text.textContent}}`);
    }}
  }}
  return faults;
}}"""


@pytest.fixture(params=LANGUAGES, name="laptop")
def laptop_in_a_language(request: pytest.FixtureRequest, laptop: Page) -> Iterator[tuple[Page, str]]:
    """The page of a laptop, and its language; it must not report any error."""
    errors = []
    laptop.on("console", lambda line: errors.append(line.text) if "BidiComponent" in line.text else None)
    laptop.on("pageerror", lambda error: errors.append(str(error)))
    yield laptop, request.param
    assert errors == []


def at_step(page: Page, scene: str, step: int) -> None:
    """Wait until Python has shown a step."""
    awaited(page, STRIP_IS, arg=f"{scene} {step}")
    page.wait_for_timeout(150)  # Python has answered, so the rest is drawing
    awaited(page, DONE)


def theme_of(number: int, language: str) -> Literal["light", "dark"]:
    """The theme of the scene, or step, of this number."""
    return "dark" if (number + LANGUAGES.index(language)) % 2 else "light"


def test_every_scene_is_played_to_its_end_by_keys(laptop: tuple[Page, str], address: str) -> None:
    page, language = laptop
    opened(page, address, f"learn?learn=scene&scene={SCENES[0].name}&lang={language}")
    faults = {}
    for number, scene in enumerate(SCENES):
        in_theme(page, theme_of(number, language))
        for step in range(len(scene.steps({}))):
            at_step(page, scene.name, step)
            found = page.evaluate(FAULTS)
            if page.evaluate(AT)["open"]:
                page.keyboard.press("1")
                awaited(page, ANSWERED)
                settled(page)
                expect(page.locator(".st-key-lesson_question [data-testid=stAlertContainer]")).to_be_visible()
                found += page.evaluate(FAULTS)
            if found:
                faults[scene.name, step] = sorted(set(found))
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")  # the first has reached the button of the next scene, this presses it
    expect(page.locator(".st-key-learn_overview")).to_be_visible()
    assert faults == {}


@pytest.mark.parametrize("laptop", [journey("en"), "zh"], indirect=True)
def test_the_own_table_is_a_scene_too(laptop: tuple[Page, str], address: str) -> None:
    page, language = laptop
    opened(page, address, f"learn?data=auto_mpg&recipe=CART&max_depth=4&learn=scene&scene=own&lang={language}")
    at_step(page, own.SCENE.name, 0)
    for step in range(1, page.evaluate(AT)["steps"]):
        in_theme(page, theme_of(step, language))
        if page.evaluate(AT)["open"]:
            page.keyboard.press("1")
            awaited(page, ANSWERED)
        assert page.evaluate(FAULTS) == []
        page.keyboard.press("ArrowRight")
        at_step(page, own.SCENE.name, step)
    assert page.evaluate(FAULTS) == []


def test_a_verdict_moves_no_cell_and_takes_no_typing(page: Page, address: str) -> None:
    opened(page, address, "learn?learn=exercises")
    cells = page.locator(".st-key-exercise_table input[type=text]")

    def heights() -> list[float]:
        return cells.evaluate_all("(cells) => cells.map((cell) => cell.getBoundingClientRect().y)")

    expect(cells).to_have_count(6)
    settled(page)
    before = heights()
    cells.nth(0).click()
    page.keyboard.type("0.5")
    cells.nth(1).click()
    page.keyboard.type("0.123")  # while the server looks at the first
    expect(page.get_by_text("the error rate of the majority class")).to_be_visible()
    settled(page)
    assert heights() == before
    expect(cells.nth(1)).to_have_value("0.123")
    cells.nth(1).press("Enter")
    settled(page)
    assert heights() == before
