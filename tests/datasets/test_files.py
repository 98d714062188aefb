"""What all readers say about a folder that is none."""

import pytest

from widemargin import datasets


@pytest.mark.parametrize(
    "name",
    [
        "load_awa10",
        "load_awa_folder",
        "load_bounding_boxes",
        "load_cbcl_faces",
        "load_human_scores",
        "load_mnist_plus",
        "load_protein_pairs",
        "load_scene_pictures",
        "load_usps",
        "load_web_queries",
    ],
)
@pytest.mark.parametrize("folder", [None, 3])
def test_a_folder_is_a_path(name, folder):
    with pytest.raises(TypeError, match=f"folder must be a str or a Path, got {folder}: pass the folder"):
        getattr(datasets, name)(folder)
