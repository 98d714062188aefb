// Trees in the form in which they are evaluated: complete, all leaves at one depth, so that a row's way through
// needs no test for a leaf.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "dispatch.h"
#include "round_down.h"
#include "tree_prediction.h"

namespace widemargin {

inline constexpr int deepest = 8;

inline void check_node(const EnsembleNodes& nodes, std::size_t tree, std::int64_t node) {
  const std::int64_t size = nodes.roots[tree + 1] - nodes.roots[tree], at = nodes.roots[tree] + node;
  if (nodes.feature[at] < 0) {
    if (nodes.leaf[at] < 0 || nodes.leaf[at] >= size) throw std::invalid_argument("a leaf has a number out of range");
    return;
  }
  const auto is_child = [&](std::int32_t child) { return child > node && child < size; };
  if (static_cast<std::size_t>(nodes.feature[at]) >= nodes.n_features || !is_child(nodes.left[at]) ||
      !is_child(nodes.right[at]))
    throw std::invalid_argument("a node has a feature or children that do not exist");
}

// The number of splits on the longest way down.
inline int depth_below(const EnsembleNodes& nodes, std::size_t tree, std::int64_t node, int level = 0) {
  check_node(nodes, tree, node);
  const std::int64_t at = nodes.roots[tree] + node;
  if (nodes.feature[at] < 0) return 0;
  if (level >= deepest) throw std::invalid_argument("a tree has more than 8 levels of splits");
  return 1 + std::max(depth_below(nodes, tree, nodes.left[at], level + 1),
                      depth_below(nodes, tree, nodes.right[at], level + 1));
}

// x <= threshold goes first where sign = 1. Where missing values (NaN, for which every comparison is false) have to
// go with small ones, sign = -1 and the sides are exchanged: x > threshold, written -x <= threshold', goes first.
template <class T>
struct Branch {
  std::uint32_t place = 0;  // of the feature among those that are used
  T sign = T{1};
  T threshold = std::numeric_limits<T>::infinity();

  WIDEMARGIN_INLINE bool first(T x) const { return sign * x <= threshold; }
};

// One ensemble's trees; branch b of a tree is followed by 2 b + 1 (first) or 2 b + 2, as in a heap.
template <class T>
class CompleteTrees {
 public:
  struct Tree {
    int depth;
    std::size_t branches;  // where its branches start
    std::size_t leaves;    // and its leaves
  };

  explicit CompleteTrees(const EnsembleNodes& nodes) : place_(nodes.n_features, none) {
    for (std::size_t t = 0; t < nodes.n_trees; ++t) {
      const int depth = depth_below(nodes, t, 0);
      const std::size_t n_leaves = std::size_t{1} << depth;
      trees_.push_back({depth, branches_.size(), values_.size()});
      branches_.resize(branches_.size() + n_leaves - 1);
      values_.resize(values_.size() + n_leaves);
      numbers_.resize(values_.size());
      fill(nodes, t, 0, trees_.back(), depth, 0);
    }
  }

  const std::vector<Tree>& trees() const { return trees_; }
  const std::vector<std::uint32_t>& features() const { return features_; }
  const Branch<T>* branches(const Tree& tree) const { return branches_.data() + tree.branches; }
  const double* values(const Tree& tree) const { return values_.data() + tree.leaves; }
  const std::uint8_t* numbers(const Tree& tree) const { return numbers_.data() + tree.leaves; }

  // The place of a row's leaf among those of the tree; value(place) is the row's value of a feature.
  template <class Value>
  WIDEMARGIN_INLINE std::size_t leaf(const Tree& tree, Value value) const {
    const Branch<T>* branch = branches(tree);
    std::size_t at = 0;
    for (int level = 0; level < tree.depth; ++level)
      at = 2 * at + (branch[at].first(value(branch[at].place)) ? 1 : 2);
    return at - ((std::size_t{1} << tree.depth) - 1);
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  void fill(const EnsembleNodes& nodes, std::size_t tree, std::int64_t node, const Tree& complete, int levels,
            std::size_t at) {
    const auto i = static_cast<std::size_t>(nodes.roots[tree] + node);
    if (levels == 0) {
      const std::size_t leaf = complete.leaves + at - ((std::size_t{1} << complete.depth) - 1);
      values_[leaf] = nodes.value[i];
      numbers_[leaf] = static_cast<std::uint8_t>(nodes.leaf[i]);
      return;
    }
    std::int64_t first = node, second = node;  // below a leaf, copies of it
    if (nodes.feature[i] >= 0) {
      Branch<T>& branch = branches_[complete.branches + at];
      branch.place = place_of(static_cast<std::size_t>(nodes.feature[i]));
      branch.threshold = round_down<T>(nodes.threshold[i]);
      first = nodes.left[i];
      second = nodes.right[i];
      if (nodes.missing_left[i]) {
        branch.sign = T{-1};
        branch.threshold = std::nextafter(-branch.threshold, -std::numeric_limits<T>::infinity());
        std::swap(first, second);
      }
    }
    fill(nodes, tree, first, complete, levels - 1, 2 * at + 1);
    fill(nodes, tree, second, complete, levels - 1, 2 * at + 2);
  }

  std::uint32_t place_of(std::size_t feature) {
    if (place_[feature] == none) {
      place_[feature] = static_cast<std::uint32_t>(features_.size());
      features_.push_back(static_cast<std::uint32_t>(feature));
    }
    return place_[feature];
  }

  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> features_;  // those that are used
  std::vector<Tree> trees_;
  std::vector<Branch<T>> branches_;
  std::vector<double> values_;
  std::vector<std::uint8_t> numbers_;
};

}  // namespace widemargin
