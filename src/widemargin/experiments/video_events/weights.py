"""Figure 4 of the paper on video files: what detection depends on, weights of the penalties and start of the solver.

The videos are those of the experiment event-videos, whose numbers it finds in the cache if that one has run.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from widemargin.experiments.events.bags import Trial
from widemargin.experiments.events.sensitivity import SensitivityProtocol, sensitivity_experiment
from widemargin.experiments.experiment import Settings
from widemargin.experiments.video_events.indexing import check_extras, describe_network
from widemargin.experiments.video_events.relevance import relevance_of_events
from widemargin.experiments.video_events.sources import MadeVideos
from widemargin.experiments.video_events.trials import detection_trial
from widemargin.experiments.video_events.untrimmed import BUNDLED_VIDEOS, EVENT_VIDEOS

__all__ = ["EVENT_WEIGHTS", "VideoWeightsProtocol"]

_UNUSED_FOLDS = 2


@dataclass(frozen=True)
class VideoWeightsProtocol(SensitivityProtocol):
    """The protocol of Figure 4 with videos that were made, decoded and described.

    Parameters
    ----------
    made : MadeVideos, default=the videos of event-videos
        The videos.
    """

    values: tuple[float, ...] = tuple(10.0**k for k in range(-4, 3))
    fixed: tuple[float, ...] = (1.0, 1e-2)
    n_starts: int = 10
    at: tuple[float, float] = (1e-1, 1e-2)
    made: MadeVideos = field(default_factory=lambda: BUNDLED_VIDEOS)

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return "event-weights"

    @property
    def title(self) -> str:
        """Heading of the experiment."""
        return (
            "What detection in made videos depends on: weights of the penalties, and the start of the solver"
        )

    def facts(self, settings: Settings) -> dict[str, str]:
        """Say for the protocol what the videos are.

        Parameters
        ----------
        settings : Settings
            Of the run.

        Returns
        -------
        dict of str to str
            By what it is about.
        """
        check_extras(self.name)
        return {
            "data": self.made.words,
            "identity of the pictures": self.made.source.identity(settings),
            "features and concepts": f"{describe_network()}; features of unit length",
            "order": "by the similarity of the words of the event to the concepts, (1)",
            "measure": "average precision of every event against all other test videos, averaged over the events",
            "repeats": f"new videos, those of {EVENT_VIDEOS.name}",
        }

    def trials(self, settings: Settings, repeat: int) -> list[Trial]:
        """Draw the videos, or take their numbers from the cache.

        Parameters
        ----------
        settings : Settings
            Of the run.
        repeat : int
            Which repeat.

        Returns
        -------
        list of Trial
            One an event.
        """
        train, test = self.made.draw(settings, EVENT_VIDEOS.name, repeat)
        relevance = relevance_of_events(tuple(self.made.source.descriptions.values()))
        return [
            detection_trial(train, test, event, relevance[event], _UNUSED_FOLDS, seed=0)[0]
            for event in range(len(self.made.events))
        ]


EVENT_WEIGHTS = sensitivity_experiment(VideoWeightsProtocol())
"""The experiment as it is meant to run."""
