// Scores of rows under an ensemble of trees.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heartbeat.h"
#include "table.h"

namespace widemargin {

// Nodes of all trees after another. A tree starts at its root, its children's numbers count from there.
struct EnsembleNodes {
  std::size_t n_trees;
  std::size_t n_features;
  const std::int64_t* roots;    // n_trees + 1 offsets
  const std::int32_t* feature;  // -1 for a leaf
  const double* threshold;
  const std::uint8_t* bin;
  const std::uint8_t* missing_bin;
  const bool* missing_left;
  const std::int32_t* left;
  const std::int32_t* right;
  const double* value;
  const std::int32_t* leaf;
};

// All throw std::invalid_argument where the nodes are not binary trees of at most 8 levels over the features.

template <class T>
void predict(const EnsembleNodes& nodes, const Table<T>& table, std::size_t n_threads, Heartbeat& heartbeat,
             double* scores);

// `codes` is n_features x n_rows.
void predict_coded(const EnsembleNodes& nodes, const std::uint8_t* codes, std::size_t n_rows, std::size_t n_threads,
                   Heartbeat& heartbeat, double* scores);

// `leaves` is n_trees x n_rows.
template <class T>
void find_leaves(const EnsembleNodes& nodes, const Table<T>& table, std::size_t n_threads, Heartbeat& heartbeat,
                 std::uint8_t* leaves);

// A row is left after tree t once its sum so far is below thresholds[t]; `n_used` receives the trees it has seen.
template <class T>
void predict_early_exit(const EnsembleNodes& nodes, const Table<T>& table, const double* thresholds,
                        std::size_t n_threads, Heartbeat& heartbeat, double* scores, std::int32_t* n_used);

}  // namespace widemargin
