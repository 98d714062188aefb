// The best split of a node, read from the histograms of its rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "dispatch.h"
#include "fixed_point.h"

namespace widemargin {

enum class Criterion { edge, gini, squared, exponential };

// With G the sum of signed weights and W the total weight of a set of rows, a split is worth the sum of the scores
// of its sides less the score of the whole.
//
//   edge         |G|                   twice the fall of the weighted error of leaves sign(G)
//   gini         G^2 / (2 W)           W/2 less the Gini impurity of weights (W + G)/2 and (W - G)/2, times W
//   squared      G^2 / (W + alpha)     the fall of sum w (t - v)^2 with t = G/W, ridge alpha on leaf values
//   exponential  -sqrt(W^2 - G^2) / 2  minus the geometric mean of those two weights: exp loss at its minimum
struct Scoring {
  Criterion criterion;
  double leaf_alpha;
  double sum_unit;     // value of one unit of packed sums
  double weight_unit;  // value of one unit of total weights

  template <bool with_weight>
  WIDEMARGIN_INLINE double operator()(const Cell<with_weight>& cell) const {
    const double G = sum_unit * static_cast<double>(packed_sum(cell.packed));
    if (!with_weight || criterion == Criterion::edge) return std::abs(G);
    const double W = weight_unit * static_cast<double>(cell.weight());
    if (criterion == Criterion::exponential) return -0.5 * std::sqrt(std::max(0.0, (W - G) * (W + G)));
    const double denominator = criterion == Criterion::gini ? 2.0 * W : W + leaf_alpha;
    return denominator > 0.0 ? G * G / denominator : 0.0;
  }
};

// Rows with a code up to `bin` go left, and those with a missing value if `missing_left`.
template <bool with_weight>
struct Split {
  std::int32_t feature = -1;  // -1: no split improves
  std::uint8_t bin = 0;
  bool missing_left = false;
  bool missing_seen = false;  // whether a row of the node has a missing value of the feature
  double gain = 0.0;
  Cell<with_weight> left{};
};

// Gains smaller than this times the scores they are the difference of are rounding.
inline constexpr double least_relative_gain = 1e-12;

// Looks for better splits than `best` in one feature with `n_bins` bins of values. `whole` sums the node.
// Ties go to the lowest feature, the lowest bin, and missing values to the right.
template <bool with_weight>
WIDEMARGIN_INLINE void scan_feature(const Cell<with_weight>* histogram, std::size_t n_bins,
                                    const Cell<with_weight>& whole, std::int64_t least_rows, const Scoring& score,
                                    std::int32_t feature, Split<with_weight>& best) {
  const double whole_score = score(whole);
  const Cell<with_weight> missing = histogram[n_bins];
  const std::int64_t n_rows = packed_count(whole.packed), n_missing = packed_count(missing.packed);
  const auto consider = [&](const Cell<with_weight>& left, std::size_t bin, bool missing_left) {
    const std::int64_t n_left = packed_count(left.packed);
    if (n_left < least_rows || n_rows - n_left < least_rows) return;
    Cell<with_weight> right = whole;
    right -= left;
    const double sides = score(left) + score(right), gain = sides - whole_score;
    if (gain > best.gain && gain > least_relative_gain * std::max(std::abs(sides), std::abs(whole_score)))
      best = {feature, static_cast<std::uint8_t>(bin), missing_left, n_missing > 0, gain, left};
  };
  Cell<with_weight> below{};
  for (std::size_t bin = 0; bin + 1 < n_bins; ++bin) {
    below += histogram[bin];
    consider(below, bin, false);
    if (n_missing == 0) continue;
    Cell<with_weight> with_missing = below;
    with_missing += missing;
    consider(with_missing, bin, true);
  }
  if (n_missing == 0) return;
  below += histogram[n_bins - 1];
  consider(below, n_bins - 1, false);
}

}  // namespace widemargin
