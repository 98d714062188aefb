// Samples are visited a tile at a time, which stays in the first cache while all groups of trees pass over it.
#include "leaf_matrix.h"

#include <algorithm>

#include "dispatch.h"

namespace widemargin {
namespace {

constexpr std::size_t tile = 2048;
constexpr std::size_t table_size = 256;

WIDEMARGIN_CLONES
void place(std::size_t n, unsigned shift, std::uint8_t mask, const std::uint8_t* WIDEMARGIN_RESTRICT leaves,
           std::uint8_t* WIDEMARGIN_RESTRICT packed) {
  for (std::size_t i = 0; i < n; ++i)
    packed[i] = static_cast<std::uint8_t>(packed[i] | (leaves[i] & mask) << shift);
}

}  // namespace

LeafMatrix::LeafMatrix(std::size_t n_samples, std::size_t n_leaves)
    : n_samples_(n_samples),
      n_leaves_(n_leaves),
      bits_(n_leaves <= 2 ? 1 : n_leaves <= 4 ? 2 : n_leaves <= 16 ? 4 : 8),
      group_size_(8 / bits_) {}

void LeafMatrix::append(const std::uint8_t* leaves) {
  const std::size_t position = n_trees_ % group_size_;
  if (position == 0) groups_.emplace_back(n_samples_, std::uint8_t{0});
  place(n_samples_, static_cast<unsigned>(position) * bits_, static_cast<std::uint8_t>((1u << bits_) - 1), leaves,
        groups_.back().data());
  ++n_trees_;
}

void LeafMatrix::sums(const double* a, Heartbeat& heartbeat, double* sums) const {
  // Neighbours often share a leaf: two tables let one addition start before the last has ended.
  std::vector<double> tables(groups_.size() * 2 * table_size, 0.0);
  for (std::size_t start = 0; start < n_samples_; start += tile) {
    const std::size_t end = std::min(start + tile, n_samples_);
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const std::uint8_t* codes = groups_[group].data();
      double* even = tables.data() + group * 2 * table_size;
      double* odd = even + table_size;
      std::size_t i = start;
      for (; i + 1 < end; i += 2) {
        even[codes[i]] += a[i];
        odd[codes[i + 1]] += a[i + 1];
      }
      if (i < end) even[codes[i]] += a[i];
    }
    heartbeat.beat((end - start) * groups_.size());
  }
  std::fill_n(sums, n_trees_ * n_leaves_, 0.0);
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    double* table = tables.data() + group * 2 * table_size;
    for (std::size_t code = 0; code < table_size; ++code) table[code] += table[table_size + code];
    const std::size_t first = group * group_size_, last = std::min(first + group_size_, n_trees_);
    std::size_t size = table_size;
    for (std::size_t t = first; t < last; ++t) {
      // Takes the lowest tree out of the table, whose entries are then those of the trees above it.
      size >>= bits_;
      double* of_tree = sums + t * n_leaves_;
      for (std::size_t rest = 0; rest < size; ++rest) {
        const double* entry = table + (rest << bits_);
        double total = 0.0;
        for (std::size_t leaf = 0; leaf < n_leaves_; ++leaf) {
          of_tree[leaf] += entry[leaf];
          total += entry[leaf];
        }
        table[rest] = total;
      }
    }
  }
}

void LeafMatrix::scores(std::size_t n_trees, const double* values, Heartbeat& heartbeat, double* scores) const {
  std::vector<double> tables(n_groups(n_trees) * table_size, 0.0);
  for (std::size_t group = 0; group < n_groups(n_trees); ++group) {
    double* table = tables.data() + group * table_size;
    std::size_t size = 1;
    // From the highest tree down: the table of the trees above is spread out in place, from its end. Trees beyond
    // the first `n_trees` have no value.
    for (std::size_t t = (group + 1) * group_size_; t-- > group * group_size_; size <<= bits_)
      for (std::size_t rest = size; rest-- > 0;) {
        const double sum = table[rest];
        double* entry = table + (rest << bits_);
        for (std::size_t leaf = std::size_t{1} << bits_; leaf-- > 0;)
          entry[leaf] = sum + (t < n_trees && leaf < n_leaves_ ? values[t * n_leaves_ + leaf] : 0.0);
      }
  }
  std::fill_n(scores, n_samples_, 0.0);
  for (std::size_t start = 0; start < n_samples_; start += tile) {
    const std::size_t end = std::min(start + tile, n_samples_);
    for (std::size_t group = 0; group < n_groups(n_trees); ++group) {
      const std::uint8_t* codes = groups_[group].data();
      const double* table = tables.data() + group * table_size;
      for (std::size_t i = start; i < end; ++i) scores[i] += table[codes[i]];
    }
    heartbeat.beat((end - start) * n_groups(n_trees));
  }
}

}  // namespace widemargin
