"""The results as JUnit XML, for what shows test results in CI.

A suite is a lemma, and a case is one thing that was asked of it: every size, or one tape size. So a dashboard says
at which size a lemma fails, counts what was asked, and follows each over time; facts about the lemma have a place
that the usual schemas allow, the properties of the suite. A case's name begins with the lemma's, since some
dashboards show nothing of the suite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from symtape.reports.standing import Lemma, at_every_size, rests_on_unproved
from symtape.reports.status import NOT_FULLY
from symtape.results import simplest
from symtape.terminal import refutation

KINDS = {"refuted": "failure", "vacuous": "failure", "undecided": "error", "error": "error"}
"""What a verdict is to a test runner. The exit codes part them the same way: the claim fails, or there is no answer.
None of them is a pass, nor skipped, which many dashboards take for one."""
NOT_RUN = "skipped"
"""What an interrupted run did not come to."""

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write, escaped or not."""


def junit(results: dict[str, Any]) -> str:
    """The document."""
    interrupted = results["run"]["state"] == "interrupted"
    suites = [_suite(lemma, results, interrupted=interrupted) for lemma in results["lemmas"]]
    root = _element("testsuites", name="symtape", **_total(suites))
    root.extend(suites)
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(lemma: Lemma, results: dict[str, Any], *, interrupted: bool) -> ET.Element:
    cases = list(_cases(lemma, interrupted=interrupted))
    suite = _element(
        "testsuite",
        name=lemma["name"],
        file=lemma["location"]["file"],
        # without a zone, which the schemas do not allow
        timestamp=results["run"]["started"][:19],
        skipped=str(sum(case.find(NOT_RUN) is not None for case in cases)),
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors=str(sum(case.find("error") is not None for case in cases)),
        time=_seconds(sum(float(case.attrib["time"]) for case in cases)),
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in (
        ("verdict", lemma["verdict"]),
        ("scope", lemma["scope"]["text"]),
        ("lean", lemma["lean"] or ""),
        ("line", str(lemma["location"]["line"])),
        ("symtape", results["symtape"]),
        ("solver", f"{results['solver']['name']} {results['solver']['version']}"),
    ):
        properties.append(_element("property", name=name, value=value))
    suite.extend(cases)
    return suite


def _total(suites: list[ET.Element]) -> dict[str, str]:
    counts = {name: str(sum(int(each.attrib[name]) for each in suites)) for name in ("tests", "failures", "errors")}
    return {**counts, "time": _seconds(sum(float(each.attrib["time"]) for each in suites))}


def _cases(lemma: Lemma, *, interrupted: bool) -> Iterator[ET.Element]:
    every = lemma.get("every_size")
    if every is not None:
        case = _case(lemma, "every size", every["seconds"])
        _judge(case, lemma, every, not_run=interrupted and not every["obligations"])
        if at_every_size(lemma) == NOT_FULLY:
            said = f"proved, but not fully: it rests on {', '.join(rests_on_unproved(lemma))}, not proved"
            case.append(_element("system-out", said))
        yield case
    for size in lemma["sizes"]:
        case = _case(lemma, f"tape size {size['size']}", size["seconds"])
        _judge(case, lemma, size, not_run=interrupted and not size["obligations"])
        if size["trivial"]:
            case.append(_element("system-out", size["reason"]))
        yield case


def _case(lemma: Lemma, asked: str, seconds: float) -> ET.Element:
    group = lemma["group"] or "symtape"
    return _element("testcase", classname=group, name=f"{lemma['name']} at {asked}", time=_seconds(seconds))


def _judge(case: ET.Element, lemma: Lemma, said: dict[str, Any], *, not_run: bool) -> None:
    """Put into a case what stands for its verdict; nothing for a pass."""
    verdict, reason = said["verdict"], said["reason"]
    if verdict == "proved":
        return
    if verdict == "undecided" and not_run:
        case.append(_element(NOT_RUN, message=reason))
        return
    lines = [
        f"{lemma['location']['file']}:{lemma['location']['line']}",
        f"{verdict}: {reason}" if reason else verdict,
    ]
    shown = simplest(o for o in lemma["obligations"] if o["size"] == said.get("size"))
    if verdict == "refuted" and shown is not None:
        lines += refutation(lemma["name"], shown)
    case.append(
        _element(KINDS[verdict], "\n".join(lines), message=f"{verdict}: {reason or 'see below'}", type=verdict)
    )


def _element(tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    made = ET.Element(tag, {name: allowed(value) for name, value in attributes.items()})
    made.text = None if text is None else allowed(text)
    return made


def allowed(text: str) -> str:
    """A text with what XML cannot hold shown by its number."""
    return FORBIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
