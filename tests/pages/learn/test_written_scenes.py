"""Scenes as Markdown: the one in CONTRIBUTING is written as it stands, and each fault has an error that names it."""

import re

import pytest

import explorer as ex
from explorer.messages import chinese, spoken_in
from pages.learn.scenes.markdown import SceneError
from pages.learn.scenes.step import TreePicture
from pages.learn.written import scene_from
from tests.folders import ROOT

EXAMPLE = re.search(r"```markdown\n(# .*?)```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)[1]


@pytest.fixture
def write(tmp_path):
    def written(text):
        file = tmp_path / "windy_days.md"
        file.write_text(text, "utf-8")
        return scene_from(file)

    return written


def test_a_scene_of_thirty_lines_has_steps_numbers_and_pictures(write):
    scene = write(EXAMPLE)
    assert len([line for line in EXAMPLE.splitlines() if line.strip()]) <= 30
    assert (scene.name, scene.sample, scene.minutes) == ("windy_days", "play_tennis", 1)
    first, second = scene.steps({})
    # Mitchell (1997), section 3.4: Gain(S, Outlook) = 0.246, Gain(S, Wind) = 0.048, both cut off after three digits
    assert first.number.value == pytest.approx(0.2467, abs=5e-5)
    assert first.numbers["gain Wind"] == pytest.approx(0.0481, abs=5e-5)
    assert first.number.derivation is not None
    assert [bar.label for bar in first.picture.bars] == ["Outlook", "Temperature", "Humidity", "Wind"]
    assert first.question.options[first.question.right[0]] == "Outlook"
    assert first.text == "Outlook gains 0.247 bits, Wind only 0.048. ID3 splits on the first."
    assert isinstance(second.picture, TreePicture)
    assert second.number.value == ex.grow(_tennis(), ex.ID3).n_leaves
    with spoken_in(chinese()):
        assert (scene.title, scene.steps({})[0].text) == (
            "刮风的日子",
            "Outlook 增益 0.247 比特，Wind 只有 0.048。ID3 按前者划分。",
        )


def _tennis():
    features = ["Outlook", "Temperature", "Humidity", "Wind"]
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis", features=features)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("zh: 刮风的日子\n", "", r"line 1: 'Windy days' has no Chinese: write the line 'zh: …' below it"),
        (
            "Wind 只有 {gain(Wind)}",
            "Wind 很少",
            r"the Chinese of .* has other fields: add \['gain\(Wind\):'\]",
        ),
        ("value: gain(Outlook)", "value: gainn(Outlook)", r"line \d+: there is no 'gainn': did you mean 'gain'\?"),
        ("value: gain(Outlook)", "value: gain(Sky)", r"gain\('Sky'\) does not work .* against the table 'play_tennis'"),
        (
            "value: gain(Outlook)",
            "value: (lambda: 1)()",
            r"is not allowed: use names, numbers, texts in quotes",
        ),
        ("value: gain(Outlook)", "value: gain(Outlook", r"'gain\(Outlook' is no call: write a name"),
        ("value: gain(Outlook)", "valu: gain(Outlook)", r"line \d+: 'valu: gain\(Outlook\)' is none of the lines"),
        ("value: gain(Outlook)\n", "", r"line \d+: the step 'gains' has no 'value': add a line"),
        ("right: best", "right: heaviest", r"no option of 'gains' is right"),
        ("## leaves", "## gains", r"line \d+: there is a step 'gains' above: give this one another name"),
        ("minutes: 1", "minutes: 1\nminutes: 2", r"'minutes' stands twice in this part: delete one"),
        ("minutes: 1\n", "", r"the scene has no 'minutes': add a line"),
        ("# Windy days", "Windy days", r"line 1: a scene begins with its title: write '# …'"),
    ],
)
def test_a_fault_is_named_with_its_line_and_its_remedy(write, old, new, error):
    assert old in EXAMPLE
    with pytest.raises(SceneError, match=error) as raised:
        write(EXAMPLE.replace(old, new)).steps({})
    assert "windy_days.md" in str(raised.value)
