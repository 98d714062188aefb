// A block of videos as the loops need them: features contiguous, in place where X has them so, otherwise copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shot_kernels.h"

namespace widemargin {

// Videos in any layout. Position j of class e of video i is its shot order[(i * n_classes + e) * n_shots + j]; a null
// `order` means shot j for all classes.
template <class T>
struct Videos {
  const T* values;
  std::size_t n_videos, n_shots, n_features;
  std::ptrdiff_t video_stride, shot_stride, feature_stride;  // in elements
  const std::int32_t* order;
  std::size_t n_classes;

  std::size_t n_numbers() const { return n_shots * n_features; }
  const T* video(std::size_t i) const { return values + static_cast<std::ptrdiff_t>(i) * video_stride; }
  const std::int32_t* order_of(std::size_t i, std::size_t e) const {
    return order + (i * n_classes + e) * n_shots;
  }
};

template <class T>
class ShotBlock {
 public:
  explicit ShotBlock(const Videos<T>& videos);

  // Most videos that `load` takes.
  std::size_t capacity() const { return capacity_; }

  // Shots of W and their length as the loops see them: one long shot where the videos are flat.
  std::size_t n_shots() const { return n_shots_; }
  std::size_t n_features() const { return n_features_; }

  // Takes the `count` videos with these indices.
  void load(const std::size_t* indices, std::size_t count);

  // The loaded videos of the `count` (1 to group_size) given numbers, as class e sees them.
  VideoGroup<T> group(const std::size_t* members, std::size_t count, std::size_t e) const;

 private:
  enum class Copies { none, in_own_order, one_a_class };

  static Copies copies_of(const Videos<T>& videos);
  void copy_video(std::size_t i, const std::int32_t* order, T* target) const;
  void copy_across(const std::size_t* indices, std::size_t count, T* target) const;

  const Videos<T>& videos_;
  Copies copies_;
  bool reordered_;  // the loops look up the order
  std::size_t n_shots_, n_features_;
  std::ptrdiff_t shot_stride_;
  std::size_t capacity_;
  std::vector<T> scratch_;
  std::vector<std::size_t> indices_;
};

}  // namespace widemargin
