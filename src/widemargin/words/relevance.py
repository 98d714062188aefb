"""How relevant each concept is to an event that is described in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from widemargin.validation import check_integer, check_number
from widemargin.words.errors import warn_of_unknown
from widemargin.words.phrases import PhraseEncoder, known_words
from widemargin.words.word_vectors import WordVectors, default_word_vectors

__all__ = ["concept_relevance"]

# Of the thousand classes of ImageNet 15 breeds and birds have no common name; that is not worth a word at every call.
_MOST_NAMELESS = 0.05


def concept_relevance(
    description: str,
    concept_names: Sequence[str],
    embedding: WordVectors | None = None,
    *,
    method: str = "fisher",
    n_components: int = 1,
    power: bool = True,
    center: bool = True,
    n_concepts: int | None = None,
    sharpness: float = 1.0,
) -> npt.NDArray[np.float64]:
    r"""Compare the description of an event with the name of each concept.

    The relevance of concept k is the cosine similarity of the two phrases,

    .. math:: r_k = \frac{\langle \phi(\text{description}), \phi(\text{name}_k) \rangle}
        {\|\phi(\text{description})\| \, \|\phi(\text{name}_k)\|} ,

    where :math:`\phi` brings the word vectors of a phrase together in one vector (`phrase_vectors`); section 3.3 of
    [1]_. It is negative for concepts that have less to do with the event than a usual word has.

    Parameters
    ----------
    description : str
        The event in words, say "two men fighting in a street". Only what can be seen helps.
    concept_names : sequence of str
        Names of the concepts, in the order of their probabilities.
    embedding : WordVectors or None, default=None
        The word vectors; None takes `default_word_vectors`.
    method : {"fisher", "mean"}, default="fisher"
        How the words of a phrase are brought together, as in `phrase_vectors`, also for the next three.
    n_components : int, default=1
        Number of Gaussians for "fisher", at least 1.
    power : bool, default=True
        Whether each number of a Fisher vector is replaced by its square root, with its sign.
    center : bool, default=True
        Whether the mean vector of the most frequent words is taken off for "mean".
    n_concepts : int or None, default=None
        Keep the relevance of that many most relevant concepts, at least 1, the first of equal ones, and give the
        others 0; None keeps all.
    sharpness : float, default=1.0
        Power to which the absolute value of each relevance is raised; its sign stays. Above 0; 1 is the relevance of
        the paper, and from 2 to 4 a few strong similarities outweigh many weak ones, which finds videos better (see
        Notes). The order of the concepts does not change.

    Returns
    -------
    ndarray of shape (n_concepts,)
        Relevance of each concept, from -1 to 1; 0 for a concept of whose name no word is known.

    Raises
    ------
    TypeError
        If the description or a name is no str, or `concept_names` is one str.
    ValueError
        If there are no concepts, the description has no words but stop words, none of its words is known, or a
        parameter is out of range.
    ImportError
        If `embedding` is None and the package of the default vectors is not installed.

    Warns
    -----
    UnknownWordsWarning
        If words of the description have no vector, or more than one concept in twenty has no known word; it names
        them.

    Notes
    -----
    Of a thousand concepts nearly all are irrelevant, but their similarities are not 0. If the probabilities of a shot
    sum to 1, what the irrelevant ones have in common moves all shots alike. With independent detectors, whose
    probabilities do not, it favours shots in which many detectors respond: there keep few concepts, by `n_concepts`,
    or subtract the mean of the result.

    What the irrelevant ones do not have in common stays, and `sharpness` makes it small. Measured with the 1,000
    classes of the default network, "fisher" and one Gaussian, as mean average precision for sharpness 1, 2, 3, 4 and 6:

    ======================================================  =====  =====  =====  =====  =====
    What is ranked                                              1      2      3      4      6
    ======================================================  =====  =====  =====  =====  =====
    600 pictures of 15 kinds of scenes                      0.349  0.375  0.391  0.398  0.403
    Videos of 8 to 12 such pictures, 2 or 3 of the kind     0.424  0.445  0.455  0.457  0.456
    Videos of 20 to 40 such pictures, 2 to 4 of the kind    0.359  0.388  0.404  0.409  0.415
    Videos of 20 to 40 such pictures, 8 to 12 of the kind   0.475  0.494  0.501  0.504  0.500
    Videos of 5 to 60 such pictures, 1 to 3 of the kind     0.291  0.316  0.328  0.333  0.339
    Simulated videos, probability 0.5 on one class a shot   0.667  0.683  0.670  0.653  0.616
    Simulated videos, probability 0.2 on one class a shot   0.462  0.553  0.553  0.541  0.519
    24 video files of a cat, coffee or a rocket             0.849  0.955  0.995  1.000  1.000
    ======================================================  =====  =====  =====  =====  =====

    A video's score is the mean saliency of its three most salient frames. Each kind of scene has three descriptions;
    the simulated shots are for the 34 descriptions of `phrase_vectors`. From sharpness 1 to 3 the five rows of scenes
    gain 0.03 to 0.05, which is 1 to 3.5 standard errors over the kinds, and 9 to 13 of the 15 kinds gain. To keep the
    20 most relevant concepts in place of a sharpness gains 0.00 to 0.02 there, and beside a sharpness of 3 nothing.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017.

    Examples
    --------
    >>> from widemargin.words import WordVectors, concept_relevance
    >>> words = WordVectors(
    ...     ["dog", "puppy", "car", "truck"], [[1.0, 0.1], [0.9, 0.3], [0.1, 1.0], [0.2, 0.8]]
    ... )
    >>> concept_relevance("a dog", ["puppy", "pickup_truck", "car"], words).round(2).tolist()
    [0.55, -0.99, -0.62]
    >>> concept_relevance("a dog", ["puppy", "pickup_truck", "car"], words, sharpness=3).round(2).tolist()
    [0.17, -0.98, -0.24]
    """
    embedding = default_word_vectors() if embedding is None else embedding
    encoder = PhraseEncoder(embedding, method, n_components, power, center)
    if n_concepts is not None:
        check_integer("n_concepts", n_concepts, at_least=1)
    sharpness = check_number("sharpness", sharpness, above=0.0)
    event = _event_words(description, embedding)
    if isinstance(concept_names, str):
        raise TypeError(
            f"concept_names must be a sequence of str, got the str {concept_names!r}: pass a list of names."
        )
    if not len(concept_names):
        raise ValueError("concept_names is empty: pass the name of at least one concept.")
    sets, _ = known_words(concept_names, embedding)
    nameless = [name for name, rows in zip(concept_names, sets, strict=True) if not rows]
    if len(nameless) > _MOST_NAMELESS * len(concept_names):
        warn_of_unknown(
            "concept_names has concepts",
            nameless,
            "Their relevance is 0; give them names of more common words to use them.",
            stacklevel=2,
        )
    relevance: npt.NDArray[np.float64] = encoder.encode(sets) @ encoder.encode([event])[0]
    # Rounding may leave the range by one part in 10^16.
    relevance = relevance.clip(-1.0, 1.0)
    if n_concepts is not None:
        relevance[np.argsort(-relevance, kind="stable")[n_concepts:]] = 0.0
    return np.copysign(np.abs(relevance) ** sharpness, relevance)


def _event_words(description: str, embedding: WordVectors) -> list[int]:
    """Return the rows of the words of a description, or say why there are none."""
    if not isinstance(description, str):
        raise TypeError(f"description must be a str, got {description!r}: pass the event in words.")
    (known,), (unknown,) = known_words([description], embedding)
    if not known and not unknown:
        raise ValueError(
            f"description has no words that mean something by themselves, got {description!r}: say what can be seen, "
            "such as 'two men fighting in a street'."
        )
    if not known:
        raise ValueError(
            f"description has only words without a word vector, {', '.join(map(repr, unknown))}: use more common "
            "words, or word vectors that have these."
        )
    warn_of_unknown(
        "description has words", unknown, "They are left out; try more common words.", stacklevel=3
    )
    return known
