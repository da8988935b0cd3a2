"""Whatever a finding, a pattern or a step says, the reader of each document reads that and nothing else."""

import json
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.hostile.texts import TEXTS

from keywright.access.path import NotServed
from keywright.engines.capability import Source
from keywright.engines.monitoring.alerts import EngineAlerts, within
from keywright.errors import Place
from keywright.ir.pattern import Pattern
from keywright.ir.text import one_line
from keywright.migrations.migration import Migration, Step
from keywright.migrations.snapshot import EMPTY
from keywright.project.migrations.migration_yaml import to_yaml
from keywright.provision.dynamodb.static import dumped
from keywright.report import github, gitlab, junit, lint, markdown, matrix, page, prometheus, sarif
from keywright.report.matrix import MatrixRow
from keywright.rules.catalogue import BY_CODE
from keywright.rules.rule import Finding, Report

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OUTSIDE = {"script", "img", "a", "iframe", "style", "b"}
FINDINGS = st.builds(
    Finding,
    rule=st.just(BY_CODE["DS103"]),
    severity=st.just("error"),
    message=TEXTS,
    help=TEXTS,
    store=TEXTS,
    object=TEXTS,
    at=st.builds(Place, TEXTS.map(lambda text: text.replace("\x00", "")), st.integers(1, 9)),
)
QUICK = settings(max_examples=60, deadline=None)


class Tags(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.seen.append("comment")


def a_line(text: str) -> MatrixRow:
    pattern = Pattern(name=text, kind="read", context=text, binding=text, at=Place(text, 3))
    return MatrixRow(pattern=pattern, entity=text, engine="mongodb", store=text, path=NotServed(text))


@QUICK
@given(TEXTS)
def test_the_page_of_the_matrix_has_the_same_elements_whatever_it_is_about(text: str) -> None:
    plain, tags = (Tags(page.page(words, words, [a_line(words)])) for words in ("plain", text))
    assert tags.seen == plain.seen


@QUICK
@given(FINDINGS, TEXTS)
def test_markdown_has_one_table_row_for_each_finding_and_no_other_structure(found: Finding, name: str) -> None:
    report = Report((found,))
    for text in (lint.markdown((name,), report), markdown.document(report), matrix.markdown([a_line(name)])):
        tags = Tags(READER.render(text))
        assert tags.seen.count("tr") == 2
        assert tags.seen.count("h2") + tags.seen.count("h1") <= 1
        assert not OUTSIDE.intersection(tags.seen) - ({"a"} if text.startswith("**keywright check") else set())


@QUICK
@given(FINDINGS)
def test_a_junit_report_has_one_case_for_each_finding(found: Finding) -> None:
    root = ElementTree.fromstring(junit.document(Report((found,))).encode())
    assert [element.tag for element in root.iter()] == ["testsuites", "testsuite", "testcase", "failure"]


@QUICK
@given(FINDINGS)
def test_sarif_and_the_report_of_gitlab_are_json_with_the_message_in_it(found: Finding) -> None:
    (run,) = json.loads(sarif.document(Report((found,))))["runs"]
    (row,) = json.loads(gitlab.document(Report((found,))))
    assert found.message in run["results"][0]["message"]["text"]
    assert found.message in row["description"]


@QUICK
@given(FINDINGS)
def test_a_finding_is_one_command_of_a_workflow(found: Finding) -> None:
    text = github.document(Report((found,)))
    assert re.split(r"[\r\n]", text)[1:] == [""]
    properties = text[len("::error ") :].partition("::")[0]
    assert {part.partition("=")[0] for part in properties.split(",")} - {"file"} == {"line", "title"}


@QUICK
@given(TEXTS, TEXTS)
def test_a_rule_file_of_prometheus_is_the_yaml_of_its_values(environment: str, label: str) -> None:
    watch = EngineAlerts(
        exporter="an exporter", source=Source("https://example.org", "2026-11-22"), alerts=(), records=()
    )
    text = prometheus.rules("redis", "Redis", environment, watch, {"env": label})
    (group,) = yaml.safe_load(text)["groups"]
    assert group["name"] == f"keywright-{environment}-redis"
    assert group["rules"][0]["labels"]["env"] == label.replace("{{", '{{ "{{" }}')  # what Prometheus fills in
    assert text.count("\n#") == 1


@QUICK
@given(TEXTS)
def test_a_label_of_a_series_is_one_quoted_text(text: str) -> None:
    chosen = within("up", [], {"env": text}, {})
    assert chosen == "up"
    quoted = prometheus.matcher("env", text).removeprefix("env=")
    assert json.loads(quoted) == text


@QUICK
@given(TEXTS, TEXTS)
def test_a_migration_is_read_as_it_was_written(text: str, name: str) -> None:
    step = Step(n=10, phase="expand", by="human", op="deploy_ack", store=name, object=text, text=text)
    migration = Migration(
        number="0001", slug="first", parent=None, base="", to="", changes=(), steps=(step,), snapshot=EMPTY
    )
    (step,) = yaml.safe_load(to_yaml(migration))["steps"]
    assert (step["store"], step["object"], step["text"]) == (name, text, text)


@QUICK
@given(st.dictionaries(TEXTS, TEXTS, max_size=3))
def test_a_static_program_of_pulumi_is_read_as_it_was_written(values: dict[str, Any]) -> None:
    assert yaml.safe_load(dumped(values)) == values


@given(TEXTS)
def test_a_line_of_comment_is_one_line_everywhere(text: str) -> None:
    assert one_line(text).splitlines() in ([one_line(text)], [])
