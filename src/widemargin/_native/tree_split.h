// The best split of a node, read from the histograms of its rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "dispatch.h"
#include "fixed_point.h"

namespace widemargin {

enum class Criterion { edge, gini, squared, exponential };

// With G the sum of signed weights and W the total weight of a set of rows, a split is worth the sum of the scores
// of its sides less the score of the whole.
//
//   edge         |G|                   twice the fall of the weighted error of leaves sign(G)
//   gini         G^2 / (2 W)           the fall of W times the Gini impurity of weights (W + G)/2 and (W - G)/2
//   squared      G^2 / (W + alpha)     the fall of sum w (t - v)^2 + alpha v^2 with w t summing to G
//   exponential  -sqrt(W^2 - G^2) / 2  minus half the exponential loss of those two weights at its minimum
struct Scoring {
  Criterion criterion;
  double leaf_alpha;
  double sum_unit;     // value of one unit of packed sums
  double weight_unit;  // value of one unit of total weights

  template <bool with_weight>
  double sum(const Cell<with_weight>& cell) const {
    return sum_unit * static_cast<double>(packed_sum(cell.packed));
  }
  template <bool with_weight>
  double weight(const Cell<with_weight>& cell) const {
    return weight_unit * static_cast<double>(cell.weight());
  }

  double operator()(double G, double W) const;

  template <bool with_weight>
  double operator()(const Cell<with_weight>& cell) const {
    return (*this)(sum(cell), weight(cell));
  }
};

// Rows with a code up to `bin` go left, and those with a missing value if `missing_left`.
template <bool with_weight>
struct Split {
  double sides;               // the scores of both sides, or what they would have to exceed
  std::int32_t feature = -1;  // -1: no split improves
  std::uint8_t bin = 0;
  bool missing_left = false;
  bool missing_seen = false;  // whether a row of the node has a missing value of the feature
  Cell<with_weight> left{};

  // No split yet: a gain of less than this times the score of the whole is rounding.
  explicit Split(double whole) : sides(whole + 1e-12 * std::abs(whole)) {}
};

// Looks for a better split than `best` in one feature with `n_bins` bins of values. `whole` sums the node. Of equal
// splits it keeps the one found first: missing values right before left, then the lowest bin.
template <bool with_weight>
void scan_feature(const Cell<with_weight>* histogram, std::size_t n_bins, const Cell<with_weight>& whole,
                  std::int64_t least_rows, const Scoring& scoring, std::int32_t feature, Split<with_weight>& best);

}  // namespace widemargin
