"""Names in any script: figures are saved without a warning at every letter that no font has."""

import numpy as np

from experiments.benchmark_files import write_human_scores
from experiments.toy_experiment import Recorder
from widemargin.experiments import Settings, run_experiment
from widemargin.experiments.human_scores import ScoresProtocol, human_scores_experiment


def test_names_in_any_script_are_drawn_without_warnings(tmp_path):
    write_human_scores(tmp_path / "data", classes=np.array(["狐", "🦊", "שועל"]))
    protocol = ScoresProtocol(n_train=6, n_test=6, Cs=(1.0,), privileged_values=(1.0,), n_folds=2)
    settings = Settings(repeats=1, data=tmp_path / "data")
    # Any warning is an error in these tests, and would stand in the record.
    outcome = run_experiment(
        human_scores_experiment(protocol), settings, tmp_path / "out", observer=Recorder()
    )
    assert outcome.record.status == "complete", outcome.record.message
    assert len(outcome.record.figures) == 5
