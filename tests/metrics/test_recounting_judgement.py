"""Answers to a blind sheet, counted by the key."""

import math

import pytest

from widemargin.metrics import RecountingJudgement, judge_recounting

HEAD = "sheet,rater,pair,side,shot,answer"
KEY = (
    "sheet,pair,event,video,A,B\ns,1,fight,a,ours,theirs\ns,2,fight,b,theirs,ours\ns,3,dance,c,ours,theirs\n"
)


def answers(*rows):
    return "\n".join([HEAD, *(f"s,Ann,{row}" for row in rows), ""])


def test_sides_are_told_apart_by_the_key():
    people = [
        answers("1,,,A", "2,,,A", "1,A,1,yes", "1,A,2,no", "1,B,1,no", "2,B,1,yes", "2,A,1,yes"),
        answers("1,,,similar", "2,,,B"),
    ]
    fight, dance = judge_recounting(people, KEY, "ours")
    assert fight == RecountingJudgement(
        "fight", better=2, similar=1, worse=1, relevant=2, shots=3, other_relevant=1, other_shots=2
    )
    assert fight.accuracy == 2 / 3
    assert fight.other_accuracy == 1 / 2
    assert dance == RecountingJudgement("dance")
    assert math.isnan(dance.accuracy)
    assert math.isnan(dance.other_accuracy)


def test_the_other_method_sees_the_mirror_image():
    text = answers("1,,,A", "2,,,similar", "1,A,1,yes", "1,B,1,no")
    ours, theirs = (judge_recounting(text, KEY, method)[0] for method in ("ours", "theirs"))
    assert (
        (ours.better, ours.similar, ours.worse) == (theirs.worse, theirs.similar, theirs.better) == (1, 1, 0)
    )
    assert (ours.accuracy, ours.other_accuracy) == (theirs.other_accuracy, theirs.accuracy) == (1.0, 0.0)


def test_a_spreadsheet_may_have_put_a_mark_in_front():
    assert judge_recounting("\ufeff" + answers("3,,,A"), "\ufeff" + KEY, "ours")[1].better == 1


@pytest.mark.parametrize(
    ("text", "key", "method", "message"),
    [
        (answers("4,,,A"), KEY, "ours", "pair '4' of sheet 's', which the key does not have"),
        (f"{HEAD}\nother,Ann,1,,,A\n", KEY, "ours", "sheet 'other'"),
        (answers("1,,,C"), KEY, "ours", "must be A, similar, B about side A or B, but pair 1 has 'C'"),
        (answers("1,A,1,A"), KEY, "ours", "must be yes, no about side A or B, but pair 1 has 'A' about 'A'"),
        (answers("1,C,1,yes"), KEY, "ours", "about 'C'"),
        (answers("1"), KEY, "ours", "has '' about ''"),
        ("a,b\n", KEY, "ours", "answers must be a table with the columns sheet, rater, .* but has a, b"),
        (answers(), "", "ours", "key must be a table .* but has none"),
        (answers(), KEY, "mine", "one of the two in the key, 'ours' and 'theirs' for pair 1, but is 'mine'"),
    ],
)
def test_what_does_not_fit_is_refused(text, key, method, message):
    with pytest.raises(ValueError, match=message):
        judge_recounting(text, key, method)
