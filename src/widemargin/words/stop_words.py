"""English words that carry grammar rather than meaning, and say nothing of what a picture shows."""

from __future__ import annotations

__all__ = ["STOP_WORDS"]

_ARTICLES_AND_DETERMINERS = """
    a an the this that these those some any each every either neither both all another such no none other others
    few fewer many more most much less least several enough own same certain various
"""

_PRONOUNS = """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves one oneself who whom whose which what whatever whichever
    whoever someone somebody something anyone anybody anything everyone everybody everything nobody nothing
"""

_PREPOSITIONS = """
    about above across after against along alongside amid among amongst around as at before behind below beneath
    beside besides between beyond by despite down during except for from in inside into like near of off on onto out
    outside over past per since than through throughout till to toward towards under underneath unlike until up upon
    versus via vs with within without
"""

_CONJUNCTIONS_AND_QUESTIONS = """
    and or nor but yet so if then else because although though while whereas whether unless when whenever where
    wherever why how however therefore thus hence
"""

_AUXILIARIES = """
    am is are was were be been being have has had having do does did done doing can could may might must shall should
    will would ought cannot get gets got getting let lets
"""

_CONTRACTIONS = """
    i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll we're we've we'd we'll they're
    they've they'd they'll isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't can't couldn't
    mightn't mustn't shan't shouldn't won't wouldn't n't 's 'm 're 've 'd 'll
"""

_ADVERBS = """
    not never ever also too very just only even still already again once here there now quite rather almost perhaps
    maybe often sometimes usually always etc eg ie e.g. i.e.
"""

STOP_WORDS = frozenset(
    (
        _ARTICLES_AND_DETERMINERS
        + _PRONOUNS
        + _PREPOSITIONS
        + _CONJUNCTIONS_AND_QUESTIONS
        + _AUXILIARIES
        + _CONTRACTIONS
        + _ADVERBS
    ).split()
)
"""Words that `split_words` leaves out, in lower case."""
