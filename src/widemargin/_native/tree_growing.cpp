// Depth first, so that at most one histogram a level is kept: of two children the one with fewer rows is built, the
// other is what is left of their parent's. Children that will not be split further are searched feature by feature
// while their histograms lie in the nearest cache, and theirs are not kept.
#include "tree_growing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "dispatch.h"
#include "leaf_codes.h"
#include "parallel.h"
#include "tree_histogram.h"

namespace widemargin {
namespace {

WIDEMARGIN_INLINE std::int64_t round_half_away(double x) {
  return static_cast<std::int64_t>(x + (x < 0.0 ? -0.5 : 0.5));
}

double sum_of_sizes(std::size_t n, const double* values) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += std::abs(values[i]);
  if (!std::isfinite(sum)) throw std::invalid_argument("a gradient or weight is not finite, or their sum is not");
  return sum;
}

// Fewer additions than this take less than a few milliseconds: threads would cost more than they save.
constexpr std::size_t least_shared_work = std::size_t{1} << 22;

template <bool with_weight>
class TreeGrower final : public TreeGrowerBase {
 public:
  TreeGrower(const CodedFeatures& features, const GrowingRules& rules)
      : data_(features), rules_(rules), offsets_(features.n_features + 1, 0), has_missing_(features.n_features) {
    for (std::size_t f = 0; f < data_.n_features; ++f) {
      offsets_[f + 1] = offsets_[f] + static_cast<std::size_t>(data_.n_bins[f]) + 1;
      has_missing_[f] = std::memchr(codes_of(f), data_.n_bins[f], data_.n_rows) != nullptr;
    }
    const auto levels = static_cast<std::size_t>(rules_.max_depth);
    histograms_.resize(std::max<std::size_t>(levels, 2) - 1);
    for (auto& histogram : histograms_) histogram.resize(offsets_.back());
    index_.resize(levels);
    weights_.resize(levels);
  }

  std::vector<TreeNode> grow(const double* gradient, const double* weight, const std::vector<std::int32_t>& features,
                             Heartbeat& heartbeat, std::uint8_t* leaves) override {
    heartbeat_ = &heartbeat;
    features_ = &features;
    nodes_.clear();
    sums_.clear();
    const Rows rows = quantise(gradient, weight);
    Sums whole{};
    for (std::size_t k = 0; k < rows.n; ++k) whole += rows.weights[k];
    grow_node(0, 0, rows, whole, histograms_[0].data(), search_root(rows, whole));
    prune(0);
    std::vector<TreeNode> tree;
    tree.reserve(nodes_.size());
    flatten(0, tree);
    send_missing_to_the_heavier_side(rows, tree, leaves);
    return tree;
  }

 private:
  using Sums = Cell<with_weight>;
  using Rows = NodeRows<with_weight>;
  using Best = Split<with_weight>;

  const std::uint8_t* codes_of(std::size_t feature) const { return data_.codes + feature * data_.n_rows; }

  std::uint8_t missing_code(std::size_t feature) const { return static_cast<std::uint8_t>(data_.n_bins[feature]); }

  Scoring scoring() const { return {rules_.criterion, rules_.leaf_alpha, sum_unit_, weight_unit_}; }

  // The rows that have a say, with weights in fixed point.
  Rows quantise(const double* gradient, const double* weight) {
    const std::size_t n = data_.n_rows;
    const double scale = fixed_point_scale(sum_of_sizes(n, gradient));
    const double weight_scale = weight ? fixed_point_scale(sum_of_sizes(n, weight)) : scale;
    sum_unit_ = 1.0 / scale;
    weight_unit_ = 1.0 / weight_scale;
    std::vector<std::uint32_t>& index = index_[0];
    std::vector<Sums>& sums = weights_[0];
    index.resize(n);
    sums.resize(n);
    std::size_t n_active = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Sums& sum = sums[n_active];
      sum.packed = pack(round_half_away(scale * gradient[i]));
      if constexpr (with_weight)
        sum.total = round_half_away(weight_scale * (weight ? weight[i] : std::abs(gradient[i])));
      index[n_active] = static_cast<std::uint32_t>(i);
      n_active += gradient[i] != 0.0 || (weight && weight[i] != 0.0);
    }
    if (n_active > most_active_rows) throw std::length_error("more than 16,777,215 rows have a gradient or weight");
    return {n_active, n_active == n ? nullptr : index.data(), sums.data()};
  }

  // Into how many parts a search over the features is divided.
  std::size_t n_parts(std::size_t n_rows) const {
    const std::size_t n = features_->size();
    return n == 0 || n_rows * n < least_shared_work ? 1 : std::min(rules_.n_threads, n);
  }

  // Calls search(part, first, last) on ranges of the positions in the list of features.
  template <class Search>
  void over_features(std::size_t n_rows, Search search) {
    run_in_parts(features_->size(), n_parts(n_rows), [&](std::size_t part, std::size_t begin, std::size_t end) {
      for (std::size_t first = begin; first < end; first += features_at_once) {
        const std::size_t last = std::min(first + features_at_once, end);
        search(part, first, last);
        if (part == 0) heartbeat_->beat((last - first) * n_rows);
      }
    });
  }

  void build(const Rows& rows, std::size_t first, std::size_t last, Sums* const* histograms) const {
    const std::uint8_t* codes[features_at_once] = {};
    for (std::size_t k = first; k < last; ++k) {
      const auto f = static_cast<std::size_t>((*features_)[k]);
      codes[k - first] = codes_of(f);
      std::fill_n(histograms[k - first], static_cast<std::size_t>(data_.n_bins[f]) + 1, Sums{});
    }
    build_histograms(rows, last - first, codes, histograms);
  }

  void scan(const Sums* histogram, std::size_t position, const Sums& whole, const Scoring& score, Best& best) const {
    const std::int32_t feature = (*features_)[position];
    const auto n_bins = static_cast<std::size_t>(data_.n_bins[feature]);
    scan_feature(histogram, n_bins, whole, rules_.min_samples_leaf, score, feature, best);
  }

  bool divisible(const Sums& whole) const { return packed_count(whole.packed) >= 2 * rules_.min_samples_leaf; }

  Best no_split(const Sums& whole) const { return Best(scoring()(whole)); }

  // Parts hold features in order, so that of equal splits the first is that of the lowest feature.
  static Best first_best(const std::vector<Best>& found) {
    return *std::max_element(found.begin(), found.end(),
                             [](const Best& a, const Best& b) { return a.sides < b.sides; });
  }

  Best search_root(const Rows& rows, const Sums& whole) {
    std::vector<Best> found(n_parts(rows.n), no_split(whole));
    if (!divisible(whole)) return found[0];
    const Scoring score = scoring();
    Sums* const histogram = histograms_[0].data();
    over_features(rows.n, [&](std::size_t part, std::size_t first, std::size_t last) {
      Sums* histograms[features_at_once] = {};
      for (std::size_t k = first; k < last; ++k)
        histograms[k - first] = histogram + offsets_[static_cast<std::size_t>((*features_)[k])];
      build(rows, first, last, histograms);
      for (std::size_t k = first; k < last; ++k) scan(histograms[k - first], k, whole, score, found[part]);
    });
    return first_best(found);
  }

  // The splits of both children; the histogram of the larger replaces their parent's, that of the smaller is written
  // to `kept` where it is not null.
  std::pair<Best, Best> search_children(const Rows& smaller, const Sums& whole_smaller, const Sums& whole_larger,
                                        Sums* parent, Sums* kept) {
    std::vector<Best> of_smaller(n_parts(smaller.n), no_split(whole_smaller));
    std::vector<Best> of_larger(n_parts(smaller.n), no_split(whole_larger));
    if (!divisible(whole_larger)) return {of_smaller[0], of_larger[0]};
    const Scoring score = scoring();
    over_features(smaller.n, [&](std::size_t part, std::size_t first, std::size_t last) {
      std::array<std::array<Sums, 256>, features_at_once> passing;
      Sums* histograms[features_at_once] = {};
      for (std::size_t k = first; k < last; ++k)
        histograms[k - first] = kept ? kept + offsets_[static_cast<std::size_t>((*features_)[k])]
                                     : passing[k - first].data();
      build(smaller, first, last, histograms);
      for (std::size_t k = first; k < last; ++k) {
        const auto f = static_cast<std::size_t>((*features_)[k]);
        const Sums* histogram = histograms[k - first];
        Sums* const rest = parent + offsets_[f];
        for (std::size_t bin = 0; bin <= static_cast<std::size_t>(data_.n_bins[f]); ++bin) rest[bin] -= histogram[bin];
        scan(histogram, k, whole_smaller, score, of_smaller[part]);
        scan(rest, k, whole_larger, score, of_larger[part]);
      }
    });
    return {first_best(of_smaller), first_best(of_larger)};
  }

  // Rows of a node, which start at `begin` of their level's lists, divided into those of its children in the next.
  std::pair<Rows, Rows> divide(int level, std::size_t begin, const Rows& rows, const Best& split) {
    const auto next = static_cast<std::size_t>(level) + 1;
    std::vector<std::uint32_t>& index = index_[next];
    std::vector<Sums>& weights = weights_[next];
    index.resize(data_.n_rows);
    weights.resize(data_.n_rows);
    const auto n_left = static_cast<std::size_t>(packed_count(split.left.packed));
    const RightCodes right(split.bin, split.missing_left, missing_code(static_cast<std::size_t>(split.feature)));
    const std::uint8_t* codes = codes_of(static_cast<std::size_t>(split.feature));
    std::size_t to[2] = {begin, begin + n_left};
    for (std::size_t k = 0; k < rows.n; ++k) {
      const std::uint32_t row = rows.index ? rows.index[k] : static_cast<std::uint32_t>(k);
      const std::size_t place = to[right.contain(codes[row])]++;
      index[place] = row;
      weights[place] = rows.weights[k];
    }
    return {Rows{n_left, index.data() + begin, weights.data() + begin},
            Rows{rows.n - n_left, index.data() + begin + n_left, weights.data() + begin + n_left}};
  }

  std::int32_t grow_node(int level, std::size_t begin, const Rows& rows, const Sums& whole, Sums* histogram,
                         const Best& split) {
    const auto me = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
    sums_.push_back(whole);
    if (split.feature < 0) return me;
    const Sums left = split.left;
    Sums right = whole;
    right -= left;
    Rows left_rows{}, right_rows{};
    Best left_split = no_split(left), right_split = no_split(right);
    Sums *left_histogram = nullptr, *right_histogram = nullptr;
    const int below = level + 1;
    if (below < rules_.max_depth) {
      std::tie(left_rows, right_rows) = divide(level, begin, rows, split);
      Sums* const kept = below + 1 < rules_.max_depth ? histograms_[static_cast<std::size_t>(below)].data() : nullptr;
      if (left_rows.n <= right_rows.n) {
        std::tie(left_split, right_split) = search_children(left_rows, left, right, histogram, kept);
        left_histogram = kept;
        right_histogram = histogram;
      } else {
        std::tie(right_split, left_split) = search_children(right_rows, right, left, histogram, kept);
        left_histogram = histogram;
        right_histogram = kept;
      }
    }
    const std::int32_t left_node = grow_node(below, begin, left_rows, left, left_histogram, left_split);
    const std::int32_t right_node =
        grow_node(below, begin + left_rows.n, right_rows, right, right_histogram, right_split);
    TreeNode& node = nodes_[static_cast<std::size_t>(me)];
    node.feature = split.feature;
    node.bin = split.bin;
    node.missing_left = split.missing_left;
    node.missing_seen = split.missing_seen;
    node.left = left_node;
    node.right = right_node;
    node.gain = split.sides - scoring()(whole);
    return me;
  }

  double leaf_value(const Sums& sums) const {
    const double G = sum_unit_ * static_cast<double>(packed_sum(sums.packed));
    if (rules_.criterion == Criterion::edge || rules_.criterion == Criterion::gini)
      return static_cast<double>((G > 0.0) - (G < 0.0));
    const double W = weight_unit_ * static_cast<double>(sums.weight());
    if (rules_.criterion == Criterion::squared) {
      const double denominator = W + rules_.leaf_alpha;
      return denominator > 0.0 ? G / denominator : 0.0;
    }
    double epsilon = rules_.leaf_alpha;
    if (epsilon == 0.0) {
      const Sums& all = sums_[0];
      epsilon = weight_unit_ * static_cast<double>(all.weight()) /
                (2.0 * std::max(1.0, static_cast<double>(packed_count(all.packed))));
    }
    if (!(epsilon > 0.0)) return 0.0;
    const double positive = std::max(0.0, 0.5 * (W + G)), negative = std::max(0.0, 0.5 * (W - G));
    return 0.5 * std::log((positive + epsilon) / (negative + epsilon));
  }

  // Gives leaves their values, and makes a leaf of a node whose leaves would all have the same.
  void prune(std::int32_t at) {
    TreeNode& node = nodes_[static_cast<std::size_t>(at)];
    if (node.feature >= 0) {
      prune(node.left);
      prune(node.right);
      const TreeNode& left = nodes_[static_cast<std::size_t>(node.left)];
      const TreeNode& right = nodes_[static_cast<std::size_t>(node.right)];
      if (left.feature >= 0 || right.feature >= 0 || left.value != right.value) return;
      node = TreeNode{};
    }
    node.value = leaf_value(sums_[static_cast<std::size_t>(at)]);
  }

  std::int32_t flatten(std::int32_t at, std::vector<TreeNode>& tree) {
    if (at == 0) n_leaves_ = 0;
    const TreeNode node = nodes_[static_cast<std::size_t>(at)];
    const std::size_t place = tree.size();
    tree.push_back(node);
    if (node.feature < 0) {
      tree[place].leaf = n_leaves_++;
    } else {
      const std::int32_t left = flatten(node.left, tree), right = flatten(node.right, tree);
      tree[place].left = left;
      tree[place].right = right;
    }
    return static_cast<std::int32_t>(place);
  }

  void assign_leaves(const std::vector<TreeNode>& tree, std::uint8_t* leaves) const {
    std::fill_n(leaves, data_.n_rows, std::uint8_t{0});
    for (const TreeNode& node : tree) {
      if (node.feature < 0) continue;
      const auto f = static_cast<std::size_t>(node.feature);
      move_right(data_.n_rows, codes_of(f), {node.bin, node.missing_left, missing_code(f)},
                 first_leaf(tree, node.left), first_leaf(tree, node.right), leaves);
    }
  }

  static std::uint8_t first_leaf(const std::vector<TreeNode>& tree, std::int32_t at) {
    while (tree[static_cast<std::size_t>(at)].feature >= 0) at = tree[static_cast<std::size_t>(at)].left;
    return static_cast<std::uint8_t>(tree[static_cast<std::size_t>(at)].leaf);
  }

  // A split of rows that all have a value says nothing about those that have none; they follow the greater weight.
  void send_missing_to_the_heavier_side(const Rows& rows, std::vector<TreeNode>& tree, std::uint8_t* leaves) {
    assign_leaves(tree, leaves);
    std::array<std::int64_t, 256> weight{};
    for (std::size_t k = 0; k < rows.n; ++k) {
      const std::uint8_t leaf = leaves[rows.index ? rows.index[k] : k];
      if constexpr (with_weight)
        weight[leaf] += rows.weights[k].total;
      else
        weight[leaf] += std::abs(packed_sum(rows.weights[k].packed));
    }
    bool stale = false;
    heavier_side(0, weight, tree, stale);
    if (stale) assign_leaves(tree, leaves);
  }

  std::int64_t heavier_side(std::size_t at, const std::array<std::int64_t, 256>& weight, std::vector<TreeNode>& tree,
                            bool& stale) {
    TreeNode& node = tree[at];
    if (node.feature < 0) return weight[static_cast<std::size_t>(node.leaf)];
    const std::int64_t left = heavier_side(static_cast<std::size_t>(node.left), weight, tree, stale);
    const std::int64_t right = heavier_side(static_cast<std::size_t>(node.right), weight, tree, stale);
    const auto f = static_cast<std::size_t>(node.feature);
    if (!node.missing_seen && left >= right) {
      node.missing_left = true;
      stale = stale || has_missing_[f];
    }
    return left + right;
  }

  CodedFeatures data_;
  GrowingRules rules_;
  std::vector<std::size_t> offsets_;  // of each feature's histogram
  std::vector<bool> has_missing_;
  // One entry a level: histograms of the node and of its smaller children, lists of rows.
  std::vector<std::vector<Sums>> histograms_;
  std::vector<std::vector<std::uint32_t>> index_;
  std::vector<std::vector<Sums>> weights_;
  // The tree at work.
  std::vector<TreeNode> nodes_;
  std::vector<Sums> sums_;
  const std::vector<std::int32_t>* features_ = nullptr;
  Heartbeat* heartbeat_ = nullptr;
  double sum_unit_ = 1.0;
  double weight_unit_ = 1.0;
  std::int32_t n_leaves_ = 0;
};

}  // namespace

std::unique_ptr<TreeGrowerBase> make_tree_grower(const CodedFeatures& features, const GrowingRules& rules) {
  if (rules.criterion == Criterion::edge) return std::make_unique<TreeGrower<false>>(features, rules);
  return std::make_unique<TreeGrower<true>>(features, rules);
}

}  // namespace widemargin
