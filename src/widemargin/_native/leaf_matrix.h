// The leaves that the trees of an ensemble put its training samples into, and products with that matrix.
//
// Trees of few leaves share one byte a sample (four trees of four leaves each): the matrix is smaller by as much, and
// one look-up in a table of 256 entries serves them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heartbeat.h"

namespace widemargin {

class LeafMatrix {
 public:
  // Trees have at most `n_leaves` leaves, from 1 to 256.
  LeafMatrix(std::size_t n_samples, std::size_t n_leaves);

  std::size_t n_samples() const { return n_samples_; }
  std::size_t n_leaves() const { return n_leaves_; }
  std::size_t n_trees() const { return n_trees_; }

  // Adds a tree, by the number below `n_leaves` of each sample's leaf.
  void append(const std::uint8_t* leaves);

  // sums (n_trees x n_leaves): sum of `a` over the samples in each leaf.
  void sums(const double* a, Heartbeat& heartbeat, double* sums) const;

  // scores (n_samples): sum over the first `n_trees` of the value (n_trees x n_leaves) of the sample's leaf.
  void scores(std::size_t n_trees, const double* values, Heartbeat& heartbeat, double* scores) const;

 private:
  std::size_t n_groups(std::size_t n_trees) const { return (n_trees + group_size_ - 1) / group_size_; }

  std::size_t n_samples_, n_leaves_, n_trees_ = 0;
  unsigned bits_;           // that a leaf takes
  std::size_t group_size_;  // trees in a byte, the first in the lowest bits
  std::vector<std::vector<std::uint8_t>> groups_;
};

}  // namespace widemargin
