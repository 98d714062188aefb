// The most violated ordering of the partial AUC, which is the worst cut of its convex upper bound.
//
// In order of descending score, q(u) is the score of the negatives at rank u, in units of their weight. For a
// positive of score s that has a weight r of negatives ranked above it, with loss over the ranks [start, stop],
//
//   g(r) = integral of q over [0, r] - r s + loss(r),   loss(r) = min(max(r - start, 0), stop - start)
//
// and the bound is the weighted mean over the positives of max g(r) / (stop - start). The tight bound has r <= stop,
// the structural bound lets r run over all negatives. g is concave between 0, start, stop and the end, with slope
// q - s outside [start, stop] and q + 1 - s inside; hence one candidate on each piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace widemargin {

class PartialAucCut {
 public:
  enum class Bound { tight, structural };

  // `weight` may be null, for weights of one. Ranks are in units of the negatives' weight:
  // 0 <= start < stop <= their total.
  PartialAucCut(std::size_t n, const bool* positive, const double* weight, double start, double stop,
                Bound bound);

  struct Value {
    double value;   // the bound at the scores
    double offset;  // value = offset - vector' scores
  };
  // `scores` are finite; `vector` becomes the cut's, of n elements.
  Value worst(const double* scores, double* vector);

  std::size_t size() const { return n_; }
  bool has_both_classes() const { return !positives_.empty() && !negatives_.empty(); }

 private:
  struct Ranked {
    double score;
    std::uint32_t index;
  };
  // Negatives of equal score, whose order is free: what they get together they share by weight.
  struct Level {
    std::size_t first;    // of its negatives, in `ranked_`
    std::size_t segment;  // its first one
  };
  double mass(std::uint32_t index) const { return weight_.empty() ? 1.0 : weight_[index]; }
  void rank(const double* scores);
  std::size_t select_top();
  void cut_into_segments();
  Value place_positives(const double* scores, double* vector);
  void cover_negatives(double* vector);

  std::size_t n_;
  double start_, stop_, end_, total_ = 0.0, scale_ = 0.0;
  std::vector<double> weight_;  // empty if all are one
  std::vector<std::uint32_t> positives_, negatives_;
  std::vector<Ranked> ranked_;
  std::vector<Level> levels_;
  // A level is one segment of ranks, or more if `start_` or `stop_` falls into it. Scores are relative to
  // `origin_`: g does not depend on it, but its rounding does.
  double origin_ = 0.0;
  std::vector<double> score_;          // of each segment
  std::vector<double> rank_, area_;    // rank and integral of q at the segments' ends, from 0 on
  std::vector<double> placed_;         // weight of the positives that are placed at these ranks
  std::size_t start_segment_ = 0, stop_segment_ = 0;  // the first ones behind these ranks
};

}  // namespace widemargin
