#include "leaf_codes.h"

namespace widemargin {

WIDEMARGIN_CLONES void move_right(std::size_t n, const std::uint8_t* codes, RightCodes right, std::uint8_t from,
                                  std::uint8_t to, std::uint8_t* leaves) {
  for (std::size_t i = 0; i < n; ++i) {
    const bool moves = static_cast<bool>(right.contain(codes[i]) & (leaves[i] == from));
    leaves[i] = moves ? to : leaves[i];
  }
}

}  // namespace widemargin
