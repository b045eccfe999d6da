"""One reader of the app without a browser: a websocket client that speaks Streamlit's protocol, message for message.

It keeps the messages that a browser keeps and names them with every request, so that the server sends it as little.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from explorer.drawing.tree_view.payload import header_of

ALGORITHMS = ("ID3", "C4.5", "CART")
FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
PATIENCE = 300.0
"""Seconds after which an answer counts as lost."""
_SETTLED = 0.05
"""Seconds without a message after which a page is done; part of a page may ask for another run by itself."""


_LOOKS_AGAIN = 0.4
"""Seconds after which a page that waits for its tree is asked for again, as its own timer does."""


@dataclass(frozen=True)
class Answer:
    """What one request took: seconds until the page was complete, and bytes received, as sent over the wire."""

    seconds: float
    received: int


class _Counting(ClientConnection):
    """A connection that counts what arrives, after compression."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


@dataclass
class _Kept:
    message: ForwardMsg
    run: int


@dataclass
class Reader:
    """A reader of the app at `address` (http://…), who opened a link with the query `query`."""

    address: str
    query: str
    seed: int
    compressed: bool = False
    components: dict[str, BidiComponent] = field(default_factory=dict)
    fragments: dict[str, str] = field(default_factory=dict)
    widgets: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    page: str = ""
    algorithm: str = "CART"
    reports: int = 0

    def __post_init__(self) -> None:
        self._choice = random.Random(self.seed)
        self._kept: dict[str, _Kept] = {}
        self._run, self._most_runs = 0, 2
        self._connection: Any = None

    async def open(self, page_name: str) -> Answer:
        """Connect, and open a page by its address."""
        start = time.perf_counter()
        stream = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        self._connection = await connect(
            stream,
            create_connection=_Counting,
            compression="deflate" if self.compressed else None,
            subprotocols=["streamlit"],  # type: ignore[list-item]
            max_size=None,
            open_timeout=PATIENCE,
            ping_timeout=None,
        )
        answer = await self._ask(ClientState(query_string=self.query, page_name=page_name))
        received = answer.received
        while page_name == "grow" and "grow.tree" not in self.components:  # the page shows how far its tree is
            await asyncio.sleep(_LOOKS_AGAIN)
            answer = await self._ask(self._state())
            received += answer.received
        return Answer(time.perf_counter() - start - _SETTLED, received)

    async def close(self) -> None:
        """Leave the app."""
        if self._connection is not None:
            await self._connection.close()

    async def visit(self, page_name: str) -> Answer:
        """Another page, by its link in the bar."""
        self.components.clear()
        return await self._ask(ClientState(query_string=self.query, page_script_hash=self.pages[page_name]))

    async def change_algorithm(self) -> Answer:
        """Another algorithm in the rail of the Grow page."""
        self.algorithm = self._choice.choice([name for name in ALGORITHMS if name != self.algorithm])
        state = self._state()
        state.widget_states.widgets.add(id=self.widgets["grow.recipe"]).string_array_value.data.append(self.algorithm)
        return await self._ask(state)

    async def select_node(self) -> Answer:
        """Another node of the tree on the Grow page."""
        shown = json.loads(self.components["grow"].mixed.json or self.components["grow"].json)["state"]
        nodes = header_of(self.components["grow.tree"].bytes)["arrays"]["parent"][2]
        node = self._choice.choice([node for node in range(nodes) if node != shown["selected"]] or [0])
        return await self._report("grow", selected=node, position=shown["position"])

    async def release_slider(self) -> Answer:
        """The slider over α on the Prune page, released at another position."""
        shown = json.loads(self.components["prune"].mixed.json or self.components["prune"].json)["state"]
        positions = header_of(self.components["prune.sequence"].bytes)["arrays"]["alphas"][2]
        position = self._choice.choice([place for place in range(positions) if place != shown["position"]] or [0])
        return await self._report("prune", selected=shown["selected"], position=position)

    async def _report(self, view: str, selected: int, position: int) -> Answer:
        """What the tree view tells the page once the reader has done something in it."""
        self.reports += 1
        value = {"number": self.reports, "selected": selected, "position": position, "hand": [], "commands": []}
        state = self._state()
        state.fragment_id = self.fragments[view]
        trigger = state.widget_states.widgets.add(id=f"$$STREAMLIT_INTERNAL_KEY_{self.components[view].id}__events")
        trigger.json_trigger_value = json.dumps([{"event": "event", "value": value}])
        return await self._ask(state)

    def _state(self) -> ClientState:
        return ClientState(query_string=self.query, page_script_hash=self.page)

    async def _ask(self, state: ClientState) -> Answer:
        """Send a request and take everything in until the page is complete."""
        state.cached_message_hashes.extend(self._kept)
        state.context_info.url = self.address
        start, before = time.perf_counter(), self._connection.received
        await self._connection.send(BackMsg(rerun_script=state).SerializeToString())
        fragments: list[str] = []
        end = None
        while True:
            try:
                async with asyncio.timeout(PATIENCE if end is None else _SETTLED):
                    content = await self._connection.recv()
            except TimeoutError:
                if end is None:
                    raise
                return Answer(end - start, self._connection.received - before)
            message = ForwardMsg.FromString(content)
            if message.WhichOneof("type") == "new_session":
                fragments, end = list(message.metadata.run.fragment_ids), None
                self._begin(message)
            elif message.WhichOneof("type") == "script_finished":
                if message.script_finished in FINISHED:
                    end = time.perf_counter()
                    self._forget_old(fragments)
            else:
                self._take(message)

    def _begin(self, message: ForwardMsg) -> None:
        session = message.new_session
        self.page = session.page_script_hash or self.page
        if session.HasField("config"):
            self._most_runs = session.config.max_cached_message_age or self._most_runs

    def _take(self, message: ForwardMsg) -> None:
        """Keep what a browser keeps, and what later requests need."""
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            kept = self._kept[message.ref_hash]
            kept.run, message = self._run, kept.message
        elif message.metadata.cacheable:
            self._kept.setdefault(message.hash, _Kept(message, self._run)).run = self._run
        if kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
            self.page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif message.WhichOneof("type") == "delta" and message.delta.HasField("new_element"):
            self._take_element(message)

    def _take_element(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        content = getattr(element, str(kind))
        if kind == "exception":
            raise RuntimeError(f"the page failed: {content.type}: {content.message}")
        identity = getattr(content, "id", "")
        key = identity.split("-", 2)[-1] if identity.startswith("$$ID-") else ""
        self.widgets[key] = identity
        if kind == "bidi_component":
            self.components[key], self.fragments[key] = content, message.delta.fragment_id

    def _forget_old(self, fragments: list[str]) -> None:
        """What was not used in the last runs is thrown away, as a browser does it."""
        self._run += 1
        for key, kept in list(self._kept.items()):
            outside = fragments and kept.message.delta.fragment_id not in fragments
            if not outside and self._run - kept.run > self._most_runs:
                del self._kept[key]
