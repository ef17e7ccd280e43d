"""Plain results of auditing one assignment. Reports read these and nothing else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownMistake:
    """A misconception under audit: the criteria that it fails, and the misconceptions that its answers show.

    ``hides`` are misconceptions of exercises that need this one, which would cost nothing under it. ``broken`` are the
    conventions of its file that it breaks, as "conventions: dtype".
    """

    name: str
    exercise: str
    failed: tuple[str, ...]
    diagnosed: tuple[str, ...]
    hides: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def killed(self) -> bool:
        return bool(self.failed or self.broken)

    @property
    def named(self) -> bool:
        """Whether feedback says what is wrong: the mistake by its own name and no other, or the convention that it
        breaks where it fails nothing else.
        """
        return self.diagnosed == (self.name,) or (bool(self.broken) and not self.failed and not self.diagnosed)


@dataclass(frozen=True)
class UnusualSolution:
    """An alternative under audit: the criteria that it fails, which should be none."""

    name: str
    exercise: str
    failed: tuple[str, ...]


@dataclass(frozen=True)
class MutantResult:
    """An automatic mutant under audit: killed by an exercise's criterion, or marked as equivalent, or survived.

    ``doubt`` says what speaks against the mark. ``promise`` is what a clause mutant breaks.
    """

    definition: str
    digest: str
    change: str
    killed_by: str = ""
    reason: str = ""
    doubt: str = ""
    promise: str = ""

    @property
    def survived(self) -> bool:
        return bool(self.doubt) or not (self.killed_by or self.reason)


@dataclass(frozen=True)
class PromiseResult:
    """A promise of an exercise's docstring, and the criteria or cases that ask for it.

    ``needless``: what could break it computes the same, or the table says why nothing asks. ``rewritten``: it gave way,
    since it promised too much.
    """

    exercise: str
    promise: str
    asked: tuple[str, ...]
    needless: bool = False
    rewritten: bool = False


@dataclass(frozen=True)
class SlowSolution:
    """A right solution that comes too near to a limit of time: ``share`` of an exercise's, in one of its cases."""

    name: str
    exercise: str
    share: float


@dataclass(frozen=True)
class TrivialWin:
    """A trivial answer that wins a criterion. ``reason`` says why it is right there, if somebody has said so."""

    exercise: str
    criterion: str
    answer: str
    reason: str = ""


@dataclass(frozen=True)
class Untold:
    """A misconception that the visible tests do not tell students by name, and why."""

    exercise: str
    name: str
    why: str


@dataclass(frozen=True)
class AuditResult:
    """How well an assignment's hidden cases know right from wrong. ``criteria`` are (exercise, criterion).

    ``stale`` are sentences about marks that no longer belong to any mutant. ``mutants`` may be a sample of
    ``total_mutants``. ``trivial_tried`` trivial answers were given, and ``trivial_won`` is what some of them won.
    ``untold`` is found for an exercise alone, and fails no audit.
    """

    assignment: str
    title: str
    criteria: tuple[tuple[str, str], ...]
    misconceptions: tuple[KnownMistake, ...]
    alternatives: tuple[UnusualSolution, ...]
    mutants: tuple[MutantResult, ...]
    stale: tuple[str, ...] = ()
    total_mutants: int = 0
    slow: tuple[SlowSolution, ...] = ()
    trivial_tried: int = 0
    trivial_won: tuple[TrivialWin, ...] = ()
    clauses: tuple[MutantResult, ...] = ()
    total_clauses: int = 0
    promises: tuple[PromiseResult, ...] = ()
    untold: tuple[Untold, ...] = ()

    def counts(self) -> dict[str, int]:
        return {
            "misconceptions": len(self.misconceptions),
            "killed": sum(m.killed for m in self.misconceptions),
            "diagnosed": sum(m.named for m in self.misconceptions),
            "alternatives": len(self.alternatives),
            "accepted": sum(not a.failed for a in self.alternatives),
            "mutants": len(self.mutants),
            "mutants_killed": sum(bool(m.killed_by) for m in self.mutants),
            "equivalent": sum(bool(m.reason) and not m.survived for m in self.mutants),
            "clauses": len(self.clauses),
            "clauses_killed": sum(bool(m.killed_by) for m in self.clauses),
            "clauses_equivalent": sum(bool(m.reason) and not m.survived for m in self.clauses),
            "promises": len(self.promises),
            "asked": sum(bool(p.asked) or p.needless for p in self.promises),
            "rewritten": sum(p.rewritten for p in self.promises),
            "trivial": self.trivial_tried,
            "trivial_won": sum(not t.reason for t in self.trivial_won),
        }

    def idle(self) -> list[str]:
        """Criteria that no misconception fails, or that fail for the same misconceptions as an earlier one."""
        found, seen = [], set[tuple[str, frozenset[str]]]()
        for exercise, criterion in self.criteria:
            caught = frozenset(
                m.name
                for m in self.misconceptions
                if (m.exercise == exercise and criterion in m.failed) or f"{exercise}: {criterion}" in m.broken
            )
            if not caught or (exercise, caught) in seen:
                found.append(f"{exercise}: {criterion}")
            seen.add((exercise, caught))
        return found

    def problems(self) -> list[str]:
        """Everything that keeps the proof from being complete, in sentences."""
        unnamed = [m for m in self.misconceptions if m.killed and not m.named]
        marked = self.counts()["equivalent"]
        return [
            *(
                f"{m.exercise}: the misconception “{m.name}” keeps full marks."
                for m in self.misconceptions
                if not m.killed
            ),
            *(
                f"{m.exercise}: the misconception “{m.name}” is taken for {' and '.join(m.diagnosed)}."
                for m in self.misconceptions
                if {*m.diagnosed} - {m.name}
            ),
            *(
                f"{m.exercise}: “{m.name}” hides {' and '.join(m.hides)}: it must not be carried."
                for m in self.misconceptions
                if m.hides
            ),
            *(
                f"{a.exercise}: the alternative “{a.name}” loses {', '.join(a.failed)}."
                for a in self.alternatives
                if a.failed
            ),
            *(
                f"{m.definition} [{m.digest}]: {m.change}: {m.doubt or 'survives'}."
                for m in (*self.mutants, *self.clauses)
                if m.survived
            ),
            *(f"{name}: no misconception needs this criterion." for name in self.idle()),
            *(f"{t.exercise}: {t.criterion} is won by {t.answer}." for t in self.trivial_won if not t.reason),
            *(
                ["Fewer than nine in ten misconceptions are named."]
                if len(unnamed) > 0.1 * len(self.misconceptions)
                else []
            ),
            *(
                ["More than eight in a hundred mutants are marked as equivalent."]
                if marked > 0.08 * self.total_mutants
                else []
            ),
            *(
                ["More than five in a hundred clause mutants are marked as equivalent."]
                if self.counts()["clauses_equivalent"] > 0.05 * self.total_clauses
                else []
            ),
            *(f"{s.exercise}: {s.name} needs {s.share:.0%} of the time that a call may take." for s in self.slow),
            *self.stale,
        ]
