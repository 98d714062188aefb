// Rows are taken in blocks. A block's values of the features that are used are copied, one feature after another,
// to where they stay in the cache for all trees; then a tree compares and selects many rows at a time.
#include "tree_prediction.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "complete_trees.h"
#include "dispatch.h"
#include "leaf_codes.h"
#include "parallel.h"

namespace widemargin {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr std::size_t coded_block = 4096;
constexpr std::size_t least_shared_work = std::size_t{1} << 22;

std::size_t parts_for(std::size_t work, std::size_t n_threads) { return work < least_shared_work ? 1 : n_threads; }

template <int depth, class T>
WIDEMARGIN_INLINE double select(const Branch<T>* branches, const T* const* columns, const double* values,
                                std::size_t at, std::size_t row) {
  if constexpr (depth == 0) {
    return values[at];
  } else {
    (void)values;
    const double first = select<depth - 1>(branches, columns, values, 2 * at + 1, row);
    const double second = select<depth - 1>(branches, columns, values, 2 * at + 2, row);
    return branches[at].first(columns[at][row]) ? first : second;
  }
}

// `values` are numbered as nodes of the heap.
template <int depth, class T>
WIDEMARGIN_INLINE void add_complete(const Branch<T>* branches, const T* block, std::size_t n_rows,
                                    const double* leaf_values, double* WIDEMARGIN_RESTRICT scores) {
  constexpr std::size_t n_branches = (std::size_t{1} << depth) - 1;
  Branch<T> branch[n_branches];
  const T* column[n_branches];
  double values[2 * n_branches + 1];
  for (std::size_t b = 0; b < n_branches; ++b) {
    branch[b] = branches[b];
    column[b] = block + branches[b].place * n_rows;
  }
  for (std::size_t leaf = 0; leaf <= n_branches; ++leaf) values[n_branches + leaf] = leaf_values[leaf];
#pragma omp simd
  for (std::size_t i = 0; i < n_rows; ++i) scores[i] += select<depth>(branch, column, values, 0, i);
}

template <class T>
WIDEMARGIN_INLINE void add_trees(const CompleteTrees<T>& ensemble, const T* block, std::size_t n_rows,
                                 double* scores) {
  for (const auto& tree : ensemble.trees()) {
    const Branch<T>* branches = ensemble.branches(tree);
    const double* values = ensemble.values(tree);
    switch (tree.depth) {
      case 0:
        for (std::size_t i = 0; i < n_rows; ++i) scores[i] += values[0];
        break;
      case 1:
        add_complete<1>(branches, block, n_rows, values, scores);
        break;
      case 2:
        add_complete<2>(branches, block, n_rows, values, scores);
        break;
      case 3:
        add_complete<3>(branches, block, n_rows, values, scores);
        break;
      default:
        for (std::size_t i = 0; i < n_rows; ++i)
          scores[i] += values[ensemble.leaf(tree, [&](std::uint32_t place) { return block[place * n_rows + i]; })];
    }
  }
}

WIDEMARGIN_CLONES void add_trees_to_block(const CompleteTrees<double>& ensemble, const double* block,
                                          std::size_t n_rows, double* scores) {
  add_trees(ensemble, block, n_rows, scores);
}

WIDEMARGIN_CLONES void add_trees_to_block(const CompleteTrees<float>& ensemble, const float* block,
                                          std::size_t n_rows, double* scores) {
  add_trees(ensemble, block, n_rows, scores);
}

template <class T>
void copy_columns(const Table<T>& table, std::size_t row, std::size_t n_rows,
                  const std::vector<std::uint32_t>& features, T* block) {
  for (std::size_t i = 0; i < n_rows; ++i)
    for (std::size_t place = 0; place < features.size(); ++place)
      block[place * n_rows + i] = table.at(row + i, features[place]);
}

template <class T>
std::size_t rows_at_once(const CompleteTrees<T>& ensemble) {
  const std::size_t fitting = block_bytes / sizeof(T) / std::max<std::size_t>(1, ensemble.features().size());
  return std::clamp<std::size_t>(fitting / 16 * 16, 16, 512);
}

// Calls run(first row, number of rows) for blocks of rows, on several threads if that is worth it.
template <class Run>
void over_blocks(std::size_t n_rows, std::size_t block, std::size_t work, std::size_t n_threads, Heartbeat& heartbeat,
                 Run run) {
  const std::size_t n_blocks = (n_rows + block - 1) / block;
  run_in_parts(n_blocks, parts_for(work, n_threads), [&](std::size_t part, std::size_t begin, std::size_t end) {
    auto state = run();
    for (std::size_t k = begin; k < end; ++k) {
      state(k * block, std::min(block, n_rows - k * block));
      if (part == 0) heartbeat.beat(work / n_blocks);
    }
  });
}

// A split of a tree as a move of rows between its leaves.
struct Move {
  std::size_t feature;
  RightCodes right;
  std::uint8_t from;
  std::uint8_t to;
};

struct CodedTree {
  std::vector<Move> moves;
  std::array<double, 256> values;

  CodedTree(const EnsembleNodes& nodes, std::size_t tree) {
    depth_below(nodes, tree, 0);
    std::size_t n_leaves = 0;
    add(nodes, tree, 0, n_leaves);
  }

 private:
  // Appends the moves below a node, its own first; its rows start at the leaf `n_leaves` counts next.
  void add(const EnsembleNodes& nodes, std::size_t tree, std::int64_t node, std::size_t& n_leaves) {
    const auto i = static_cast<std::size_t>(nodes.roots[tree] + node);
    if (nodes.feature[i] < 0) {
      values[n_leaves++] = nodes.value[i];
      return;
    }
    const std::size_t mine = moves.size();
    const auto from = static_cast<std::uint8_t>(n_leaves);
    moves.push_back({static_cast<std::size_t>(nodes.feature[i]),
                     RightCodes(nodes.bin[i], nodes.missing_left[i], nodes.missing_bin[i]), from, from});
    add(nodes, tree, nodes.left[i], n_leaves);
    moves[mine].to = static_cast<std::uint8_t>(n_leaves);
    add(nodes, tree, nodes.right[i], n_leaves);
  }
};

}  // namespace

template <class T>
void predict(const EnsembleNodes& nodes, const Table<T>& table, std::size_t n_threads, Heartbeat& heartbeat,
             double* scores) {
  const CompleteTrees<T> ensemble(nodes);
  const std::vector<std::uint32_t>& features = ensemble.features();
  std::fill_n(scores, table.n_rows, 0.0);
  const std::size_t rows = rows_at_once(ensemble), work = table.n_rows * (features.size() + 2 * nodes.n_trees);
  over_blocks(table.n_rows, rows, work, n_threads, heartbeat, [&] {
    return [&, block = std::vector<T>(rows * features.size())](std::size_t row, std::size_t n) mutable {
      copy_columns(table, row, n, features, block.data());
      add_trees_to_block(ensemble, block.data(), n, scores + row);
    };
  });
}

void predict_coded(const EnsembleNodes& nodes, const std::uint8_t* codes, std::size_t n_rows, std::size_t n_threads,
                   Heartbeat& heartbeat, double* scores) {
  std::vector<CodedTree> trees;
  trees.reserve(nodes.n_trees);
  for (std::size_t t = 0; t < nodes.n_trees; ++t) trees.emplace_back(nodes, t);
  std::fill_n(scores, n_rows, 0.0);
  over_blocks(n_rows, coded_block, 2 * n_rows * nodes.n_trees, n_threads, heartbeat, [&] {
    return [&](std::size_t row, std::size_t n) {
      std::array<std::uint8_t, coded_block> leaves;
      for (const CodedTree& tree : trees) {
        std::fill_n(leaves.data(), n, std::uint8_t{0});
        for (const Move& move : tree.moves)
          move_right(n, codes + move.feature * n_rows + row, move.right, move.from, move.to, leaves.data());
        for (std::size_t i = 0; i < n; ++i) scores[row + i] += tree.values[leaves[i]];
      }
    };
  });
}

template <class T>
void find_leaves(const EnsembleNodes& nodes, const Table<T>& table, std::size_t n_threads, Heartbeat& heartbeat,
                 std::uint8_t* leaves) {
  const CompleteTrees<T> ensemble(nodes);
  const std::vector<std::uint32_t>& features = ensemble.features();
  const std::size_t rows = rows_at_once(ensemble), work = table.n_rows * (features.size() + 4 * nodes.n_trees);
  over_blocks(table.n_rows, rows, work, n_threads, heartbeat, [&] {
    return [&, block = std::vector<T>(rows * features.size())](std::size_t row, std::size_t n) mutable {
      copy_columns(table, row, n, features, block.data());
      for (std::size_t t = 0; t < nodes.n_trees; ++t) {
        const auto& tree = ensemble.trees()[t];
        const std::uint8_t* numbers = ensemble.numbers(tree);
        std::uint8_t* of_tree = leaves + t * table.n_rows + row;
        for (std::size_t i = 0; i < n; ++i)
          of_tree[i] = numbers[ensemble.leaf(tree, [&](std::uint32_t place) { return block[place * n + i]; })];
      }
    };
  });
}

template <class T>
void predict_early_exit(const EnsembleNodes& nodes, const Table<T>& table, const double* thresholds,
                        std::size_t n_threads, Heartbeat& heartbeat, double* scores, std::int32_t* n_used) {
  const CompleteTrees<T> ensemble(nodes);
  const std::vector<std::uint32_t>& features = ensemble.features();
  over_blocks(table.n_rows, 256, 4 * table.n_rows * nodes.n_trees, n_threads, heartbeat, [&] {
    return [&](std::size_t row, std::size_t n) {
      for (std::size_t i = row; i < row + n; ++i) {
        double score = 0.0;
        std::size_t t = 0;
        while (t < nodes.n_trees) {
          const auto& tree = ensemble.trees()[t];
          score += ensemble.values(
              tree)[ensemble.leaf(tree, [&](std::uint32_t place) { return table.at(i, features[place]); })];
          if (score < thresholds[t++]) break;
        }
        scores[i] = score;
        n_used[i] = static_cast<std::int32_t>(t);
      }
    };
  });
}

template void predict(const EnsembleNodes&, const Table<float>&, std::size_t, Heartbeat&, double*);
template void predict(const EnsembleNodes&, const Table<double>&, std::size_t, Heartbeat&, double*);
template void find_leaves(const EnsembleNodes&, const Table<float>&, std::size_t, Heartbeat&, std::uint8_t*);
template void find_leaves(const EnsembleNodes&, const Table<double>&, std::size_t, Heartbeat&, std::uint8_t*);
template void predict_early_exit(const EnsembleNodes&, const Table<float>&, const double*, std::size_t, Heartbeat&,
                                 double*, std::int32_t*);
template void predict_early_exit(const EnsembleNodes&, const Table<double>&, const double*, std::size_t, Heartbeat&,
                                 double*, std::int32_t*);

}  // namespace widemargin
