"""The audit of an assignment as text and as a page."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.audit_results import AuditResult, KnownMistake, MutantResult
from autograder.report.html import ENVIRONMENT
from autograder.report.text import percent


def audit_text(audit: AuditResult) -> str:
    """A few lines of counts, everything that is wrong, and of which mistakes students get no hint."""
    counts, problems = audit.counts(), audit.problems()
    sample = f", a sample of {audit.total_mutants}" if audit.total_mutants > counts["mutants"] else ""
    clause_sample = f", a sample of {audit.total_clauses}" if audit.total_clauses > counts["clauses"] else ""
    lines = [
        f"{audit.assignment}",
        f"  misconceptions  {counts['killed']} of {counts['misconceptions']} caught, "
        f"{counts['diagnosed']} diagnosed as themselves and nothing else, or named by the convention they break",
        f"  alternatives    {counts['accepted']} of {counts['alternatives']} at full marks",
        f"  mutants         {counts['mutants_killed']} of {counts['mutants']} killed, "
        f"{counts['equivalent']} equivalent ({percent(counts['equivalent'] / max(1, counts['mutants']))}){sample}",
        f"  clause mutants  {counts['clauses_killed']} of {counts['clauses']} killed, "
        f"{counts['clauses_equivalent']} equivalent{clause_sample}",
        f"  promises        {counts['asked']} of {counts['promises']} asked for, {counts['rewritten']} rewritten",
        f"  trivial answers {counts['trivial_won']} of {counts['trivial']} win what they should not, "
        f"{len(audit.trivial_won) - counts['trivial_won']} are right",
        f"  criteria        {len(audit.criteria) - len(audit.idle())} of {len(audit.criteria)} needed",
    ]
    untold = [f"{one.exercise}: visible tests do not name “{one.name}”: {one.why}." for one in audit.untold]
    return "\n".join([*lines, *problems, *untold])


def audit_html(audits: list[AuditResult]) -> str:
    """The kill matrix of each assignment, its mutants, and everything that is wrong."""
    return ENVIRONMENT.get_template("audit.html.j2").render(
        audits=[(audit, [*_matrices(audit)], [*_mutants(audit)]) for audit in audits]
    )


def _matrices(audit: AuditResult) -> Iterator[tuple[str, list[str], list[KnownMistake]]]:
    """Exercise, its criteria, and its misconceptions."""
    for name in dict.fromkeys(exercise for exercise, _ in audit.criteria):
        criteria = [criterion for exercise, criterion in audit.criteria if exercise == name]
        yield name, criteria, [mistake for mistake in audit.misconceptions if mistake.exercise == name]


def _mutants(audit: AuditResult) -> Iterator[tuple[str, list[MutantResult]]]:
    for name in dict.fromkeys(mutant.definition for mutant in audit.mutants):
        yield name, [mutant for mutant in audit.mutants if mutant.definition == name]
