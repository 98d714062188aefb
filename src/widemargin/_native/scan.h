// Vectorised passes over rows, shared by the dual solvers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "dispatch.h"

namespace widemargin {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double rounding = std::numeric_limits<double>::epsilon();

struct Peak {
  double score;
  std::size_t index;  // n when no score exceeds the floor
};

// The first index with the largest score(t) above `floor`.
//
// An argmax carries its index through the loop and does not vectorise. Scores are therefore written a block
// at a time, the block's maximum is vectorised, and the index is looked up only where the maximum improves.
// Measured at n = 2000: 2.5 us with the index carried in lanes, 1.2 us in blocks of 32, 2.4 us in
// blocks of 64.
template <class Score>
WIDEMARGIN_INLINE Peak first_peak(std::size_t n, double floor, Score score) {
  constexpr std::size_t block = 32;
  alignas(64) double scores[block];
  Peak peak{floor, n};
  for (std::size_t start = 0; start < n; start += block) {
    const std::size_t length = std::min(block, n - start);
    if (length == block) {
#pragma omp simd
      for (std::size_t k = 0; k < block; ++k) scores[k] = score(start + k);
    } else {
      for (std::size_t k = 0; k < block; ++k) scores[k] = k < length ? score(start + k) : -infinity;
    }
    double top = -infinity;
#pragma omp simd reduction(max : top)
    for (std::size_t k = 0; k < block; ++k) top = scores[k] > top ? scores[k] : top;
    if (top > peak.score) {
      std::size_t k = 0;
      while (k + 1 < block && scores[k] != top) ++k;
      peak = {top, start + k};
    }
  }
  return peak;
}

// target += factor * row
void accumulate(std::size_t n, double factor, const double* row, double* target);

double dot(std::size_t n, const double* a, const double* b);

// product = matrix * coefficients for a symmetric n x n matrix; rows with a zero coefficient are skipped.
void multiply(std::size_t n, const double* matrix, const double* coefficients, double* product);

}  // namespace widemargin
