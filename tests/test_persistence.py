"""Saving and loading models: the same predictions, and nothing in a file is trusted that our models do not need."""

import io
import json
import os
import re
import sys
import warnings
import zipfile
from functools import partial

import numpy as np
import pandas as pd
import pytest
import skops.io
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.exceptions import InconsistentVersionWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, Normalizer, StandardScaler
from sklearn.svm import SVC, LinearSVC

from widemargin.persistence import ColumnsError, ModelFileError, load_model, save_model, trust
from widemargin.persistence.columns import match_names
from widemargin.privileged import (
    MarginTransferSVC,
    MarginTransferSVCCV,
    RankTransferSVC,
    SVMPlus,
    SVMPlusCV,
)

GRID = {"cv": StratifiedKFold(2, shuffle=True, random_state=0)}
ESTIMATORS = {
    "svm_plus": SVMPlus(privileged_kernel="rbf"),
    "svm_plus_rbf": SVMPlus(kernel="rbf", privileged_kernel="rbf", class_weight="balanced"),
    "margin_transfer": MarginTransferSVC(privileged_transformer=StandardScaler()),
    "margin_transfer_poly": MarginTransferSVC(kernel="poly", coef0=1.0),
    "rank_transfer": RankTransferSVC(),
    "svm_plus_cv": SVMPlusCV(
        Cs=[0.1, 1.0], privileged_alphas=np.array([1.0]), privileged_kernel="rbf", **GRID
    ),
    "margin_transfer_cv": MarginTransferSVCCV(
        Cs=(1.0,), privileged_Cs=[1.0], kernel="rbf", scoring="f1_macro", **GRID
    ),
    "svc": SVC(),
    "linear_svc": LinearSVC(random_state=0),
    "one_vs_rest_svc": OneVsRestClassifier(SVC()),
    "one_vs_rest_linear_svc": OneVsRestClassifier(LinearSVC(random_state=0)),
}
WITHOUT_PRIVILEGED = ("svc", "linear_svc", "one_vs_rest_svc", "one_vs_rest_linear_svc")


def samples(labels):
    rng = np.random.default_rng(7)
    X_privileged = rng.normal(size=(45, 3))
    X = np.hstack([X_privileged, np.zeros((45, 1))]) + 0.5 * rng.normal(size=(45, 4))
    order = np.argsort(np.argsort(X_privileged[:, 0]))
    return X, np.asarray(labels)[order * len(labels) // 45], X_privileged


def fitted(name, labels=("ja", "nein, nie"), scaler=None, sparse=False):
    X, y, X_privileged = samples(labels)
    model = clone(ESTIMATORS[name])
    fit_params = {} if name in WITHOUT_PRIVILEGED else {"X_privileged": X_privileged}
    X = csr_matrix(X) if sparse else X
    if scaler is None:
        return model.fit(X, y, **fit_params), X
    pipeline = make_pipeline(scaler, model)
    step = pipeline.steps[-1][0]
    return pipeline.fit(X, y, **{f"{step}__{key}": value for key, value in fit_params.items()}), X


def assert_survives(model, X, path):
    save_model(model, path)
    loaded = load_model(path)
    np.testing.assert_array_equal(loaded.model.decision_function(X), model.decision_function(X))
    predictions = loaded.model.predict(X)
    np.testing.assert_array_equal(predictions, model.predict(X))
    assert predictions.dtype == model.predict(X).dtype
    np.testing.assert_array_equal(loaded.classes, model.classes_)
    assert loaded.n_features == X.shape[1]
    assert type(loaded.model) is type(model)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize(
    "labels", [("ja", "nein, nie"), (-1, 1), ("a", "b", "ü c")], ids=["text", "int", "three"]
)
def test_every_estimator_survives(tmp_path, name, labels):
    model, X = fitted(name, labels)
    assert_survives(model, X, tmp_path / "Modell ü 1.skops")


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize(
    "scaler", [StandardScaler(), Normalizer(), MaxAbsScaler()], ids=["standard", "normalizer", "max_abs"]
)
def test_every_estimator_survives_in_a_pipeline(tmp_path, name, scaler):
    model, X = fitted(name, scaler=scaler)
    assert_survives(model, X, tmp_path / "model.skops")


@pytest.mark.parametrize("name", ["svm_plus", "svm_plus_rbf", "margin_transfer_cv", "svc"])
def test_models_of_sparse_features_survive(tmp_path, name):
    model, X = fitted(name, sparse=True)
    assert_survives(model, X, tmp_path / "model.skops")


def test_other_steps_and_labels_as_objects_survive(tmp_path):
    X, y, _ = samples(("a", "b"))
    model = make_pipeline(FunctionTransformer(), PCA(2), SVC(class_weight={"a": 1, "b": 2})).fit(
        X, y.astype(object)
    )
    assert_survives(model, X, tmp_path / "model.skops")


def test_names_of_columns_are_kept(tmp_path):
    model, _ = fitted("margin_transfer")
    path = tmp_path / "model.skops"
    save_model(model, path)
    assert load_model(path).feature_names is None
    names = ("width (cm)", "Höhe", "色", "d")
    save_model(model, path, feature_names=names)
    assert load_model(path).feature_names == names
    model.feature_names_in_ = np.array(["a", "b", "c", "d"], dtype=object)
    save_model(model, path)
    assert load_model(path).feature_names == ("a", "b", "c", "d")


NAMES = ["width (cm)", "Höhe", "色", "d"]
SCALERS = {
    "alone": None,
    "scaled": StandardScaler(),
    "identity": make_pipeline(FunctionTransformer(), "passthrough", FunctionTransformer()),
}


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("scaler", SCALERS)
def test_columns_of_a_dataframe_are_matched_by_name(tmp_path, name, scaler):
    model, X = fitted(name, ("a", "b", "c"), SCALERS[scaler])
    save_model(model, tmp_path / "model.skops", feature_names=NAMES)
    saved = load_model(tmp_path / "model.skops")
    frame = pd.DataFrame(X, columns=NAMES)
    for table in (frame, frame[NAMES[::-1]], X, X.tolist()):
        np.testing.assert_array_equal(saved.predict(table), model.predict(X))
        np.testing.assert_array_equal(saved.decision_function(table), model.decision_function(X))
    np.testing.assert_array_equal(saved.model.predict(frame), model.predict(X))
    assert list(saved.model.feature_names_in_) == NAMES
    with pytest.raises(ValueError, match="feature names should match"):
        saved.model.predict(frame[NAMES[::-1]])
    save_model(saved.model, tmp_path / "again.skops")
    assert load_model(tmp_path / "again.skops").feature_names == tuple(NAMES)


@pytest.fixture
def named(tmp_path):
    model, _ = fitted("margin_transfer")
    save_model(model, tmp_path / "model.skops", feature_names=NAMES)
    return load_model(tmp_path / "model.skops")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (NAMES[1:], "X lacks the column 'width (cm)' of the 4 columns that the model was trained on: give"),
        (
            [*NAMES[:3], "e", "f"],
            "lacks the column 'd' of the 4 .* and has the columns 'e', 'f', on which it was not",
        ),
        ([*NAMES, "note"], "X has the column 'note', on which the model was not trained"),
        ([*NAMES, "d"], "X has two columns called 'd'"),
        ([*NAMES[:3], " d", "d "], "under the same names; some differ in white space or in the Unicode form"),
        ([0, 1, 2], "X has 3 columns, but the model was trained on 4"),
    ],
)
def test_a_dataframe_without_the_right_columns_is_refused(named, columns, said):
    frame = pd.DataFrame(np.zeros((2, len(columns))), columns=columns)
    for method in (named.predict, named.decision_function):
        with pytest.raises(ColumnsError, match=re.escape(said).replace(r"\.\*", ".*")):
            method(frame)


@pytest.mark.parametrize(
    ("X", "said"),
    [
        (np.zeros((2, 3)), "X has 3 columns, but the model was trained on 4"),
        (csr_matrix((2, 5)), "X has 5 columns, but the model was trained on 4"),
        (np.zeros(4), "Expected 2D array"),
        (np.full((2, 4), np.nan), "contains NaN"),
    ],
)
def test_tables_without_names_are_checked(named, X, said):
    with pytest.raises(ValueError, match=said):
        named.predict(X)


def test_columns_whose_names_are_no_text_are_taken_in_their_order(named):
    X, _, _ = samples(("ja", "nein"))
    np.testing.assert_array_equal(named.predict(pd.DataFrame(X)), named.predict(X))


@pytest.mark.parametrize(
    ("present", "known", "places"),
    [
        (["Ho\u0308he", "b"], ["H\u00f6he", "b"], (0, 1)),
        (["b", "H\u00f6he"], ["Ho\u0308he", "b"], (1, 0)),
        (["a\u00a0 b ", "c"], ["c", "a b"], (1, 0)),
        # Names that differ in white space only are told apart as long as they are exact.
        (["a b", "a  b"], ["a  b", "a b"], (1, 0)),
        (["a b", "a  b", "c"], ["a b"], (0,)),
        (["a ", "c"], ["a"], (0,)),
    ],
)
def test_names_that_look_the_same_are_the_same_if_that_is_unambiguous(present, known, places):
    match = match_names(present, known, "x.csv")
    assert match.places == places
    assert match.others == tuple(name for k, name in enumerate(present) if k not in places)


@pytest.mark.parametrize(
    ("present", "known"), [(["a b ", " a b"], ["a b"]), (["a b"], ["a b", "a  b"]), (["A"], ["a"])]
)
def test_ambiguous_names_are_not_guessed(present, known):
    with pytest.raises(ColumnsError, match="lacks the column"):
        match_names(present, known, "x.csv")


@pytest.mark.parametrize("names", [["a", "b"], ["a", "b", "c", "a"]])
def test_names_must_be_different_and_one_a_column(tmp_path, names):
    model, _ = fitted("margin_transfer")
    with pytest.raises(ValueError, match="feature_names must be different names, one for each of 4 features"):
        save_model(model, tmp_path / "model.skops", feature_names=names)


def some_kernel(X, Y):
    return X @ Y.T


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (SVC(kernel=some_kernel), "some_kernel"),
        (LogisticRegression(), "LogisticRegression"),
        (MarginTransferSVC(kernel=partial(some_kernel)), "functools.partial"),
        (SVC(kernel=lambda X, Y: X @ Y.T), "lambda"),
    ],
)
def test_a_model_that_could_not_be_loaded_is_not_saved(tmp_path, model, said):
    X, y, _ = samples((0, 1))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X_privileged was not given")
        model.fit(X, y)
    with pytest.raises(ModelFileError, match=said) as caught:
        save_model(model, tmp_path / "model.skops")
    assert "best_estimator_" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_model_must_be_fitted(tmp_path):
    with pytest.raises(NotFittedError):
        save_model(SVMPlus(), tmp_path / "model.skops")


def test_a_file_that_cannot_be_written(tmp_path):
    model, _ = fitted("margin_transfer")
    with pytest.raises(ModelFileError, match=r"cannot be written \(No such file or directory\)"):
        save_model(model, tmp_path / "missing" / "model.skops")


def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    model, X = fitted("margin_transfer")
    path = tmp_path / "model.skops"
    save_model(model, path)

    def fail(source, target):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        with pytest.raises(ModelFileError, match="No space left"):
            save_model(fitted("svc")[0], path)
    assert list(tmp_path.iterdir()) == [path]
    np.testing.assert_array_equal(load_model(path).model.predict(X), model.predict(X))


def test_without_skops_the_message_says_how_to_get_it(tmp_path, monkeypatch):
    model, _ = fitted("margin_transfer")
    monkeypatch.setitem(sys.modules, "skops.io", None)
    for call in (lambda: save_model(model, tmp_path / "m.skops"), lambda: load_model(tmp_path / "m.skops")):
        with pytest.raises(ModelFileError, match="pip install skops"):
            call()


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Return the parts of a good file by name; its support vectors are sparse."""
    path = tmp_path_factory.mktemp("saved") / "model.skops"
    save_model(fitted("svc", sparse=True)[0], path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, parts, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def with_schema(parts, change):
    """Return the parts with a schema that `change` has edited in place."""
    schema = json.loads(parts["schema.json"])
    change(schema)
    return parts | {"schema.json": json.dumps(schema)}


def attributes(schema):
    return schema["content"]["content"]


def complaint(path):
    with pytest.raises(ModelFileError) as caught:
        load_model(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def test_the_parts_make_a_model_that_works(tmp_path, saved):
    assert load_model(write(tmp_path / "good.skops", saved)).n_features == 4


def node(loader, module, name, **more):
    return {"__loader__": loader, "__module__": module, "__class__": name, "__id__": 1, **more}


TEXT = node("JsonNode", "builtins", "str", content='"echo"', is_json=True)
ARGUMENTS = node("TupleNode", "builtins", "tuple", content=[TEXT])


@pytest.mark.parametrize(
    ("hostile", "said"),
    [
        (node("FunctionNode", "posix", "system"), "posix.system"),
        (node("TypeNode", "posix", "system"), "posix.system"),
        (node("ObjectNode", "posix", "system", content=ARGUMENTS), "posix.system"),
        (node("ConstructorFromReduceNode", "subprocess", "Popen", content=ARGUMENTS), "subprocess.Popen"),
        (
            node("ConstructorFromReduceNode", "sklearn.svm._classes", "SVC", content=ARGUMENTS),
            "a ConstructorFrom",
        ),
        (node("OperatorFuncNode", "operator", "methodcaller", attrs=ARGUMENTS), "operator.methodcaller"),
        (
            node("MethodNode", "widemargin.kernels", "Kernel", content={"func": "x", "obj": TEXT}),
            "a MethodNode",
        ),
        (node("DictNode", "this", "s", content={}, key_types=TEXT), "this.s"),
        (node("ListNode", "posix", "system", content=[TEXT]), "posix.system"),
        (node("NdArrayNode", "posix", "system", type="json", content=[], shape=ARGUMENTS), "posix.system"),
        (node("ObjectNode", "sklearn.linear_model._logistic", "LogisticRegression"), "LogisticRegression"),
        (node("ObjectNode", "widemargin.engine", "map_items"), "widemargin.engine.map_items"),
        (node("NewNode", "builtins", "str"), "a NewNode"),
        (node(["ObjectNode"], "posix", "system"), "posix.system"),
        (node("ObjectNode", None, None), "None.None"),
    ],
)
def test_types_that_our_models_do_not_need_are_refused(tmp_path, saved, hostile, said):
    def put(schema):
        attributes(schema)["kernel"] = hostile

    message = complaint(write(tmp_path / "model.skops", with_schema(saved, put)))
    assert said in message
    assert "it is not loaded" in message
    assert "this" not in sys.modules


def test_a_partial_of_a_command_is_refused_before_anything_runs(tmp_path, saved):
    marker = tmp_path / "ran"
    with zipfile.ZipFile(io.BytesIO(skops.io.dumps(partial(os.system, f"touch {marker}")))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    path = write(tmp_path / "model.skops", parts | {"widemargin.json": saved["widemargin.json"]})
    message = complaint(path)
    assert "posix.system" in message
    assert "functools.partial" in message
    assert not marker.exists()


def test_a_node_behind_another_is_seen(tmp_path, saved):
    def put(schema):
        attributes(schema)["kernel"] = node("ListNode", "builtins", "list", content=[[{"x": {**TEXT}}], TEXT])
        attributes(schema)["kernel"]["content"][0][0]["y"] = node("FunctionNode", "posix", "system")

    assert "posix.system" in complaint(write(tmp_path / "model.skops", with_schema(saved, put)))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"label,score\n", "is not a model that widemargin saved"),
        (b"\x80\x04K\x01.", "is not a model that widemargin saved"),
        (b"PK\x03\x04" + bytes(50), "is not a model that widemargin saved"),
    ],
)
def test_files_of_another_kind(tmp_path, content, said):
    path = tmp_path / "model.skops"
    path.write_bytes(content)
    assert said in complaint(path)


def test_a_missing_file_and_a_folder(tmp_path):
    assert "does not exist" in complaint(tmp_path / "model.skops")
    assert "is a folder" in complaint(tmp_path)


def test_archives_of_others_are_not_ours(tmp_path, saved):
    assert "is not a model that widemargin saved" in complaint(write(tmp_path / "a.zip", {"a.txt": "a"}))
    model, _ = fitted("svc")
    skops.io.dump(model, tmp_path / "b.skops")
    assert "is not a model that widemargin saved" in complaint(tmp_path / "b.skops")


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file(tmp_path, saved, kept):
    path = write(tmp_path / "model.skops", saved)
    content = path.read_bytes()
    path.write_bytes(content[: int(kept * len(content))])
    assert "copy it anew" in complaint(path)


def test_a_damaged_part(tmp_path, saved):
    path = write(tmp_path / "model.skops", saved, zipfile.ZIP_STORED)
    content = bytearray(path.read_bytes())
    content[content.index(b"NUMPY") + 200] ^= 1
    path.write_bytes(content)
    assert "CRC" in complaint(path)


@pytest.mark.parametrize("missing", ["schema.json", "array"])
def test_a_missing_part(tmp_path, saved, missing):
    name = missing if missing in saved else next(name for name in saved if name.endswith(".npy"))
    parts = {key: value for key, value in saved.items() if key != name}
    assert "is damaged" in complaint(write(tmp_path / "model.skops", parts))


def test_a_later_format_asks_for_the_later_version(tmp_path, saved):
    manifest = json.dumps({"format": 2, "widemargin": "9.0", "feature_names": None})
    message = complaint(write(tmp_path / "model.skops", saved | {"widemargin.json": manifest}))
    assert "saved by widemargin 9.0" in message
    assert "install the newer version" in message


@pytest.mark.parametrize(
    "manifest",
    [
        "[]",
        "{",
        "{}",
        '{"format": "1", "feature_names": null}',
        '{"format": 1, "feature_names": "abcd"}',
        '{"format": 1, "feature_names": [1, 2, 3, 4]}',
        '{"format": 1, "feature_names": ["a"]}',
        '{"format": 1, "feature_names": ["a", "a", "b", "c"]}',
    ],
)
def test_a_manifest_of_another_kind(tmp_path, saved, manifest):
    assert "is damaged" in complaint(write(tmp_path / "model.skops", saved | {"widemargin.json": manifest}))


def test_a_tree_deeper_than_the_stack(tmp_path, saved):
    schema = '{"__loader__": ' + "[" * 10**5 + "]" * 10**5 + "}"
    assert "is damaged" in complaint(write(tmp_path / "model.skops", saved | {"schema.json": schema}))


def huge_array():
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    return file.getvalue() + bytes(64)


def test_an_array_that_claims_more_than_there_is(tmp_path, saved):
    name = next(name for name in saved if name.endswith(".npy"))
    assert "claims the shape" in complaint(write(tmp_path / "a.skops", saved | {name: huge_array()}))
    name = next(name for name in saved if name.endswith(".npz"))
    inner = io.BytesIO()
    write(inner, {"data.npy": huge_array()})
    assert "claims the shape" in complaint(write(tmp_path / "b.skops", saved | {name: inner.getvalue()}))


def test_parts_that_unpack_to_too_much(tmp_path, saved, monkeypatch):
    limit = sum(map(len, saved.values())) + 50_000
    monkeypatch.setattr(trust, "LARGEST_MODEL", limit)
    good = write(tmp_path / "good.skops", saved)
    assert load_model(good).n_features == 4
    assert "unpack to more" in complaint(write(tmp_path / "a.skops", saved | {"zeros": bytes(limit)}))
    # Inside of a sparse matrix, which is an archive of its own.
    name = next(name for name in saved if name.endswith(".npz"))
    inner = io.BytesIO()
    write(inner, {"data.npy": bytes(limit + 1)})
    assert len(inner.getvalue()) < 1000
    assert "unpack to more" in complaint(write(tmp_path / "b.skops", saved | {name: inner.getvalue()}))

    # A part of which many nodes ask for a copy.
    def put(schema):
        array = next(iter(node for node in trust._nodes(schema) if node.get("type") == "numpy"))
        copies = [{**array, "__id__": k} for k in range(limit // len(saved[array["file"]]) + 1)]
        attributes(schema)["kernel"] = node("ListNode", "builtins", "list", content=copies)

    assert "unpack to more" in complaint(write(tmp_path / "c.skops", with_schema(saved, put)))
    monkeypatch.setattr(trust, "_MOST_PARTS", 3)
    assert f"it has {len(saved)} parts, more than the 3 a model may have" in complaint(good)


def test_json_that_is_too_large(tmp_path, saved, monkeypatch):
    monkeypatch.setattr(trust, "_LARGEST_JSON", 1000)
    assert "schema.json is larger" in complaint(write(tmp_path / "model.skops", saved))


def array_bytes(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize(
    "name", ["_n_support", "_dual_coef_", "_intercept_", "_probA", "support_", "classes_"]
)
def test_arrays_that_compiled_code_would_read_beyond_their_end(tmp_path, name):
    path = tmp_path / "model.skops"
    save_model(fitted("svc")[0], path)
    with zipfile.ZipFile(path) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
        file = attributes(json.loads(parts["schema.json"]))[name]["file"]
        array = np.load(io.BytesIO(parts[file]))
    longer = np.concatenate([array] * 2, axis=-1) if array.size else np.ones(3, array.dtype)
    assert "do not fit together" in complaint(write(path, parts | {file: array_bytes(longer)}))


def test_indices_of_a_sparse_matrix_are_within_its_shape(tmp_path, saved):
    name = next(name for name in saved if name.endswith(".npz"))
    with np.load(io.BytesIO(saved[name])) as matrix:
        arrays = dict(matrix)
    arrays["indices"] = arrays["indices"] + 10**6
    changed = io.BytesIO()
    np.savez(changed, **arrays)
    assert "is damaged" in complaint(write(tmp_path / "model.skops", saved | {name: changed.getvalue()}))


@pytest.mark.parametrize(
    ("estimator", "scaler", "name"),
    [
        ("svm_plus", None, "coef_"),
        ("svc", None, "_dual_coef_"),
        ("svc", None, "support_vectors_"),
        ("margin_transfer", None, "intercept_"),
        ("linear_svc", StandardScaler(), "mean_"),
        ("linear_svc", StandardScaler(), "scale_"),
    ],
)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite(tmp_path, estimator, scaler, name, value):
    path = tmp_path / "model.skops"
    save_model(fitted(estimator, scaler=scaler)[0], path)
    with zipfile.ZipFile(path) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    holders = [found for found in trust._nodes(json.loads(parts["schema.json"])) if "content" in found]
    (file,) = {
        found["content"][name]["file"]
        for found in holders
        if isinstance(found["content"], dict) and name in found["content"]
    }
    array = np.load(io.BytesIO(parts[file]))
    array.flat[0] = value
    said = complaint(write(path, parts | {file: array_bytes(array)}))
    assert f"ValueError: {name} of its" in said
    assert "numbers that are not finite" in said


@pytest.mark.parametrize("loaded", [[1, 2], "text", StandardScaler(), SVMPlus()])
def test_something_else_than_a_fitted_classifier(tmp_path, saved, loaded):
    with zipfile.ZipFile(io.BytesIO(skops.io.dumps(loaded))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    path = write(tmp_path / "model.skops", parts | {"widemargin.json": saved["widemargin.json"]})
    assert "is damaged, or was changed" in complaint(path)


def test_another_version_of_scikit_learn_is_warned_of(tmp_path, saved):
    def put(schema):
        attributes(schema)["_sklearn_version"]["content"] = '"1.5.0"'

    path = write(tmp_path / "model.skops", with_schema(saved, put))
    with pytest.warns(InconsistentVersionWarning):
        assert load_model(path).n_features == 4
