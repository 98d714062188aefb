// Proximal maps of penalties on the order of the entries of a vector: for w of length m and bounds a, b >= 0,
//
//   minimise over z   1/2 |z - w|^2 + sum_{j=1}^{m-1} a_j (z_j - z_{j-1})_+ + b_j (z_{j-1} - z_j)_+
//
// by the dynamic program of Johnson (2013), in O(m) on any data. With q_j(x) the least cost of w_0..w_j given z_j = x,
// the derivative of q_j is piecewise linear and increasing, and
//
//   q_0'(x) = x - w_0,   q_j'(x) = x - w_j + clip(q_{j-1}'(x), -b_j, a_j)
//
// so that only two ends move in a step: the points where q' meets -b_j and a_j. The last z is the zero of the last q',
// and the ones before it follow by z_{j-1} = clip(z_j, between these two points of step j).
//
// Signs, zeros and shrinkage are outside: see `Finish`.
#pragma once

#include <cstddef>
#include <vector>

#include "heartbeat.h"

namespace widemargin {

// How the sign of z is ruled, and what is done to z in the end.
struct Finish {
  // magnitude: solve for |w| and give z the signs of w, + where w is zero. nonnegative: z >= 0, whatever w.
  enum class Sign { free, magnitude, nonnegative };
  Sign sign = Sign::free;
  double threshold = 0.0;  // soft thresholding, before the scaling
  double scale = 1.0;

  bool is_identity() const { return sign != Sign::nonnegative && threshold == 0.0 && scale == 1.0; }
};

// By how much the slope of q' grows at a point, from left to right.
struct PieceKnot {
  double at;
  double kink;
};

// Where q' is cut off at its lower and at its upper bound.
struct ClipPoints {
  double lower;
  double upper;
};

// The dynamic program, with its scratch memory, for vectors of one length and one set of bounds.
class OrderedRow {
 public:
  // `rise` (a) and `fall` (b) have m - 1 elements, which may be infinite; they are read while the object lives.
  OrderedRow(std::size_t m, const double* rise, const double* fall);

  std::size_t size() const { return m_; }
  // Replaces the finite w by z, and says whether anything changed.
  bool solve(double* w);

 private:
  // Pairs with two bounds of zero are not linked: a part lies between two of these.
  struct Part {
    std::size_t begin, end;
    bool rises, falls;  // whether any pair is bound in this direction
  };
  bool solve(const Part& part, double* w);

  std::size_t m_;
  const double* rise_;
  const double* fall_;
  std::vector<Part> parts_;
  std::vector<PieceKnot> knots_;
  std::vector<ClipPoints> clips_;
};

// Replaces each of n contiguous rows by its map.
template <class T>
void ordered_prox_rows(std::size_t n, T* rows, OrderedRow& row, const Finish& finish, Heartbeat& heartbeat);

// Maps the columns of a row-major (m, d) matrix; `out` may be `W`.
void ordered_prox_columns(std::size_t d, const double* W, OrderedRow& row, const Finish& finish,
                          Heartbeat& heartbeat, double* out);

// sum_{j, f} rise_j (W_jf - W_{j-1,f})_+ + fall_j (W_{j-1,f} - W_jf)_+ of a row-major (m, d) matrix, or of |W|.
double order_penalty(std::size_t m, std::size_t d, const double* W, const double* rise, const double* fall,
                     bool magnitude);

}  // namespace widemargin
