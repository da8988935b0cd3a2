"""`python -m tests.recall`: how many planted mistakes the rules name, and how many of their findings are wrong.

`python -m tests.recall --wanted` also lists what a rule would have to say of each mistake that none names.
"""

import argparse
from collections import Counter
from collections.abc import Iterable

from .draw import mistakes
from .figures import DOMAINS, HELD_OUT, TUNED, Result, judgements, measure

ROW = "{:<18} {:<9} {:>8} {:>6} {:>7} {:>6} {:>6} {:>9} {:>9} {:>6}"
HEAD = ("project", "set", "planted", "named", "recall", "right", "wrong", "questions", "findings", "noise")


def main() -> None:
    """Check all projects and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.recall")
    parser.add_argument("--wanted", action="store_true", help="list what a rule would have to say of missed mistakes")
    options = parser.parse_args()
    results = {domain: measure(domain) for domain in DOMAINS}
    print(ROW.format(*HEAD))
    for domain, result in results.items():
        print(_row(domain, "tuned" if domain in TUNED else "held out", [result]))
    for name, domains in (("tuned", TUNED), ("held out", HELD_OUT), ("all", frozenset(DOMAINS))):
        if domains:
            print(_row("total", name, [results[domain] for domain in sorted(domains)]))
    print("right, wrong, questions: on the sound project; findings, noise: on the other one, noise for each mistake")
    for domain, result in results.items():
        judged = {(entry.code, entry.object) for entry in judgements(domain)}
        for seen in result.wrong:
            if (seen.code, seen.object) not in judged:
                print(f"not judged, counted as wrong: {domain} {seen.object}: {seen.code}: {seen.message}")
    if options.wanted:
        _print_wanted(results.values())


def _row(name: str, subset: str, results: Iterable[Result]) -> str:
    results = list(results)
    named = sum(len(result.named) for result in results)
    planted = named + sum(len(result.missed) for result in results)
    right, wrong = sum(len(result.right) for result in results), sum(len(result.wrong) for result in results)
    questions = sum(len(result.questions) for result in results)
    findings = sum(result.findings for result in results)
    recall, noise = f"{named / planted:.0%}", f"{findings / planted:.2f}"
    return ROW.format(name, subset, planted, named, recall, right, wrong, questions, findings, noise)


def _print_wanted(results: Iterable[Result]) -> None:
    """The missed mistakes by family, those missed most often first."""
    family = {mistake.id: mistake.family for mistake in mistakes()}
    named = Counter(family[planted.id] for result in results for planted in result.named)
    missed = Counter((planted.id, planted.wanted) for result in results for planted in result.missed)
    by_family: Counter[str] = Counter()
    for (mistake, _), count in missed.items():
        by_family[family[mistake]] += count
    for name, count in by_family.most_common():
        print(f"\n{name}: {count} of {count + named[name]} missed")
        for (mistake, expected), times in missed.most_common():
            if family[mistake] == name:
                print(f"  {times} {mistake}: {expected}")


if __name__ == "__main__":
    main()
