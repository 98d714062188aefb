"""Data embedded in dependencies, readers of benchmark formats, generators of the papers' toy problems."""

from widemargin.datasets.awa import AnimalsWithAttributes, load_awa10
from widemargin.datasets.awa_folder import AwaImages, load_awa_folder
from widemargin.datasets.bounding_boxes import BoundingBoxImages, load_bounding_boxes
from widemargin.datasets.cbcl_faces import CbclFaces, load_cbcl_faces
from widemargin.datasets.digits import PrivilegedDigits, load_privileged_digits
from widemargin.datasets.event_videos import EventVideos, make_event_videos
from widemargin.datasets.feature_files import FeatureTable, read_features
from widemargin.datasets.fights import FightClips, load_fight_clips
from widemargin.datasets.files import DatasetError, MissingDatasetError
from widemargin.datasets.human_scores import ScoredImages, load_human_scores
from widemargin.datasets.identity import array_identity
from widemargin.datasets.label_files import read_labels
from widemargin.datasets.mnist_plus import MnistPlus, load_mnist_plus
from widemargin.datasets.protein_pairs import ProteinPairs, load_protein_pairs
from widemargin.datasets.scene_pictures import ScenePictures, load_scene_pictures
from widemargin.datasets.scene_videos import SCENE_DESCRIPTIONS, load_scene_events
from widemargin.datasets.shot_bags import make_shot_bags
from widemargin.datasets.shot_features import ShotFeatures, load_shot_features
from widemargin.datasets.spliced_videos import splice_videos
from widemargin.datasets.toy import make_privileged_classification, make_ring_classification
from widemargin.datasets.usps import UspsDigits, load_usps
from widemargin.datasets.web_queries import WebQueries, load_web_queries

__all__ = [
    "SCENE_DESCRIPTIONS",
    "AnimalsWithAttributes",
    "AwaImages",
    "BoundingBoxImages",
    "CbclFaces",
    "DatasetError",
    "EventVideos",
    "FeatureTable",
    "FightClips",
    "MissingDatasetError",
    "MnistPlus",
    "PrivilegedDigits",
    "ProteinPairs",
    "ScenePictures",
    "ScoredImages",
    "ShotFeatures",
    "UspsDigits",
    "WebQueries",
    "array_identity",
    "load_awa10",
    "load_awa_folder",
    "load_bounding_boxes",
    "load_cbcl_faces",
    "load_fight_clips",
    "load_human_scores",
    "load_mnist_plus",
    "load_privileged_digits",
    "load_protein_pairs",
    "load_scene_events",
    "load_scene_pictures",
    "load_shot_features",
    "load_usps",
    "load_web_queries",
    "make_event_videos",
    "make_privileged_classification",
    "make_ring_classification",
    "make_shot_bags",
    "read_features",
    "read_labels",
    "splice_videos",
]
