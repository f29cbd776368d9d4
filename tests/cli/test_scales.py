"""Tables and the lines beneath them show one score on one scale."""

from tests.cli.conftest import ALDER, DATA, GOLD


def test_one_score_has_one_scale(run, tmp_path):
    gold = DATA / "ie" / "news.iob2"
    system = tmp_path / "system.iob2"
    system.write_text(gold.read_text().replace("B-", "I-", 1).replace("B-LOC", "O"))
    sides = gold, system
    value = run("score", *sides, "-m", "ner").json["scores"]["accuracy"]
    assert 0 < value < 1
    shown = f"{100 * value:.3f}"
    threshold = ("--fail-under", "accuracy=0.999", "--decimals", "3")
    table = run("score", *sides, "-m", "ner", "--table", *threshold)
    [row] = [
        line for line in table.out.splitlines() if line.split()[:1] == ["accuracy"]
    ]
    assert row.split() == ["accuracy", shown]
    assert f"accuracy is {shown}, under 99.9" in table.err
    # What is read by programs keeps the scale from 0 to 1.
    assert (
        f"accuracy is {value:.6g}, under 0.999"
        in run("score", *sides, "-m", "ner", *threshold).err
    )


def test_amounts_are_shown_as_they_are(run):
    found = run("score", GOLD, ALDER, "-m", "smatch(preset=smatch)", "--table", "-v")
    numbers = run("score", GOLD, ALDER, "-m", "smatch(preset=smatch)").json["scores"]
    rows = {row[0]: row[1:] for row in map(str.split, found.out.splitlines()) if row}
    for name, value in numbers.items():
        row, _, column = name.rpartition(".")
        if column == "gold":
            assert rows[row][0] == f"{value:.6g}"


def test_amounts_of_fills_are_no_ratios(run):
    gold = DATA / "ie" / "incidents.key"
    numbers = run("score", gold, gold).json["scores"]
    assert numbers["correct"] > 1
    threshold = ("--fail-under", f"correct={numbers['correct'] + 1:g}")
    found = run("score", gold, gold, "--table", *threshold)
    [row] = [line for line in found.out.splitlines() if line.startswith("correct ")]
    assert row.split() == ["correct", f"{numbers['correct']:g}"]
    assert f"correct is {numbers['correct']:g}, under" in found.err
    assert f"under {numbers['correct'] + 1:g}\n" in found.err


def test_ratios_of_nothing_are_no_zeros(run, tmp_path):
    """An item that neither side says anything of is no failure, in any column."""
    sides = tmp_path / "gold.iob2", tmp_path / "system.iob2"
    for side in sides:
        side.write_text("a B-PER\n\nb O\n")
    table = run("score", *sides, "-m", "ner", "--by", "item", "--table").out
    rows = {row[0]: row[1:] for row in map(str.split, table.splitlines()) if row}
    assert rows["0"] == ["100.00"] * 7
    assert rows["1"] == ["-"] * 7
    nothing = tmp_path / "nothing.iob2"
    nothing.write_text("a O\n\nb O\n")
    table = run("score", nothing, nothing, "-m", "ner", "--by", "item", "--table").out
    rows = {row[0]: row[1:] for row in map(str.split, table.splitlines()) if row}
    assert rows["all"] == ["-"] * 7
    assert rows["macro"] == ["-"] * 3
