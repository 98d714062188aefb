// The proximal maps of single numbers, in a form that compilers vectorise.
#pragma once

#include <algorithm>
#include <cmath>

#include "dispatch.h"

namespace widemargin {

// (x - threshold)_+; a conditional sum would become a branch.
WIDEMARGIN_INLINE double excess_over(double x, double threshold) { return std::max(x, threshold) - threshold; }

// The sum turns -0 into 0.
WIDEMARGIN_INLINE double soft_threshold(double x, double threshold) {
  return std::copysign(excess_over(std::abs(x), threshold), x) + 0.0;
}

}  // namespace widemargin
