"""``widemargin predict``: apply a saved model to a table of features, one label a line."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import typer
from scipy.sparse import csr_matrix, issparse
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.pipeline import Pipeline

from widemargin.atomic import atomic_write
from widemargin.datasets import DatasetError, FeatureTable, read_features
from widemargin.persistence import ModelFileError, SavedModel, load_model

__all__ = ["MismatchError", "matching_columns", "run"]

Matrix = Any  # A dense array or a sparse matrix, of float64.

# A block of rows takes at most 64 MiB, and its kernel matrix with 10,000 support vectors 320 MiB.
_LARGEST_BLOCK = 2**23
_MOST_ROWS = 2**12
_SHOWN_NAMES = 5


class MismatchError(ValueError):
    """The features, the options and the model do not go together; the message says why, and what to do."""


def run(model: Path, features: str, out: Path | None, scores: bool) -> int:
    """Print or write the labels that a model gives the rows of a table.

    Parameters
    ----------
    model : Path
        File of the model.
    features : str
        File of the features.
    out : Path or None
        File for the labels; None prints them.
    scores : bool
        Whether to write CSV with the label and the values of the decision functions.

    Returns
    -------
    int
        Exit code: 0, or 2 if something that was given is wrong, which one sentence on stderr then says.
    """
    try:
        if out is not None:
            _check_out(out, model, features)
        saved = _load(model)
        values = matching_columns(read_features(features), saved, features)
        with warnings.catch_warnings():
            # The columns have just been matched, by name where there are names.
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            text = _output(saved, values, scores, features)
        if out is None:
            _print(text)
        else:
            _write(out, text)
    except (DatasetError, ModelFileError, MismatchError) as error:
        typer.echo(f"Error: {error}", err=True)
        return 2
    return 0


def matching_columns(table: FeatureTable, saved: SavedModel, source: str) -> Matrix:
    """Return the columns of a table in the order that the model knows.

    Where both have names, these decide, and columns in another order are put right. In a sparse table with names, as
    of an svmlight file, columns that it leaves out are zero. Otherwise the number of columns must be the same.

    Parameters
    ----------
    table : FeatureTable
        The features.
    saved : SavedModel
        The model.
    source : str
        The file of the features, for messages.

    Returns
    -------
    ndarray or csr_matrix of shape (n_rows, n_features)
        The columns.

    Raises
    ------
    MismatchError
        If columns are missing, or there are others: the message names up to five.
    """
    values: Any = table.values
    present, known = set(table.names or ()), set(saved.feature_names or ())
    # The names of an svmlight file are indices: they say nothing to a model that knows words.
    indices_only = issparse(values) and not present & known
    if table.names is None or saved.feature_names is None or indices_only:
        if values.shape[1] != saved.n_features:
            raise MismatchError(
                f"{source} has {values.shape[1]} columns, but the model was trained on {saved.n_features}: give the "
                "same columns in the same order, without the labels."
            )
        return values
    if table.names == saved.feature_names:
        return values
    left_out = [name for name in saved.feature_names if name not in present]
    if left_out and not issparse(values):
        raise MismatchError(
            f"{source} lacks {_listed(left_out)} of the {saved.n_features} columns that the model was trained on: "
            "give a table with all of them, under the same names."
        )
    others = [name for name in table.names if name not in known]
    if others:
        raise MismatchError(
            f"{source} has {_listed(others)}, on which the model was not trained: remove what the model does not know."
        )
    if not issparse(values):
        place = {name: k for k, name in enumerate(table.names)}
        return values[:, [place[name] for name in saved.feature_names]]
    place = {name: k for k, name in enumerate(saved.feature_names)}
    target = np.array([place[name] for name in table.names])
    entries = values.tocoo()
    return csr_matrix(
        (entries.data, (entries.row, target[entries.col])), shape=(values.shape[0], saved.n_features)
    )


def _check_out(out: Path, model: Path, features: str) -> None:
    if out.is_dir():
        raise MismatchError(f"--out is {str(out)!r}, which is a folder: give the name of a file.")
    if out.exists() and any(Path(given).exists() and out.samefile(given) for given in (model, features)):
        raise MismatchError(f"--out is {str(out)!r}, which is read: give another name.")


def _load(path: Path) -> SavedModel:
    """Load the model, and say in a sentence if another scikit-learn saved it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InconsistentVersionWarning)
        saved = load_model(path)
    for warning in caught:
        message = warning.message
        if isinstance(message, InconsistentVersionWarning):
            typer.echo(
                f"Warning: {path} was saved with scikit-learn {message.original_sklearn_version}, this is "
                f"{message.current_sklearn_version}: compare some predictions with known ones.",
                err=True,
            )
            break
    return saved


def _output(saved: SavedModel, values: Matrix, scores: bool, source: str) -> str:
    """Return the text of all labels, or of the table of labels and scores."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if scores:
        writer.writerow(["label", *_score_names(saved)])
    try:
        for rows in _blocks(saved.model, values):
            labels = saved.model.predict(rows).tolist()
            if not scores:
                text.writelines(f"{label}\n" for label in labels)
                continue
            decision = saved.model.decision_function(rows).reshape(len(labels), -1).tolist()
            writer.writerows([label, *row] for label, row in zip(labels, decision, strict=True))
    # What the model says about values that it cannot take, such as negative ones for the chi2 kernel.
    except ValueError as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise MismatchError(
            f"{source} does not go with the model ({reason}): give features like those it was trained on."
        ) from error
    return text.getvalue()


def _score_names(saved: SavedModel) -> list[str]:
    classes = saved.classes.tolist()
    if len(classes) == 2:
        return [f"score_{classes[1]}"]
    last = saved.model[-1] if isinstance(saved.model, Pipeline) else saved.model
    if getattr(last, "decision_function_shape", "ovr") == "ovo":
        raise MismatchError(
            "--scores needs one score a class, but the model scores pairs of classes: leave --scores out."
        )
    return [f"score_{label}" for label in classes]


def _blocks(model: Any, values: Matrix) -> Iterator[Matrix]:
    """Yield the rows in blocks, dense ones if the model takes no others."""
    dense = issparse(values) and not _takes_sparse(model, values[:1])
    n_rows, n_columns = values.shape
    step = (
        min(_MOST_ROWS, max(1, _LARGEST_BLOCK // n_columns)) if dense or not issparse(values) else _MOST_ROWS
    )
    for start in range(0, n_rows, step):
        block = values[start : start + step]
        yield block.toarray() if dense else block


def _takes_sparse(model: Any, row: csr_matrix) -> bool:
    try:
        model.predict(row)
    except (TypeError, ValueError):
        return False
    return True


def _print(text: str) -> None:
    try:
        typer.echo(text, nl=False)
    except BrokenPipeError:
        # Whoever reads has seen enough, as in a pipe to head.
        raise
    except OSError as error:
        raise MismatchError(
            f"The labels cannot be printed ({error.strerror}): give a file with --out."
        ) from error


def _write(out: Path, text: str) -> None:
    try:
        atomic_write(out, text)
    except OSError as error:
        raise MismatchError(
            f"--out is {str(out)!r}, which cannot be written ({error.strerror}): give a file in a folder that exists "
            "and is yours."
        ) from error


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:_SHOWN_NAMES])
    more = len(names) - _SHOWN_NAMES
    word = "the column" if len(names) == 1 else "the columns"
    return f"{word} {shown}" + (f" and {more} more" if more > 0 else "")
