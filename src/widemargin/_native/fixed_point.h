// Sums of signed sample weights in integers.
//
// Weights are scaled by a power of two so that their sizes sum to less than 2^38, and rounded. A cell of a
// histogram then holds the sum in the upper 40 bits of one integer and the number of rows in the lower 24: one
// addition serves both, sums are exact, and they depend neither on the order of rows nor on the number of
// threads. What is left of a parent after its smaller child is subtracted is exact as well.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "dispatch.h"

namespace widemargin {

inline constexpr int count_bits = 24;
inline constexpr std::size_t most_active_rows = (std::size_t{1} << count_bits) - 1;

// The power of two by which weights of sizes summing to `total` are multiplied. Rounding adds at most 1/2 a row.
inline double fixed_point_scale(double total) {
  if (!(total > 0.0)) return 1.0;
  int exponent;
  // Weights often sum to one, and to a little less or more in another order of rows: not where the scale changes.
  std::frexp(total * (1.0 + 1e-6), &exponent);
  return std::ldexp(1.0, 38 - exponent);
}

WIDEMARGIN_INLINE std::int64_t pack(std::int64_t sum) { return sum * (std::int64_t{1} << count_bits) + 1; }
WIDEMARGIN_INLINE std::int64_t packed_sum(std::int64_t cell) { return cell >> count_bits; }
WIDEMARGIN_INLINE std::int64_t packed_count(std::int64_t cell) { return cell & ((std::int64_t{1} << count_bits) - 1); }

// What a set of rows sums to: signed weights and count in one, and total weight where a criterion asks for it.
template <bool with_weight>
struct Cell;

template <>
struct Cell<false> {
  std::int64_t packed;

  WIDEMARGIN_INLINE void operator+=(const Cell& other) { packed += other.packed; }
  WIDEMARGIN_INLINE void operator-=(const Cell& other) { packed -= other.packed; }
  std::int64_t weight() const { return 0; }
};

template <>
struct Cell<true> {
  std::int64_t packed;
  std::int64_t total;

  WIDEMARGIN_INLINE void operator+=(const Cell& other) {
    packed += other.packed;
    total += other.total;
  }
  WIDEMARGIN_INLINE void operator-=(const Cell& other) {
    packed -= other.packed;
    total -= other.total;
  }
  std::int64_t weight() const { return total; }
};

}  // namespace widemargin
