"""What people say about the evidence of two methods: how often one is better, and how many shots are relevant."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["RecountingJudgement", "judge_recounting"]

_KEY_COLUMNS = ("sheet", "pair", "event", "video", "A", "B")
_ANSWER_COLUMNS = ("sheet", "rater", "pair", "side", "shot", "answer")
_PREFERENCES, _RELEVANCES = ("A", "similar", "B"), ("yes", "no")


@dataclass
class RecountingJudgement:
    """The answers about one event, as counts.

    Parameters
    ----------
    event : str
        The event.
    better, similar, worse : int, default=0
        How often the evidence of the method was preferred, found as good as that of the other, or not preferred.
    relevant, shots : int, default=0
        Number of its shots that were found relevant, and of those that were judged.
    other_relevant, other_shots : int, default=0
        The same for the other method.

    Examples
    --------
    >>> from widemargin.metrics import RecountingJudgement
    >>> RecountingJudgement("fight", relevant=3, shots=4).accuracy
    0.75
    """

    event: str
    better: int = 0
    similar: int = 0
    worse: int = 0
    relevant: int = 0
    shots: int = 0
    other_relevant: int = 0
    other_shots: int = 0

    @property
    def accuracy(self) -> float:
        """Share of the judged shots of the method that are relevant; nan if none was judged."""
        return self.relevant / self.shots if self.shots else float("nan")

    @property
    def other_accuracy(self) -> float:
        """The same for the other method."""
        return self.other_relevant / self.other_shots if self.other_shots else float("nan")


def judge_recounting(answers: str | Iterable[str], key: str, method: str) -> tuple[RecountingJudgement, ...]:
    r"""Count the answers of people to a blind sheet, event by event.

    Evidence has no truth that a file could hold: people compare two methods without knowing which is which, as in
    Tables 7 and 8 of [1]_.

    Parameters
    ----------
    answers : str or iterable of str
        Contents of the CSV files that the sheet saved, one for each person.
    key : str
        Content of the key that was made with the sheet.
    method : str
        The method, one of the two in the key, that is better or worse than the other.

    Returns
    -------
    tuple of RecountingJudgement
        One for each event, in the order of the key; those without an answer as well.

    Raises
    ------
    ValueError
        If a file has other columns, the answers belong to another sheet, an answer is none that the sheet offers, or
        the key does not know the method.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017.

    Examples
    --------
    >>> from widemargin.metrics import judge_recounting
    >>> key = "sheet,pair,event,video,A,B\ns1,1,fight,a.mp4,theirs,ours\n"
    >>> answers = "sheet,rater,pair,side,shot,answer\ns1,Ann,1,,,B\ns1,Ann,1,B,1,yes\ns1,Ann,1,A,1,no\n"
    >>> (fight,) = judge_recounting(answers, key, "ours")
    >>> fight.better, fight.accuracy, fight.other_accuracy
    (1, 1.0, 0.0)
    """
    pairs = {(row["sheet"], row["pair"]): row for row in _rows(key, _KEY_COLUMNS, "key")}
    judgements: dict[str, RecountingJudgement] = {}
    for (_, pair), row in pairs.items():
        if method not in (row["A"], row["B"]):
            raise ValueError(
                f"method must be one of the two in the key, {row['A']!r} and {row['B']!r} for pair {pair}, "
                f"but is {method!r}: give one of these."
            )
        judgements.setdefault(row["event"], RecountingJudgement(row["event"]))
    for text in [answers] if isinstance(answers, str) else answers:
        for line in _rows(text, _ANSWER_COLUMNS, "answers"):
            row = pairs.get((line["sheet"], line["pair"]), {})
            if not row:
                raise ValueError(
                    f"answers must be to the sheet of the key, but one is to pair {line['pair']!r} of sheet "
                    f"{line['sheet']!r}, which the key does not have: give the key that was made with that sheet."
                )
            _count(judgements[row["event"]], line, "A" if row["A"] == method else "B")
    return tuple(judgements.values())


def _count(judgement: RecountingJudgement, line: dict[str, str], own_side: str) -> None:
    side, answer = line["side"], line["answer"]
    offered = _RELEVANCES if side else _PREFERENCES
    if side not in ("", "A", "B") or answer not in offered:
        raise ValueError(
            f"answers must be {', '.join(offered)} about side A or B, but pair {line['pair']} has {answer!r} about "
            f"{side!r}: give a file as the sheet saved it."
        )
    if not side:
        judgement.similar += answer == "similar"
        judgement.better += answer == own_side
        judgement.worse += answer not in ("similar", own_side)
    elif side == own_side:
        judgement.shots += 1
        judgement.relevant += answer == "yes"
    else:
        judgement.other_shots += 1
        judgement.other_relevant += answer == "yes"


def _rows(text: str, columns: tuple[str, ...], name: str) -> list[dict[str, str]]:
    reader = csv.DictReader(
        io.StringIO(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"), newline=""), restval=""
    )
    found = tuple(reader.fieldnames or ())
    if found != columns:
        raise ValueError(
            f"{name} must be a table with the columns {', '.join(columns)}, but has {', '.join(found) or 'none'}: "
            "give a file as it was saved."
        )
    return list(reader)
