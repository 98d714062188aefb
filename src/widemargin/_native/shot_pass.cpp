#include "shot_pass.h"

#include <algorithm>
#include <vector>

namespace widemargin {
namespace {

// Numbers of W that stay in the first cache while the groups of a block pass over them.
constexpr std::size_t tile_size = 2048;

// Calls run(tile) for tiles that cover W once, of whole shots where these are short.
template <class Run>
void for_each_tile(std::size_t n_shots, std::size_t n_features, Run run) {
  const std::size_t shots = std::max<std::size_t>(1, tile_size / n_features);
  const std::size_t length = std::min(n_features, tile_size);
  for (std::size_t first = 0; first < n_shots; first += shots)
    for (std::size_t offset = 0; offset < n_features; offset += length)
      run(Tile{first, std::min(first + shots, n_shots), offset, std::min(length, n_features - offset), n_features});
}

// Calls visit(block, indices, count) for blocks of the videos that `wanted` names.
template <class T, class Wanted, class Visit>
void for_each_block(const Videos<T>& videos, Heartbeat& heartbeat, Wanted wanted, Visit visit) {
  ShotBlock<T> block(videos);
  std::vector<std::size_t> indices;
  indices.reserve(block.capacity());
  for (std::size_t i = 0; i < videos.n_videos; ++i) {
    if (wanted(i)) indices.push_back(i);
    if (indices.empty() || (indices.size() < block.capacity() && i + 1 < videos.n_videos)) continue;
    block.load(indices.data(), indices.size());
    visit(block, indices);
    heartbeat.beat(indices.size() * videos.n_numbers() * videos.n_classes);
    indices.clear();
  }
}

// Scores of the loaded videos, (count x n_classes).
template <class T>
void score_block(const ShotBlock<T>& block, const Videos<T>& videos, std::size_t count, const double* W,
                 const double* intercept, double* scores) {
  std::size_t members[group_size];
  std::vector<VideoGroup<T>> groups;
  std::vector<double> sums((count + group_size - 1) / group_size * group_size);
  for (std::size_t e = 0; e < videos.n_classes; ++e) {
    groups.clear();
    for (std::size_t r = 0; r < count; r += group_size) {
      const std::size_t size = std::min(group_size, count - r);
      for (std::size_t s = 0; s < size; ++s) members[s] = r + s;
      groups.push_back(block.group(members, size, e));
    }
    std::fill(sums.begin(), sums.end(), 0.0);
    for_each_tile(block.n_shots(), block.n_features(), [&](const Tile& tile) {
      for (std::size_t g = 0; g < groups.size(); ++g)
        add_products(groups[g], tile, W + e * videos.n_numbers(), sums.data() + g * group_size);
    });
    for (std::size_t r = 0; r < count; ++r) scores[r * videos.n_classes + e] = sums[r] + intercept[e];
  }
}

// gradient += residual (count x n_classes) times the loaded videos.
template <class T>
void combine_block(const ShotBlock<T>& block, const Videos<T>& videos, std::size_t count, const double* residual,
                   double* gradient) {
  std::vector<std::size_t> members;
  std::vector<VideoGroup<T>> groups;
  std::vector<double> factors;
  for (std::size_t e = 0; e < videos.n_classes; ++e) {
    members.clear();
    factors.clear();
    groups.clear();
    for (std::size_t r = 0; r < count; ++r) {
      const double factor = residual[r * videos.n_classes + e];
      if (factor == 0.0) continue;
      members.push_back(r);
      factors.push_back(factor);
    }
    factors.resize((members.size() + group_size - 1) / group_size * group_size, 0.0);
    for (std::size_t r = 0; r < members.size(); r += group_size)
      groups.push_back(block.group(members.data() + r, std::min(group_size, members.size() - r), e));
    for_each_tile(block.n_shots(), block.n_features(), [&](const Tile& tile) {
      for (std::size_t g = 0; g < groups.size(); ++g)
        add_videos(groups[g], tile, factors.data() + g * group_size, gradient + e * videos.n_numbers());
    });
  }
}

}  // namespace

template <class T>
void shot_scores(const Videos<T>& videos, const double* W, const double* intercept, Heartbeat& heartbeat,
                 double* scores) {
  for_each_block(
      videos, heartbeat, [](std::size_t) { return true; },
      [&](const ShotBlock<T>& block, const std::vector<std::size_t>& indices) {
        // Consecutive videos: all are wanted.
        score_block(block, videos, indices.size(), W, intercept, scores + indices.front() * videos.n_classes);
      });
}

template <class T>
double shot_pass(const Videos<T>& videos, const double* W, const double* intercept, const std::int32_t* targets,
                 const double* weight, const ShotLosses& losses, Heartbeat& heartbeat, double* scores,
                 double* gradient, double* residual_sums) {
  const std::size_t k = videos.n_classes;
  std::fill_n(scores, videos.n_videos * k, 0.0);
  std::fill_n(gradient, k * videos.n_numbers(), 0.0);
  std::fill_n(residual_sums, k, 0.0);
  std::vector<double> of_block, residual;
  double value = 0.0;
  for_each_block(
      videos, heartbeat, [&](std::size_t i) { return weight[i] != 0.0; },
      [&](const ShotBlock<T>& block, const std::vector<std::size_t>& indices) {
        of_block.resize(indices.size() * k);
        residual.resize(indices.size() * k);
        score_block(block, videos, indices.size(), W, intercept, of_block.data());
        for (std::size_t r = 0; r < indices.size(); ++r) {
          const std::size_t i = indices[r];
          std::copy_n(of_block.data() + r * k, k, scores + i * k);
          value += losses(of_block.data() + r * k, targets[i], weight[i], residual.data() + r * k);
          for (std::size_t e = 0; e < k; ++e) residual_sums[e] += residual[r * k + e];
        }
        combine_block(block, videos, indices.size(), residual.data(), gradient);
      });
  return value;
}

template <class T>
void shot_combination(const Videos<T>& videos, const double* residual, Heartbeat& heartbeat, double* gradient) {
  const std::size_t k = videos.n_classes;
  std::fill_n(gradient, k * videos.n_numbers(), 0.0);
  std::vector<double> of_block;
  const auto wanted = [&](std::size_t i) {
    return std::any_of(residual + i * k, residual + (i + 1) * k, [](double factor) { return factor != 0.0; });
  };
  for_each_block(videos, heartbeat, wanted,
                 [&](const ShotBlock<T>& block, const std::vector<std::size_t>& indices) {
                   of_block.clear();
                   for (const std::size_t i : indices)
                     of_block.insert(of_block.end(), residual + i * k, residual + (i + 1) * k);
                   combine_block(block, videos, indices.size(), of_block.data(), gradient);
                 });
}

template void shot_scores(const Videos<float>&, const double*, const double*, Heartbeat&, double*);
template void shot_scores(const Videos<double>&, const double*, const double*, Heartbeat&, double*);
template double shot_pass(const Videos<float>&, const double*, const double*, const std::int32_t*, const double*,
                          const ShotLosses&, Heartbeat&, double*, double*, double*);
template double shot_pass(const Videos<double>&, const double*, const double*, const std::int32_t*, const double*,
                          const ShotLosses&, Heartbeat&, double*, double*, double*);
template void shot_combination(const Videos<float>&, const double*, Heartbeat&, double*);
template void shot_combination(const Videos<double>&, const double*, Heartbeat&, double*);

}  // namespace widemargin
