// Bindings of the proximal maps of penalties on the order of shots.
#include <nanobind/stl/string.h>

#include <string>

#include "bindings.h"
#include "heartbeat.h"
#include "ordered_prox.h"
#include "shot_norms.h"

using namespace nanobind::literals;

namespace widemargin::bindings {
namespace {

template <class T>
using InOutRows = nb::ndarray<T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using OutWeights = nb::ndarray<double, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

Finish finish_of(const std::string& sign, double threshold, double scale) {
  if (!(threshold >= 0.0) || !(scale >= 0.0)) throw nb::value_error("threshold and scale are not >= 0");
  if (sign == "free") return {Finish::Sign::free, threshold, scale};
  if (sign == "magnitude") return {Finish::Sign::magnitude, threshold, scale};
  if (sign == "nonnegative") return {Finish::Sign::nonnegative, threshold, scale};
  throw nb::value_error("sign is not 'free', 'magnitude' or 'nonnegative'");
}

// One row of bounds a class, for the m - 1 pairs of shots.
void require_pairs(const Matrix& bounds, std::size_t n_classes, std::size_t m) {
  if (m == 0) throw nb::value_error("there are no shots");
  if (bounds.shape(0) != n_classes || bounds.shape(1) != m - 1)
    throw nb::value_error("bounds do not have one row a class and one column a pair");
}

template <class T>
void prox_rows(const InOutRows<T>& rows, const Vector& rise, const Vector& fall, const std::string& sign) {
  const std::size_t m = rows.shape(1);
  if (m == 0) throw nb::value_error("rows are empty");
  require_length(rise, m - 1);
  require_length(fall, m - 1);
  const Finish finish = finish_of(sign, 0.0, 1.0);
  nb::gil_scoped_release unlocked;
  Heartbeat heartbeat(check_signals);
  OrderedRow row(m, rise.data(), fall.data());
  ordered_prox_rows(rows.shape(0), rows.data(), row, finish, heartbeat);
}

void prox_shots(const Weights& W, const Matrix& rise, const Matrix& fall, int norm, const std::string& sign,
                double threshold, double scale, const OutWeights& out) {
  const std::size_t n_classes = W.shape(0), m = W.shape(1), d = W.shape(2);
  require_pairs(rise, n_classes, m);
  require_pairs(fall, n_classes, m);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (out.shape(axis) != W.shape(axis)) throw nb::value_error("W and out differ in shape");
  const Finish finish = finish_of(sign, threshold, scale);
  if (norm != 1 && norm != 2) throw nb::value_error("norm is not 1 or 2");
  if (norm == 2 && finish.sign == Finish::Sign::free) throw nb::value_error("norms are not of free sign");
  if (d == 0) return;
  nb::gil_scoped_release unlocked;
  Heartbeat heartbeat(check_signals);
  for (std::size_t e = 0; e < n_classes; ++e) {
    OrderedRow row(m, rise.data() + e * (m - 1), fall.data() + e * (m - 1));
    const double* w = W.data() + e * m * d;
    double* z = out.data() + e * m * d;
    if (norm == 1) {
      ordered_prox_columns(d, w, row, finish, heartbeat, z);
    } else {
      ordered_prox_norms(d, w, row, finish, z);
      heartbeat.beat(m * d);
    }
  }
}

double penalty_of_order(const Weights& W, const Matrix& rise, const Matrix& fall, bool magnitude) {
  const std::size_t n_classes = W.shape(0), m = W.shape(1), d = W.shape(2);
  require_pairs(rise, n_classes, m);
  require_pairs(fall, n_classes, m);
  nb::gil_scoped_release unlocked;
  Heartbeat heartbeat(check_signals);
  double penalty = 0.0;
  for (std::size_t e = 0; e < n_classes; ++e) {
    penalty += order_penalty(m, d, W.data() + e * m * d, rise.data() + e * (m - 1), fall.data() + e * (m - 1),
                             magnitude);
    heartbeat.beat(m * d);
  }
  return penalty;
}

void norms_of_shots(const Weights& W, const InOutRows<double>& norms) {
  if (norms.shape(0) != W.shape(0) || norms.shape(1) != W.shape(1))
    throw nb::value_error("norms do not have one row a class and one column a shot");
  nb::gil_scoped_release unlocked;
  shot_norms(W.shape(0) * W.shape(1), W.shape(2), W.data(), norms.data());
}

}  // namespace

void bind_proximal(nb::module_& m) {
  m.def("prox_rows", &prox_rows<double>, "rows"_a.noconvert(), "rise"_a.noconvert(), "fall"_a.noconvert(), "sign"_a);
  m.def("prox_rows", &prox_rows<float>, "rows"_a.noconvert(), "rise"_a.noconvert(), "fall"_a.noconvert(), "sign"_a);
  m.def("prox_shots", &prox_shots, "W"_a.noconvert(), "rise"_a.noconvert(), "fall"_a.noconvert(), "norm"_a, "sign"_a,
        "threshold"_a, "scale"_a, "out"_a.noconvert());
  m.def("order_penalty", &penalty_of_order, "W"_a.noconvert(), "rise"_a.noconvert(), "fall"_a.noconvert(),
        "magnitude"_a);
  m.def("shot_norms", &norms_of_shots, "W"_a.noconvert(), "norms"_a.noconvert());
}

}  // namespace widemargin::bindings
