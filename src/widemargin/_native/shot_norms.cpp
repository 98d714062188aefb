#include "shot_norms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dispatch.h"
#include "soft_threshold.h"

namespace widemargin {
namespace {

// Without threshold all of w is left, which takes no work.
enum class Rule { whole, soft, positive };

// What is left of an entry beyond the threshold.
template <Rule rule>
WIDEMARGIN_INLINE double excess(double w, double threshold) {
  if constexpr (rule == Rule::whole)
    return w;
  else if constexpr (rule == Rule::soft)
    return soft_threshold(w, threshold);
  else
    return excess_over(w, threshold);
}

template <Rule rule>
WIDEMARGIN_INLINE double size_of(double w) {
  return rule == Rule::positive ? w : std::abs(w);
}

// Squares in this range lost nothing: neither to overflow nor to underflow.
WIDEMARGIN_INLINE bool is_safe(double square) { return square > 1e-280 && square < 1e300; }

template <Rule rule>
WIDEMARGIN_INLINE double norm_of_excess(std::size_t d, const double* w, double threshold) {
  double square = 0.0;
#pragma omp simd reduction(+ : square)
  for (std::size_t f = 0; f < d; ++f) {
    const double s = excess<rule>(w[f], threshold);
    square += s * s;
  }
  if (is_safe(square)) return std::sqrt(square);
  double largest = 0.0;
  for (std::size_t f = 0; f < d; ++f) largest = std::max(largest, std::abs(excess<rule>(w[f], threshold)));
  if (largest == 0.0) return 0.0;
  square = 0.0;
  for (std::size_t f = 0; f < d; ++f) {
    const double s = excess<rule>(w[f], threshold) / largest;
    square += s * s;
  }
  return largest * std::sqrt(square);
}

template <Rule rule>
WIDEMARGIN_INLINE std::size_t axis_of(std::size_t d, const double* w) {
  std::size_t axis = 0;
  for (std::size_t f = 1; f < d; ++f)
    if (size_of<rule>(w[f]) > size_of<rule>(w[axis])) axis = f;
  return axis;
}

// The length that the map for vectors starts from; zero or less if nothing exceeds the threshold.
template <Rule rule>
WIDEMARGIN_INLINE double start_length(std::size_t d, const double* w, double threshold) {
  const double norm = norm_of_excess<rule>(d, w, threshold);
  return norm > 0.0 ? norm : size_of<rule>(w[axis_of<rule>(d, w)]) - threshold;
}

// z = to * direction of what exceeds the threshold.
template <Rule rule>
WIDEMARGIN_INLINE void set_length(std::size_t d, const double* w, double threshold, double from, double to,
                                  double* z) {
  // The factor of a tiny length can overflow.
  if (from > 0.0 && to / from < 1e100) {
    const double factor = to / from;
#pragma omp simd
    for (std::size_t f = 0; f < d; ++f) z[f] = factor * excess<rule>(w[f], threshold);
    return;
  }
  if (from > 0.0) {
    for (std::size_t f = 0; f < d; ++f) z[f] = to * (excess<rule>(w[f], threshold) / from);
    return;
  }
  const std::size_t axis = axis_of<rule>(d, w);
  const bool negative = w[axis] < 0.0 && rule != Rule::positive;
  std::fill_n(z, d, 0.0);
  z[axis] = negative ? -to : to;
}

template <Rule rule>
WIDEMARGIN_INLINE void map_shots(std::size_t d, const double* W, OrderedRow& row, const Finish& finish, double* out) {
  const std::size_t m = row.size();
  std::vector<double> from(m);
  for (std::size_t j = 0; j < m; ++j) from[j] = start_length<rule>(d, W + j * d, finish.threshold);
  std::vector<double> to = from;
  row.solve(to.data());
  for (std::size_t j = 0; j < m; ++j)
    set_length<rule>(d, W + j * d, finish.threshold, from[j], finish.scale * std::max(to[j], 0.0),
                            out + j * d);
}

}  // namespace

WIDEMARGIN_CLONES
void shot_norms(std::size_t n, std::size_t d, const double* W, double* norms) {
  for (std::size_t j = 0; j < n; ++j) norms[j] = norm_of_excess<Rule::whole>(d, W + j * d, 0.0);
}

WIDEMARGIN_CLONES
void ordered_prox_norms(std::size_t d, const double* W, OrderedRow& row, const Finish& finish, double* out) {
  if (finish.sign == Finish::Sign::nonnegative)
    map_shots<Rule::positive>(d, W, row, finish, out);
  else if (finish.threshold > 0.0)
    map_shots<Rule::soft>(d, W, row, finish, out);
  else
    map_shots<Rule::whole>(d, W, row, finish, out);
}

}  // namespace widemargin
