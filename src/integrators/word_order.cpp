// SPDX-License-Identifier: BSD-3-Clause
/// The order to which a word is the flow of the sum of its parts.
#include "shadow/integrators/flow_word.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {
namespace {

constexpr double order_tolerance = 1e-12;
constexpr int largest_order = 8;

/// The letters of the drift A and the kick B of all forces in the series, if a word has both.
constexpr std::size_t drift_letter = 0, kick_letter = 1;
const Flow whole_drift = {FlowKind::drift, all_levels, 1.0},
           whole_kick = {FlowKind::kick, all_levels, 1.0},
           whole_damping = {FlowKind::damping, all_levels, 1.0};

/// An expanded product of exponentials of letters, up to products of `degree` letters. The
/// coefficient of a product of k letters is at the number whose digits are its letters, the last
/// letter lowest.
class Series {
  public:
    Series(std::size_t letters, int degree) : base_(letters) {
        std::size_t count = 1;
        for (int k = 0; k <= degree; ++k, count *= base_) terms_.emplace_back(count, 0.0);
        terms_[0][0] = 1.0;
    }

    /// Appends exp(by letter): j letters with the weight by^j / j!.
    void append(std::size_t letter, double by) {
        for (std::size_t k = terms_.size() - 1; k > 0; --k) {
            for (std::size_t i = 0; i < terms_[k].size(); ++i) {
                double weight = 1.0;
                std::size_t prefix = i;
                for (std::size_t j = 1; j <= k && prefix % base_ == letter; ++j) {
                    prefix /= base_;
                    weight *= by / static_cast<double>(j);
                    terms_[k][i] += weight * terms_[k - j][prefix];
                }
            }
        }
    }

    /// Appends exp(by [B, [A, B]]), which commutes with B.
    void append_gradient(double by) {
        Terms power = terms_;
        for (std::size_t j = 1; 3 * j < terms_.size(); ++j) {
            power = times_gradient(power, by / static_cast<double>(j));
            for (std::size_t k = 0; k < terms_.size(); ++k)
                for (std::size_t i = 0; i < terms_[k].size(); ++i) terms_[k][i] += power[k][i];
        }
    }

    /// The largest deviation of the coefficients of the longest products from those of
    /// exp(sum of letters), 1/k!. For a word that has both A and B, without products with BBBA,
    /// since [B, [B, [A, B]]] = 0.
    [[nodiscard]] double largest_deviation(bool has_both) const {
        std::vector<double> off = terms_.back();
        const double exact = 1.0 / std::tgamma(static_cast<double>(terms_.size()));
        for (double& x : off) x -= exact;
        if (has_both)
            for (std::size_t i = off.size(); i-- > 0;) reorder(off, i);
        double largest = 0.0;
        for (const double x : off) largest = std::max(largest, std::abs(x));
        return largest;
    }

  private:
    using Terms = std::vector<std::vector<double>>;

    [[nodiscard]] std::size_t spelled(std::initializer_list<std::size_t> letters) const {
        std::size_t number = 0;
        for (const std::size_t letter : letters) number = number * base_ + letter;
        return number;
    }

    [[nodiscard]] Terms times_gradient(const Terms& terms, double by) const {
        constexpr std::size_t a = drift_letter, b = kick_letter;
        const std::size_t bab = spelled({b, a, b}), bba = spelled({b, b, a}),
                          abb = spelled({a, b, b}), shift = base_ * base_ * base_;
        Terms product = terms;
        for (auto& of : product) std::fill(of.begin(), of.end(), 0.0);
        for (std::size_t k = 3; k < terms.size(); ++k)
            for (std::size_t i = 0; i < terms[k - 3].size(); ++i) {
                const double value = by * terms[k - 3][i];
                product[k][i * shift + bab] += 2.0 * value;
                product[k][i * shift + bba] -= value;
                product[k][i * shift + abb] -= value;
            }
        return product;
    }

    /// Rewrites BBBA = 3 BBAB - 3 BABB + ABBB in the product i; coefficients go to lower numbers.
    void reorder(std::vector<double>& off, std::size_t i) const {
        constexpr std::size_t a = drift_letter, b = kick_letter;
        const std::size_t from = spelled({b, b, b, a}), count = spelled({1, 0, 0, 0, 0});
        for (std::size_t scale = 1; scale * count <= off.size(); scale *= base_) {
            if (i / scale % count != from) continue;
            const auto lower = [&](std::size_t to) { return i - (from - to) * scale; };
            off[lower(spelled({b, b, a, b}))] += 3.0 * off[i];
            off[lower(spelled({b, a, b, b}))] -= 3.0 * off[i];
            off[lower(spelled({a, b, b, b}))] += off[i];
            off[i] = 0.0;
            return;
        }
    }

    std::size_t base_;
    Terms terms_;
};

/// The letter of a flow: a gradient kick is a kick of all forces with a correction; Euler's methods
/// are friction to first order.
const Flow& letter_of(const Flow& flow) {
    if (flow.kind == FlowKind::damping) return whole_damping;
    return flow.kind == FlowKind::gradient_kick ? whole_kick : flow;
}

/// The error of friction by Euler's methods at second order, x^2/2 each.
double damping_defect(const Word& word) {
    double sum = 0.0;
    for (const Flow& flow : word) {
        if (flow.kind != FlowKind::damping || flow.bath == BathKind::langevin) continue;
        const double square = 0.5 * flow.fraction * flow.fraction;
        sum += flow.bath == BathKind::forward ? square : -square;
    }
    return sum;
}

} // namespace

double order_defect(const Word& word, int degree) {
    std::vector<Flow> letters;
    const auto add = [&letters, &word](const Flow& letter) {
        const auto is_letter = [&letter](const Flow& f) { return letter_of(f).same_part(letter); };
        if (std::any_of(word.begin(), word.end(), is_letter) &&
            std::none_of(letters.begin(), letters.end(), is_letter))
            letters.push_back(letter);
    };
    add(whole_drift);
    add(whole_kick);
    const bool both = letters.size() == 2;
    for (const Flow& flow : word) add(letter_of(flow));
    Series series(letters.size(), degree);
    for (const Flow& flow : word) {
        const auto of = std::find_if(letters.begin(), letters.end(), [&flow](const Flow& letter) {
            return letter_of(flow).same_part(letter);
        });
        series.append(static_cast<std::size_t>(of - letters.begin()), flow.fraction);
        // F - c dt^2 V'' M^-1 F is the kick of B + c dt^2 [B, [A, B]] / 2.
        if (flow.kind == FlowKind::gradient_kick && both)
            series.append_gradient(0.5 * flow.fraction * flow.gradient);
    }
    return series.largest_deviation(both);
}

int order_of(const Word& word) {
    const int of_damping = std::abs(damping_defect(word)) < order_tolerance ? 2 : 1;
    int highest = largest_order, order = 0;
    for (const Flow& flow : word)
        if (flow.kind == FlowKind::implicit_kick)
            highest = std::min(highest, flow.theta == 0.5 ? 2 : 1);
        else if (!flow.is_exact())
            highest = std::min(highest, of_damping);
    while (order < highest && order_defect(word, order + 1) < order_tolerance) ++order;
    return order;
}

} // namespace shadow
