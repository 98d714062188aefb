"""Videos in numbers, made without a file: for tests of what learns from them."""

import numpy as np

from widemargin.video import DescribedVideo

N_FEATURES, N_CONCEPTS = 6, 4


def described_video(rng, event=None, *, n_shots=5, n_extra=0, n_relevant=1, name="video"):
    """Shots of noise; in `n_relevant` of them concept `event` is seen, and feature `event` is large."""
    n_frames = n_shots + n_extra
    features = rng.normal(scale=0.2, size=(n_frames, N_FEATURES))
    concepts = rng.dirichlet(np.ones(N_CONCEPTS), size=n_frames)
    ends = np.cumsum(rng.uniform(1.0, 3.0, n_shots))
    shots = np.column_stack((np.concatenate(([0.0], ends[:-1])), ends))
    extra_times = (np.arange(n_extra) + 0.5) * ends[-1] / max(n_extra, 1)
    if event is not None:
        relevant = rng.choice(n_shots, n_relevant, replace=False)
        within = np.searchsorted(ends, extra_times, side="right")
        shown = np.concatenate((np.isin(np.arange(n_shots), relevant), np.isin(within, relevant)))
        features[shown, event] += 3.0
        concepts[shown] = 0.1 / (N_CONCEPTS - 1)
        concepts[shown, event] = 0.9
    return DescribedVideo(
        name,
        {"net": features[:n_shots].astype(np.float32), "flow": features[:n_shots, ::-1].copy()},
        concepts[:n_shots],
        shots,
        shots.mean(axis=1),
        extra_features={
            "net": features[n_shots:].astype(np.float32),
            "flow": features[n_shots:, ::-1].copy(),
        },
        extra_concepts=concepts[n_shots:],
        extra_times=extra_times,
        duration=float(ends[-1]),
    )


def described_videos(rng, events, **options):
    """One video an entry of `events`, None for one that shows nothing."""
    return [
        described_video(rng, event, name=f"video {number}", **options) for number, event in enumerate(events)
    ]
