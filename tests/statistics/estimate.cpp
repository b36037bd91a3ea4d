// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/estimate.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/correlated.hpp"

#include "shadow/statistics/correlated_error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace shadow;
using test::contains;

namespace {

/// What many series with the same law say: averages over them, in units of the exact error where
/// they are errors.
struct EstimateLaw {
    double spread = 0.0, blocking = 0.0, autocorrelation = 0.0, inefficiency = 0.0;
    double discarded = 0.0, within_one = 0.0, within_two = 0.0;
    int unreliable = 0, disagree = 0;
};

using Look = std::function<Estimate(const BlockedSeries&)>;

EstimateLaw law_of_estimates(double a, int length, int series, const Look& look) {
    const double exact = std::sqrt(Correlated::inefficiency(a) / length);
    EstimateLaw v;
    for (int k = 0; k < series; ++k) {
        Correlated x(a, 1000 + static_cast<std::uint64_t>(k));
        BlockedSeries values;
        for (int t = 0; t < length; ++t) values.add(x.next());
        const Estimate e = look(values);
        CHECK(e.samples + e.discarded == length);
        v.spread += e.mean * e.mean / series;
        v.blocking += e.error / exact / series;
        v.autocorrelation += e.autocorrelation_error / exact / series;
        v.inefficiency += e.inefficiency / Correlated::inefficiency(a) / series;
        v.discarded += static_cast<double>(e.discarded) / length / series;
        v.within_one += (std::abs(e.mean) < e.error ? 1.0 : 0.0) / series;
        v.within_two += (std::abs(e.mean) < 2.0 * e.error ? 1.0 : 0.0) / series;
        v.unreliable += e.reliable() ? 0 : 1;
        v.disagree += e.errors_agree() ? 0 : 1;
    }
    v.spread = std::sqrt(v.spread) / exact;
    return v;
}

} // namespace

TEST_CASE("both errors are those of the known autocorrelation") {
    // Lengths around the number of blocks that are kept and far above it.
    const double a = GENERATE(0.0, 0.5, 0.9, 0.97, -0.5);
    const int length = GENERATE(4000, 40000), series = length < 10000 ? 200 : 60;
    if (length < 50.0 * Correlated::inefficiency(a) * 2.0) return;
    const bool settled = GENERATE(false, true);
    const EstimateLaw v =
        law_of_estimates(a, length, series, [settled](const BlockedSeries& values) {
            return settled ? settled_estimate(values) : estimate(values);
        });
    CAPTURE(a, length, settled, v.spread, v.blocking, v.autocorrelation, v.inefficiency,
            v.discarded);
    // The true spread of n means is known to 1 / sqrt(2 n): four of that. Estimated errors have a
    // bias below 8% from the finite block length (of the worst, 60 independent samples), and little
    // noise over so many series.
    CHECK(std::abs(v.spread - 1.0) < 4.0 / std::sqrt(2.0 * series));
    CHECK(std::abs(v.blocking - 1.0) < 0.08);
    CHECK(std::abs(v.autocorrelation - 1.0) < 0.08);
    CHECK(std::abs(v.inefficiency - 1.0) < 0.15);
    CHECK(v.unreliable == 0);
    CHECK(v.disagree == 0);
    // Nothing is to be discarded: where it is, by chance, it is little.
    CHECK(v.discarded < 0.01);
}

TEST_CASE("the mean lies within its error as often as it should") {
    // Normal: 68.3% within one, 95.4% within two; 400 series: sigma 2.3% and 1.05%; four of them,
    // and the error itself is uncertain by about 10%, which costs 1%.
    const EstimateLaw v =
        law_of_estimates(0.8, 5000, 400, [](const auto& x) { return settled_estimate(x); });
    CHECK(std::abs(v.within_one - 0.683) < 0.1);
    CHECK(std::abs(v.within_two - 0.954) < 0.055);
}

TEST_CASE("a series shorter than its correlation is called unreliable") {
    // Inefficiency 2000. No rule can tell from half a correlation time; a few random walks look
    // like noise.
    const EstimateLaw v =
        law_of_estimates(0.999, 1000, 100, [](const auto& x) { return estimate(x); });
    CHECK(v.unreliable >= 94);
    // Ten independent samples, of which equilibration may leave even less.
    const EstimateLaw short_one =
        law_of_estimates(0.9, 190, 100, [](const auto& x) { return settled_estimate(x); });
    CHECK(short_one.unreliable >= 80);
    Correlated x(0.99, 5);
    BlockedSeries values;
    for (int t = 0; t < 1000; ++t) values.add(x.next());
    CHECK(contains(estimate(values).warning(), "too few independent samples"));
}

TEST_CASE("a few anticorrelated samples are still few") {
    BlockedSeries values;
    for (int t = 0; t < 40; ++t) values.add(t % 2 + 0.1 * (t % 3));
    CHECK(estimate(values).independent_samples > 50.0);
    CHECK_FALSE(estimate(values).reliable());
}

TEST_CASE("errors that disagree are said to") {
    Estimate e;
    e.samples = 1000;
    e.independent_samples = 500.0;
    e.plateau = true;
    e.error = 1.0;
    e.autocorrelation_error = 1.2;
    e.error_uncertainty = 0.02;
    CHECK(e.reliable());
    CHECK(e.warning().empty());
    CHECK(e.larger_error() == 1.2);
    for (const double other : {1.6, 1.0 / 1.6}) {
        e.autocorrelation_error = other;
        CHECK_FALSE(e.reliable());
        CHECK(contains(e.warning(), "differ by a factor of 1.6"));
        e.error_uncertainty = 0.1; // as much is noise now
        CHECK(e.reliable());
        e.error_uncertainty = 0.02;
    }
}

namespace {

/// Potential energies of a harmonic oscillator under BAOAB at kT = 1, omega dt = 0.2 and friction
/// 0.1, from an equilibrium start: mean 1/2, distribution of a squared normal number, inefficiency
/// about 50.
class OscillatorEnergy {
  public:
    explicit OscillatorEnergy(std::uint64_t seed) : noise_(0.0, seed) {
        x_ = noise_.next();
        p_ = noise_.next();
    }
    double next() {
        constexpr double half = 0.1;
        static const double keep = std::exp(-0.02), add = std::sqrt(1.0 - keep * keep);
        p_ -= half * x_;
        x_ += half * p_;
        p_ = keep * p_ + add * noise_.next();
        x_ += half * p_;
        p_ -= half * x_;
        return 0.5 * x_ * x_;
    }

  private:
    Correlated noise_;
    double x_, p_;
};

/// Root mean squares of (mean - exact) / error over 120 stationary series, all of the series and as
/// detection leaves it, and the share of the latter without a warning.
struct Coverage {
    double whole = 0.0, settled = 0.0, without_warning = 0.0;
};

template <class MakeSeries>
Coverage coverage_of(MakeSeries make, int length, double exact) {
    constexpr int series = 120;
    Coverage v;
    for (std::uint64_t seed = 0; seed < series; ++seed) {
        auto x = make(500 + seed);
        BlockedSeries values;
        for (int t = 0; t < length; ++t) values.add(x.next());
        const Estimate all = estimate(values), rest = settled_estimate(values);
        v.whole += std::pow((all.mean - exact) / all.larger_error(), 2) / series;
        v.settled += std::pow((rest.mean - exact) / rest.larger_error(), 2) / series;
        v.without_warning += (rest.warning().empty() ? 1.0 : 0.0) / series;
    }
    v.whole = std::sqrt(v.whole);
    v.settled = std::sqrt(v.settled);
    return v;
}

} // namespace

TEST_CASE("a stationary series with few independent samples keeps its error") {
    // Correlation times 1/10, 1/30 and 1/100 of the series. With the errors of the part that
    // was chosen the root mean square deviation was 4.3, 1.8 and 1.1 errors.
    const int times = GENERATE(10, 30, 100), length = GENERATE(500, 2000);
    const double a = std::exp(-static_cast<double>(times) / length);
    const auto make = [a](std::uint64_t seed) { return Correlated(a, seed); };
    const Coverage v = coverage_of(make, length, 0.0);
    CAPTURE(times, length, v.whole, v.settled);
    CHECK(v.settled < 1.12 * v.whole);
    if (times < 100) CHECK(v.without_warning < 0.05);
}

TEST_CASE("a stationary series with a skew distribution keeps its error") {
    // 20, 40 and 100 independent samples; with the errors of the part that was chosen 3.3,
    // 3.4 and 1.5 errors.
    const int length = GENERATE(1000, 2000, 5000);
    const auto make = [](std::uint64_t seed) { return OscillatorEnergy(seed); };
    const Coverage v = coverage_of(make, length, 0.5);
    CAPTURE(length, v.whole, v.settled);
    CHECK(v.settled < 1.12 * v.whole);
    if (length == 1000) CHECK(v.without_warning < 0.1);
}

TEST_CASE("a start that decays is left out") {
    // x = 10 exp(-t / 50) + noise of variance 1 and inefficiency 9: what is left of the decay
    // behind t is 10 exp(-t / 50), below the noise behind 115.
    const int length = GENERATE(2000, 20000);
    const int series = 100;
    double bias = 0.0, whole = 0.0, spread = 0.0, error = 0.0;
    for (int k = 0; k < series; ++k) {
        Correlated x(0.8, 77 + static_cast<std::uint64_t>(k));
        BlockedSeries values;
        for (int t = 0; t < length; ++t) values.add(x.next() + 10.0 * std::exp(-t / 50.0));
        const Estimate e = settled_estimate(values);
        CHECK(e.discarded >= 50);
        CHECK(e.discarded <= length / 2);
        bias += e.mean / series;
        spread += e.mean * e.mean / series;
        error += e.error / series;
        whole += estimate(values).mean / series;
        CHECK(e.reliable());
    }
    CAPTURE(length, bias, std::sqrt(spread), error);
    // With its start the mean is wrong by the integral of the decay, 500 / n; the average over the
    // series has a tenth of the error of one.
    CHECK(std::abs(whole - 500.0 / length) < 0.4 * error);
    // What is kept of the decay is what no estimate of the error can see: less than the error.
    CHECK(std::abs(bias) < 0.6 * error);
    CHECK(std::abs(std::sqrt(spread) / error - 1.0) < 4.0 / std::sqrt(2.0 * series));
}

TEST_CASE("a start that is far off is left out, however short") {
    // It enlarges variance and error alike, so it costs no independent samples.
    const int length = GENERATE(100, 1000);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Correlated x(0.5, seed);
        BlockedSeries values;
        for (int t = 0; t < length; ++t) values.add(x.next() + (t < 3 ? 40.0 : 0.0));
        const Estimate e = settled_estimate(values);
        CHECK(e.discarded >= 3);
        CHECK(std::abs(e.mean) < 5.0 * std::sqrt(3.0 / length) + 0.1);
    }
}

TEST_CASE("a start as long as the user says is left out") {
    BlockedSeries values;
    for (int t = 0; t < 1000; ++t) values.add(t < 300 ? 5.0 : static_cast<double>(t % 2));
    CHECK(estimate(values, 300).mean == 0.5);
    CHECK(estimate(values, 300).discarded == 300);
    CHECK(estimate(values, 0).discarded == 0);
    CHECK(estimate(values, 5000).samples == 0);
    for (int t = 1000; t < 20000; ++t) values.add(static_cast<double>(t % 2));
    CHECK(estimate(values, 301).discarded == 304); // blocks of 8
}

TEST_CASE("a series that never settles has a warning") {
    Correlated x(0.0, 8);
    BlockedSeries values;
    for (int t = 0; t < 4000; ++t) values.add((t < 2800 ? 50.0 : 0.0) + x.next());
    const Estimate e = settled_estimate(values);
    CHECK(e.discarded >= 2800);
    CHECK(contains(e.warning(), "not in equilibrium for the first 7"));
}

TEST_CASE("what has no weight has no mean") {
    BlockedSeries series;
    series.add_by_log(1.0, 0.0);
    for (int k = 0; k < 200; ++k) series.add_by_log(std::sin(0.7 * k), -5000.0);
    const Estimate all = estimate(series, 0), rest = estimate(series, 1);
    CHECK(all.mean == 1.0); // that of the start
    CHECK(std::isnan(rest.mean));
    CHECK(rest.samples == 200);
    CHECK(rest.independent_samples == 0.0);
    CHECK_FALSE(rest.reliable());
}

TEST_CASE("weights make a ratio estimate with its error") {
    // Weights which are independent of values x and correlated among themselves as those are: the
    // variance of sum(w x) / sum(w) is that of w x / <w>, whose autocovariance is the product.
    const double a = 0.7, sigma = 0.5;
    const int length = 8000, series = 200;
    double exact = 0.0; // sum over lags of a^t (1 + (exp(sigma^2 a^t) - 1))
    for (int t = -200; t <= 200; ++t) {
        const double r = std::pow(a, std::abs(t));
        exact += r * std::exp(sigma * sigma * r);
    }
    exact = std::sqrt(exact / length);
    double spread = 0.0, error = 0.0, other = 0.0;
    for (int k = 0; k < series; ++k) {
        Correlated x(a, 10 + static_cast<std::uint64_t>(k)),
            w(a, 9000 + static_cast<std::uint64_t>(k));
        BlockedSeries values;
        for (int t = 0; t < length; ++t) {
            const double weight = std::exp(sigma * w.next());
            values.add(3.0 + x.next(), weight);
        }
        const Estimate e = estimate(values);
        spread += (e.mean - 3.0) * (e.mean - 3.0) / series;
        error += e.error / series;
        other += e.autocorrelation_error / series;
    }
    CAPTURE(std::sqrt(spread) / exact, error / exact, other / exact);
    CHECK(std::abs(std::sqrt(spread) / exact - 1.0) < 0.2);
    CHECK(std::abs(error / exact - 1.0) < 0.08);
    CHECK(std::abs(other / exact - 1.0) < 0.08);
}

TEST_CASE("the error of merged series is that of all samples") {
    // Of four runs of different lengths the mean has the error of one run as long as all.
    const double a = 0.9;
    const int lengths[] = {2000, 5000, 3000, 10000}, series = 100;
    const double exact = std::sqrt(Correlated::inefficiency(a) / 20000.0);
    double spread = 0.0, error = 0.0;
    for (int k = 0; k < series; ++k) {
        BlockedSeries all;
        std::uint64_t seed = 100 * static_cast<std::uint64_t>(k);
        for (const int length : lengths) {
            Correlated x(a, ++seed);
            BlockedSeries one;
            for (int t = 0; t < length; ++t) one.add(x.next());
            all.merge(one);
        }
        const Estimate e = estimate(all);
        CHECK(e.samples == 20000);
        spread += e.mean * e.mean / series;
        error += e.error / series;
    }
    CHECK(std::abs(std::sqrt(spread) / exact - 1.0) < 4.0 / std::sqrt(2.0 * series));
    CHECK(std::abs(error / exact - 1.0) < 0.08);
}

TEST_CASE("the shortest series and constants") {
    BlockedSeries values;
    CHECK(estimate(values).samples == 0);
    CHECK_FALSE(estimate(values).reliable());
    CHECK(autocorrelation_error({}).squared == INFINITY);
    values.add(3.0);
    CHECK(estimate(values).mean == 3.0);
    CHECK(std::isinf(estimate(values).error));
    CHECK_FALSE(estimate(values).reliable());
    CHECK(contains(estimate(values).warning(), "too few samples"));
    values.add(5.0);
    CHECK(estimate(values).mean == 4.0);
    CHECK(std::abs(estimate(values).deviation - std::sqrt(2.0)) < 1e-15);
    CHECK(std::abs(estimate(values).error - 1.0) < 1e-15);
    CHECK_FALSE(estimate(values).reliable());

    BlockedSeries constant;
    for (int t = 0; t < 1000; ++t) constant.add(0.1);
    const Estimate e = settled_estimate(constant);
    CHECK(e.mean == 0.1);
    CHECK(e.error == 0.0);
    CHECK(e.autocorrelation_error == 0.0);
    CHECK(e.inefficiency == 1.0);
    CHECK(e.discarded == 0);
    CHECK(e.reliable());
}
