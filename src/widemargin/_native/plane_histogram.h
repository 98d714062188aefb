// Histogram of the sample values in one plane of a decoded picture.
#pragma once

#include <cstddef>
#include <cstdint>

namespace widemargin {

constexpr std::size_t n_sample_levels = 256;

// A plane in place: strides count samples, and may be negative or leave out what is interleaved.
template <class T>
struct Plane {
  const T* samples;
  std::size_t n_rows, n_columns;
  std::ptrdiff_t row_stride, column_stride;
};

// Adds to counts[v] how many samples have the value v once their `shift` lowest bits are dropped; larger values
// than 255 count as 255. Only every row_step-th row and column_step-th column is read, from half a step on.
template <class T>
void count_levels(const Plane<T>& plane, std::size_t row_step, std::size_t column_step, unsigned shift,
                  std::uint32_t* counts);

}  // namespace widemargin
