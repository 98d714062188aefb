// Thresholds in the type of the values they are compared with.
#pragma once

#include <cmath>
#include <limits>

namespace widemargin {

// The largest T that is not above `threshold`: x <= threshold means the same for it and every x of type T.
template <class T>
T round_down(double threshold) {
  T rounded = static_cast<T>(threshold);
  if (static_cast<double>(rounded) > threshold)
    rounded = std::nextafter(rounded, -std::numeric_limits<T>::infinity());
  return rounded;
}

}  // namespace widemargin
