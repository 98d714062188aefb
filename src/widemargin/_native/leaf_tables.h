// Sums over the leaves of many trees at once: the products with a boosted ensemble's matrix of predictions.
//
// A tree that puts every sample into one of at most 256 leaves is a row of codes. Trees of few leaves share one
// byte (four trees of four leaves each), so that one look-up in a table serves them all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heartbeat.h"

namespace widemargin {

struct LeafMatrix {
  std::size_t n_trees, n_samples;
  std::size_t n_leaves;       // at most 256; every code is below
  const std::uint8_t* codes;  // n_trees x n_samples
};

// sums (n_trees x n_leaves): sum of `a` over the samples in each leaf.
void leaf_sums(const LeafMatrix& leaves, const double* a, Heartbeat& heartbeat, double* sums);

// scores (n_samples): sum over the trees of the value (n_trees x n_leaves) of the sample's leaf.
void leaf_scores(const LeafMatrix& leaves, const double* values, Heartbeat& heartbeat, double* scores);

}  // namespace widemargin
