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

// Sums are those of float64 products, for float32 videos as well. Products of float32 took 5 to 15 % less time, but
// their rounding (1e-8 of an objective) hides how far an optimum is for tolerances below that, and a small alpha
// magnifies it in the weights.

// sums[r] += <video r, W> over the tile.
void add_products(const VideoGroup<float>& videos, const Tile& tile, const double* W, double* sums);
void add_products(const VideoGroup<double>& videos, const Tile& tile, const double* W, double* sums);

// gradient += sum_r factors[r] video r over the tile.
void add_videos(const VideoGroup<float>& videos, const Tile& tile, const double* factors, double* gradient);
void add_videos(const VideoGroup<double>& videos, const Tile& tile, const double* factors, double* gradient);

}  // namespace widemargin
