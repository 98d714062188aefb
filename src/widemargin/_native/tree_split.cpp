#include "tree_split.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scan.h"

namespace widemargin {
namespace {

template <Criterion criterion>
WIDEMARGIN_INLINE double score(double G, double W, double leaf_alpha) {
  if constexpr (criterion == Criterion::edge) return std::abs(G);
  if constexpr (criterion == Criterion::exponential) {
    const double product = (W - G) * (W + G);
    return -0.5 * std::sqrt(product > 0.0 ? product : 0.0);
  }
  // Selected before the division, so that loops over this vectorise.
  const double denominator = criterion == Criterion::gini ? 2.0 * W : W + leaf_alpha;
  return G * G / (denominator > 0.0 ? denominator : infinity);
}

// Converts an integer that a double can hold; in two halves put into the mantissas of 2^84 and 2^52, since AVX2 has
// no instruction for it.
WIDEMARGIN_INLINE double exact_double(std::int64_t integer) {
  const auto bits = static_cast<std::uint64_t>(integer);
  const std::uint64_t upper_bits = (bits >> 32) ^ 0x4530000080000000u;
  const std::uint64_t lower_bits = (bits & 0xffffffffu) | 0x4330000000000000u;
  double upper, lower;
  std::memcpy(&upper, &upper_bits, sizeof upper);
  std::memcpy(&lower, &lower_bits, sizeof lower);
  return (upper - (0x1p84 + 0x1p63 + 0x1p52)) + lower;
}

// Sums of the left sides of n splits, and of the node.
struct Sides {
  std::size_t n;
  const std::int64_t* packed;
  const std::int64_t* total;
  double whole_G;
  double whole_W;
};

// The scores of both sides of split k. Not a lambda: that would be called, not inlined, in the clones.
template <Criterion criterion>
struct ScoreOfSides {
  Sides sides;
  double leaf_alpha;
  double sum_unit;  // of packed sums left where they are, above the counts
  double weight_unit;

  WIDEMARGIN_INLINE double operator()(std::size_t k) const {
    constexpr std::int64_t count_mask = (std::int64_t{1} << count_bits) - 1;
    const double G = sum_unit * exact_double(sides.packed[k] & ~count_mask);
    const double W = criterion == Criterion::edge ? 0.0 : weight_unit * exact_double(sides.total[k]);
    return score<criterion>(G, W, leaf_alpha) +
           score<criterion>(sides.whole_G - G, sides.whole_W - W, leaf_alpha);
  }
};

template <Criterion criterion>
WIDEMARGIN_INLINE Peak best_of(const Sides& sides, const Scoring& scoring, double floor) {
  constexpr double count_unit = 1.0 / (std::int64_t{1} << count_bits);
  return first_peak(sides.n, floor,
                    ScoreOfSides<criterion>{sides, scoring.leaf_alpha, count_unit * scoring.sum_unit,
                                            scoring.weight_unit});
}

WIDEMARGIN_CLONES Peak best_split(const Sides& sides, const Scoring& scoring, double floor) {
  switch (scoring.criterion) {
    case Criterion::edge:
      return best_of<Criterion::edge>(sides, scoring, floor);
    case Criterion::gini:
      return best_of<Criterion::gini>(sides, scoring, floor);
    case Criterion::squared:
      return best_of<Criterion::squared>(sides, scoring, floor);
    default:
      return best_of<Criterion::exponential>(sides, scoring, floor);
  }
}

}  // namespace

double Scoring::operator()(double G, double W) const {
  switch (criterion) {
    case Criterion::edge:
      return score<Criterion::edge>(G, W, leaf_alpha);
    case Criterion::gini:
      return score<Criterion::gini>(G, W, leaf_alpha);
    case Criterion::squared:
      return score<Criterion::squared>(G, W, leaf_alpha);
    default:
      return score<Criterion::exponential>(G, W, leaf_alpha);
  }
}

template <bool with_weight>
void scan_feature(const Cell<with_weight>* histogram, std::size_t n_bins, const Cell<with_weight>& whole,
                  std::int64_t least_rows, const Scoring& scoring, std::int32_t feature, Split<with_weight>& best) {
  const Cell<with_weight> missing = histogram[n_bins];
  const bool missing_seen = packed_count(missing.packed) > 0;
  const std::int64_t most_left = packed_count(whole.packed) - least_rows;
  // Sums first, one after another; then scores, many at a time. The rows on the left only grow: splits with enough
  // rows on both sides are a range of bins.
  const auto scan = [&](std::size_t n, const Cell<with_weight>& start, bool missing_left) {
    std::int64_t packed[256], total[with_weight ? 256 : 1];
    Cell<with_weight> left = start;
    for (std::size_t bin = 0; bin < n; ++bin) {
      left += histogram[bin];
      packed[bin] = left.packed;
      if constexpr (with_weight) total[bin] = left.total;
    }
    const auto bins_with_less_than = [&](std::int64_t rows) {
      const std::int64_t* enough =
          std::partition_point(packed, packed + n, [=](std::int64_t sum) { return packed_count(sum) < rows; });
      return static_cast<std::size_t>(enough - packed);
    };
    const std::size_t first = bins_with_less_than(least_rows), end = bins_with_less_than(most_left + 1);
    if (first >= end) return;
    const Sides sides{end - first, packed + first, with_weight ? total + first : total, scoring.sum(whole),
                      scoring.weight(whole)};
    const Peak peak = best_split(sides, scoring, best.sides);
    if (peak.index == sides.n) return;
    best.sides = peak.score;
    best.feature = feature;
    best.bin = static_cast<std::uint8_t>(first + peak.index);
    best.missing_left = missing_left;
    best.missing_seen = missing_seen;
    best.left = start;
    for (std::size_t bin = 0; bin <= best.bin; ++bin) best.left += histogram[bin];
  };
  scan(missing_seen ? n_bins : n_bins - 1, Cell<with_weight>{}, false);
  if (missing_seen) scan(n_bins - 1, missing, true);
}

template void scan_feature(const Cell<false>*, std::size_t, const Cell<false>&, std::int64_t, const Scoring&,
                           std::int32_t, Split<false>&);
template void scan_feature(const Cell<true>*, std::size_t, const Cell<true>&, std::int64_t, const Scoring&,
                           std::int32_t, Split<true>&);

}  // namespace widemargin
