"""What a reviewer once got through is refused, and said to be what it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symtape.cli import main
from symtape.theorem import Refused, conclude
from tests import reviewed
from tests.proving import checked

FILE = str(Path(reviewed.__file__))
FALSE = ["shifted", "before_the_first", "same_size", "same_size_again", "every_cast_fits"]


@pytest.mark.parametrize("name", FALSE)
def test_refused(name: str) -> None:
    with pytest.raises(Refused, match="the claim"):
        checked(getattr(reviewed, name), reviewed.typed)


def test_what_the_false_ones_are_variants_of_is_proved() -> None:
    assert checked(reviewed.in_range_is_valid)
    assert checked(reviewed.typed)


def test_a_claim_over_another_value_is_another_claim() -> None:
    small, large = reviewed.limited(4), reviewed.limited(9)
    assert conclude(small, checked(small), {})
    with pytest.raises(Refused, match="about another lemma"):
        conclude(large, checked(small), {})
    assert small.fingerprint == reviewed.limited(4).fingerprint


def test_a_proof_that_leaves_is_an_error_and_the_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["leaving", "addGradAll_ok_size"]
    code = main(["prove", *names, "--all-sizes", "--encodings", FILE, "--no-report", "--json", "-"])
    said = {each["name"]: each["verdict"] for each in json.loads(capsys.readouterr().out)["lemmas"]}
    assert code == 4
    assert said == {"addGradAll_ok_size": "proved", "leaving": "error"}


def test_what_is_false_at_a_known_size_is_not_called_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = reviewed.shifted.name
    code = main(["prove", name, "--all-sizes", "--bound", "1", "--encodings", FILE, "--no-report", "--json", "-"])
    (each,) = json.loads(capsys.readouterr().out)["lemmas"]
    assert (code, each["verdict"], each["every_size"]["verdict"]) == (1, "refuted", "undecided")
