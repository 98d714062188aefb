"""Ask whether the words around training images make better classifiers of web images.

The kind of tasks of Tables 4, 5 and 6 of [1]_, text as privileged information, on other data: images that search
queries returned, with the words of their pages.

References
----------
.. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
   arXiv:1410.0389, 2014.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from widemargin.datasets import DatasetError, array_identity, load_web_queries
from widemargin.engine import unit_seed
from widemargin.experiments.experiment import (
    Experiment,
    Repeats,
    Row,
    Settings,
    TableSpec,
    Unit,
)
from widemargin.experiments.fold_draws import FULL_REPEATS, RULE, fold_draws, times
from widemargin.experiments.model_selection import GRID, ModelSelection
from widemargin.experiments.privileged_comparison import (
    COMPARISON_COLUMNS,
    TAU_COLUMNS,
    compare_on_split,
    draw_split,
)
from widemargin.experiments.webqueries_results import draw, summarise
from widemargin.experiments.webqueries_tasks import (
    MULTICLASS,
    PAIRS,
    PER_QUERY,
    POOLED,
    QueryImages,
    QueryTask,
    draw_halves,
    list_tasks,
    prepare_images,
)

__all__ = ["WEBQUERIES", "WebQueriesProtocol", "webqueries_experiment"]

NAME = "webqueries"


@dataclass(frozen=True)
class WebQueriesProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    n_queries : int, default=10
        Queries that stand against each other, in pairs and all at once: those with the most relevant images.
    n_train_pooled : int, default=100
        Training images of each class of relevance over all queries.
    n_test_pooled : int, default=200
        Test images of each class of relevance over all queries, or all that are left.
    n_train_relevant : int, default=15
        Training images of each query where queries stand against each other; the others are for testing.
    grid : tuple of float, default=GRID
        Values of every regularisation parameter.
    n_folds : int, default=5
        Folds of the cross-validation.
    n_fold_repeats : int, default=5
        How often the folds of two classes are drawn anew if there are at least 20 repeats; once if fewer.
    """

    n_queries: int = 10
    n_train_pooled: int = 100
    n_test_pooled: int = 200
    n_train_relevant: int = 15
    grid: tuple[float, ...] = GRID
    n_folds: int = 5
    n_fold_repeats: int = 5

    @property
    def least(self) -> int:
        """Images of either class that make a query a task: one for training in every fold, as many for testing."""
        return 2 * self.n_folds

    def tasks(self, images: QueryImages) -> list[QueryTask]:
        """Return the tasks.

        Parameters
        ----------
        images : QueryImages
            The images.

        Returns
        -------
        list of QueryTask
            The tasks, the slowest first.
        """
        return list_tasks(images, self.n_queries, self.least)

    def selection(self, table: str, repeats: int, seed: int) -> ModelSelection:
        """Return how the parameters of a task are chosen.

        Parameters
        ----------
        table : str
            The kind of task.
        repeats : int
            Repeats of the run.
        seed : int
            Seed of the folds.

        Returns
        -------
        ModelSelection
            Grids and folds.
        """
        n_draws = 1 if table == MULTICLASS else fold_draws(repeats, self.n_fold_repeats)
        return ModelSelection(self.grid, self.grid, self.n_folds, seed, n_draws)


def webqueries_experiment(protocol: WebQueriesProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : WebQueriesProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or WebQueriesProtocol()
    return Experiment(
        name=NAME,
        title="Words around web images as privileged information",
        question="Do the words around the training images make better classifiers of web images?",
        reference=(
            "Sharmanska, Quadrianto and Lampert, Learning to transfer privileged information, "
            "arXiv:1410.0389 (the kind of tasks of Tables 4, 5 and 6, on other images with text)"
        ),
        repeats=Repeats(quick=1, default=10, full=FULL_REPEATS),
        tables=(
            TableSpec(POOLED, COMPARISON_COLUMNS | TAU_COLUMNS),
            TableSpec(PER_QUERY, COMPARISON_COLUMNS | TAU_COLUMNS),
            TableSpec(PAIRS, COMPARISON_COLUMNS | TAU_COLUMNS),
            TableSpec(MULTICLASS, COMPARISON_COLUMNS),
        ),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=summarise,
        draw=draw,
        needs_data=True,
    )


@lru_cache(maxsize=1)
def _load(folder: Path) -> tuple[QueryImages, str]:
    """Return the images, and the identity of everything that was read."""
    data = load_web_queries(folder)
    identity = array_identity(data.X, data.X_privileged, data.relevant, data.query, np.array(data.words))
    return prepare_images(data), identity


def _describe(protocol: WebQueriesProtocol, settings: Settings) -> dict[str, str]:
    images, identity = _load(settings.data_folder(NAME))
    tasks = protocol.tasks(images)
    _check_sizes(protocol, images, tasks, settings)
    values = ", ".join(f"{value:g}" for value in protocol.grid)
    chosen = [images.names[k] for k in tasks[0].queries]
    draws = times(fold_draws(settings.repeats, protocol.n_fold_repeats))
    return {
        "data": (
            f"INRIA Web Queries, a part: {len(images.X)} images of {len(images.names)} queries, {images.n_copies} of "
            f"them copies of another, sha256 {identity}"
        ),
        "X": f"{images.X.shape[1]} features of a convolutional network",
        "X*": (
            f"how often each of {images.X_privileged.shape[1]} words stands on the page around the image: plain "
            "counts, as in the paper's bags of words; not weighted by how rare a word is"
        ),
        "scaling": "every row of X and of X* to unit Euclidean length, for all methods",
        "images without text": (
            f"{images.n_without_text} left out everywhere, so that all methods and the reference see the same images"
        ),
        "relevance over all queries": (
            f"{protocol.n_train_pooled} relevant and as many irrelevant images for training, "
            f"{protocol.n_test_pooled} of each, or all that are left, for testing"
        ),
        "relevance query by query": (
            "half of the relevant and half of the irrelevant images of a query for training, the rest for testing; "
            f"{_list_skipped(protocol, images, tasks)}"
        ),
        "query against query": (
            f"relevant images of two queries, {protocol.n_train_relevant} of each for training, the rest for testing; "
            f"all pairs of the {len(chosen)} queries with the most relevant images, of equal ones the smaller number: "
            f"{', '.join(chosen)}"
        ),
        "many queries at once": (
            f"the same queries and numbers of images as for pairs, {len(chosen)} classes, one-versus-rest with shared "
            "parameters"
        ),
        "names of queries": (
            "the two words that are most typical of the pages of a query, and its number; for readers only"
        ),
        "classifiers": "linear, with an unpenalised bias; Margin Transfer with epsilon 0.1",
        "parameters": (
            f"every parameter among {values}; the two parameters of a method jointly; the same folds for all methods; "
            "of equal accuracies the point with the best neighbours on the grid, then the one nearest to its middle"
        ),
        "folds": (
            f"{protocol.n_folds} stratified folds of the training images, drawn {draws} for two classes ({RULE}) "
            "and once for many queries at once, as in the paper"
        ),
        "repeats": "a new random split of every task; all methods share it",
        "time": (
            "estimated from single tasks, on two cores: about half a minute a repeat while folds are drawn once; "
            f"{FULL_REPEATS} repeats with folds drawn five times, about 35 minutes"
        ),
        "tau": (
            "Kendall's tau between the decision values of the selected SVMs on X and on X*, on the training "
            "images: over all, and within each class (mean of both)"
        ),
    }


def _check_sizes(
    protocol: WebQueriesProtocol, images: QueryImages, tasks: list[QueryTask], settings: Settings
) -> None:
    """See that every kind of task has training images, and test images beside them."""
    n_pooled = int(images.class_sizes.sum(axis=0).min())
    n_enough = int(np.count_nonzero(images.class_sizes[:, 1] > protocol.n_train_relevant))
    if n_pooled <= protocol.n_train_pooled:
        fault = (
            f"only {n_pooled} images of a class of relevance: more than {protocol.n_train_pooled} are needed"
        )
    elif n_enough < protocol.n_queries:
        fault = (
            f"only {n_enough} queries with more than {protocol.n_train_relevant} relevant images: "
            f"{protocol.n_queries} are needed"
        )
    elif not any(task.table == PER_QUERY for task in tasks):
        fault = f"no query with {protocol.least} relevant and as many irrelevant images: one is needed"
    else:
        return
    raise DatasetError(f"{settings.data} has, among the web images with text, {fault}.")


def _list_skipped(protocol: WebQueriesProtocol, images: QueryImages, tasks: list[QueryTask]) -> str:
    """Say which queries have too few images to be tasks of their own."""
    used = {task.name for task in tasks if task.table == PER_QUERY}
    skipped = [name for name in images.names if name not in used]
    if not skipped:
        return f"all {len(used)} queries"
    return f"{len(used)} queries, without {', '.join(skipped)}, with fewer than {protocol.least} images of a class"


def _units(protocol: WebQueriesProtocol, settings: Settings) -> list[Unit]:
    images, _ = _load(settings.data_folder(NAME))
    tasks = protocol.tasks(images)
    return [Unit(task.table, task.name, repeat) for repeat in range(settings.repeats) for task in tasks]


def _run(protocol: WebQueriesProtocol, unit: Unit, settings: Settings) -> Row:
    images, _ = _load(settings.data_folder(NAME))
    task = next(t for t in protocol.tasks(images) if (t.table, t.name) == (unit.table, unit.task))
    y = task.labels(images)
    seed = unit_seed(settings.seed, NAME, unit.task, unit.repeat)
    if task.table == PER_QUERY:
        train, test = draw_halves(y, seed)
    elif task.table == POOLED:
        train, test = draw_split(y, (0, 1), protocol.n_train_pooled, protocol.n_test_pooled, seed)
    else:
        train, test = draw_split(y, task.queries, protocol.n_train_relevant, y.size, seed)
    selection = protocol.selection(task.table, settings.repeats, seed)
    return compare_on_split(images.X, images.X_privileged, y, train, test, selection)


WEBQUERIES = webqueries_experiment()
"""The experiment as it is meant to run."""
