// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/fourier_plan.hpp"

#include "kernels/cuda/emulated/drivers.hpp"

#include <complex>
#include <kissfft/kissfft.hh>

/// The substitute for cuFFT on an emulated device: KISS FFT, direction by direction.
namespace shadow::cuda {

namespace {

template <class T>
class Transform {
    using Complex = std::complex<T>;

  public:
    explicit Transform(const MeshShape& shape) : shape_(shape) {
        for (int d = 0; d + 1 < shape.dimensions; ++d) lines_ *= shape.count[d];
        last_ = shape.count[shape.dimensions - 1];
        kept_ = last_ / 2 + 1;
    }
    void forward(const T* real, Complex* modes) const {
        const kissfft<T> fft(static_cast<std::size_t>(last_), false);
        std::vector<Complex> in(static_cast<std::size_t>(last_)), out(in.size());
        for (std::int64_t l = 0; l < lines_; ++l) {
            std::copy_n(real + l * shape_.line, last_, in.begin());
            fft.transform(in.data(), out.data());
            std::copy_n(out.begin(), kept_, modes + l * kept_);
        }
        across(modes, false);
    }
    /// Destroys the modes, as cuFFT may.
    void back(Complex* modes, T* real) const {
        across(modes, true);
        const kissfft<T> fft(static_cast<std::size_t>(last_), true);
        std::vector<Complex> in(static_cast<std::size_t>(last_)), out(in.size());
        for (std::int64_t l = 0; l < lines_; ++l) {
            Complex* const line = modes + l * kept_;
            for (std::int64_t k = 0; k < last_; ++k)
                in[static_cast<std::size_t>(k)] = k < kept_ ? line[k] : std::conj(line[last_ - k]);
            fft.transform(in.data(), out.data());
            for (std::int64_t k = 0; k < last_; ++k)
                real[l * shape_.line + k] = out[static_cast<std::size_t>(k)].real();
        }
        std::memset(static_cast<void*>(modes), EmulatedHeap::garbage,
                    static_cast<std::size_t>(lines_ * kept_) * sizeof(Complex));
    }

  private:
    /// All directions but the last.
    void across(Complex* modes, bool back) const {
        std::int64_t stride = kept_;
        for (int d = shape_.dimensions - 2; d >= 0; stride *= shape_.count[d--]) {
            const auto n = static_cast<std::size_t>(shape_.count[d]);
            const kissfft<T> fft(n, back);
            std::vector<Complex> in(n), out(n);
            for (std::int64_t l = 0; l < lines_ * kept_ / shape_.count[d]; ++l) {
                Complex* const line = modes + l / stride * stride * shape_.count[d] + l % stride;
                for (std::size_t k = 0; k < n; ++k)
                    in[k] = line[static_cast<std::int64_t>(k) * stride];
                fft.transform(in.data(), out.data());
                for (std::size_t k = 0; k < n; ++k)
                    line[static_cast<std::int64_t>(k) * stride] = out[k];
            }
        }
    }

    MeshShape shape_;
    std::int64_t lines_ = 1, last_, kept_;
};

template <class T>
void run_as(const MeshShape& shape, void* from, void* to, bool back) {
    using Complex = std::complex<T>;
    if (back)
        Transform<T>(shape).back(static_cast<Complex*>(from), static_cast<T*>(to));
    else
        Transform<T>(shape).forward(static_cast<const T*>(from), static_cast<Complex*>(to));
}

/// As with cuFFT, a plan without memory cannot run.
class EmulatedPlan final : public FourierPlan {
  public:
    EmulatedPlan(Stream& stream, const MeshShape& shape) : stream_(stream), shape_(shape) {}
    ~EmulatedPlan() override { stream_.queue.flush(); }

    [[nodiscard]] std::size_t work_bytes() const override { return 1; }
    void use(void* work) override { work_ = work; }
    void transform(void* real, void* spectrum, bool back) const override {
        stream_.queue.add(Kernel(run), 0, 0, nullptr, this, back ? spectrum : real,
                          back ? real : spectrum, back);
    }

  private:
    static std::string run(void* const* arguments) {
        const auto& plan = *emulated::argument<const EmulatedPlan*>(arguments, 0);
        if (!plan.work_) return "no memory to work with";
        void* const from = emulated::argument<void*>(arguments, 1);
        void* const to = emulated::argument<void*>(arguments, 2);
        const bool back = emulated::argument<bool>(arguments, 3);
        plan.shape_.is_double ? run_as<double>(plan.shape_, from, to, back)
                              : run_as<float>(plan.shape_, from, to, back);
        return "";
    }

    Stream& stream_;
    MeshShape shape_;
    void* work_ = nullptr;
};

} // namespace

std::unique_ptr<FourierPlan> make_fourier_plan(const Backend& backend, const MeshShape& shape,
                                               std::string& /*why*/) {
    return std::make_unique<EmulatedPlan>(stream_of(backend.stream()), shape);
}

} // namespace shadow::cuda
