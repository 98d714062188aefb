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
from widemargin.datasets import DatasetError, read_features
from widemargin.datasets.feature_files import read_column_names
from widemargin.persistence import ColumnsError, ModelFileError, SavedModel, load_model
from widemargin.persistence.columns import check_number, listed, match_names

__all__ = ["MismatchError", "read_matching", "run"]

Matrix = Any  # A dense array or a sparse matrix, of float64.

# A block of rows takes at most 64 MiB, and its kernel matrix with 10,000 support vectors 320 MiB.
_LARGEST_BLOCK = 2**23
_MOST_ROWS = 2**12


class MismatchError(ValueError):
    """The values, the options and the model do not go together; the message says why, and what to do."""


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
        text = _output(saved, read_matching(features, saved), scores, features)
        if out is None:
            _print(text)
        else:
            _write(out, text)
    except (DatasetError, ModelFileError, ColumnsError, MismatchError) as error:
        typer.echo(f"Error: {error}", err=True)
        return 2
    return 0


def read_matching(features: str, saved: SavedModel) -> Matrix:
    """Read the columns of a table that the model knows, in the model's order.

    Where both have names, these decide: other columns are left out, which a line on stderr says. In a sparse table with
    names, as of an svmlight file, columns that it leaves out are zero, and others are an error, because indices that
    start at another number look the same. Otherwise the number of columns must be the same.

    Parameters
    ----------
    features : str
        File of the features.
    saved : SavedModel
        The model.

    Returns
    -------
    ndarray or csr_matrix of shape (n_rows, n_features)
        The columns.

    Raises
    ------
    DatasetError
        If the file is not such a table.
    ColumnsError
        If columns are missing: the message names up to five.
    """
    names = read_column_names(features)
    if names is not None and saved.feature_names is not None:
        match = match_names(names, saved.feature_names, features)
        if match.others:
            typer.echo(
                f"Note: {listed(match.others)} of {features}, on which the model was not trained, {_is(match.others)} "
                "ignored.",
                err=True,
            )
        return read_features(features, columns=[names[k] for k in match.places]).values
    table = read_features(features)
    known = saved.feature_names or ()
    # The names of an svmlight file are indices: they say nothing to a model that knows words.
    if table.names is None or not set(table.names) & set(known):
        check_number(table.values.shape[1], saved.n_features, features)
        return table.values
    return _spread(table.values, table.names, known, features)


def _is(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"


def _spread(values: csr_matrix, names: tuple[str, ...], known: tuple[str, ...], source: str) -> csr_matrix:
    """Put the columns of a sparse table where the model has them, and zeros elsewhere."""
    place = {name: k for k, name in enumerate(known)}
    others = [name for name in names if name not in place]
    if others:
        raise ColumnsError(
            f"{source} has {listed(others)}, on which the model was not trained: remove what the model does not know, "
            "and number the columns as in training."
        )
    target = np.array([place[name] for name in names])
    entries = values.tocoo()
    return csr_matrix((entries.data, (entries.row, target[entries.col])), shape=(values.shape[0], len(known)))


def _check_out(out: Path, model: Path, features: str) -> None:
    if out.is_dir():
        raise MismatchError(f"--out is {str(out)!r}, which is a folder: give the name of a file.")
    if out.exists() and not out.is_file():
        raise MismatchError(f"--out is {str(out)!r}, which is a pipe or a device: give the name of a file.")
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
        for rows in _blocks(saved, values):
            labels = saved.predict(rows).tolist()
            if not scores:
                text.writelines(f"{label}\n" for label in labels)
                continue
            decision = saved.decision_function(rows).reshape(len(labels), -1).tolist()
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


def _blocks(saved: SavedModel, values: Matrix) -> Iterator[Matrix]:
    """Yield the rows in blocks, dense ones if the model takes no others."""
    dense = issparse(values) and not _takes_sparse(saved, values[:1])
    n_rows, n_columns = values.shape
    step = (
        min(_MOST_ROWS, max(1, _LARGEST_BLOCK // n_columns)) if dense or not issparse(values) else _MOST_ROWS
    )
    for start in range(0, n_rows, step):
        block = values[start : start + step]
        yield block.toarray() if dense else block


def _takes_sparse(saved: SavedModel, row: csr_matrix) -> bool:
    try:
        saved.predict(row)
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
