"""Reading pairs of proteins: what is read, and what is said about files that are not as described."""

import numpy as np
import pytest

from experiments.ranking_files import protein_pairs_arrays, write_protein_pairs
from widemargin.datasets import DatasetError, MissingDatasetError, load_protein_pairs

HEADER = ",".join(f"feature {k}" for k in range(163))


def all_values():
    values = np.concatenate(list(protein_pairs_arrays().values()))
    return np.where(values == -100, np.nan, values)


def test_features_that_are_often_missing_are_left_out(tmp_path):
    values = all_values()
    write_protein_pairs(tmp_path)
    pairs = load_protein_pairs(str(tmp_path))
    # 120 pairs, of which 5 % and 80 % miss a feature: no column is near a quarter.
    assert pairs.columns.tolist() == list(range(90))
    np.testing.assert_array_equal(pairs.X, values[:, :90])
    np.testing.assert_array_equal(pairs.missing_share, np.isnan(values[:, :90]).mean(axis=0))
    assert pairs.y.tolist() == [1] * 30 + [0] * 90
    names = pairs.feature_names
    assert len(set(names)) == 90
    assert (names[0], names[19], names[20], names[74]) == (
        "gene expression 1",
        "gene expression 20",
        "GO molecular function 1",
        "GO cellular component 1",
    )


def test_the_limit_is_the_first_share_that_is_left_out(tmp_path):
    arrays = protein_pairs_arrays(1, 3)
    for values in arrays.values():
        values[:] = 1
    arrays["dipsPosPair"][:, 5] = -100
    write_protein_pairs(tmp_path, arrays)
    assert 5 not in load_protein_pairs(tmp_path).columns
    pairs = load_protein_pairs(tmp_path, max_missing=0.26)
    assert pairs.columns.tolist() == list(range(162))
    assert np.argwhere(np.isnan(pairs.X)).tolist() == [[0, 5]]
    assert pairs.feature_names[-1] == "MIPS mutant phenotype 11"


@pytest.mark.parametrize(
    "variant",
    [
        {"with_class": False},
        {"delimiter": "\t"},
        {"delimiter": ";"},
        {"header": HEADER},
    ],
)
def test_variants_of_the_layout_are_the_same_data(tmp_path, variant):
    write_protein_pairs(tmp_path / "plain")
    write_protein_pairs(tmp_path / "variant" / "phyInteract", **variant)
    plain, other = load_protein_pairs(tmp_path / "plain"), load_protein_pairs(tmp_path / "variant")
    np.testing.assert_array_equal(plain.X, other.X)
    np.testing.assert_array_equal(plain.y, other.y)


def damage_class(path):
    lines = path.read_text().splitlines()
    lines[4] = lines[4].rpartition(",")[0] + ",0"
    path.write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda path: path.write_text(""), "has only empty lines"),
        (lambda path: path.write_text("1,2\n3,4\n"), "has 2 columns: expected are 162 features"),
        (lambda path: path.write_text("1,2\n3\n"), "line 2"),
        (lambda path: path.write_text(path.read_text().replace("\n", "\nx,", 1)), "line 2"),
        (damage_class, "different classes in its last column, 0 and 1"),
    ],
)
def test_one_sentence_names_the_file_and_what_is_wrong(tmp_path, damage, complaint):
    write_protein_pairs(tmp_path)
    damage(tmp_path / "dipsPosPair.feature")
    with pytest.raises(DatasetError) as caught:
        load_protein_pairs(tmp_path)
    assert complaint in str(caught.value)
    assert "dipsPosPair.feature" in str(caught.value)


def test_exchanged_and_missing_files(tmp_path):
    write_protein_pairs(tmp_path)
    positives, negatives = (tmp_path / f"{name}.feature" for name in ("dipsPosPair", "dipsRandpairSub23w"))
    negatives.write_text(positives.read_text())
    with pytest.raises(DatasetError, match="have the same class 1 in their last column"):
        load_protein_pairs(tmp_path)
    negatives.unlink()
    with pytest.raises(MissingDatasetError, match=r"dipsRandpairSub23w\.feature is missing"):
        load_protein_pairs(tmp_path)


def test_a_limit_that_leaves_nothing(tmp_path):
    write_protein_pairs(tmp_path)
    with pytest.raises(DatasetError, match="raise max_missing"):
        load_protein_pairs(tmp_path, max_missing=1e-9)
    with pytest.raises(ValueError, match="max_missing must be finite and greater than 0"):
        load_protein_pairs(tmp_path, max_missing=0)
