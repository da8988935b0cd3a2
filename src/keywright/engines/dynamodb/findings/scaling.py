"""Surges of traffic, and provisioned capacity that scales within bounds."""

from keywright.engines.dynamodb.declare.settings import Autoscaling

from .throughput import total_units, units_of
from .uses import Use


def is_short(table_uses: list[Use], scaling: Autoscaling, *, is_write: bool, rising: list[Use] | None = None) -> bool:
    """Whether the peak of reads or writes exceeds the capacity that the table or an index has before it.

    rising: the uses that are at their peak; all by default.
    """
    served = [use for use in table_uses if use.call is not None]
    usual = units_of(served, is_peak=False)
    peaks = [use for use in served if rising is None or use in rising]
    added, left = units_of(peaks, is_peak=True), units_of(peaks, is_peak=False)
    bounds = scaling.write if is_write else scaling.read
    for index, units in added.items():
        before = usual[index].write if is_write else usual[index].read
        needed = before + (units.write - left[index].write if is_write else units.read - left[index].read)
        if needed > max(bounds.min, before * 100 / bounds.target):
            return True
    return False


def is_scheduled(use: Use, scaling: Autoscaling) -> bool:
    """Whether a schedule raises the capacity that it uses."""
    least = (scaling.read if use.write is None else scaling.write).min
    bounds = (schedule.read if use.write is None else schedule.write for schedule in scaling.schedules)
    return any(bound is not None and bound.min > least for bound in bounds)


def target_percent_of(use: Use, scaling: Autoscaling) -> int:
    """Percentage of the capacity that it uses from which scaling begins; a schedule does not change it."""
    return (scaling.read if use.write is None else scaling.write).target


def factor(use: Use) -> float:
    """Ratio of its peak to its usual rate; 0 if either is not declared."""
    usual, peak = use.load.per_second, use.load.peak_per_second
    return peak / usual if usual and peak else 0


def added_units(use: Use) -> float:
    """Units a second by which its peak exceeds its usual rate."""
    if use.call is None:
        return 0
    usual, peak = (total_units(units_of([use], is_peak=is_peak)) for is_peak in (False, True))
    return peak.read + peak.write - usual.read - usual.write
