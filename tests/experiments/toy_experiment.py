"""An experiment that takes no time: each task has a fixed level, each method a fixed advantage, plus noise."""

import signal
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import AccuracyStudy, Method, accuracy_table
from widemargin.experiments.experiment import Drawing, Experiment, Repeats, Settings, TableSpec, Unit
from widemargin.experiments.summary import Claim, Summary, compare_with_paper

METHODS = (
    Method("base", "Base", "X"),
    Method("better", "Better", "X and X*"),
    Method("oracle", "Oracle", "X*", reference=True),
)
ADVANTAGE = {"base": 0.0, "better": 0.05, "oracle": 0.1}


class Recorder:
    """An observer that keeps what it is told."""

    def __init__(self):
        self.units, self.notices, self.start = [], [], None

    def started(self, experiment, n_done, n_total):
        self.start = (n_done, n_total)

    def finished_unit(self, unit):
        self.units.append(unit)

    def notice(self, text):
        self.notices.append(text)


def toy_experiment(*, name="toy", tasks=("cat", "dog"), stop_at=None, stop_with=None, needs_data=False):
    """Make the experiment; the unit `stop_at` (task, repeat) raises `stop_with`, an error or a signal."""
    return Experiment(
        name=name,
        title=f"Toy of {', '.join(tasks)}",
        question="Does it run?",
        reference="Nobody, Nothing, 2000",
        repeats=Repeats(quick=1, default=3, full=8),
        tables=(TableSpec("accuracies", {f"{method.key}_accuracy": float for method in METHODS}),),
        protocol=partial(_protocol, tasks),
        units=partial(_units, tasks),
        run=partial(_run, stop_at, stop_with),
        summarise=_summarise,
        draw=_draw,
        needs_data=needs_data,
    )


def _protocol(tasks, settings: Settings):
    return {"tasks": ", ".join(tasks)}


def _units(tasks, settings: Settings):
    return [Unit("accuracies", task, repeat) for repeat in range(settings.repeats) for task in tasks]


def _run(stop_at, stop_with, unit: Unit, settings: Settings):
    if (unit.task, unit.repeat) == stop_at:
        if isinstance(stop_with, signal.Signals):
            signal.raise_signal(stop_with)
        raise stop_with
    noise = np.random.default_rng(unit_seed(settings.seed, unit.task, unit.repeat)).uniform(0, 0.01)
    return {f"{key}_accuracy": float(0.8 + gain + noise) for key, gain in ADVANTAGE.items()}


def _summarise(rows, settings):
    study = AccuracyStudy.from_rows(rows["accuracies"], METHODS)
    claim = Claim("Better gains", "Table 0", "5.00", 5.0)
    gain = float(np.mean(study.means("better") - study.means("base")))
    return Summary(
        verdict=f"Better is better, on {', '.join(study.tasks)}.",
        findings=(study.describe_gain("better"),),
        tables=(accuracy_table(study, "accuracies", "Toy accuracies"),),
        comparisons=(
            compare_with_paper(
                claim, f"{gain:.2f}", value=gain, answer="agrees", sentence="The same direction."
            ),
        ),
    )


def _draw(rows, settings):
    figure = Figure(figsize=(2, 1))
    figure.subplots().plot([0, 1])
    task = rows["accuracies"][0]["task"]
    return [Drawing("line", f"A line for {task}", "A caption.", f"A line that rises, for {task}.", figure)]
