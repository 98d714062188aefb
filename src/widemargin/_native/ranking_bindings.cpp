// Bindings of the partial AUC kernels.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "bindings.h"
#include "cut_model.h"
#include "heartbeat.h"
#include "leaf_matrix.h"
#include "partial_auc_cut.h"
#include "roc_area.h"

using namespace nanobind::literals;

namespace widemargin::bindings {
namespace {

using Mask = nb::ndarray<const bool, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Leaves = nb::ndarray<const std::uint8_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OwnedMatrix = nb::ndarray<double, nb::numpy, nb::ndim<2>>;

// The one requirement on values that is checked here: sorting what has no order reads out of bounds.
void require_finite(const Vector& scores) {
  double finite = 0.0;
  for (std::size_t i = 0; i < scores.shape(0); ++i) finite += scores.data()[i] * 0.0;
  if (finite != 0.0) throw nb::value_error("scores are not finite");
}

void create_cut_search(PartialAucCut* self, const Mask& positive, const std::optional<Vector>& weight,
                       double start, double stop, bool tight) {
  const std::size_t n = positive.shape(0);
  if (weight) require_length(*weight, n);
  if (!(start >= 0.0) || !(stop > start)) throw nb::value_error("ranks are not 0 <= start < stop");
  new (self) PartialAucCut(n, positive.data(), weight ? weight->data() : nullptr, start, stop,
                           tight ? PartialAucCut::Bound::tight : PartialAucCut::Bound::structural);
  if (!self->has_both_classes()) {
    self->~PartialAucCut();
    throw nb::value_error("a class has no weight");
  }
}

std::tuple<double, double> worst_cut(PartialAucCut& self, const Vector& scores, const InOutVector& vector) {
  require_length(scores, self.size());
  require_length(vector, self.size());
  nb::gil_scoped_release unlocked;
  require_finite(scores);
  const PartialAucCut::Value cut = self.worst(scores.data(), vector.data());
  return {cut.value, cut.offset};
}

double area_of_roc(const Vector& scores, const Mask& positive, const std::optional<Vector>& weight, double alpha,
                   double beta) {
  const std::size_t n = scores.shape(0);
  require_length(positive, n);
  if (weight) require_length(*weight, n);
  if (!(alpha >= 0.0) || !(beta > alpha) || !(beta <= 1.0)) throw nb::value_error("not 0 <= alpha < beta <= 1");
  const auto n_positive = std::count(positive.data(), positive.data() + n, true);
  if (n_positive == 0 || static_cast<std::size_t>(n_positive) == n) throw nb::value_error("a class has no samples");
  nb::gil_scoped_release unlocked;
  require_finite(scores);
  return roc_area(n, scores.data(), positive.data(), weight ? weight->data() : nullptr, alpha, beta);
}

std::tuple<double, double, std::int64_t, bool> solve_cut_model(CutModel& self, double tol,
                                                               std::int64_t max_iter) {
  nb::gil_scoped_release unlocked;
  Heartbeat heartbeat(check_signals);
  const SolverOutcome outcome = self.solve({tol, max_iter}, heartbeat);
  return {outcome.certificate.objective, outcome.certificate.dual_objective, outcome.n_iter,
          outcome.converged};
}

OwnedVector copy_of(const std::vector<double>& values) {
  Result result(values.size());
  std::copy(values.begin(), values.end(), result.data());
  return result.release();
}

void create_leaf_matrix(LeafMatrix* self, std::size_t n_samples, std::size_t n_leaves) {
  if (n_leaves == 0 || n_leaves > 256) throw nb::value_error("n_leaves is not in 1..256");
  new (self) LeafMatrix(n_samples, n_leaves);
}

void append_leaves(LeafMatrix& self, const Leaves& leaves) {
  require_length(leaves, self.n_samples());
  nb::gil_scoped_release unlocked;
  self.append(leaves.data());
}

OwnedMatrix sums_of_leaves(const LeafMatrix& self, const Vector& a) {
  require_length(a, self.n_samples());
  auto sums = std::make_unique<double[]>(self.n_trees() * self.n_leaves());
  {
    nb::gil_scoped_release unlocked;
    Heartbeat heartbeat(check_signals);
    self.sums(a.data(), heartbeat, sums.get());
  }
  double* values = sums.release();
  nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return OwnedMatrix(values, {self.n_trees(), self.n_leaves()}, owner);
}

OwnedVector scores_of_leaves(const LeafMatrix& self, const Matrix& values) {
  if (values.shape(0) > self.n_trees() || values.shape(1) != self.n_leaves())
    throw nb::value_error("values has not one row a tree and one column a leaf");
  Result scores(self.n_samples());
  {
    nb::gil_scoped_release unlocked;
    Heartbeat heartbeat(check_signals);
    self.scores(values.shape(0), values.data(), heartbeat, scores.data());
  }
  return scores.release();
}

}  // namespace

void bind_ranking(nb::module_& m) {
  nb::class_<PartialAucCut>(m, "PartialAucCut")
      .def("__init__", &create_cut_search, "positive"_a.noconvert(), "weight"_a.noconvert().none(), "start"_a,
           "stop"_a, "tight"_a)
      .def("worst", &worst_cut, "scores"_a.noconvert(), "vector"_a.noconvert());

  nb::class_<CutModel>(m, "CutModel")
      .def(nb::init<double, bool, std::size_t>(), "C"_a, "nonnegative"_a, "n_columns"_a)
      .def_prop_ro("n_cuts", &CutModel::n_cuts)
      .def_prop_ro("n_columns", &CutModel::n_columns)
      .def_prop_ro("slack", &CutModel::slack)
      .def_prop_ro("weights", [](const CutModel& self) { return copy_of(self.weights()); }, nb::rv_policy::move)
      .def_prop_ro("multipliers", [](const CutModel& self) { return copy_of(self.multipliers()); },
                   nb::rv_policy::move)
      .def(
          "add_cut",
          [](CutModel& self, double offset, const Vector& features) {
            require_length(features, self.n_columns());
            self.add_cut(offset, features.data());
          },
          "offset"_a, "features"_a.noconvert())
      .def(
          "append_column",
          [](CutModel& self, const Vector& column) {
            require_length(column, self.n_cuts());
            self.append_column(column.data());
          },
          "column"_a.noconvert())
      .def("drop_inactive", &CutModel::drop_inactive)
      .def("solve", &solve_cut_model, "tol"_a, "max_iter"_a);

  m.def("roc_area", &area_of_roc, "scores"_a.noconvert(), "positive"_a.noconvert(), "weight"_a.noconvert().none(),
        "alpha"_a, "beta"_a);

  nb::class_<LeafMatrix>(m, "LeafMatrix")
      .def("__init__", &create_leaf_matrix, "n_samples"_a, "n_leaves"_a)
      .def_prop_ro("n_trees", &LeafMatrix::n_trees)
      .def("append", &append_leaves, "leaves"_a.noconvert())
      .def("sums", &sums_of_leaves, "a"_a.noconvert())
      .def("scores", &scores_of_leaves, "values"_a.noconvert());
}

}  // namespace widemargin::bindings
