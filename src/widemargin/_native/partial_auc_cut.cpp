// Negatives are ranked, positives are not: each finds its place by bisection, and what the negatives get is a
// sum over the places behind them. Only negatives that can matter are sorted.
#include "partial_auc_cut.h"

#include <algorithm>

#include "scan.h"

namespace widemargin {
namespace {

// How many of the descending values are greater than `level`. Written without branches: the outcomes are random.
std::size_t count_above(const double* values, std::size_t n, double level) {
  const double* base = values;
  while (n > 1) {
    const std::size_t half = n / 2;
    base += base[half - 1] > level ? half : 0;
    n -= half;
  }
  return static_cast<std::size_t>(base - values) + (n == 1 && *base > level ? 1 : 0);
}

}  // namespace

PartialAucCut::PartialAucCut(std::size_t n, const bool* positive, const double* weight, double start,
                             double stop, Bound bound)
    : n_(n), start_(start), stop_(stop) {
  bool unit = true;
  double positive_weight = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double w = weight == nullptr ? 1.0 : weight[i];
    unit = unit && w == 1.0;
    if (w == 0.0) continue;
    (positive[i] ? positives_ : negatives_).push_back(static_cast<std::uint32_t>(i));
    (positive[i] ? positive_weight : total_) += w;
  }
  if (!unit) weight_.assign(weight, weight + n);
  end_ = bound == Bound::tight ? stop : total_;
  scale_ = 1.0 / (positive_weight * (stop - start));
  ranked_.reserve(negatives_.size());
}

PartialAucCut::Value PartialAucCut::worst(const double* scores, double* vector) {
  rank(scores);
  cut_into_segments();
  std::fill_n(vector, n_, 0.0);
  const Value value = place_positives(scores, vector);
  cover_negatives(vector);
  return value;
}

void PartialAucCut::rank(const double* scores) {
  ranked_.clear();
  for (const std::uint32_t index : negatives_) ranked_.push_back({scores[index], index});
  const std::size_t n_sorted = select_top();
  std::sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(n_sorted),
            [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
}

// Moves the negatives that reach the weight `end_` to the front, drops all below them, and returns how many are
// above the level that holds `end_`, whose ties come last.
std::size_t PartialAucCut::select_top() {
  std::size_t low = 0, high = ranked_.size();
  if (end_ >= total_) return high;
  double needed = end_;
  std::uint32_t random = 1;
  while (low < high) {
    random = random * 1664525u + 1013904223u;
    const double pivot = ranked_[low + (std::uint64_t{random} * (high - low) >> 32)].score;
    std::size_t above = low, below = high;
    double mass_above = 0.0, mass_equal = 0.0;
    for (std::size_t k = low; k < below;) {
      const Ranked item = ranked_[k];
      if (item.score > pivot) {
        mass_above += mass(item.index);
        std::swap(ranked_[above++], ranked_[k++]);
      } else if (item.score < pivot) {
        std::swap(ranked_[k], ranked_[--below]);
      } else {
        mass_equal += mass(item.index);
        ++k;
      }
    }
    if (needed <= mass_above) {
      high = above;
    } else if (needed <= mass_above + mass_equal) {
      ranked_.resize(below);
      return above;
    } else {
      needed -= mass_above + mass_equal;
      low = below;
    }
  }
  return low;
}

void PartialAucCut::cut_into_segments() {
  levels_.clear();
  score_.clear();
  rank_.assign(1, 0.0);
  area_.assign(1, 0.0);
  origin_ = ranked_.back().score;
  double from = 0.0, next = 0.0;
  for (std::size_t k = 0; k < ranked_.size();) {
    const double score = ranked_[k].score;
    levels_.push_back({k, score_.size()});
    for (; k < ranked_.size() && ranked_[k].score == score; ++k) next += mass(ranked_[k].index);
    for (const double knot : {start_, stop_, end_}) {
      const double to = std::min(knot, next);
      if (to <= from) continue;
      score_.push_back(score - origin_);
      rank_.push_back(to);
      area_.push_back(area_.back() + (to - from) * score_.back());
      from = to;
    }
  }
  levels_.push_back({ranked_.size(), score_.size()});
  const auto segment_behind = [this](double rank) {
    const auto found = std::lower_bound(rank_.begin(), rank_.end(), rank);
    return std::min(static_cast<std::size_t>(found - rank_.begin()), score_.size());
  };
  start_segment_ = segment_behind(start_);
  stop_segment_ = segment_behind(stop_);
}

PartialAucCut::Value PartialAucCut::place_positives(const double* scores, double* vector) {
  const std::size_t n_segments = score_.size();
  placed_.assign(n_segments + 1, 0.0);
  double value = 0.0, offset = 0.0;
  for (const std::uint32_t index : positives_) {
    const double s = scores[index] - origin_;
    const double weight = mass(index);
    double best_gain = -infinity, best_loss = 0.0;
    std::size_t best = 0;
    const auto consider = [&](std::size_t begin, std::size_t end, double margin) {
      const std::size_t place = begin + count_above(score_.data() + begin, end - begin, s - margin);
      const double loss = std::clamp(rank_[place] - start_, 0.0, stop_ - start_);
      const double gain = area_[place] - rank_[place] * s + loss;
      if (gain >= best_gain) {
        best_gain = gain;
        best_loss = loss;
        best = place;
      }
    };
    if (start_segment_ > 0) consider(0, start_segment_, 0.0);
    consider(start_segment_, stop_segment_, 1.0);
    if (stop_segment_ < n_segments) consider(stop_segment_, n_segments, 0.0);
    value += weight * best_gain;
    offset += weight * best_loss;
    placed_[best] += weight;
    vector[index] = scale_ * weight * rank_[best];
  }
  return {scale_ * value, scale_ * offset};
}

void PartialAucCut::cover_negatives(double* vector) {
  // A segment lies above all positives that are placed at its end or further down.
  double covering = 0.0;
  for (std::size_t l = levels_.size() - 1; l-- > 0;) {
    const Level level = levels_[l], below = levels_[l + 1];
    double share = 0.0, level_mass = 0.0;
    for (std::size_t k = below.segment; k-- > level.segment;) {
      covering += placed_[k + 1];
      share += covering * (rank_[k + 1] - rank_[k]);
    }
    for (std::size_t k = level.first; k < below.first; ++k) level_mass += mass(ranked_[k].index);
    const double coefficient = -scale_ * share / level_mass;
    for (std::size_t k = level.first; k < below.first; ++k)
      vector[ranked_[k].index] = coefficient * mass(ranked_[k].index);
  }
}

}  // namespace widemargin
