"""The answer of an experiment that makes many tests at once."""

from __future__ import annotations

from collections.abc import Sequence

from widemargin.metrics import PairedComparison, holm

__all__ = ["corrected_verdict"]


def corrected_verdict(tests: Sequence[tuple[str, PairedComparison]], none_differs: str) -> str:
    """Say which methods differ from the plain SVM where, by the tests that stand when corrected for their number.

    Parameters
    ----------
    tests : sequence of (str, PairedComparison)
        A method with the place where it was tried, such as "SVM+ with 40 images", and its test against the SVM.
    none_differs : str
        What to say if no test stands, without full stop.

    Returns
    -------
    str
        The verdict, which names the baseline where it wins.
    """
    corrected = holm([test.p_value for _, test in tests])
    sides: dict[bool, list[str]] = {True: [], False: []}
    for (method, test), p_value in zip(tests, corrected, strict=True):
        if p_value <= 0.05:
            sides[test.mean_difference > 0].append(method)
    helped, hurt = sides[True], sides[False]
    basis = f"at 95 %, corrected by Holm's method for {len(tests)} tests"
    if not helped and not hurt:
        return f"No clear benefit: {none_differs} ({basis})."
    start = "Sometimes" if helped and hurt else "Yes" if helped else "No, the baseline wins"
    parts = []
    if helped:
        parts.append(f"significantly above the plain SVM is {_join(helped)}")
    if hurt:
        parts.append(f"significantly below the plain SVM is {_join(hurt)}")
    return f"{start}: {'; '.join(parts)} ({basis})."


def _join(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
