// Leaves of coded rows, one split of a tree after another over all rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dispatch.h"

namespace widemargin {

// Codes that go right are a range: (code - first) mod 256 < width. Missing values have the largest code of all.
struct RightCodes {
  std::uint8_t first;
  std::uint8_t width;

  RightCodes(std::uint8_t bin, bool missing_left, std::uint8_t missing_bin)
      : first(static_cast<std::uint8_t>(bin + 1)),
        width(static_cast<std::uint8_t>(missing_left ? missing_bin - 1 - bin : 255 - bin)) {}

  WIDEMARGIN_INLINE bool contain(std::uint8_t code) const { return static_cast<std::uint8_t>(code - first) < width; }
};

// Rows of leaf `from` that go right move to leaf `to`. This handles 32 rows at a time, and so even the 255 splits
// of eight levels take less than following each row down the tree.
void move_right(std::size_t n, const std::uint8_t* codes, RightCodes right, std::uint8_t from, std::uint8_t to,
                std::uint8_t* leaves);

}  // namespace widemargin
