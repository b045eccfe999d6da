"""A strict reader of the DOT that the explorer writes: quoted attributes only, every escape accounted for."""

import re
from dataclasses import dataclass, field

STRING = r'"((?:[^"\\]|\\.)*)"'
ATTRIBUTES = re.compile(rf"\[((?:\w+={STRING}(?: (?=\w))?)*)\]\Z")
PAIR = re.compile(rf"(\w+)={STRING} ?")
STATEMENT = re.compile(r"(graph|node|edge|[nh]\d+)(?: -> ([nh]\d+))? (\[.*)\Z")
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


@dataclass
class Graph:
    """What a drawing of the source would show."""

    defaults: dict[str, dict[str, str]] = field(default_factory=dict)
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)


def shown(raw: str) -> str:
    """The text that Graphviz draws for the inside of a quoted string; unknown escapes and entities are refused."""
    text = re.sub(r"\\.", lambda match: ESCAPES[match.group()], raw)
    assert not re.search(r"&(?!amp;)", raw), f"an entity or a bare ampersand in {raw!r}"
    return text.replace("&amp;", "&")


def read_attributes(text: str) -> dict[str, str]:
    """The attributes of one statement, each named once."""
    match = ATTRIBUTES.match(text)
    assert match, f"no attribute list: {text!r}"
    pairs = [(name, shown(raw)) for name, raw in PAIR.findall(match.group(1))]
    assert len(dict(pairs)) == len(pairs), f"an attribute twice: {text!r}"
    return dict(pairs)


def read_dot(source: str) -> Graph:
    """Parse the whole source; anything unexpected fails."""
    first, *statements, last = source.split("\n")
    assert (first, last) == ("digraph tree {", "}")
    graph = Graph()
    for statement in statements:
        match = STATEMENT.match(statement)
        assert match, f"no statement: {statement!r}"
        name, other, rest = match.groups()
        target, key = (graph.edges, (name, other)) if other else (graph.nodes, name)
        if name in ("graph", "node", "edge"):
            target = graph.defaults
        assert key not in target, f"twice: {statement!r}"
        target[key] = read_attributes(rest)
    ends = {end for edge in graph.edges for end in edge}
    assert ends <= set(graph.nodes), "a branch leads to a node that is not declared"
    return graph
