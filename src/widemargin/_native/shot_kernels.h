// The loops over the numbers of a few videos at once: products with W, and sums of videos.
//
// W and the gradient are far larger than the first cache, so that each of their numbers is loaded for several videos
// together; what is short of a group repeats its last video.
#pragma once

#include <cstddef>
#include <cstdint>

namespace widemargin {

inline constexpr std::size_t group_size = 4;

// Videos whose shots have contiguous features; `order` is null where position j is shot j.
template <class T>
struct VideoGroup {
  const T* shots[group_size];
  const std::int32_t* order[group_size];
  std::ptrdiff_t shot_stride;  // in elements
};

// Positions [first, last) of the shots, and of each `length` features from `offset` on, of `n_features`.
struct Tile {
  std::size_t first, last;
  std::size_t offset, length;
  std::size_t n_features;
};

// W and the factors have the type of the videos. Converting float32 videos to float64 takes longer than reading them
// from memory; their products are summed in float32 over at most 64 terms a lane, and these sums in float64. Callers
// scale W and the factors to at most 1, so that nothing of weight overflows or vanishes.

// sums[r] += <video r, W> over the tile.
void add_products(const VideoGroup<float>& videos, const Tile& tile, const float* W, double* sums);
void add_products(const VideoGroup<double>& videos, const Tile& tile, const double* W, double* sums);

// gradient += scale sum_r factors[r] video r over the tile.
void add_videos(const VideoGroup<float>& videos, const Tile& tile, const float* factors, double scale,
                double* gradient);
void add_videos(const VideoGroup<double>& videos, const Tile& tile, const double* factors, double scale,
                double* gradient);

}  // namespace widemargin
