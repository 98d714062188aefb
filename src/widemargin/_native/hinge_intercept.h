// The intercept of a hinge loss, exactly.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace widemargin {

struct HingeIntercept {
  double intercept;
  double value;
};

// Minimises sum_i C_i max(0, margins_i - y_i (output_i + b)) over b. The hinge of sample i meets zero at its
// breakpoint, y_i margins_i - output_i. Where an interval minimises, b is its middle; where that interval is
// unbounded, as with a single class, b is its finite end. `sorted` is scratch of length n.
HingeIntercept minimise_hinge(std::size_t n, const double* breakpoint, const double* y, const double* C,
                              std::vector<std::pair<double, double>>& sorted);

}  // namespace widemargin
