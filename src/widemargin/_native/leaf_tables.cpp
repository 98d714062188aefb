// Samples are visited a tile at a time, which stays in the first cache while all groups of trees pass over it.
#include "leaf_tables.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "dispatch.h"

namespace widemargin {
namespace {

constexpr std::size_t tile = 2048;
constexpr std::size_t table_size = 256;

// How many trees fit into one byte, and the bits that each takes.
struct Packing {
  unsigned bits;
  std::size_t trees;

  explicit Packing(std::size_t n_leaves)
      : bits(n_leaves <= 2 ? 1 : n_leaves <= 4 ? 2 : n_leaves <= 16 ? 4 : 8), trees(8 / bits) {}
  std::size_t groups(std::size_t n_trees) const { return (n_trees + trees - 1) / trees; }
  std::size_t leaf(std::size_t packed, std::size_t position) const {
    return packed >> (bits * position) & ((std::size_t{1} << bits) - 1);
  }
};

// Shifts eight codes at a time: none is so large that it reaches into its neighbour's byte.
WIDEMARGIN_CLONES
void pack(std::size_t length, std::size_t n_trees, unsigned bits, const std::uint8_t* WIDEMARGIN_RESTRICT codes,
          std::size_t stride, std::uint8_t* WIDEMARGIN_RESTRICT packed) {
  const std::uint8_t* row = codes + (n_trees - 1) * stride;
  std::memcpy(packed, row, length);
  for (std::size_t t = 1; t < n_trees; ++t) {
    row -= stride;
    std::size_t i = 0;
    for (; i + 8 <= length; i += 8) {
      std::uint64_t high, low;
      std::memcpy(&high, packed + i, 8);
      std::memcpy(&low, row + i, 8);
      high = high << bits | low;
      std::memcpy(packed + i, &high, 8);
    }
    for (; i < length; ++i) packed[i] = static_cast<std::uint8_t>(packed[i] << bits | row[i]);
  }
}

// Calls visit(group, first sample, number of samples, packed codes) for every tile and group of trees.
template <class Visit>
void for_each_tile(const LeafMatrix& leaves, const Packing& packing, Heartbeat& heartbeat, Visit visit) {
  std::uint8_t packed[tile];
  for (std::size_t start = 0; start < leaves.n_samples; start += tile) {
    const std::size_t length = std::min(tile, leaves.n_samples - start);
    for (std::size_t group = 0; group < packing.groups(leaves.n_trees); ++group) {
      const std::size_t first = group * packing.trees;
      const std::uint8_t* codes = leaves.codes + first * leaves.n_samples + start;
      const std::size_t n_trees = std::min(packing.trees, leaves.n_trees - first);
      if (n_trees > 1) {
        pack(length, n_trees, packing.bits, codes, leaves.n_samples, packed);
        codes = packed;
      }
      visit(group, start, length, codes);
    }
    heartbeat.beat(length * leaves.n_trees);
  }
}

}  // namespace

void leaf_sums(const LeafMatrix& leaves, const double* a, Heartbeat& heartbeat, double* sums) {
  const Packing packing(leaves.n_leaves);
  // Neighbours often share a leaf: two tables let one addition start before the last has ended.
  std::vector<double> tables(packing.groups(leaves.n_trees) * 2 * table_size, 0.0);
  for_each_tile(leaves, packing, heartbeat,
                [&](std::size_t group, std::size_t start, std::size_t length, const std::uint8_t* codes) {
                  double* even = tables.data() + group * 2 * table_size;
                  double* odd = even + table_size;
                  const double* values = a + start;
                  std::size_t i = 0;
                  for (; i + 1 < length; i += 2) {
                    even[codes[i]] += values[i];
                    odd[codes[i + 1]] += values[i + 1];
                  }
                  if (i < length) even[codes[i]] += values[i];
                });
  std::fill_n(sums, leaves.n_trees * leaves.n_leaves, 0.0);
  for (std::size_t t = 0; t < leaves.n_trees; ++t) {
    const double* even = tables.data() + t / packing.trees * 2 * table_size;
    for (std::size_t packed = 0; packed < table_size; ++packed) {
      const std::size_t leaf = packing.leaf(packed, t % packing.trees);
      if (leaf < leaves.n_leaves) sums[t * leaves.n_leaves + leaf] += even[packed] + even[packed + table_size];
    }
  }
}

void leaf_scores(const LeafMatrix& leaves, const double* values, Heartbeat& heartbeat, double* scores) {
  const Packing packing(leaves.n_leaves);
  std::vector<double> tables(packing.groups(leaves.n_trees) * table_size, 0.0);
  for (std::size_t t = 0; t < leaves.n_trees; ++t) {
    double* table = tables.data() + t / packing.trees * table_size;
    for (std::size_t packed = 0; packed < table_size; ++packed) {
      const std::size_t leaf = packing.leaf(packed, t % packing.trees);
      if (leaf < leaves.n_leaves) table[packed] += values[t * leaves.n_leaves + leaf];
    }
  }
  std::fill_n(scores, leaves.n_samples, 0.0);
  for_each_tile(leaves, packing, heartbeat,
                [&](std::size_t group, std::size_t start, std::size_t length, const std::uint8_t* codes) {
                  const double* table = tables.data() + group * table_size;
                  double* out = scores + start;
                  for (std::size_t i = 0; i < length; ++i) out[i] += table[codes[i]];
                });
}

}  // namespace widemargin
