#include "hinge_intercept.h"

#include <algorithm>
#include <limits>

namespace widemargin {

// The slope of the loss in b climbs from -sum C over the positives to +sum C over the negatives, by C_i at
// the breakpoint of sample i: the minimiser is a weighted quantile of the breakpoints.
HingeIntercept minimise_hinge(std::size_t n, const double* breakpoint, const double* y, const double* C,
                              std::vector<std::pair<double, double>>& sorted) {
  sorted.resize(n);
  double slope = 0.0, total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    sorted[i] = {breakpoint[i], C[i]};
    total += C[i];
    if (y[i] > 0) slope -= C[i];
  }
  std::sort(sorted.begin(), sorted.end());

  const double flat = std::numeric_limits<double>::epsilon() * static_cast<double>(n) * total;
  double intercept = sorted.front().first;  // the finite end where nothing falls to its left
  if (slope < -flat) {
    std::size_t k = 0;
    for (; k + 1 < n && slope + sorted[k].second < -flat; ++k) slope += sorted[k].second;
    slope += sorted[k].second;
    intercept = sorted[k].first;
    if (slope <= flat && k + 1 < n) intercept += 0.5 * (sorted[k + 1].first - intercept);
  }
  double value = 0.0;
  for (std::size_t i = 0; i < n; ++i) value += C[i] * std::max(0.0, y[i] * (breakpoint[i] - intercept));
  return {intercept, value};
}

}  // namespace widemargin
