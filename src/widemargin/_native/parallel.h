// Runs independent pieces of work on a few threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace widemargin {

// Calls run(part, begin, end) for `n_parts` contiguous parts of [0, n); part 0 runs on the calling thread. The
// first exception is thrown again once all parts have ended.
template <class Run>
void run_in_parts(std::size_t n, std::size_t n_parts, Run run) {
  n_parts = std::max<std::size_t>(1, std::min(n_parts, n));
  if (n_parts == 1) {
    run(std::size_t{0}, std::size_t{0}, n);
    return;
  }
  std::vector<std::exception_ptr> failures(n_parts);
  const auto guarded = [&](std::size_t part) noexcept {
    try {
      run(part, part * n / n_parts, (part + 1) * n / n_parts);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(n_parts - 1);
  std::size_t started = 1;
  try {
    for (; started < n_parts; ++started) threads.emplace_back(guarded, started);
  } catch (...) {
    // No thread to be had: what is left runs here.
  }
  guarded(0);
  for (std::size_t part = started; part < n_parts; ++part) guarded(part);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace widemargin
