// Histograms of weights over the codes of a feature.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dispatch.h"
#include "fixed_point.h"

namespace widemargin {

// Rows of a node and their weights. `index` is null where they are all rows in order.
template <bool with_weight>
struct NodeRows {
  std::size_t n;
  const std::uint32_t* index;
  const Cell<with_weight>* weights;
};

// Features are taken four at a time: a weight is loaded once for four additions, and additions to one cell, each of
// which waits for the one before, are further apart. At 20,000 rows an addition takes 1.0 ns with one feature at a
// time, 0.4 ns with four, 0.7 ns with eight.
inline constexpr std::size_t features_at_once = 4;

template <std::size_t n_features, bool indexed, bool with_weight>
WIDEMARGIN_INLINE void add_rows(const NodeRows<with_weight>& rows, const std::uint8_t* const* codes,
                                Cell<with_weight>* const* histograms) {
  const std::uint8_t* code[n_features];
  Cell<with_weight>* histogram[n_features];
  for (std::size_t f = 0; f < n_features; ++f) {
    code[f] = codes[f];
    histogram[f] = histograms[f];
  }
  for (std::size_t k = 0; k < rows.n; ++k) {
    const std::size_t row = indexed ? rows.index[k] : k;
    const Cell<with_weight> weight = rows.weights[k];
    for (std::size_t f = 0; f < n_features; ++f) histogram[f][code[f][row]] += weight;
  }
}

// Adds the rows to one histogram for each of up to four features.
template <bool with_weight>
void build_histograms(const NodeRows<with_weight>& rows, std::size_t n_features, const std::uint8_t* const* codes,
                      Cell<with_weight>* const* histograms) {
  if (n_features == features_at_once) {
    if (rows.index)
      add_rows<features_at_once, true>(rows, codes, histograms);
    else
      add_rows<features_at_once, false>(rows, codes, histograms);
    return;
  }
  for (std::size_t f = 0; f < n_features; ++f) {
    if (rows.index)
      add_rows<1, true>(rows, codes + f, histograms + f);
    else
      add_rows<1, false>(rows, codes + f, histograms + f);
  }
}

}  // namespace widemargin
