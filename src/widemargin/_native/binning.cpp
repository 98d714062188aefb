#include "binning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "dispatch.h"
#include "parallel.h"
#include "round_down.h"

namespace widemargin {
namespace {

// Unsigned integers in the order of the values they stand for.
template <class T>
using Key = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
WIDEMARGIN_INLINE Key<T> key_of(T value) {
  constexpr Key<T> top = Key<T>{1} << (8 * sizeof(T) - 1);
  value += T{0};  // -0 and 0 are one value
  Key<T> bits;
  std::memcpy(&bits, &value, sizeof(T));
  return bits & top ? static_cast<Key<T>>(~bits) : bits | top;
}

template <class T>
double value_of(Key<T> key) {
  constexpr Key<T> top = Key<T>{1} << (8 * sizeof(T) - 1);
  const Key<T> bits = key & top ? key ^ top : static_cast<Key<T>>(~key);
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

// Radix sort by the upper 32 bits, in digits of 11 of which those that all keys share are skipped. Below them keys
// seldom differ in another order: insertion puts them right, or std::sort where that takes too many moves.
template <class K>
void sort_keys(std::vector<K>& keys, std::vector<K>& scratch) {
  constexpr std::size_t digit_bits = 11, n_digits = 3, radix = std::size_t{1} << digit_bits;
  constexpr std::size_t lowest = 8 * sizeof(K) - 32;
  const std::size_t n = keys.size();
  if (n < radix) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  std::array<std::array<std::uint32_t, radix>, n_digits> counts{};
  for (const K key : keys)
    for (std::size_t d = 0; d < n_digits; ++d) ++counts[d][(key >> (lowest + d * digit_bits)) & (radix - 1)];
  scratch.resize(n);
  for (std::size_t d = 0; d < n_digits; ++d) {
    std::array<std::uint32_t, radix>& count = counts[d];
    const std::size_t shift = lowest + d * digit_bits;
    if (count[(keys[0] >> shift) & (radix - 1)] == n) continue;
    std::uint32_t before = 0;
    for (std::uint32_t& place : count) {
      const std::uint32_t here = place;
      place = before;
      before += here;
    }
    for (const K key : keys) scratch[count[(key >> shift) & (radix - 1)]++] = key;
    keys.swap(scratch);
  }
  if (lowest == 0) return;
  std::size_t moves = 0;
  for (std::size_t k = 1; k < n; ++k) {
    const K key = keys[k];
    std::size_t place = k;
    for (; place > 0 && keys[place - 1] > key; --place) keys[place] = keys[place - 1];
    keys[place] = key;
    moves += k - place;
    if (moves <= 4 * n) continue;
    std::sort(keys.begin(), keys.end());
    return;
  }
}

// A number t with low <= t < high near their middle: rounding must not lift it to `high`, nor a sum overflow.
double between(double low, double high) {
  const double middle = 0.5 * low + 0.5 * high;
  return middle < high && middle >= low ? middle : low;
}

// Cuts sorted keys into at most `n_bins` bins. Where there are no more distinct values than that, each has a bin;
// else a bin is closed once it holds its share of the rows that were left when it was opened, and before a value that
// has a whole share by itself.
template <class T>
void cut(const std::vector<Key<T>>& keys, std::size_t n_bins, std::vector<double>& thresholds) {
  thresholds.clear();
  const auto close_before = [&](std::size_t k) {
    thresholds.push_back(between(value_of<T>(keys[k - 1]), value_of<T>(keys[k])));
  };
  const std::size_t n = keys.size();
  for (std::size_t k = 1; k < n && thresholds.size() < n_bins; ++k)
    if (keys[k] != keys[k - 1]) close_before(k);
  if (thresholds.size() < n_bins) return;
  thresholds.clear();
  std::size_t start = 0;
  for (std::size_t bins_left = n_bins; bins_left > 1; --bins_left) {
    const std::size_t left = n - start, last = start + (left - 1) / bins_left;
    const auto [first_equal, after_equal] = std::equal_range(keys.begin() + static_cast<std::ptrdiff_t>(start),
                                                             keys.end(), keys[last]);
    const auto equal_from = static_cast<std::size_t>(first_equal - keys.begin());
    const auto equal_to = static_cast<std::size_t>(after_equal - keys.begin());
    const bool has_whole_share = (equal_to - equal_from) * bins_left >= left;
    start = has_whole_share && equal_from > start ? equal_from : equal_to;
    if (start == n) return;
    close_before(start);
  }
}

// Threads are not worth their start below a few milliseconds of work.
std::size_t parts_for(std::size_t elements, std::size_t n_threads) {
  return elements < (std::size_t{1} << 20) ? 1 : n_threads;
}

constexpr std::size_t tile_columns = 16;

template <class T>
class ThresholdFinder {
 public:
  ThresholdFinder(const Table<T>& table, const std::vector<std::size_t>& rows, std::size_t n_bins)
      : table_(table), rows_(rows), n_bins_(n_bins) {}

  // Thresholds of up to `tile_columns` columns, which are read together since a row's lie side by side.
  void find(std::size_t first, std::size_t last, std::vector<double>* thresholds) {
    std::array<std::size_t, tile_columns> n{};
    for (std::size_t column = first; column < last; ++column) keys_[column - first].resize(rows_.size());
    for (const std::size_t row : rows_)
      for (std::size_t column = first; column < last; ++column) {
        const T value = table_.at(row, column);
        keys_[column - first][n[column - first]] = key_of(value);
        n[column - first] += value == value;
      }
    for (std::size_t column = first; column < last; ++column) {
      std::vector<Key<T>>& keys = keys_[column - first];
      keys.resize(n[column - first]);
      sort_keys(keys, scratch_);
      cut<T>(keys, n_bins_, thresholds[column]);
    }
  }

 private:
  const Table<T>& table_;
  const std::vector<std::size_t>& rows_;
  std::size_t n_bins_;
  std::array<std::vector<Key<T>>, tile_columns> keys_;
  std::vector<Key<T>> scratch_;
};

constexpr std::size_t tile_rows = 256;

// The number of thresholds below each value, by a binary search without branches whose steps go over all values.
template <class T>
WIDEMARGIN_INLINE void search(const T* thresholds, std::uint32_t first_step, std::uint32_t missing, const T* values,
                              std::uint8_t* codes) {
  std::uint32_t position[tile_rows];
  for (std::size_t i = 0; i < tile_rows; ++i) position[i] = 0;
  for (std::uint32_t step = first_step; step > 0; step /= 2)
    for (std::size_t i = 0; i < tile_rows; ++i)
      position[i] += thresholds[position[i] + step - 1] < values[i] ? step : 0;
  for (std::size_t i = 0; i < tile_rows; ++i)
    codes[i] = static_cast<std::uint8_t>(values[i] == values[i] ? position[i] : missing);
}

WIDEMARGIN_CLONES void search_tile(const double* thresholds, std::uint32_t first_step, std::uint32_t missing,
                                   const double* values, std::uint8_t* codes) {
  search(thresholds, first_step, missing, values, codes);
}

WIDEMARGIN_CLONES void search_tile(const float* thresholds, std::uint32_t first_step, std::uint32_t missing,
                                   const float* values, std::uint8_t* codes) {
  search(thresholds, first_step, missing, values, codes);
}

}  // namespace

template <class T>
Thresholds find_thresholds(const Table<T>& table, const std::vector<std::size_t>& rows, std::size_t n_bins,
                           std::size_t n_threads, Heartbeat& heartbeat) {
  std::vector<std::vector<double>> found(table.n_columns);
  const std::size_t n_tiles = (table.n_columns + tile_columns - 1) / tile_columns;
  run_in_parts(n_tiles, parts_for(rows.size() * table.n_columns, n_threads),
               [&](std::size_t part, std::size_t begin, std::size_t end) {
                 ThresholdFinder<T> finder(table, rows, n_bins);
                 for (std::size_t tile = begin; tile < end; ++tile) {
                   const std::size_t first = tile * tile_columns;
                   finder.find(first, std::min(first + tile_columns, table.n_columns), found.data());
                   if (part == 0) heartbeat.beat(16 * rows.size() * tile_columns);
                 }
               });
  Thresholds thresholds{{}, {0}};
  for (const std::vector<double>& of_feature : found) {
    thresholds.values.insert(thresholds.values.end(), of_feature.begin(), of_feature.end());
    thresholds.offsets.push_back(static_cast<std::int64_t>(thresholds.values.size()));
  }
  return thresholds;
}

template <class T>
void encode(const Table<T>& table, const double* thresholds, const std::int64_t* offsets, std::size_t n_threads,
            Heartbeat& heartbeat, std::uint8_t* codes) {
  // Padded with infinity to 2^k - 1 thresholds a feature, so that every search of a feature takes k steps.
  std::vector<T> padded(table.n_columns * most_value_bins, std::numeric_limits<T>::infinity());
  std::vector<std::uint32_t> first_steps(table.n_columns, 0);
  for (std::size_t column = 0; column < table.n_columns; ++column) {
    const auto n = static_cast<std::size_t>(offsets[column + 1] - offsets[column]);
    for (std::size_t k = 0; k < n; ++k)
      padded[column * most_value_bins + k] = round_down<T>(thresholds[offsets[column] + static_cast<std::int64_t>(k)]);
    for (std::uint32_t reach = 0; reach < n; reach = 2 * first_steps[column] - 1)
      first_steps[column] = std::max<std::uint32_t>(1, 2 * first_steps[column]);
  }
  const std::size_t n_tiles = (table.n_rows + tile_rows - 1) / tile_rows;
  run_in_parts(n_tiles, parts_for(table.n_rows * table.n_columns, n_threads),
               [&](std::size_t part, std::size_t begin, std::size_t end) {
                 std::vector<T> tile(tile_columns * tile_rows, T{0});
                 std::uint8_t tile_codes[tile_rows];
                 for (std::size_t block = begin; block < end; ++block) {
                   const std::size_t row = block * tile_rows, n = std::min(tile_rows, table.n_rows - row);
                   for (std::size_t first = 0; first < table.n_columns; first += tile_columns) {
                     const std::size_t n_columns = std::min(tile_columns, table.n_columns - first);
                     for (std::size_t i = 0; i < n; ++i)
                       for (std::size_t k = 0; k < n_columns; ++k)
                         tile[k * tile_rows + i] = table.at(row + i, first + k);
                     for (std::size_t k = 0; k < n_columns; ++k) {
                       const std::size_t column = first + k;
                       const auto missing = static_cast<std::uint32_t>(offsets[column + 1] - offsets[column] + 1);
                       search_tile(padded.data() + column * most_value_bins, first_steps[column], missing,
                                   tile.data() + k * tile_rows, tile_codes);
                       std::memcpy(codes + column * table.n_rows + row, tile_codes, n);
                     }
                   }
                   if (part == 0) heartbeat.beat(8 * n * table.n_columns);
                 }
               });
}

template Thresholds find_thresholds(const Table<float>&, const std::vector<std::size_t>&, std::size_t, std::size_t,
                                    Heartbeat&);
template Thresholds find_thresholds(const Table<double>&, const std::vector<std::size_t>&, std::size_t, std::size_t,
                                    Heartbeat&);
template void encode(const Table<float>&, const double*, const std::int64_t*, std::size_t, Heartbeat&, std::uint8_t*);
template void encode(const Table<double>&, const double*, const std::int64_t*, std::size_t, Heartbeat&,
                     std::uint8_t*);

}  // namespace widemargin
