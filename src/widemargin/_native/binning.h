// Bins of real features: thresholds from a sample of rows, and codes of one byte.
//
// A feature with k thresholds has the k + 1 bins of values 0..k, where bin b holds threshold[b - 1] < x <=
// threshold[b], and the code k + 1 for missing values (NaN). So x <= threshold[b] exactly if code <= b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heartbeat.h"
#include "table.h"

namespace widemargin {

inline constexpr std::size_t most_value_bins = 255;  // one code of a byte is left for missing values

// Thresholds of all features after another, and where each feature's start (n_columns + 1 offsets).
struct Thresholds {
  std::vector<double> values;
  std::vector<std::int64_t> offsets;
};

// Up to `n_bins` bins of values a feature, from the rows given. Distinct values get bins of their own where they are
// few enough; else bins of about equal counts.
template <class T>
Thresholds find_thresholds(const Table<T>& table, const std::vector<std::size_t>& rows, std::size_t n_bins,
                           std::size_t n_threads, Heartbeat& heartbeat);

// `codes` is n_columns x n_rows.
template <class T>
void encode(const Table<T>& table, const double* thresholds, const std::int64_t* offsets, std::size_t n_threads,
            Heartbeat& heartbeat, std::uint8_t* codes);

}  // namespace widemargin
