#include "shot_block.h"

#include <algorithm>
#include <cstdlib>

namespace widemargin {
namespace {

// Shots of fewer features are copied into their order once, which costs less than many short loops.
constexpr std::size_t shortest_shot = 32;

// The numbers of a block are read twice or more: they are to stay in the second cache, or, where a video is large, in
// the third. Measured with videos of 328 KB: four at a time 18 ms a pass, 16 at a time 22 ms.
constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr std::size_t fewest_videos = group_size;
// Of copies: a cache line has room for 16 videos whose same feature lies side by side.
constexpr std::size_t fewest_copies = 16;
constexpr std::size_t most_videos = 256;

}  // namespace

template <class T>
typename ShotBlock<T>::Copies ShotBlock<T>::copies_of(const Videos<T>& videos) {
  const bool contiguous = videos.feature_stride == 1 || videos.n_features == 1;
  const bool flat = contiguous && (videos.shot_stride == static_cast<std::ptrdiff_t>(videos.n_features) ||
                                   videos.n_shots == 1);
  const bool long_shots = videos.n_features >= shortest_shot;
  if (flat && !videos.order) return Copies::none;
  if (contiguous && long_shots) return Copies::none;
  return videos.order && !long_shots ? Copies::one_a_class : Copies::in_own_order;
}

template <class T>
ShotBlock<T>::ShotBlock(const Videos<T>& videos)
    : videos_(videos), copies_(copies_of(videos)), reordered_(videos.order && copies_ != Copies::one_a_class) {
  const auto length = static_cast<std::ptrdiff_t>(videos.n_features);
  shot_stride_ = copies_ == Copies::none ? videos.shot_stride : length;
  const bool flat = !reordered_ && (shot_stride_ == length || videos.n_shots == 1);
  n_shots_ = flat ? 1 : videos.n_shots;
  n_features_ = flat ? videos.n_numbers() : videos.n_features;
  const std::size_t n_copies = copies_ == Copies::one_a_class ? videos.n_classes : 1;
  const std::size_t video_bytes = n_copies * videos.n_numbers() * sizeof(T);
  const std::size_t fewest = copies_ == Copies::none ? fewest_videos : fewest_copies;
  capacity_ = std::clamp(block_bytes / video_bytes / group_size * group_size, fewest, most_videos);
  capacity_ = std::max<std::size_t>(1, std::min(capacity_, videos.n_videos));
  indices_.reserve(capacity_);
  if (copies_ != Copies::none) scratch_.resize(capacity_ * n_copies * videos.n_numbers());
}

template <class T>
void ShotBlock<T>::copy_video(std::size_t i, const std::int32_t* order, T* target) const {
  for (std::size_t j = 0; j < videos_.n_shots; ++j) {
    const T* shot = videos_.video(i) + (order ? order[j] : static_cast<std::ptrdiff_t>(j)) * videos_.shot_stride;
    for (std::size_t c = 0; c < videos_.n_features; ++c)
      *target++ = shot[static_cast<std::ptrdiff_t>(c) * videos_.feature_stride];
  }
}

// Where the same feature of neighbouring videos shares a cache line, that line is read once.
template <class T>
void ShotBlock<T>::copy_across(const std::size_t* indices, std::size_t count, T* target) const {
  const std::size_t size = videos_.n_numbers();
  for (std::size_t j = 0; j < videos_.n_shots; ++j)
    for (std::size_t c = 0; c < videos_.n_features; ++c) {
      const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(j) * videos_.shot_stride +
                                    static_cast<std::ptrdiff_t>(c) * videos_.feature_stride;
      T* column = target++;
      for (std::size_t r = 0; r < count; ++r) column[r * size] = videos_.video(indices[r])[offset];
    }
}

template <class T>
void ShotBlock<T>::load(const std::size_t* indices, std::size_t count) {
  indices_.assign(indices, indices + count);
  const std::size_t size = videos_.n_numbers();
  if (copies_ == Copies::one_a_class) {
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t e = 0; e < videos_.n_classes; ++e)
        copy_video(indices[r], videos_.order_of(indices[r], e),
                   scratch_.data() + (r * videos_.n_classes + e) * size);
  } else if (copies_ == Copies::in_own_order) {
    if (std::abs(videos_.video_stride) < std::abs(videos_.feature_stride))
      copy_across(indices, count, scratch_.data());
    else
      for (std::size_t r = 0; r < count; ++r) copy_video(indices[r], nullptr, scratch_.data() + r * size);
  }
}

template <class T>
VideoGroup<T> ShotBlock<T>::group(const std::size_t* members, std::size_t count, std::size_t e) const {
  VideoGroup<T> group{};
  group.shot_stride = shot_stride_;
  const std::size_t size = videos_.n_numbers();
  for (std::size_t r = 0; r < group_size; ++r) {
    const std::size_t member = members[std::min(r, count - 1)], i = indices_[member];
    if (copies_ == Copies::none)
      group.shots[r] = videos_.video(i);
    else if (copies_ == Copies::in_own_order)
      group.shots[r] = scratch_.data() + member * size;
    else
      group.shots[r] = scratch_.data() + (member * videos_.n_classes + e) * size;
    group.order[r] = reordered_ ? videos_.order_of(i, e) : nullptr;
  }
  return group;
}

template class ShotBlock<float>;
template class ShotBlock<double>;

}  // namespace widemargin
