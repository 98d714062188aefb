"""Pooling: one vector for a video, whatever the order of its shots.

The baselines of Table 1 of Chang, Yu, Yang and Xing, "Semantic pooling for complex event analysis in untrimmed videos",
IEEE TPAMI 39(8), 2017: a linear SVM on pooled shots, SVM_A on their mean and SVM_M on their maximum.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from widemargin.events._videos import Videos, read_videos
from widemargin.validation import check_integer

__all__ = ["AveragePooling", "MaxPooling"]


class _Pooling(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of the transformers that pool shots; subclasses define `_pool`."""

    def __init__(self, n_shots: int | None = None) -> None:
        self.n_shots = n_shots

    def fit(self, X: npt.ArrayLike, y: Any = None) -> Self:
        """Remember the numbers of shots and features; nothing is learnt from the values.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos.
        y : object, default=None
            Not used.

        Returns
        -------
        object
            This transformer.

        Raises
        ------
        TypeError
            If X is sparse, or `n_shots` is no integer.
        ValueError
            If X is not of that shape, has a value that is not finite, or `n_shots` does not fit it.
        """
        videos = read_videos(self, X, self.n_shots, reset=True)
        self._n_features_out = videos.shape[2]
        return self

    def transform(self, X: npt.ArrayLike) -> Videos:
        """Pool the shots of each video.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos with as many shots and features as in `fit`, in either form.

        Returns
        -------
        ndarray of shape (n_videos, n_features)
            One vector a video, float32 if X is.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        TypeError
            If X is sparse.
        ValueError
            If the numbers of shots or features differ from those in `fit`, or a value is not finite.
        """
        check_is_fitted(self)
        return self._pool(read_videos(self, X, self.n_shots, reset=False))

    def _pool(self, videos: Videos) -> Videos:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.three_d_array = True
        return tags


class AveragePooling(_Pooling):
    r"""Represent each video by the mean of its shots, :math:`\bar{x}_i = \frac{1}{m} \sum_{j=1}^m x_{ij}`.

    Followed by a linear SVM this is SVM_A of [1]_. The order of the shots does not matter: each has the same weight.
    With `n_first` it is the mean of the first few shots alone. After `prioritize` these are the most salient ones: the
    first thing to try where a saliency is known, since one weight a feature is learnt rather than one a feature and
    position.

    Parameters
    ----------
    n_shots : int, default=None
        Number of shots that the columns of a 2-D X are split into; it must divide them. None takes one feature a
        shot, so that a video becomes one number. An X of three dimensions says it itself.
    n_first : int, default=None
        Number of shots to take the mean of, from the first one on, at least 1; all if a video has fewer, or if None.

    Attributes
    ----------
    n_shots_ : int
        Number of shots of a video.
    n_features_in_ : int
        Number of columns of the 2-D form, n_shots * n_features.
    feature_names_in_ : ndarray of shape (n_columns,)
        Names of the columns, if X is a table with names.

    See Also
    --------
    MaxPooling : The largest value of each feature.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, section 8.2.2.

    Examples
    --------
    The baseline SVM_A, on four videos of two shots:

    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from widemargin.events import AveragePooling
    >>> X = np.array([[[0, 1], [2, 1]], [[1, 0], [3, 0]], [[8, 2], [6, 2]], [[9, 1], [7, 3]]], dtype=float)
    >>> AveragePooling().fit_transform(X).tolist()
    [[1.0, 1.0], [2.0, 0.0], [7.0, 2.0], [8.0, 2.0]]
    >>> AveragePooling(n_first=1).fit_transform(X).tolist()
    [[0.0, 1.0], [1.0, 0.0], [8.0, 2.0], [9.0, 1.0]]
    >>> svm_a = make_pipeline(AveragePooling(), LinearSVC())
    >>> svm_a.fit(X, [0, 0, 1, 1]).predict(X).tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, n_shots: int | None = None, *, n_first: int | None = None) -> None:
        super().__init__(n_shots)
        self.n_first = n_first

    def fit(self, X: npt.ArrayLike, y: Any = None) -> Self:
        """Remember the numbers of shots and features; nothing is learnt from the values.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos.
        y : object, default=None
            Not used.

        Returns
        -------
        AveragePooling
            This transformer.

        Raises
        ------
        TypeError
            If X is sparse, or a number of shots is no integer.
        ValueError
            If X is not of that shape, has a value that is not finite, or a number of shots does not fit it.
        """
        if self.n_first is not None:
            check_integer("n_first", self.n_first, at_least=1)
        return super().fit(X, y)

    def _pool(self, videos: Videos) -> Videos:
        # float64 sums, in a buffer and not in a copy of the videos, so that float32 loses nothing to their number.
        return videos[:, : self.n_first].mean(axis=1, dtype=np.float64).astype(videos.dtype, copy=False)


class MaxPooling(_Pooling):
    r"""Represent each video by the largest value of each feature, :math:`\max_j x_{ijk}`.

    Followed by a linear SVM this is SVM_M of [1]_. The order of the shots does not matter; each feature is taken
    from the shot in which it is strongest.

    Parameters
    ----------
    n_shots : int, default=None
        Number of shots that the columns of a 2-D X are split into; it must divide them. None takes one feature a
        shot, so that a video becomes one number. An X of three dimensions says it itself.

    Attributes
    ----------
    n_shots_ : int
        Number of shots of a video.
    n_features_in_ : int
        Number of columns of the 2-D form, n_shots * n_features.
    feature_names_in_ : ndarray of shape (n_columns,)
        Names of the columns, if X is a table with names.

    See Also
    --------
    AveragePooling : The mean of the shots.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, section 8.2.2.

    Examples
    --------
    The same videos as rows of columns, the features of the first shot first:

    >>> import numpy as np
    >>> from widemargin.events import MaxPooling
    >>> X = np.array([[0, 1, 2, 1], [1, 0, 3, 0], [8, 2, 6, 2], [9, 1, 7, 3]], dtype=float)
    >>> pooling = MaxPooling(n_shots=2).fit(X)
    >>> pooling.transform(X).tolist()
    [[2.0, 1.0], [3.0, 0.0], [8.0, 2.0], [9.0, 3.0]]
    >>> pooling.get_feature_names_out().tolist()
    ['maxpooling0', 'maxpooling1']
    """

    def _pool(self, videos: Videos) -> Videos:
        return videos.max(axis=1)
