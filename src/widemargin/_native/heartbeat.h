// Lets a long loop be interrupted without knowing by whom.
#pragma once

#include <chrono>
#include <cstddef>

namespace widemargin {

// Calls `check` about five times a second; `check` throws to abandon the computation.
class Heartbeat {
 public:
  using Check = void (*)();

  explicit Heartbeat(Check check) : check_(check) {}

  // Reports `work` visited array elements. The clock is read once every few milliseconds of work.
  void beat(std::size_t work) {
    pending_ += work;
    if (pending_ < elements_per_reading) return;
    pending_ = 0;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    check_();
  }

 private:
  static constexpr std::size_t elements_per_reading = std::size_t{1} << 22;
  Check check_;
  std::size_t pending_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace widemargin
