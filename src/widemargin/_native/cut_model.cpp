// Where w >= 0, D is quadratic as long as no weight changes its sign: a semismooth Newton method maximises the
// quadratic of the present signs ("the model") and goes there as far as D rises. Model and D have the same slope,
// and the curvature of D is bounded, so that a line search gains a fixed share of what the model promises until the
// gap is closed. With free w the model is D.
//
// The model is maximised by pairs that violate optimality most, each followed by Newton steps among the positive
// multipliers. Cuts near the optimum are almost parallel: pairs alone take thousands of steps, the Newton steps a
// few, and pairs are what brings multipliers off zero.
#include "cut_model.h"

#include <algorithm>
#include <cmath>

#include "scan.h"

namespace widemargin {
namespace {

void regrow(std::vector<double>& matrix, std::size_t rows, std::size_t columns, std::size_t old_stride,
            std::size_t capacity, std::size_t stride) {
  std::vector<double> grown(capacity * stride, 0.0);
  for (std::size_t k = 0; k < rows; ++k)
    std::copy_n(matrix.data() + k * old_stride, columns, grown.data() + k * stride);
  matrix.swap(grown);
}

}  // namespace

CutModel::CutModel(double C, bool nonnegative, std::size_t n_columns)
    : C_(C),
      nonnegative_(nonnegative),
      n_columns_(n_columns),
      column_capacity_(n_columns),
      active_(n_columns, 1),
      dual_{{}, std::vector<double>(n_columns, 0.0), C},
      weights_(n_columns, 0.0) {}

void CutModel::reserve(std::size_t n_cuts, std::size_t n_columns) {
  const std::size_t cuts = n_cuts <= cut_capacity_ ? cut_capacity_ : std::max<std::size_t>(2 * n_cuts, 16);
  const std::size_t columns =
      n_columns <= column_capacity_ ? column_capacity_ : std::max<std::size_t>(2 * n_columns, 16);
  if (cuts == cut_capacity_ && columns == column_capacity_) return;
  regrow(features_, n_cuts_, n_columns_, column_capacity_, cuts, columns);
  if (cuts != cut_capacity_) regrow(gram_, n_cuts_, n_cuts_, cut_capacity_, cuts, cuts);
  cut_capacity_ = cuts;
  column_capacity_ = columns;
}

void CutModel::add_cut(double offset, const double* features) {
  reserve(n_cuts_ + 1, n_columns_);
  const std::size_t k = n_cuts_++;
  std::copy_n(features, n_columns_, row(k));
  masked_.assign(features, features + n_columns_);
  for (std::size_t t = 0; t < n_columns_; ++t)
    if (!active_[t]) masked_[t] = 0.0;
  for (std::size_t l = 0; l <= k; ++l)
    gram_row(k)[l] = gram_row(l)[k] = dot(n_columns_, masked_.data(), row(l));
  offsets_.push_back(offset);
  dual_.multipliers.push_back(0.0);
}

void CutModel::append_column(const double* column) {
  reserve(n_cuts_, n_columns_ + 1);
  const std::size_t t = n_columns_++;
  double combined = 0.0;
  for (std::size_t k = 0; k < n_cuts_; ++k) {
    row(k)[t] = column[k];
    combined += dual_.multipliers[k] * column[k];
  }
  dual_.combined.push_back(combined);
  weights_.push_back(0.0);
  active_.push_back(0);
  if (!nonnegative_ || combined >= 0.0) set_active(t, true);
}

std::vector<std::size_t> CutModel::drop_inactive() {
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < n_cuts_; ++k)
    if (dual_.multipliers[k] > 0.0) kept.push_back(k);
  for (std::size_t to = 0; to < kept.size(); ++to) {
    const std::size_t from = kept[to];
    std::copy_n(row(from), n_columns_, row(to));
    for (std::size_t l = 0; l < kept.size(); ++l) gram_row(to)[l] = gram_row(from)[kept[l]];
    offsets_[to] = offsets_[from];
    dual_.multipliers[to] = dual_.multipliers[from];
  }
  n_cuts_ = kept.size();
  offsets_.resize(n_cuts_);
  dual_.multipliers.resize(n_cuts_);
  return kept;
}

void CutModel::combine_cuts() {
  std::fill(dual_.combined.begin(), dual_.combined.end(), 0.0);
  for (std::size_t k = 0; k < n_cuts_; ++k)
    if (dual_.multipliers[k] > 0.0) accumulate(n_columns_, dual_.multipliers[k], row(k), dual_.combined.data());
}

void CutModel::set_active(std::size_t column, bool active) {
  active_[column] = active;
  masked_.resize(n_cuts_);
  for (std::size_t k = 0; k < n_cuts_; ++k) masked_[k] = row(k)[column];
  for (std::size_t k = 0; k < n_cuts_; ++k)
    accumulate(n_cuts_, active ? masked_[k] : -masked_[k], masked_.data(), gram_row(k));
}

void CutModel::refresh_active() {
  if (!nonnegative_) return;
  for (std::size_t t = 0; t < n_columns_; ++t)
    if ((dual_.combined[t] >= 0.0) != static_cast<bool>(active_[t])) set_active(t, dual_.combined[t] >= 0.0);
}

Certificate CutModel::certify() {
  for (std::size_t t = 0; t < n_columns_; ++t)
    weights_[t] = nonnegative_ ? std::max(dual_.combined[t], 0.0) : dual_.combined[t];
  const double quadratic = 0.5 * dot(n_columns_, weights_.data(), weights_.data());
  slack_ = 0.0;
  for (std::size_t k = 0; k < n_cuts_; ++k)
    slack_ = std::max(slack_, offsets_[k] - dot(n_columns_, row(k), weights_.data()));
  const double linear = dot(n_cuts_, offsets_.data(), dual_.multipliers.data());
  return {quadratic + C_ * slack_, linear - quadratic};
}

void CutModel::refresh_gradient() {
  gradient_.resize(n_cuts_);
  double magnitude = 0.0;
  for (std::size_t k = 0; k < n_cuts_; ++k) {
    const double product = dot(n_cuts_, gram_row(k), dual_.multipliers.data());
    gradient_[k] = offsets_[k] - product;
    magnitude = std::max(magnitude, std::abs(offsets_[k]) + std::abs(product));
  }
  noise_ = 8.0 * rounding * magnitude;
}

double CutModel::model_gap() const {
  double highest = 0.0;
  for (const double slope : gradient_) highest = std::max(highest, slope);
  return C_ * highest - dot(n_cuts_, dual_.multipliers.data(), gradient_.data());
}

SolverOutcome CutModel::solve(const StoppingRule& rule, Heartbeat& heartbeat) {
  Certificate certificate = certify();
  std::int64_t n_iter = 0;
  DualPoint before;
  while (!certificate.holds(rule.tol) && n_iter < rule.max_iter) {
    refresh_gradient();
    if (nonnegative_) before = dual_;
    const double gap = std::max(0.5 * rule.tol * certificate.objective,
                                nonnegative_ ? 0.1 * (certificate.objective - certificate.dual_objective) : 0.0);
    const std::int64_t steps = maximise_model(gap, rule.max_iter - n_iter, heartbeat);
    if (steps == 0) break;  // optimal to rounding, even if tol asks for more
    n_iter += steps;
    combine_cuts();
    if (nonnegative_) {
      limit_step(before);
      refresh_active();
    }
    certificate = certify();
  }
  return {certificate, n_iter, certificate.holds(rule.tol)};
}

std::int64_t CutModel::maximise_model(double gap, std::int64_t max_iter, Heartbeat& heartbeat) {
  std::int64_t n_iter = 0;
  giver_ = none;  // nothing is known of the matrix
  while (n_iter < max_iter && model_gap() > gap && move_pair()) {
    move_in_face();
    heartbeat.beat(n_cuts_ * n_cuts_);
    ++n_iter;
  }
  return n_iter;
}

// Moves weight between the steepest multiplier and the one that gains most with it; either may be the unused part
// of C, whose slope is zero. False if none gains.
bool CutModel::move_pair() {
  const std::size_t unused = n_cuts_;
  std::size_t up = unused, down = unused;
  double highest = 0.0;
  for (std::size_t k = 0; k < n_cuts_; ++k)
    if (gradient_[k] > highest) {
      highest = gradient_[k];
      up = k;
    }
  const double* up_row = up == unused ? nullptr : gram_row(up);
  const auto curvature_with = [&](std::size_t k) {
    const double own = up_row == nullptr ? 0.0 : up_row[up];
    if (k == unused) return own;
    return own + gram_row(k)[k] - (up_row == nullptr ? 0.0 : 2.0 * up_row[k]);
  };
  constexpr double least = std::numeric_limits<double>::min();
  double best_gain = 0.0;
  const auto consider = [&](std::size_t k, double rise) {
    if (rise <= noise_) return;
    const double gain = rise * rise / std::max(curvature_with(k), least);
    if (gain <= best_gain) return;
    best_gain = gain;
    down = k;
  };
  if (dual_.unused > 0.0) consider(unused, highest);
  for (std::size_t k = 0; k < n_cuts_; ++k)
    if (dual_.multipliers[k] > 0.0) consider(k, highest - gradient_[k]);
  if (best_gain == 0.0) return false;

  const double rise = highest - (down == unused ? 0.0 : gradient_[down]);
  const double limit = down == unused ? dual_.unused : dual_.multipliers[down];
  const double step = std::min(rise / std::max(curvature_with(down), least), limit);
  if (up == unused) {
    dual_.unused += step;
  } else {
    dual_.multipliers[up] += step;
    accumulate(n_cuts_, -step, gram_row(up), gradient_.data());
  }
  double& giving = down == unused ? dual_.unused : dual_.multipliers[down];
  giving = step < limit ? giving - step : 0.0;
  if (down != unused) accumulate(n_cuts_, step, gram_row(down), gradient_.data());
  return true;
}

// Newton steps among the positive multipliers, until none of them becomes zero on the way. Where C is used up, the
// largest one gives what the others take: solving with a border instead would lose every digit, as the matrix of the
// face is singular whenever there are as many cuts as columns.
void CutModel::move_in_face() {
  for (std::size_t attempt = 0; attempt <= n_cuts_; ++attempt) {
    face_.clear();
    for (std::size_t k = 0; k < n_cuts_; ++k)
      if (dual_.multipliers[k] > 0.0) face_.push_back(k);
    const bool exhausted = dual_.unused == 0.0;
    if (face_.size() < (exhausted ? 2 : 1)) return;
    const auto smaller = [this](std::size_t k, std::size_t l) { return dual_.multipliers[k] < dual_.multipliers[l]; };
    factorise_face(exhausted ? *std::max_element(face_.begin(), face_.end(), smaller) : n_cuts_);
    const std::size_t n = factor_.size();
    ascent_.resize(face_.size());
    for (std::size_t a = 0; a < n; ++a)
      ascent_[a] = gradient_[face_[a]] - (exhausted ? gradient_[face_[n]] : 0.0);
    factor_.solve(ascent_.data());
    double total = 0.0;
    for (std::size_t a = 0; a < n; ++a) total += ascent_[a];
    if (exhausted) ascent_[n] = -total;
    if (!move_along(exhausted ? 0.0 : total)) return;
  }
}

// Makes `factor_` that of the matrix of the face: in terms of the changes of all but `giver`, which gives what the
// others take, or of all where giver = n_cuts. `face_` gets the order of the rows, the giver last.
// From one step to the next the face loses or gains few rows: with 250 cuts in 1,000 columns, updating the factor
// makes a solution 10 times as fast as factorising anew.
void CutModel::factorise_face(std::size_t giver) {
  const auto entry = [&](std::size_t k, std::size_t l) {
    const double own = gram_row(k)[l];
    if (giver == n_cuts_) return own;
    return own + gram_row(giver)[giver] - gram_row(giver)[k] - gram_row(giver)[l];
  };
  if (giver != giver_) {
    factor_.clear();
    factored_.clear();
    giver_ = giver;
    double largest = 0.0;
    for (std::size_t k = 0; k < n_cuts_; ++k) largest = std::max(largest, entry(k, k));
    ridge_ = largest > 0.0 ? 1e-12 * largest : 1.0;
  }
  for (std::size_t a = factored_.size(); a-- > 0;)
    if (dual_.multipliers[factored_[a]] == 0.0) {
      factor_.remove(a);
      factored_.erase(factored_.begin() + static_cast<std::ptrdiff_t>(a));
    }
  std::vector<char> is_factored(n_cuts_, 0);
  for (const std::size_t k : factored_) is_factored[k] = 1;
  for (const std::size_t k : face_) {
    if (k == giver || is_factored[k]) continue;
    entries_.clear();
    for (const std::size_t l : factored_) entries_.push_back(entry(k, l));
    entries_.push_back(entry(k, k) + ridge_);
    factor_.append(entries_.data());
    factored_.push_back(k);
  }
  face_ = factored_;
  if (giver != n_cuts_) face_.push_back(giver);
}

// Goes along `ascent_` to the top or to the first bound; true if a bound stopped it. `total` is what it takes from
// the unused part of C.
bool CutModel::move_along(double total) {
  const std::size_t n = face_.size();
  change_.assign(n_cuts_, 0.0);
  double slope = 0.0, length = 0.0, curvature = 0.0, limit = infinity;
  for (std::size_t a = 0; a < n; ++a) {
    accumulate(n_cuts_, ascent_[a], gram_row(face_[a]), change_.data());
    slope += ascent_[a] * gradient_[face_[a]];
    length += std::abs(ascent_[a]);
    if (ascent_[a] < 0.0) limit = std::min(limit, dual_.multipliers[face_[a]] / -ascent_[a]);
  }
  for (std::size_t a = 0; a < n; ++a) curvature += ascent_[a] * change_[face_[a]];
  if (total > 0.0) limit = std::min(limit, dual_.unused / total);
  const double top = curvature > 0.0 ? slope / curvature : infinity;
  const double step = std::min(top, limit);
  if (!(slope > noise_ * length) || !std::isfinite(step)) return false;
  for (std::size_t a = 0; a < n; ++a) {
    double& multiplier = dual_.multipliers[face_[a]];
    const bool emptied = ascent_[a] < 0.0 && multiplier / -ascent_[a] <= step;
    multiplier = emptied ? 0.0 : multiplier + step * ascent_[a];
  }
  const bool exhausted = total > 0.0 && dual_.unused / total <= step;
  dual_.unused = exhausted ? 0.0 : dual_.unused - step * total;
  accumulate(n_cuts_, -step, change_.data(), gradient_.data());
  return limit <= top;
}

// Goes back towards `from` as far as D rises that way.
void CutModel::limit_step(const DualPoint& from) {
  std::vector<double> direction(n_columns_);
  double linear = 0.0;
  for (std::size_t k = 0; k < n_cuts_; ++k)
    linear += offsets_[k] * (dual_.multipliers[k] - from.multipliers[k]);
  for (std::size_t t = 0; t < n_columns_; ++t) direction[t] = dual_.combined[t] - from.combined[t];
  double step = 1.0, low = 0.0, high = 1.0;
  for (int attempt = 0; attempt < 60; ++attempt) {
    double slope = linear, curvature = 0.0, square = 0.0;
    for (std::size_t t = 0; t < n_columns_; ++t) {
      const double weight = from.combined[t] + step * direction[t];
      if (weight <= 0.0) continue;
      slope -= weight * direction[t];
      curvature += direction[t] * direction[t];
      square += weight * weight;
    }
    // The last steps are so short that their slope is rounding.
    const double rounded = 8.0 * rounding * square;
    if (step == 1.0 && slope >= -rounded) return;
    (slope > 0.0 ? low : high) = step;
    if (std::abs(slope) <= rounded) break;
    const double newton = curvature > 0.0 ? step + slope / curvature : high;
    step = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  const auto between = [step](double a, double b) { return a + step * (b - a); };
  for (std::size_t k = 0; k < n_cuts_; ++k)
    dual_.multipliers[k] = between(from.multipliers[k], dual_.multipliers[k]);
  for (std::size_t t = 0; t < n_columns_; ++t) dual_.combined[t] = between(from.combined[t], dual_.combined[t]);
  dual_.unused = between(from.unused, dual_.unused);
}

}  // namespace widemargin
