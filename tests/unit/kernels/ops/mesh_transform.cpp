// SPDX-License-Identifier: BSD-3-Clause
#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/core/array.hpp"

#include "kernels/cpu/fftw.hpp"
#include "kernels/cuda/fourier_plan.hpp"
#include "kernels/mesh/transform.hpp"

#include <complex>
#include <limits>
#include <numbers>
#include <random>

using namespace shadow;

namespace {

/// Random numbers on a mesh, and their transform summed up in double, one direction after
/// the other.
template <int Dim, class T>
class RandomMesh {
    using Complex = std::complex<double>;

  public:
    RandomMesh(const Backend& backend, const std::array<std::int32_t, Dim>& points)
        : backend_(backend) {
        for (std::size_t d = 0; d < Dim; ++d) {
            mesh_.count[d] = points[d];
            mesh_.axis[d] = axis(points[d], twiddle_[d]);
        }
        const std::int32_t last = points[Dim - 1];
        mesh_.pairs = axis(last / 2, twiddle_[Dim]);
        mesh_.kept = last / 2 + 1;
        mesh_.line = last + 6;
        std::mt19937 random(7);
        std::uniform_real_distribution<double> uniform(-1.0, 1.0);
        // What stands behind the end of a line has no part in anything.
        std::vector<T> lines(static_cast<std::size_t>(mesh_.cell_count()), T(1e30));
        for (std::int64_t l = 0; l < mesh_.lines(); ++l)
            for (std::int32_t k = 0; k < last; ++k) {
                T& x = lines[static_cast<std::size_t>(l * mesh_.line + k)];
                x = static_cast<T>(uniform(random));
                real_.push_back(static_cast<double>(x));
            }
        potential_ = Array<T>(backend, lines);
        mesh_.potential = potential_.data();
        spectrum_ = Array<T>(backend, 2 * static_cast<std::size_t>(mesh_.mode_count()));
        mesh_.real = spectrum_.data();
    }
    /// Why there is no library; "" if there is one.
    std::string take_library() {
        const MeshShape shape = MeshShape::of(mesh_);
        std::string why;
        if (backend_.is_cuda())
            plan_ = cuda::make_fourier_plan(backend_, shape, why);
        else if (why = cpu::fftw_problem(); why.empty())
            plan_ = cpu::make_fftw_plan(backend_, shape);
        CHECK(why.empty() == (plan_ != nullptr));
        return why;
    }
    void transform() {
        scratch_ = Array<T>(backend_, plan_ ? plan_->work_bytes() / sizeof(T) + 1
                                            : 2 * static_cast<std::size_t>(mesh_.mode_count()));
        mesh_.scratch = scratch_.data();
        if (plan_) plan_->use(scratch_.data());
        shadow::transform(backend_, mesh_, plan_.get(), false);
    }
    void transform_back() { shadow::transform(backend_, mesh_, plan_.get(), true); }

    /// RMS error of the modes over their RMS.
    [[nodiscard]] double error_of_modes() const {
        std::vector<Complex> exact(real_.begin(), real_.end());
        std::size_t stride = 1;
        for (int d = Dim - 1; d >= 0; --d) {
            const auto n = static_cast<std::size_t>(mesh_.count[d]);
            std::vector<Complex> sum(exact.size());
            for (std::size_t i = 0; i < sum.size(); ++i) {
                const std::size_t k = i / stride % n, first = i - k * stride;
                for (std::size_t x = 0; x < n; ++x)
                    sum[i] +=
                        exact[first + x * stride] *
                        std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k * x % n) /
                                            static_cast<double>(n));
            }
            exact = sum;
            stride *= n;
        }
        const std::vector<T> found = spectrum_.to_host();
        const auto last = static_cast<std::size_t>(mesh_.count[Dim - 1]);
        const auto kept = static_cast<std::size_t>(mesh_.kept);
        double error = 0.0, all = 0.0;
        for (std::size_t i = 0; 2 * i < found.size(); ++i) {
            const Complex mode(static_cast<double>(found[2 * i]),
                               static_cast<double>(found[2 * i + 1]));
            error += std::norm(mode - exact[i / kept * last + i % kept]);
            all += std::norm(mode);
        }
        return std::sqrt(error / all);
    }
    /// The same of the numbers, which are as many times as large as there are.
    [[nodiscard]] double error_of_numbers() const {
        const std::vector<T> found = potential_.to_host();
        const auto last = static_cast<std::size_t>(mesh_.count[Dim - 1]);
        double error = 0.0, all = 0.0;
        for (std::size_t i = 0; i < real_.size(); ++i) {
            const double expected = static_cast<double>(real_.size()) * real_[i];
            const auto at = i / last * static_cast<std::size_t>(mesh_.line) + i % last;
            error += std::pow(static_cast<double>(found[at]) - expected, 2);
            all += expected * expected;
        }
        return std::sqrt(error / all);
    }

  private:
    FourierAxis<T> axis(std::int32_t points, Array<T>& twiddle) {
        twiddle = Array<T>(backend_, fourier_twiddle<T>(points));
        return fourier_axis<T>(points, twiddle.data());
    }

    const Backend& backend_;
    ChargeMesh<Dim, T> mesh_{};
    std::array<Array<T>, Dim + 1> twiddle_;
    Array<T> potential_, spectrum_, scratch_;
    std::unique_ptr<FourierPlan> plan_;
    std::vector<double> real_;
};

template <class T, std::size_t Dim>
void check_transform(const Backend& backend, const std::array<std::int32_t, Dim>& points) {
    // At most 13 stages of 8 operations in line, each rounded by half an epsilon, and as many back.
    constexpr double rounding = 52.0 * std::numeric_limits<T>::epsilon();
    for (const bool by_library : {true, false}) {
        CAPTURE(points, by_library, sizeof(T));
        RandomMesh<static_cast<int>(Dim), T> mesh(backend, points);
        if (by_library) {
            const std::string why = mesh.take_library();
            if (!why.empty()) WARN("not tested: " + why);
        }
        mesh.transform();
        CHECK(mesh.error_of_modes() < rounding);
        mesh.transform_back();
        CHECK(mesh.error_of_numbers() < 2.0 * rounding);
    }
}

} // namespace

TEST_CASE("a mesh is transformed on a GPU by a library and stage by stage, and back", "[cuda]") {
    if (!is_wanted("cuda")) return;
    const Backend backend = Backend::cuda(0);
    // Halves of the last count are odd and even, and take one stage and more.
    check_transform<double, 2>(backend, {10, 10});
    check_transform<double, 2>(backend, {12, 36});
    check_transform<float, 2>(backend, {18, 50});
    check_transform<double, 3>(backend, {10, 12, 16});
    check_transform<double, 3>(backend, {16, 10, 30});
    check_transform<float, 3>(backend, {12, 20, 18});
    check_transform<float, 3>(backend, {10, 10, 24});
}

TEST_CASE("a mesh is transformed on a CPU by FFTW and stage by stage, and back") {
    const int threads = GENERATE(1, 3);
    const Backend backend = Backend::cpu(threads);
    // Batches of 16 rows and columns, and what is left of them.
    check_transform<double, 2>(backend, {10, 10});
    check_transform<double, 2>(backend, {50, 36});
    check_transform<float, 2>(backend, {48, 50});
    check_transform<double, 3>(backend, {16, 10, 30});
    check_transform<float, 3>(backend, {12, 20, 18});
    check_transform<float, 3>(backend, {10, 10, 24});
}
