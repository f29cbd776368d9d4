"""What parameters of metrics are refused, and what is said of them."""

from __future__ import annotations

import pytest

from graphscore.exceptions import UsageError
from graphscore.metrics.registry import metrics, parse

REFUSED = [
    # Numbers beyond what makes sense.
    ("ner(overlap=2)", "expected 0 to 1"),
    ("eter(alpha=1.5)", "expected 0 to 1"),
    ("eter(alpha=nan)", "expected 0 to 1"),
    ("eter(alpha=x)", "expected float"),
    ("eter(boundary=-1)", "boundary=-1.0, expected 0 or more"),
    ("eter(insertion=inf)", "insertion=inf, expected 0 or more"),
    ("eter(insertion=0,deletion=0)", "expected one above"),
    ("ser(type=-1)", "type=-1.0, expected 0 or more"),
    ("ser(boundary=nan)", "boundary=nan, expected 0 or more"),
    ("ser(deletion=inf)", "deletion=inf, expected 0 or more"),
    (
        "ser(insertion=0,deletion=0)",
        "insertion and deletion are 0, expected one above",
    ),
    ("ser(type=x)", "expected float"),
    *((f"edm(names={weight})", "edm.*names") for weight in ("-1", "nan", "inf", "x")),
    *((f"relation(overlap={limit})", "overlap") for limit in ("1", "-0.1", "2")),
    ("trigger(overlap=1)", "overlap"),
    ("argument(overlap=1)", "overlap"),
    ("scirex(overlap=1)", "overlap=1, expected from 0"),
    ("scirex(share=1)", "share=1, expected from 0"),
    ("hipe(best=0)", "expected 1 or more"),
    ("conll09(weight=1.5)", r"weight=1\.5"),
    ("framenet(decay=2.0)", "decay=2"),
    # What does not go together.
    ("ser(weights=makhoul,boundary=0.25)", "weights=makhoul with boundary=0.25"),
    ("hipe(best=3,senses=both)", "expected one of them"),
    (
        "conll05(spurious=count,predicates=given)",
        "spurious=count, predicates=given",
    ),
    ("primesrl(core=pdt,preset=tool)", "PropBank alone"),
    ("primesrl(predicates=given,preset=tool)", "all predicates"),
    ("primesrl(unit=span,preset=tool)", "unit=span"),
    # Text that says nothing that is known.
    ("primesrl(core=propbnak)", "did you mean 'propbank'"),
    ("primesrl(core=labels:)", r"labels:A\|B"),
    ("primesrl(core=labels:A0||A1)", r"labels:A\|B"),
    ("primesrl(core=framenet:)", "framenet:FILE"),
    ("primesrl(core=framenet:no/such/file.xml)", "no/such/file.xml"),
    ("framenet(relations=nowhere.tsv)", r"nowhere\.tsv: a file that cannot be read"),
    ("neleval(measures=strong_links_match)", "did you mean|there are"),
    ("neleval(measures=set::span)", "expected one of: sets"),
    ("neleval(measures=sets::span+)", "expected fields"),
    ("neleval(measures=overlap-maxmax::type)", "expected span among"),
    ("neleval(measures=|)", "expected one or more"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(text)


@pytest.mark.parametrize("name", sorted(metrics()))
def test_a_choice_that_there_is_not_is_refused(name: str) -> None:
    for parameter, (_, choices) in metrics()[name].parameters().items():
        if isinstance(choices, tuple):
            with pytest.raises(UsageError, match="expected one of: ") as refused:
                parse(f"{name}({parameter}=nothing_of_these)")
            told = str(refused.value)
            assert parameter in told
            assert all(str(choice) in told for choice in choices)
