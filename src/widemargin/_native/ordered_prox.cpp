#include "ordered_prox.h"

#include <algorithm>
#include <cmath>

#include "dispatch.h"
#include "soft_threshold.h"

namespace widemargin {
namespace {

using Sign = Finish::Sign;

// The final step, for one entry: `w` gives the sign under Sign::magnitude.
template <Sign sign>
WIDEMARGIN_INLINE double finished(double z, double w, double threshold, double scale) {
  if constexpr (sign == Sign::free) {
    return scale * soft_threshold(z, threshold);
  } else {
    const double size = scale * excess_over(z, threshold);
    return sign == Sign::magnitude && w < 0.0 ? -size : size;
  }
}

// The range of a vector, and the largest steps up and down in it, 0 if there is none.
struct Extent {
  double least, most, rise, fall;
};

WIDEMARGIN_INLINE Extent extent_of(std::size_t n, const double* w) {
  double least = w[0], most = w[0], rise = 0.0, fall = 0.0;
#pragma omp simd reduction(min : least, fall) reduction(max : most, rise)
  for (std::size_t j = 1; j < n; ++j) {
    const double step = w[j] - w[j - 1];
    least = w[j] < least ? w[j] : least;
    most = w[j] > most ? w[j] : most;
    rise = step > rise ? step : rise;
    fall = step < fall ? step : fall;
  }
  return {least, most, rise, -fall};
}

// q' between its two ends. No z is outside the range of w, so that an end beyond it is put at the end of the range, with
// the value of q' there: no bound, however large, enters a sum then. Slopes are whole numbers, and positions are only
// subtracted from each other, which keeps the digits.
class Sweep {
 public:
  Sweep(std::size_t m, PieceKnot* knots, double least, double most)
      : knots_(knots), lower_(m - 1), upper_(m), least_(least), most_(most) {}

  ClipPoints start(double w, double rise, double fall) {
    const double down = w - least_, up = most_ - w;
    lower_value_ = std::min(fall, down);
    upper_value_ = std::min(rise, up);
    knots_[lower_] = {fall < down ? w - fall : least_, 1.0};
    knots_[upper_] = {rise < up ? w + rise : most_, -1.0};
    return {knots_[lower_].at, knots_[upper_].at};
  }

  // Adds x - w to the clipped q', and clips again.
  ClipPoints advance(double w, double rise, double fall) {
    const double up = (knots_[upper_].at - w) + (upper_value_ - rise);
    move_lower(w, fall);
    move_upper(w, rise, up);
    return {knots_[lower_].at, knots_[upper_].at};
  }

  // The zero of the last q'.
  double finish(double w) const {
    const double need = (w - knots_[lower_].at) + lower_value_;
    return need > 0.0 ? climb(need).at : std::max(w + lower_value_, least_);
  }

 private:
  struct Point {
    double at;
    double slope;      // towards the other end
    std::size_t knot;  // the nearest one on the way back
  };

  // Where q' is higher than at its lower end by `need`, once x - w is added.
  Point climb(double need) const {
    double slope = 1.0;
    for (std::size_t k = lower_;; ++k) {
      slope += knots_[k].kink;
      if (k == upper_) return {std::min(knots_[k].at + need, most_), slope, k};
      const double gap = knots_[k + 1].at - knots_[k].at;
      if (need <= slope * gap) return {std::min(knots_[k].at + need / slope, knots_[k + 1].at), slope, k};
      need -= slope * gap;
    }
  }

  // Where q' is lower than at its upper end by `need`. Rounding may ask for a point below the lower end, which is not
  // passed.
  Point descend(double need) const {
    double slope = 1.0;
    for (std::size_t k = upper_; k > lower_; --k) {
      slope -= knots_[k].kink;
      const double gap = knots_[k].at - knots_[k - 1].at;
      if (need <= slope * gap) return {std::max(knots_[k].at - need / slope, knots_[k - 1].at), slope, k};
      need -= slope * gap;
    }
    return {knots_[lower_].at, slope, lower_ + 1};
  }

  void move_lower(double w, double fall) {
    const double need = (w - knots_[lower_].at) + (lower_value_ - fall);
    if (need > 0.0) {
      const Point point = climb(need);
      lower_ = point.knot;
      knots_[lower_] = {point.at, point.slope};
      lower_value_ = fall;
    } else if (knots_[lower_].at <= least_) {
      knots_[lower_].kink += 1.0;
      lower_value_ += w - least_;
    } else {
      const double at = w + (lower_value_ - fall);
      lower_value_ = at > least_ ? fall : lower_value_ + (w - least_);
      knots_[--lower_] = {std::max(at, least_), 1.0};
    }
  }

  // The lower end moves first; it may have taken the place of the upper one's knot, which then needs a new one.
  void move_upper(double w, double rise, double need) {
    if (need > 0.0) {
      const Point point = descend(need);
      upper_ = point.knot;
      knots_[upper_] = {point.at, -point.slope};
      upper_value_ = rise;
    } else if (knots_[upper_].at >= most_ && lower_ != upper_) {
      knots_[upper_].kink -= 1.0;
      upper_value_ += most_ - w;
    } else {
      const double at = w + (rise - upper_value_), lowest = knots_[upper_].at;
      upper_value_ = at < most_ ? rise : upper_value_ + (most_ - w);
      knots_[++upper_] = {std::max(lowest, std::min(at, most_)), -1.0};
    }
  }

  PieceKnot* knots_;
  std::size_t lower_, upper_;  // the knots at the ends
  double lower_value_, upper_value_;  // |q'| there
  double least_, most_;               // the range of w
};

template <Sign sign, class T>
void map_rows(std::size_t n, T* rows, OrderedRow& row, const Finish& finish, Heartbeat& heartbeat) {
  const std::size_t m = row.size();
  const bool keeps_unchanged = finish.is_identity();
  std::vector<double> work(m);
  double* z = work.data();
  for (std::size_t i = 0; i < n; ++i) {
    T* w = rows + i * m;
    for (std::size_t j = 0; j < m; ++j) z[j] = sign == Sign::magnitude ? std::abs(w[j]) : w[j];
    if (row.solve(z) || !keeps_unchanged)
      for (std::size_t j = 0; j < m; ++j)
        w[j] = static_cast<T>(
            finished<sign>(z[j], static_cast<double>(w[j]), finish.threshold, finish.scale));
    heartbeat.beat(m);
  }
}

// So many doubles of a block of columns stay in the second level cache beside the matrix' own lines.
constexpr std::size_t block_elements = 8192;
constexpr std::size_t line = 8;  // doubles

template <Sign sign>
void map_columns(std::size_t d, const double* W, OrderedRow& row, const Finish& finish, Heartbeat& heartbeat,
                 double* out) {
  const std::size_t m = row.size();
  const std::size_t width = std::min(d, std::max(line, block_elements / m / line * line));
  std::vector<double> work(width * m);
  double* block = work.data();
  for (std::size_t first = 0; first < d; first += width) {
    const std::size_t n = std::min(width, d - first);
    for (std::size_t j = 0; j < m; ++j) {
      const double* w = W + j * d + first;
      for (std::size_t f = 0; f < n; ++f) block[f * m + j] = sign == Sign::magnitude ? std::abs(w[f]) : w[f];
    }
    for (std::size_t f = 0; f < n; ++f) row.solve(block + f * m);
    for (std::size_t j = 0; j < m; ++j) {
      const double* w = W + j * d + first;
      double* z = out + j * d + first;
      for (std::size_t f = 0; f < n; ++f)
        z[f] = finished<sign>(block[f * m + j], w[f], finish.threshold, finish.scale);
    }
    heartbeat.beat(n * m);
  }
}

template <bool magnitude>
WIDEMARGIN_INLINE double differences(std::size_t d, const double* before, const double* after, double rise,
                                     double fall) {
  double rises = 0.0, falls = 0.0;
#pragma omp simd reduction(+ : rises, falls)
  for (std::size_t f = 0; f < d; ++f) {
    const double u = magnitude ? std::abs(before[f]) : before[f], v = magnitude ? std::abs(after[f]) : after[f];
    rises += excess_over(v, u);
    falls += excess_over(u, v);
  }
  return rise * rises + fall * falls;
}

}  // namespace

OrderedRow::OrderedRow(std::size_t m, const double* rise, const double* fall)
    : m_(m), rise_(rise), fall_(fall), knots_(2 * m), clips_(m) {
  Part part{0, 1, false, false};
  for (std::size_t j = 1; j < m; ++j, ++part.end) {
    const double up = rise[j - 1], down = fall[j - 1];
    if (up > 0.0 || down > 0.0) {
      part.rises |= up > 0.0;
      part.falls |= down > 0.0;
      continue;
    }
    if (part.end - part.begin > 1) parts_.push_back(part);
    part = {j, j, false, false};
  }
  if (part.end - part.begin > 1) parts_.push_back(part);
}

bool OrderedRow::solve(double* w) {
  bool changed = false;
  for (const Part& part : parts_) changed |= solve(part, w);
  return changed;
}

bool OrderedRow::solve(const Part& part, double* w) {
  const Extent extent = extent_of(part.end - part.begin, w + part.begin);
  if (!(extent.rise > 0.0 && part.rises) && !(extent.fall > 0.0 && part.falls)) return false;

  Sweep sweep(m_, knots_.data(), extent.least, extent.most);
  ClipPoints* clips = clips_.data();
  const std::size_t last = part.end - 1;
  clips[part.begin] = sweep.start(w[part.begin], rise_[part.begin], fall_[part.begin]);
  for (std::size_t j = part.begin + 1; j < last; ++j) clips[j] = sweep.advance(w[j], rise_[j], fall_[j]);
  double z = sweep.finish(w[last]);
  w[last] = z;
  for (std::size_t j = last; j-- > part.begin;) {
    z = std::max(clips[j].lower, std::min(clips[j].upper, z));
    w[j] = z;
  }
  return true;
}

template <class T>
void ordered_prox_rows(std::size_t n, T* rows, OrderedRow& row, const Finish& finish, Heartbeat& heartbeat) {
  switch (finish.sign) {
    case Sign::free: return map_rows<Sign::free>(n, rows, row, finish, heartbeat);
    case Sign::magnitude: return map_rows<Sign::magnitude>(n, rows, row, finish, heartbeat);
    case Sign::nonnegative: return map_rows<Sign::nonnegative>(n, rows, row, finish, heartbeat);
  }
}

template void ordered_prox_rows(std::size_t, float*, OrderedRow&, const Finish&, Heartbeat&);
template void ordered_prox_rows(std::size_t, double*, OrderedRow&, const Finish&, Heartbeat&);

void ordered_prox_columns(std::size_t d, const double* W, OrderedRow& row, const Finish& finish,
                          Heartbeat& heartbeat, double* out) {
  switch (finish.sign) {
    case Sign::free: return map_columns<Sign::free>(d, W, row, finish, heartbeat, out);
    case Sign::magnitude: return map_columns<Sign::magnitude>(d, W, row, finish, heartbeat, out);
    case Sign::nonnegative: return map_columns<Sign::nonnegative>(d, W, row, finish, heartbeat, out);
  }
}

WIDEMARGIN_CLONES
double order_penalty(std::size_t m, std::size_t d, const double* W, const double* rise, const double* fall,
                     bool magnitude) {
  double penalty = 0.0;
  for (std::size_t j = 1; j < m; ++j) {
    const double *before = W + (j - 1) * d, *after = W + j * d;
    penalty += magnitude ? differences<true>(d, before, after, rise[j - 1], fall[j - 1])
                         : differences<false>(d, before, after, rise[j - 1], fall[j - 1]);
  }
  return penalty;
}

}  // namespace widemargin
