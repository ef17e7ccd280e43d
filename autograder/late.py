"""What a late hand-in costs: a pure function of the deadline, the time and the points. It grades nothing anew.

Every time is compared in UTC, so that a change to or from summer time makes no hour longer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from autograder import decimals
from autograder.deadline import UNITS, Deadline, LatePolicy
from autograder.results import Late

CLOSE = timedelta(minutes=15)
DAY = UNITS["day"]


def lateness(due: datetime, when: datetime) -> timedelta:
    """How much later than ``due``; negative before it."""
    return when.astimezone(UTC) - due.astimezone(UTC)


def extended(deadline: Deadline, until: datetime | None) -> Deadline:
    """``deadline`` for a student who has until then; no extension shortens the time."""
    if until is None or deadline.due is None or lateness(deadline.due, until) <= timedelta():
        return deadline
    return dataclasses.replace(deadline, due=until)


def days_spent(deadline: Deadline, when: datetime | None, left: int) -> int:
    """The free days that a hand-in uses up of those that are ``left``.

    It depends on the time alone: no change of points moves free days from one assignment to another.
    """
    policy = deadline.policy
    if not (deadline.due and when and policy.rate):
        return 0
    late = lateness(deadline.due, when)
    if policy.cutoff is not None and late > policy.cutoff:
        return 0
    most = policy.days if policy.max_days is None else policy.max_days
    return min(_begun(late - policy.grace, DAY), most, max(left, 0))


def apply(deadline: Deadline, when: datetime, left: int, score: float, possible: float) -> Late | None:
    """What is taken from a ``score`` that was handed in at ``when``; None where it was on time or nothing is due.

    Args:
        left: free days of the term that no earlier assignment has used.
        possible: the points of the assignment without bonus.
    """
    due, policy = deadline.due, deadline.policy
    if due is None or (late := lateness(due, when)) <= timedelta():
        return None
    told = f"Handed in {_duration(late)} after {_time(due)}"
    close = any(timedelta() < late - limit <= CLOSE for limit in (policy.grace, policy.cutoff) if limit is not None)
    if policy.cutoff is not None and late > policy.cutoff:
        off = decimals.total([score])
        rule = f"later than {_duration(policy.cutoff)} after it, nothing counts"
        return Late(off, 0, 0, close, f"{told}: {rule} (−{decimals.points(off)} points).")
    if late <= policy.grace:
        return Late(sentence=f"{told}, within the grace period of {_duration(policy.grace)}: nothing is taken.")
    if not policy.rate:
        return Late(close=close, sentence=f"{told}: nothing is taken.")
    days = days_spent(deadline, when, left)
    units = _begun(late - policy.grace - days * DAY, UNITS[policy.unit])
    off = _taken(policy, units, score, possible)
    steps = [f"the first {_duration(policy.grace)} are free"] if policy.grace else []
    steps += [f"{_count(days, 'free day')} spent"] if days else []
    steps += [_rule(policy, units)] if units else []
    steps += [] if off else ["nothing is taken"]
    taken = f" (−{decimals.points(off)} points)" if off else ""
    return Late(off, units, days, close, f"{told}: {'; '.join(steps)}{taken}.")


def flagged(deadline: Deadline, marked: bool | None, newest: datetime | None) -> Late | None:
    """What is said, and never charged, where no platform tells the time or nothing is due.

    Args:
        marked: whether the platform itself calls it late; None where it does not say.
        newest: the date of the newest file.
    """
    if marked:
        missing = "tells no time" if deadline.due else "the assignment has no due"
        return Late(sentence=f"The platform marks it as late, and {missing}: nothing is taken.")
    if not (marked is None and deadline.due and newest) or lateness(deadline.due, newest) <= timedelta():
        return None
    told = f"Handed in after {_time(deadline.due)}, by the date of its newest file"
    return Late(sentence=f"{told}: nothing is taken, since no platform tells the time.")


def counting(times: Sequence[datetime | None], deadline: Deadline) -> int:
    """The index of the attempt that counts, among ``times`` in the order in which the attempts were made.

    ``latest_before_due`` takes the latest that is not later than the grace period, and the latest of all where each is.
    """
    due, policy = deadline.due, deadline.policy
    if policy.attempt == "first":
        return 0
    if policy.attempt == "latest_before_due" and due:
        punctual = [i for i, when in enumerate(times) if when and lateness(due, when) <= policy.grace]
        return punctual[-1] if punctual else len(times) - 1
    return len(times) - 1


def _taken(policy: LatePolicy, units: int, score: float, possible: float) -> float:
    """Points that ``units`` of late time take, no more than there are and none below the floor."""
    before, most, share = decimals.exact(score), decimals.exact(possible), policy.rate * units / 100
    match policy.base:
        case "possible":
            after = before - share * most
        case "earned":
            after = before - share * before
        case "cap":
            after = min(before, (1 - share) * most)
    lowest = min(before, policy.floor / 100 * most)
    return decimals.rounded_down(before - max(after, lowest, Decimal()))


def _rule(policy: LatePolicy, units: int) -> str:
    late = _count(units, policy.unit)
    if policy.base == "cap":
        rule = f"{late} late, so that at most {_percent(max(100 - units * policy.rate, Decimal()))} of the points count"
    else:
        rule = f"{late} late at {_percent(policy.rate)} of the points {policy.base} per {policy.unit}"
    return f"{rule}, down to {_percent(policy.floor)}" if policy.floor else rule


def _percent(share: Decimal) -> str:
    return f"{decimals.points(float(share))} %"


def _begun(late: timedelta, unit: timedelta) -> int:
    """How many units have begun."""
    return max(0, -(-late // unit))


def _time(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M %Z}"


def _duration(time: timedelta) -> str:
    """The two largest units, as ``1 day 2 hours``, of a time rounded up to seconds."""
    minutes, seconds = divmod(-(-time // timedelta(seconds=1)), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    named = ((days, "day"), (hours, "hour"), (minutes, "minute"), (seconds, "second"))
    return " ".join([_count(number, name) for number, name in named if number][:2])


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
