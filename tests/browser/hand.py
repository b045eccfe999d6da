"""A reader's hand: clicks and choices, counted, on pages that stay where they are."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import answered, opened, settled

MOST = 5
PLACE = """(() => {
  const main = document.querySelector('[data-testid="stMain"]');
  return [document.scrollingElement.scrollTop, main.scrollTop, main.scrollHeight - main.clientHeight];
})()"""


class Hand:
    """Clicks and choices, counted; after each the page must stand where it was."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.count = page, address, 0

    def opens(self, path: str) -> None:
        """Come to a page by its address: where the task begins."""
        opened(self.page, self.address, path)
        self.is_still()

    def clicks(self, element: Locator) -> None:
        """Click on what is in view; nothing is scrolled to."""
        expect(element).to_be_in_viewport(ratio=0.9)
        self.page.wait_for_timeout(200)
        element.click()
        self.counts()

    def types(self, text: str, *keys: str) -> None:
        """Choose by the keyboard: the letters and the key that ends them are one choice."""
        self.page.keyboard.type(text)
        self.page.wait_for_timeout(200)
        for key in keys:
            self.page.keyboard.press(key)
        self.counts()

    def drops(self, element: Locator, name: str, content: bytes) -> None:
        """Choose a file."""
        element.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
        self.counts()

    def takes(self, element: Locator) -> bytes:
        """Click on a download; gives what arrives."""
        expect(element).to_be_in_viewport(ratio=0.9)
        with self.page.expect_download() as download:
            element.click()
        self.counts()
        return Path(download.value.path()).read_bytes()

    def counts(self) -> None:
        settled(self.page)
        answered(self.page)
        self.count += 1
        assert self.count <= MOST
        self.is_still()

    def is_still(self) -> None:
        """Nothing is scrolled, and where there is a stage nothing could be."""
        document, main, more = self.page.evaluate(PLACE)
        assert (document, main) == (0, 0)
        if self.page.locator(".st-key-workbench").count():
            assert more <= 1


def seen(element: Locator) -> None:
    """In view without scrolling."""
    expect(element).to_be_in_viewport(ratio=0.9)
