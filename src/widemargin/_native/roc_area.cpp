// The curve rises at the positives and runs right at the negatives, in order of descending score; it is straight
// over samples of equal score. Only negatives within beta and positives not below them are sorted.
#include "roc_area.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace widemargin {
namespace {

struct Sample {
  double score, weight;
};

bool higher(const Sample& a, const Sample& b) { return a.score > b.score; }

double total(const std::vector<Sample>& samples) {
  double sum = 0.0;
  for (const Sample& sample : samples) sum += sample.weight;
  return sum;
}

void drop_below(std::vector<Sample>& samples, double score) {
  samples.erase(std::remove_if(samples.begin(), samples.end(), [=](const Sample& s) { return s.score < score; }),
                samples.end());
}

// Weight of the run of samples of this score, which `position` moves past.
double pass_level(const std::vector<Sample>& samples, double score, std::size_t& position) {
  double weight = 0.0;
  for (; position < samples.size() && samples[position].score == score; ++position)
    weight += samples[position].weight;
  return weight;
}

}  // namespace

double roc_area(std::size_t n, const double* scores, const bool* positive, const double* weight, double alpha,
                double beta) {
  std::vector<Sample> positives, negatives;
  negatives.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    (positive[i] ? positives : negatives).push_back({scores[i], weight == nullptr ? 1.0 : weight[i]});
  const double n_positive = total(positives), n_negative = total(negatives);
  const double start = alpha * n_negative, stop = beta * n_negative;
  if (weight == nullptr && beta < 1.0) {
    const auto last = static_cast<std::size_t>(std::min(std::ceil(stop), n_negative - 1.0));
    const auto nth = negatives.begin() + static_cast<std::ptrdiff_t>(last);
    std::nth_element(negatives.begin(), nth, negatives.end(), higher);
    drop_below(negatives, nth->score);
  }
  std::sort(negatives.begin(), negatives.end(), higher);
  drop_below(positives, negatives.back().score);
  std::sort(positives.begin(), positives.end(), higher);

  double area = 0.0, left = 0.0, height = 0.0;
  for (std::size_t i = 0, j = 0; j < negatives.size() && left < stop;) {
    const double level = negatives[j].score;
    for (; i < positives.size() && positives[i].score > level; ++i) height += positives[i].weight;
    const double rise = pass_level(positives, level, i), run = pass_level(negatives, level, j);
    const double first = std::max(left, start), last = std::min(left + run, stop);
    if (last > first) area += (last - first) * (height + rise * (0.5 * (first + last) - left) / run);
    height += rise;
    left += run;
  }
  return area / (n_positive * (stop - start));
}

}  // namespace widemargin
