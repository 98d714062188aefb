"""Small collections of frames with which experiments on videos are tried without decoding anything."""

import numpy as np

from widemargin.experiments.video_events.collection import NOTHING, Collection, VideoFrames


def video(event, shown, concepts, n_extra=0, features=None, n_cut=None):
    """A video of shots of one second; its last `n_extra` frames are extra ones."""
    shown, concepts = np.asarray(shown), np.asarray(concepts, dtype=float)
    count = len(shown)
    n_own = count - n_extra
    if features is None:
        features = np.eye(6)[shown + 1] + 0.01
    times = np.concatenate([np.arange(n_own) + 0.5, np.linspace(0, n_own, n_extra, endpoint=False)])
    return VideoFrames(
        np.asarray(features, dtype=float),
        concepts,
        times,
        np.append(np.ones(n_own), np.full(n_extra, n_own / max(n_extra, 1))),
        shown,
        n_own,
        n_own if n_cut is None else n_cut,
        event,
    )


def random_collection(n_events, n_videos, *, n_others=0, n_shots=5, seed=0):
    """Videos in which two shots show their event and its concept, and the others something else."""
    rng = np.random.default_rng(seed)
    found = []
    for event in [*np.repeat(np.arange(n_events), n_videos), *[NOTHING] * n_others]:
        shown = np.full(n_shots, NOTHING)
        shown[rng.permutation(n_shots)[:2]] = event
        concepts = rng.uniform(0, 0.2, size=(n_shots, n_events))
        concepts[shown >= 0, shown[shown >= 0]] += 0.8
        features = np.abs(rng.normal(scale=0.1, size=(n_shots, n_events + 2)))
        features[shown >= 0, shown[shown >= 0]] += 1
        # So that features of unit length differ as much.
        features[:, -1] = 1
        found.append(video(int(event), shown, concepts, features=features))
    return Collection.join(found)
