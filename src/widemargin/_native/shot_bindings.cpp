// Bindings of the passes over videos whose shots are reordered.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "bindings.h"
#include "heartbeat.h"
#include "shot_pass.h"

using namespace nanobind::literals;

namespace widemargin::bindings {
namespace {

template <class T>
using Shots = nb::ndarray<const T, nb::numpy, nb::ndim<3>, nb::device::cpu>;
using Order = nb::ndarray<const std::int32_t, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Targets = nb::ndarray<const std::int32_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Coefficients = nb::ndarray<const double, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using InOutCoefficients = nb::ndarray<double, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using InOutMatrix = nb::ndarray<double, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Indices are checked as well as shapes: what they lead to is read.
void require_below(const std::int32_t* indices, std::size_t n, std::size_t limit, const char* message) {
  std::uint32_t largest = 0;
  // A negative index is a large one.
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, static_cast<std::uint32_t>(indices[i]));
  if (n > 0 && largest >= limit) throw nb::value_error(message);
}

template <class T, class Weights>
Videos<T> videos_of(const Shots<T>& X, const std::optional<Order>& order, const Weights& W) {
  const std::size_t n = X.shape(0), k = W.shape(0);
  if (X.shape(1) == 0 || X.shape(2) == 0 || k == 0) throw nb::value_error("there are no shots, features or classes");
  if (W.shape(1) != X.shape(1) || W.shape(2) != X.shape(2))
    throw nb::value_error("X and the coefficients differ in shots or features");
  if (order) {
    if (order->shape(0) != n || order->shape(1) != k || order->shape(2) != X.shape(1))
      throw nb::value_error("order is not of shape (n_videos, n_classes, n_shots)");
    require_below(order->data(), order->size(), X.shape(1), "order names a shot that there is not");
  }
  return {X.data(),
          n,
          X.shape(1),
          X.shape(2),
          static_cast<std::ptrdiff_t>(X.stride(0)),
          static_cast<std::ptrdiff_t>(X.stride(1)),
          static_cast<std::ptrdiff_t>(X.stride(2)),
          order ? order->data() : nullptr,
          k};
}

template <class Array>
void require_shape(const Array& matrix, std::size_t n, std::size_t k) {
  if (matrix.shape(0) != n || matrix.shape(1) != k)
    throw nb::value_error("scores or residuals are not of shape (n_videos, n_classes)");
}

ShotLosses losses_of(const std::string& name, double smoothing, std::size_t n_columns) {
  ShotLoss loss;
  if (name == "squared_hinge")
    loss = ShotLoss::squared_hinge;
  else if (name == "hinge")
    loss = ShotLoss::hinge;
  else if (name == "squared")
    loss = ShotLoss::squared;
  else if (name == "logistic")
    loss = ShotLoss::logistic;
  else
    throw nb::value_error("loss is not squared_hinge, hinge, squared or logistic");
  if (!(smoothing > 0.0) || !std::isfinite(smoothing)) throw nb::value_error("smoothing is not positive and finite");
  return {loss, smoothing, n_columns};
}

void require_targets(const Targets& targets, std::size_t n, std::size_t n_columns) {
  require_length(targets, n);
  require_below(targets.data(), n, std::max<std::size_t>(2, n_columns), "targets name a class that there is not");
}

template <class T>
void scores_of_shots(const Shots<T>& X, const std::optional<Order>& order, const Coefficients& W,
                     const Vector& intercept, const InOutMatrix& scores) {
  const Videos<T> videos = videos_of(X, order, W);
  require_length(intercept, videos.n_classes);
  require_shape(scores, videos.n_videos, videos.n_classes);
  nb::gil_scoped_release unlocked;
  Heartbeat heartbeat(check_signals);
  shot_scores(videos, W.data(), intercept.data(), heartbeat, scores.data());
}

template <class T>
std::pair<double, OwnedVector> pass_over_shots(const Shots<T>& X, const std::optional<Order>& order,
                                               const Coefficients& W, const Vector& intercept,
                                               const Targets& targets, const Vector& weight,
                                               const std::string& loss, double smoothing,
                                               const InOutMatrix& scores, const InOutCoefficients& gradient) {
  const Videos<T> videos = videos_of(X, order, W);
  videos_of(X, std::nullopt, gradient);
  const std::size_t n = videos.n_videos, k = videos.n_classes;
  require_length(intercept, k);
  require_length(gradient, k);
  require_length(weight, n);
  require_targets(targets, n, k);
  require_shape(scores, n, k);
  const ShotLosses losses = losses_of(loss, smoothing, k);
  Result residual_sums(k);
  const double value = [&] {
    nb::gil_scoped_release unlocked;
    Heartbeat heartbeat(check_signals);
    return shot_pass(videos, W.data(), intercept.data(), targets.data(), weight.data(), losses, heartbeat,
                     scores.data(), gradient.data(), residual_sums.data());
  }();
  return {value, residual_sums.release()};
}

template <class T>
void combination_of_shots(const Shots<T>& X, const std::optional<Order>& order, const Matrix& residual,
                          const InOutCoefficients& gradient) {
  const Videos<T> videos = videos_of(X, order, gradient);
  require_shape(residual, videos.n_videos, videos.n_classes);
  nb::gil_scoped_release unlocked;
  Heartbeat heartbeat(check_signals);
  shot_combination(videos, residual.data(), heartbeat, gradient.data());
}

double losses_of_scores(const Matrix& scores, const Targets& targets, const Vector& weight, const std::string& loss,
                        double smoothing, const InOutMatrix& residual) {
  const std::size_t n = scores.shape(0), k = scores.shape(1);
  if (k == 0) throw nb::value_error("scores have no columns");
  require_targets(targets, n, k);
  require_length(weight, n);
  require_shape(residual, n, k);
  const ShotLosses losses = losses_of(loss, smoothing, k);
  nb::gil_scoped_release unlocked;
  return sum_losses(losses, n, scores.data(), targets.data(), weight.data(), residual.data());
}

template <class T>
void bind_passes(nb::module_& m) {
  m.def("shot_scores", &scores_of_shots<T>, "X"_a.noconvert(), "order"_a.noconvert().none(), "W"_a.noconvert(),
        "intercept"_a.noconvert(), "scores"_a.noconvert());
  m.def("shot_pass", &pass_over_shots<T>, "X"_a.noconvert(), "order"_a.noconvert().none(), "W"_a.noconvert(),
        "intercept"_a.noconvert(), "targets"_a.noconvert(), "weight"_a.noconvert(), "loss"_a, "smoothing"_a,
        "scores"_a.noconvert(), "gradient"_a.noconvert());
  m.def("shot_combination", &combination_of_shots<T>, "X"_a.noconvert(), "order"_a.noconvert().none(),
        "residual"_a.noconvert(), "gradient"_a.noconvert());
}

}  // namespace

void bind_shots(nb::module_& m) {
  bind_passes<float>(m);
  bind_passes<double>(m);
  m.def("shot_losses", &losses_of_scores, "scores"_a.noconvert(), "targets"_a.noconvert(), "weight"_a.noconvert(),
        "loss"_a, "smoothing"_a, "residual"_a.noconvert());
}

}  // namespace widemargin::bindings
