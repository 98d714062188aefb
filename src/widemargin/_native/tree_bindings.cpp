// Bindings of the tree kernels.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "binning.h"
#include "bindings.h"
#include "heartbeat.h"
#include "table.h"
#include "tree_growing.h"
#include "tree_prediction.h"

using namespace nanobind::literals;

namespace widemargin::bindings {
namespace {

template <class T>
using Strided = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Column = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using OwnedColumn = nb::ndarray<T, nb::numpy, nb::ndim<1>>;
using Codes = nb::ndarray<const std::uint8_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OwnedCodes = nb::ndarray<std::uint8_t, nb::numpy, nb::ndim<2>>;
using Flags = Column<bool>;

template <class T>
OwnedColumn<T> to_numpy(std::vector<T>&& values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const std::size_t n = kept->size();
  nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  kept.release();
  return OwnedColumn<T>(data, {n}, owner);
}

// A result of n values that are all written, so that they need not be zero first.
template <class T>
class Block {
 public:
  explicit Block(std::size_t n) : values_(new T[n]) {}
  T* data() { return values_.get(); }
  template <class Array>
  Array release(std::initializer_list<std::size_t> shape) {
    nb::capsule owner(values_.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array(values_.release(), shape, owner);
  }

 private:
  std::unique_ptr<T[]> values_;
};

template <class T>
Table<T> table_of(const Strided<T>& X) {
  return {X.data(), X.shape(0), X.shape(1), static_cast<std::ptrdiff_t>(X.stride(0)),
          static_cast<std::ptrdiff_t>(X.stride(1))};
}

template <class T>
std::pair<OwnedColumn<double>, OwnedColumn<std::int64_t>> fit_bins(const Strided<T>& X,
                                                                   const Column<std::int64_t>& rows,
                                                                   std::size_t n_bins, std::size_t n_threads) {
  if (n_bins < 1 || n_bins > most_value_bins) throw nb::value_error("n_bins is not in [1, 255]");
  std::vector<std::size_t> sample;
  for (std::size_t k = 0; k < rows.shape(0); ++k) {
    if (rows.data()[k] < 0 || static_cast<std::size_t>(rows.data()[k]) >= X.shape(0))
      throw nb::value_error("rows has a row that X does not");
    sample.push_back(static_cast<std::size_t>(rows.data()[k]));
  }
  Thresholds thresholds = [&] {
    nb::gil_scoped_release unlocked;
    Heartbeat heartbeat(check_signals);
    return find_thresholds(table_of(X), sample, n_bins, n_threads, heartbeat);
  }();
  return {to_numpy(std::move(thresholds.values)), to_numpy(std::move(thresholds.offsets))};
}

void require_offsets(const Column<std::int64_t>& offsets, const Column<double>& thresholds, std::size_t n_features) {
  if (offsets.shape(0) != n_features + 1 || offsets.data()[0] != 0 ||
      offsets.data()[n_features] != static_cast<std::int64_t>(thresholds.shape(0)))
    throw nb::value_error("offsets do not divide the thresholds among the features");
  for (std::size_t f = 0; f < n_features; ++f) {
    const std::int64_t n = offsets.data()[f + 1] - offsets.data()[f];
    if (n < 0 || n >= static_cast<std::int64_t>(most_value_bins))
      throw nb::value_error("a feature has not 0 to 254 thresholds");
  }
}

template <class T>
OwnedCodes bin_codes(const Strided<T>& X, const Column<double>& thresholds, const Column<std::int64_t>& offsets,
                     std::size_t n_threads) {
  const std::size_t n_features = X.shape(1);
  require_offsets(offsets, thresholds, n_features);
  Block<std::uint8_t> codes(n_features * X.shape(0));
  {
    nb::gil_scoped_release unlocked;
    Heartbeat heartbeat(check_signals);
    encode(table_of(X), thresholds.data(), offsets.data(), n_threads, heartbeat, codes.data());
  }
  return codes.release<OwnedCodes>({n_features, X.shape(0)});
}

using TreeArrays =
    std::tuple<OwnedColumn<std::int32_t>, OwnedColumn<double>, OwnedColumn<std::uint8_t>, OwnedColumn<std::uint8_t>,
               OwnedColumn<std::uint8_t>, OwnedColumn<std::int32_t>, OwnedColumn<std::int32_t>, OwnedColumn<double>,
               OwnedColumn<std::int32_t>, OwnedColumn<double>, OwnedColumn<std::uint8_t>>;

class Grower {
 public:
  Grower(const Codes& codes, const Column<double>& thresholds, const Column<std::int64_t>& offsets, int max_depth,
         std::int64_t min_samples_leaf, int criterion, double leaf_alpha, std::size_t n_threads)
      : codes_(codes), thresholds_(thresholds), offsets_(offsets), n_bins_(codes.shape(0)), all_(codes.shape(0)) {
    const std::size_t n_features = codes.shape(0), n_rows = codes.shape(1);
    require_offsets(offsets, thresholds, n_features);
    if (max_depth < 1 || max_depth > most_levels) throw nb::value_error("max_depth is not in [1, 8]");
    if (min_samples_leaf < 1) throw nb::value_error("min_samples_leaf is less than 1");
    if (criterion < 0 || criterion > 3) throw nb::value_error("criterion is not in [0, 3]");
    if (!(leaf_alpha >= 0.0)) throw nb::value_error("leaf_alpha is negative");
    if (n_threads < 1) throw nb::value_error("n_threads is less than 1");
    if (n_rows > UINT32_MAX) throw nb::value_error("codes have more than 2^32 - 1 rows");
    for (std::size_t f = 0; f < n_features; ++f) {
      all_[f] = static_cast<std::int32_t>(f);
      n_bins_[f] = static_cast<std::int32_t>(offsets.data()[f + 1] - offsets.data()[f] + 1);
      const std::uint8_t* of_feature = codes.data() + f * n_rows;
      if (n_rows > 0 && *std::max_element(of_feature, of_feature + n_rows) > n_bins_[f])
        throw nb::value_error("a code is greater than the number of bins of its feature");
    }
    grower_ = make_tree_grower({n_rows, n_features, codes_.data(), n_bins_.data()},
                               {max_depth, min_samples_leaf, static_cast<Criterion>(criterion), leaf_alpha, n_threads});
  }

  TreeArrays grow(const Vector& gradient, std::optional<Vector> weight,
                  std::optional<Column<std::int32_t>> features) {
    const std::size_t n_rows = codes_.shape(1);
    require_length(gradient, n_rows);
    if (weight) require_length(*weight, n_rows);
    std::vector<std::int32_t> chosen = all_;
    if (features) {
      chosen.assign(features->data(), features->data() + features->shape(0));
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (chosen[k] < 0 || static_cast<std::size_t>(chosen[k]) >= codes_.shape(0) ||
            (k > 0 && chosen[k] <= chosen[k - 1]))
          throw nb::value_error("features are not increasing numbers of features");
    }
    Block<std::uint8_t> leaves(n_rows);
    const std::vector<TreeNode> nodes = [&] {
      nb::gil_scoped_release unlocked;
      const std::lock_guard<std::mutex> one_tree_at_a_time(busy_);
      Heartbeat heartbeat(check_signals);
      return grower_->grow(gradient.data(), weight ? weight->data() : nullptr, chosen, heartbeat, leaves.data());
    }();
    std::vector<std::int32_t> feature, left, right, leaf;
    std::vector<std::uint8_t> bin, missing_bin, missing_left;
    std::vector<double> threshold, value, gain;
    for (const TreeNode& node : nodes) {
      feature.push_back(node.feature);
      threshold.push_back(node.feature < 0 ? quiet_nan : threshold_of(node));
      missing_bin.push_back(node.feature < 0 ? std::uint8_t{0} : missing_bin_of(node));
      bin.push_back(node.bin);
      left.push_back(node.left);
      right.push_back(node.right);
      missing_left.push_back(node.missing_left);
      value.push_back(node.value);
      leaf.push_back(node.leaf);
      gain.push_back(node.gain);
    }
    return {to_numpy(std::move(feature)),
            to_numpy(std::move(threshold)),
            to_numpy(std::move(bin)),
            to_numpy(std::move(missing_bin)),
            to_numpy(std::move(missing_left)),
            to_numpy(std::move(left)),
            to_numpy(std::move(right)),
            to_numpy(std::move(value)),
            to_numpy(std::move(leaf)),
            to_numpy(std::move(gain)),
            leaves.release<OwnedColumn<std::uint8_t>>({n_rows})};
  }

 private:
  static constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();

  std::uint8_t missing_bin_of(const TreeNode& node) const {
    return static_cast<std::uint8_t>(n_bins_[static_cast<std::size_t>(node.feature)]);
  }

  // Infinite where all values go left, which happens in splits of values from missing ones.
  double threshold_of(const TreeNode& node) const {
    const std::int64_t at = offsets_.data()[node.feature] + node.bin;
    return at < offsets_.data()[node.feature + 1] ? thresholds_.data()[at] : std::numeric_limits<double>::infinity();
  }

  Codes codes_;
  Column<double> thresholds_;
  Column<std::int64_t> offsets_;
  std::vector<std::int32_t> n_bins_;
  std::vector<std::int32_t> all_;
  std::unique_ptr<TreeGrowerBase> grower_;
  std::mutex busy_;
};

// The arrays of an ensemble, checked and held while it predicts.
class Ensemble {
 public:
  Ensemble(std::size_t n_features, const Column<std::int64_t>& roots, const Column<std::int32_t>& feature,
           const Column<double>& threshold, const Column<std::uint8_t>& bin, const Column<std::uint8_t>& missing_bin,
           const Flags& missing_left, const Column<std::int32_t>& left, const Column<std::int32_t>& right,
           const Column<double>& value, const Column<std::int32_t>& leaf)
      : roots_(roots),
        feature_(feature),
        threshold_(threshold),
        bin_(bin),
        missing_bin_(missing_bin),
        missing_left_(missing_left),
        left_(left),
        right_(right),
        value_(value),
        leaf_(leaf) {
    const std::size_t n_nodes = feature.shape(0);
    require_length(threshold, n_nodes);
    require_length(bin, n_nodes);
    require_length(missing_bin, n_nodes);
    require_length(missing_left, n_nodes);
    require_length(left, n_nodes);
    require_length(right, n_nodes);
    require_length(value, n_nodes);
    require_length(leaf, n_nodes);
    if (roots.shape(0) == 0 || roots.data()[0] != 0 ||
        roots.data()[roots.shape(0) - 1] != static_cast<std::int64_t>(n_nodes))
      throw nb::value_error("roots do not divide the nodes among trees");
    for (std::size_t t = 0; t + 1 < roots.shape(0); ++t)
      if (roots.data()[t + 1] <= roots.data()[t]) throw nb::value_error("a tree has no nodes");
    nodes_ = {roots.shape(0) - 1,
              n_features,
              roots_.data(),
              feature_.data(),
              threshold_.data(),
              bin_.data(),
              missing_bin_.data(),
              missing_left_.data(),
              left_.data(),
              right_.data(),
              value_.data(),
              leaf_.data()};
  }

  template <class T>
  OwnedVector predict_rows(const Strided<T>& X, std::size_t n_threads) const {
    require_columns(X.shape(1));
    Result scores(X.shape(0));
    {
      nb::gil_scoped_release unlocked;
      Heartbeat heartbeat(check_signals);
      predict(nodes_, table_of(X), n_threads, heartbeat, scores.data());
    }
    return scores.release();
  }

  OwnedVector predict_codes(const Codes& codes, std::size_t n_threads) const {
    require_columns(codes.shape(0));
    Result scores(codes.shape(1));
    {
      nb::gil_scoped_release unlocked;
      Heartbeat heartbeat(check_signals);
      predict_coded(nodes_, codes.data(), codes.shape(1), n_threads, heartbeat, scores.data());
    }
    return scores.release();
  }

  template <class T>
  OwnedCodes leaves(const Strided<T>& X, std::size_t n_threads) const {
    require_columns(X.shape(1));
    Block<std::uint8_t> found(nodes_.n_trees * X.shape(0));
    {
      nb::gil_scoped_release unlocked;
      Heartbeat heartbeat(check_signals);
      find_leaves(nodes_, table_of(X), n_threads, heartbeat, found.data());
    }
    return found.template release<OwnedCodes>({nodes_.n_trees, X.shape(0)});
  }

  template <class T>
  std::pair<OwnedVector, OwnedColumn<std::int32_t>> early_exit(const Strided<T>& X, const Vector& thresholds,
                                                               std::size_t n_threads) const {
    require_columns(X.shape(1));
    require_length(thresholds, nodes_.n_trees);
    Result scores(X.shape(0));
    Block<std::int32_t> used(X.shape(0));
    {
      nb::gil_scoped_release unlocked;
      Heartbeat heartbeat(check_signals);
      predict_early_exit(nodes_, table_of(X), thresholds.data(), n_threads, heartbeat, scores.data(), used.data());
    }
    return {scores.release(), used.template release<OwnedColumn<std::int32_t>>({X.shape(0)})};
  }

 private:
  void require_columns(std::size_t n) const {
    if (n != nodes_.n_features) throw nb::value_error("the number of features is not that of the ensemble");
  }

  Column<std::int64_t> roots_;
  Column<std::int32_t> feature_;
  Column<double> threshold_;
  Column<std::uint8_t> bin_;
  Column<std::uint8_t> missing_bin_;
  Flags missing_left_;
  Column<std::int32_t> left_;
  Column<std::int32_t> right_;
  Column<double> value_;
  Column<std::int32_t> leaf_;
  EnsembleNodes nodes_{};
};

template <class T>
void bind_values(nb::module_& m, nb::class_<Ensemble>& ensemble) {
  m.def("fit_bins", &fit_bins<T>, "X"_a.noconvert(), "rows"_a.noconvert(), "n_bins"_a, "n_threads"_a);
  m.def("bin_codes", &bin_codes<T>, "X"_a.noconvert(), "thresholds"_a.noconvert(), "offsets"_a.noconvert(),
        "n_threads"_a);
  ensemble.def("predict", &Ensemble::predict_rows<T>, "X"_a.noconvert(), "n_threads"_a)
      .def("leaves", &Ensemble::leaves<T>, "X"_a.noconvert(), "n_threads"_a)
      .def("predict_early_exit", &Ensemble::early_exit<T>, "X"_a.noconvert(), "thresholds"_a.noconvert(),
           "n_threads"_a);
}

}  // namespace

void bind_trees(nb::module_& m) {
  nb::class_<Grower>(m, "TreeGrower")
      .def(nb::init<const Codes&, const Column<double>&, const Column<std::int64_t>&, int, std::int64_t, int, double,
                    std::size_t>(),
           "codes"_a.noconvert(), "thresholds"_a.noconvert(), "offsets"_a.noconvert(), "max_depth"_a,
           "min_samples_leaf"_a, "criterion"_a, "leaf_alpha"_a, "n_threads"_a)
      .def("grow", &Grower::grow, "gradient"_a.noconvert(), "weight"_a.noconvert().none(),
           "features"_a.noconvert().none());
  nb::class_<Ensemble> ensemble(m, "TreeEnsemble");
  ensemble
      .def(nb::init<std::size_t, const Column<std::int64_t>&, const Column<std::int32_t>&, const Column<double>&,
                    const Column<std::uint8_t>&, const Column<std::uint8_t>&, const Flags&,
                    const Column<std::int32_t>&, const Column<std::int32_t>&, const Column<double>&,
                    const Column<std::int32_t>&>(),
           "n_features"_a, "roots"_a.noconvert(), "feature"_a.noconvert(), "threshold"_a.noconvert(),
           "bin"_a.noconvert(), "missing_bin"_a.noconvert(), "missing_left"_a.noconvert(), "left"_a.noconvert(),
           "right"_a.noconvert(), "value"_a.noconvert(), "leaf"_a.noconvert())
      .def("predict_codes", &Ensemble::predict_codes, "codes"_a.noconvert(), "n_threads"_a);
  bind_values<float>(m, ensemble);
  bind_values<double>(m, ensemble);
}

}  // namespace widemargin::bindings
