#include "shot_kernels.h"

#include "dispatch.h"

namespace widemargin {
namespace {

template <class T>
WIDEMARGIN_INLINE const T* shot_at(const VideoGroup<T>& videos, std::size_t r, std::size_t position,
                                   std::size_t offset) {
  const std::ptrdiff_t shot =
      videos.order[r] ? videos.order[r][position] : static_cast<std::ptrdiff_t>(position);
  return videos.shots[r] + shot * videos.shot_stride + static_cast<std::ptrdiff_t>(offset);
}

template <class T>
WIDEMARGIN_INLINE void add_products_of(const VideoGroup<T>& videos, const Tile& tile, const double* W,
                                       double* sums) {
  double a_sum = sums[0], b_sum = sums[1], c_sum = sums[2], d_sum = sums[3];
  for (std::size_t j = tile.first; j < tile.last; ++j) {
    const double* w = W + j * tile.n_features + tile.offset;
    const T* a = shot_at(videos, 0, j, tile.offset);
    const T* b = shot_at(videos, 1, j, tile.offset);
    const T* c = shot_at(videos, 2, j, tile.offset);
    const T* d = shot_at(videos, 3, j, tile.offset);
#pragma omp simd reduction(+ : a_sum, b_sum, c_sum, d_sum)
    for (std::size_t t = 0; t < tile.length; ++t) {
      a_sum += w[t] * static_cast<double>(a[t]);
      b_sum += w[t] * static_cast<double>(b[t]);
      c_sum += w[t] * static_cast<double>(c[t]);
      d_sum += w[t] * static_cast<double>(d[t]);
    }
  }
  sums[0] = a_sum;
  sums[1] = b_sum;
  sums[2] = c_sum;
  sums[3] = d_sum;
}

template <class T>
WIDEMARGIN_INLINE void add_videos_of(const VideoGroup<T>& videos, const Tile& tile, const double* factors,
                                     double* gradient) {
  const double a_factor = factors[0], b_factor = factors[1], c_factor = factors[2], d_factor = factors[3];
  for (std::size_t j = tile.first; j < tile.last; ++j) {
    double* WIDEMARGIN_RESTRICT g = gradient + j * tile.n_features + tile.offset;
    const T* a = shot_at(videos, 0, j, tile.offset);
    const T* b = shot_at(videos, 1, j, tile.offset);
    const T* c = shot_at(videos, 2, j, tile.offset);
    const T* d = shot_at(videos, 3, j, tile.offset);
#pragma omp simd
    for (std::size_t t = 0; t < tile.length; ++t)
      g[t] += (a_factor * static_cast<double>(a[t]) + b_factor * static_cast<double>(b[t])) +
              (c_factor * static_cast<double>(c[t]) + d_factor * static_cast<double>(d[t]));
  }
}

}  // namespace

WIDEMARGIN_CLONES
void add_products(const VideoGroup<float>& videos, const Tile& tile, const double* W, double* sums) {
  add_products_of(videos, tile, W, sums);
}

WIDEMARGIN_CLONES
void add_products(const VideoGroup<double>& videos, const Tile& tile, const double* W, double* sums) {
  add_products_of(videos, tile, W, sums);
}

WIDEMARGIN_CLONES
void add_videos(const VideoGroup<float>& videos, const Tile& tile, const double* factors, double* gradient) {
  add_videos_of(videos, tile, factors, gradient);
}

WIDEMARGIN_CLONES
void add_videos(const VideoGroup<double>& videos, const Tile& tile, const double* factors, double* gradient) {
  add_videos_of(videos, tile, factors, gradient);
}

}  // namespace widemargin
