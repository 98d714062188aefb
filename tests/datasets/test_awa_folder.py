"""Animals with Attributes in its own folders: what is read, in which order, and what is said about faults."""

import numpy as np
import pytest

from widemargin.datasets import DatasetError, MissingDatasetError, load_awa_folder

CLASSES = ("antelope", "giant+panda", "rat", "persian+cat")
TEST_CLASSES = ("persian+cat", "giant+panda")
ATTRIBUTES = ("black", "white", "has tail")


@pytest.fixture
def folder(tmp_path):
    """Four classes, two of them test classes, with 2, 3, 4 and 5 images of six words."""
    root = tmp_path / "Animals_with_Attributes"
    root.mkdir()
    for file, names in (("classes.txt", CLASSES), ("predicates.txt", ATTRIBUTES)):
        (root / file).write_text("".join(f"{k:5d}\t{name}\n" for k, name in enumerate(names, start=1)))
    (root / "testclasses.txt").write_text("\n".join(TEST_CLASSES) + "\n")
    (root / "trainclasses.txt").write_text("antelope\nrat\n")
    (root / "predicate-matrix-binary.txt").write_text("0 1 0\n1 1 0\n0 0 1\n0 1 1\n")
    (root / "predicate-matrix-continuous.txt").write_text(
        "  0.00  10.5  3.0\n 50.0 60.0 -1.00\n 1 2 3\n 7 8 9\n"
    )
    rng = np.random.default_rng(0)
    for k, name in enumerate(CLASSES):
        own = root / "Features/surf-hist" / name
        own.mkdir(parents=True)
        for image in range(k + 2, 0, -1):
            values = rng.integers(0, 9, size=6) + np.eye(6, dtype=int)[k]
            (own / f"{name}_{image:04d}.txt").write_text(" ".join(map(str, values)) + " \n")
    return root


def write_predicted(path, n_rows=8, **changes):
    rng = np.random.default_rng(1)
    arrays = {
        "attributes": rng.uniform(size=(n_rows, 3)).astype(np.float32),
        "y": np.repeat([1, 3], [3, 5])[:n_rows],
        "classes": np.array(CLASSES),
    }
    np.savez(path, **(arrays | changes))
    return arrays["attributes"]


def test_the_test_classes_in_the_order_of_all_classes(folder):
    images = load_awa_folder(str(folder))
    assert images.class_names == ("giant panda", "persian cat")
    assert images.y.tolist() == [0] * 3 + [1] * 5
    assert images.image_names[:4] == (
        "giant+panda_0001",
        "giant+panda_0002",
        "giant+panda_0003",
        "persian+cat_0001",
    )
    counts = np.loadtxt(folder / "Features/surf-hist/giant+panda/giant+panda_0002.txt")
    np.testing.assert_allclose(images.X[1], counts / counts.sum(), rtol=1e-15)
    np.testing.assert_allclose(images.X.sum(axis=1), 1)
    np.testing.assert_array_equal(images.class_attributes, [[1, 1, 0], [0, 1, 1]])
    np.testing.assert_array_equal(images.X_privileged, images.class_attributes[images.y])
    assert images.attribute_names == ATTRIBUTES


@pytest.mark.parametrize(
    ("classes", "names", "n_images"),
    [
        ("train", ("antelope", "rat"), 6),
        ("all", ("antelope", "giant panda", "rat", "persian cat"), 14),
        (["rat", "giant panda"], ("giant panda", "rat"), 7),
        (("persian+cat",), ("persian cat",), 5),
    ],
)
def test_other_classes(folder, classes, names, n_images):
    images = load_awa_folder(folder, classes=classes)
    assert images.class_names == names
    assert len(images.X) == n_images


def test_continuous_attributes_are_strengths_and_unknown_ones_are_nan(folder):
    images = load_awa_folder(folder, attributes="continuous")
    np.testing.assert_array_equal(images.class_attributes, [[50, 60, np.nan], [7, 8, 9]])


def test_predicted_attributes_of_the_same_images(folder, tmp_path):
    expected = write_predicted(tmp_path / "predicted.npz")
    images = load_awa_folder(folder, predicted=tmp_path / "predicted.npz")
    np.testing.assert_array_equal(images.X_privileged, expected)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"y": np.repeat([1, 3], [4, 4])}, "has other labels than the images"),
        ({"classes": np.array(["a", "b", "c", "d"])}, "has other labels than the images"),
        ({"n_rows": 7}, "expected are 8 integers"),
        ({"attributes": np.full((8, 3), 2.0)}, "probabilities"),
    ],
)
def test_predicted_attributes_of_other_images_are_refused(folder, tmp_path, change, complaint):
    write_predicted(tmp_path / "predicted.npz", **change)
    with pytest.raises(DatasetError, match=complaint):
        load_awa_folder(folder, predicted=tmp_path / "predicted.npz")


def test_numbers_may_stand_on_several_lines(folder):
    path = folder / "Features/surf-hist/persian+cat/persian+cat_0001.txt"
    before = load_awa_folder(folder).X
    path.write_text(path.read_text().replace(" ", "\n"))
    np.testing.assert_array_equal(load_awa_folder(folder).X, before)


IMAGE = "Features/surf-hist/persian+cat/persian+cat_0003.txt"


@pytest.mark.parametrize(
    ("file", "content", "complaint"),
    [
        (IMAGE, "1 2 3", r"has 3 numbers, giant\+panda_0001\.txt has 6"),
        (IMAGE, "1 2 3 4 5 six", "cannot be read as numbers"),
        (IMAGE, "1 2 3 4 5 nan", "not finite"),
        (IMAGE, "1 2 3 4 5 -6", "is no histogram"),
        (IMAGE, "0 0 0 0 0 0", "is no histogram"),
        (IMAGE, "1e308 1e308 1e308 1 1 1", r"the number 1e\+308, too great for a sum"),
        (IMAGE, "1_0 2 3 4 5 6", "underscore"),
        (IMAGE, "", "is empty"),
        (IMAGE, "1 2 3 4 5 é", "cannot be read as text"),
        (IMAGE, "1 " * 600_000, "at most 1 MiB is read"),
        ("classes.txt", "", "names nothing"),
        ("classes.txt", "antelope\nrat\n", "expected is the number 1, a tab and a new name"),
        ("classes.txt", "1\trat\n3\tcat\n", "expected is the number 2"),
        ("classes.txt", "1\trat\n2\trat\n", "expected is the number 2"),
        ("classes.txt", "1\t../../etc\n", "expected is the number 1"),
        ("classes.txt", "1\t..\n", "expected is the number 1"),
        ("predicates.txt", "1\tblack\n", "4 lines of 1 numbers"),
        ("predicate-matrix-binary.txt", "0 1 0\n1 1 0\n", "4 lines of 3 numbers"),
        ("predicate-matrix-binary.txt", "0 1 0\n1 1\n0 0 1\n1 1 1\n", "4 lines of 3 numbers"),
        ("predicate-matrix-binary.txt", "a b c\n", "cannot be read as numbers"),
        (
            "predicate-matrix-binary.txt",
            "0 1 0\n1 5 0\n0 0 1\n1 1 1\n",
            "the number 5: expected are 0 and 1, and -1",
        ),
        ("predicate-matrix-binary.txt", "0 1 0\n1 1 0\n0 0 -2\n1 1 1\n", "the number -2"),
        ("classes.txt", "1\trat\x1b\n", r"in its lines the name 'rat\\x1b', with the character U\+001B"),
        ("classes.txt", "1\tpersian+cat\n2\tpersian cat\n", "expected is the number 2"),
        ("classes.txt", "".join(f"{k}\t{'c' * 300}{k}\n" for k in range(1, 5)), "'persian.cat' is asked for"),
        ("testclasses.txt", "zebra\n", "'zebra' is asked for by .*testclasses.txt"),
        ("testclasses.txt", "\n", "names no class"),
    ],
)
def test_a_damaged_file_is_named_with_the_fault(folder, file, content, complaint):
    (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises(DatasetError, match=complaint):
        load_awa_folder(folder)


def test_strengths_above_a_hundred_are_refused(folder):
    (folder / "predicate-matrix-continuous.txt").write_text("0 1 2\n50 100 -1\n1 2 101\n7 8 9\n")
    with pytest.raises(DatasetError, match="the number 101: expected are strengths from 0 to 100"):
        load_awa_folder(folder, attributes="continuous")


def test_hidden_files_are_no_images(folder):
    expected = load_awa_folder(folder)
    (folder / IMAGE).with_name(".hidden.txt").write_text("1 2 3 4 5 6")
    (folder / IMAGE).with_name("._giant+panda_0001.txt").write_bytes(b"\0\5\26\7")
    images = load_awa_folder(folder)
    assert images.image_names == expected.image_names
    np.testing.assert_array_equal(images.X, expected.X)


def test_a_class_whose_name_is_too_long_for_a_folder(folder):
    long = "c" * 300
    (folder / "classes.txt").write_text(f"1\t{long}\n2\tgiant+panda\n3\trat\n4\tpersian cat\n")
    with pytest.raises(MissingDatasetError, match=r"c has no \.txt file"):
        load_awa_folder(folder, classes=[long])
    with pytest.raises(MissingDatasetError, match=r"classes\.txt is missing"):
        load_awa_folder(folder / long)


def test_spaces_and_plus_signs_name_the_same_class(folder):
    (folder / "classes.txt").write_text("1\tantelope\n2\tgiant panda\n3\trat\n4\tpersian+cat\n")
    (folder / "Features/surf-hist/giant+panda").rename(folder / "Features/surf-hist/giant panda")
    assert load_awa_folder(folder).class_names == ("giant panda", "persian cat")


def test_what_is_missing_is_named(folder):
    with pytest.raises(MissingDatasetError, match=r"sift-hist is missing: pass a feature .* \(surf-hist\)"):
        load_awa_folder(folder, "sift-hist")
    (folder / "testclasses.txt").unlink()
    with pytest.raises(MissingDatasetError, match=r"testclasses\.txt is missing"):
        load_awa_folder(folder)
    for path in (folder / "Features/surf-hist/rat").iterdir():
        path.unlink()
    with pytest.raises(MissingDatasetError, match=r"rat has no \.txt file"):
        load_awa_folder(folder, classes=["rat"])
    with pytest.raises(DatasetError, match="'zebra' is asked for by classes"):
        load_awa_folder(folder, classes=["zebra"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"classes": "some"}, 'classes must be "test", "train", "all"'),
        ({"attributes": "both"}, 'attributes must be "binary" or "continuous"'),
        ({"feature": "../surf-hist"}, "feature must be the name of a folder"),
        ({"classes": [1]}, r"a list of names, got \[1\]"),
        ({"classes": None}, "a list of names, got None"),
        ({"feature": None}, "feature must be the name of a folder"),
        ({"feature": "x" * 300}, "x is missing: pass a feature whose folder is there"),
        ({"feature": ".."}, "feature must be the name of a folder"),
    ],
)
def test_a_wrong_argument_is_named(folder, arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        load_awa_folder(folder, **arguments)
