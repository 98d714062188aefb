// A table of numbers of any layout, as NumPy gives it.
#pragma once

#include <cstddef>

#include "dispatch.h"

namespace widemargin {

template <class T>
struct Table {
  const T* values;
  std::size_t n_rows;
  std::size_t n_columns;
  std::ptrdiff_t row_stride;  // in elements
  std::ptrdiff_t column_stride;

  WIDEMARGIN_INLINE const T& at(std::size_t row, std::size_t column) const {
    return values[static_cast<std::ptrdiff_t>(row) * row_stride +
                  static_cast<std::ptrdiff_t>(column) * column_stride];
  }
};

}  // namespace widemargin
