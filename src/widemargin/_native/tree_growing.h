// Grows one binary tree after another over the same coded features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "heartbeat.h"
#include "tree_split.h"

namespace widemargin {

inline constexpr int most_levels = 8;  // at most 256 leaves: a row's leaf is a byte

struct CodedFeatures {
  std::size_t n_rows;
  std::size_t n_features;
  const std::uint8_t* codes;    // n_features x n_rows
  const std::int32_t* n_bins;   // bins of values; the code n_bins[f] stands for a missing value
};

struct GrowingRules {
  int max_depth;
  std::int64_t min_samples_leaf;
  Criterion criterion;
  double leaf_alpha;
  std::size_t n_threads;
};

struct TreeNode {
  std::int32_t feature = -1;  // -1 for a leaf
  std::uint8_t bin = 0;
  bool missing_left = false;
  bool missing_seen = false;  // whether rows with a missing value took part in the split
  std::int32_t left = -1;
  std::int32_t right = -1;
  std::int32_t leaf = -1;
  double value = 0.0;
  double gain = 0.0;
};

class TreeGrowerBase {
 public:
  virtual ~TreeGrowerBase() = default;

  // Nodes in depth-first order, the root first; `leaves` receives the leaf of every row. `weight` may be null for
  // |gradient|. Rows whose gradient and weight are zero have no say in the splits.
  virtual std::vector<TreeNode> grow(const double* gradient, const double* weight,
                                     const std::vector<std::int32_t>& features, Heartbeat& heartbeat,
                                     std::uint8_t* leaves) = 0;
};

std::unique_ptr<TreeGrowerBase> make_tree_grower(const CodedFeatures& features, const GrowingRules& rules);

}  // namespace widemargin
