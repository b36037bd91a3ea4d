// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/check.hpp"
#include "kernels/cuda/fourier_plan.hpp"

#include <algorithm>
#include <array>
#include <cufft.h>
#include <dlfcn.h>
#include <functional>
#include <numeric>

/// cuFFT, which is opened when it is first needed: it is larger than everything else together, and
/// a machine without it uses stages (kernels/mesh/transform_stages.hpp).
namespace shadow::cuda {

namespace {

/// The functions of the library that are called; the same in all its versions since CUDA 9.
struct Functions {
    decltype(&cufftCreate) create = nullptr;
    decltype(&cufftDestroy) destroy = nullptr;
    decltype(&cufftSetAutoAllocation) set_auto_allocation = nullptr;
    decltype(&cufftMakePlanMany64) make_plan = nullptr;
    decltype(&cufftSetWorkArea) set_work_area = nullptr;
    decltype(&cufftSetStream) set_stream = nullptr;
    decltype(&cufftExecR2C) forward_float = nullptr;
    decltype(&cufftExecC2R) back_float = nullptr;
    decltype(&cufftExecD2Z) forward_double = nullptr;
    decltype(&cufftExecZ2D) back_double = nullptr;
    std::string problem; ///< why they are missing; "" if they are not
};

template <class F>
void find(void* library, const char* name, F*& function, std::string& problem) {
    function = reinterpret_cast<F*>(dlsym(library, name));
    if (!function) problem = std::string("libcufft has no ") + name;
}

/// The version of this CUDA first, then others, by name and in the default path of a toolkit.
void* open_library(std::string& problem) {
    for (const char* folder : {"", "/usr/local/cuda/lib64/"})
        for (int version = CUFFT_VER_MAJOR; version >= 10; --version) {
            const std::string name = std::string(folder) + "libcufft.so." + std::to_string(version);
            if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
            if (problem.empty()) problem = dlerror();
        }
    return nullptr;
}

Functions find_functions() {
    Functions f;
    void* const library = open_library(f.problem);
    if (!library) return f;
    f.problem.clear();
    find(library, "cufftCreate", f.create, f.problem);
    find(library, "cufftDestroy", f.destroy, f.problem);
    find(library, "cufftSetAutoAllocation", f.set_auto_allocation, f.problem);
    find(library, "cufftMakePlanMany64", f.make_plan, f.problem);
    find(library, "cufftSetWorkArea", f.set_work_area, f.problem);
    find(library, "cufftSetStream", f.set_stream, f.problem);
    find(library, "cufftExecR2C", f.forward_float, f.problem);
    find(library, "cufftExecC2R", f.back_float, f.problem);
    find(library, "cufftExecD2Z", f.forward_double, f.problem);
    find(library, "cufftExecZ2D", f.back_double, f.problem);
    return f;
}

const Functions& cufft() {
    static const Functions functions = find_functions();
    return functions;
}

bool good(cufftResult status, const char* call, std::string& why) {
    if (status != CUFFT_SUCCESS)
        why = std::string(call) + ": error " + std::to_string(status) + " of cuFFT";
    return status == CUFFT_SUCCESS;
}

/// A plan of the library: one direction of transforms.
class Handle {
  public:
    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (made_) static_cast<void>(cufft().destroy(handle_));
    }
    bool make(const MeshShape& shape, bool back, cudaStream_t stream, std::string& why) {
        made_ = good(cufft().create(&handle_), "cufftCreate", why);
        return made_ &&
               good(cufft().set_auto_allocation(handle_, 0), "cufftSetAutoAllocation", why) &&
               make_plan(shape, back, why) &&
               good(cufft().set_stream(handle_, stream), "cufftSetStream", why);
    }
    [[nodiscard]] cufftHandle get() const { return handle_; }
    [[nodiscard]] std::size_t work_bytes() const { return work_bytes_; }

  private:
    bool make_plan(const MeshShape& shape, bool back, std::string& why) {
        std::array<long long, 3> count{}, real{}, modes{};
        std::copy_n(shape.count, shape.dimensions, count.begin());
        const auto last = static_cast<std::size_t>(shape.dimensions - 1);
        real = modes = count;
        real[last] = shape.line;
        modes[last] = count[last] / 2 + 1;
        auto &from = back ? modes : real, &to = back ? real : modes;
        const auto size = [last](const std::array<long long, 3>& n) {
            return std::accumulate(n.begin(), n.begin() + last + 1, 1LL, std::multiplies<>());
        };
        const cufftType type = back ? (shape.is_double ? CUFFT_Z2D : CUFFT_C2R)
                                    : (shape.is_double ? CUFFT_D2Z : CUFFT_R2C);
        return good(cufft().make_plan(handle_, shape.dimensions, count.data(), from.data(), 1,
                                      size(from), to.data(), 1, size(to), type, 1, &work_bytes_),
                    "cufftMakePlanMany64", why);
    }

    cufftHandle handle_ = 0;
    bool made_ = false;
    std::size_t work_bytes_ = 0;
};

template <class T>
T* argument(void* const* arguments, int k) {
    return *static_cast<T**>(arguments[k]);
}

template <class Real, class Complex, class Execute>
std::string execute(Execute function, cufftHandle handle, void* from, void* to) {
    std::string why;
    static_cast<void>(good(function(handle, static_cast<Real*>(from), static_cast<Complex*>(to)),
                           "cufftExec", why));
    return why;
}

/// `number` is unique among all plans: a graph of another plan must not be used for this one.
class CufftPlan final : public FourierPlan {
  public:
    CufftPlan(Stream& stream, bool is_double, std::uint64_t number)
        : stream_(stream), is_double_(is_double), number_(number) {}
    ~CufftPlan() override {
        try {
            stream_.queue->flush();
        } catch (const MachineError&) {
            // The device has failed; the next call that waits for it throws.
        }
        static_cast<void>(cudaSetDevice(stream_.device));
        static_cast<void>(cudaStreamSynchronize(stream_.stream));
    }
    bool make(const MeshShape& shape, std::string& why) {
        return forward_.make(shape, false, stream_.stream, why) &&
               back_.make(shape, true, stream_.stream, why);
    }

    [[nodiscard]] std::size_t work_bytes() const override {
        return std::max(forward_.work_bytes(), back_.work_bytes());
    }
    void use(void* work) override {
        std::string why;
        if (!good(cufft().set_work_area(forward_.get(), work), "cufftSetWorkArea", why) ||
            !good(cufft().set_work_area(back_.get(), work), "cufftSetWorkArea", why))
            throw MachineError("cuFFT cannot be used (" + why +
                               "); set SHADOW_TRANSFORMS=stages, or use device = \"cpu\"");
    }
    void transform(void* real, void* spectrum, bool back) const override {
        stream_.queue->add(Kernel(run), 0, 0, nullptr, this, number_, back ? spectrum : real,
                           back ? real : spectrum, back);
    }

  private:
    static std::string run(void* const* arguments) {
        const auto& plan = *argument<const CufftPlan>(arguments, 0);
        void *const from = argument<void>(arguments, 2), *const to = argument<void>(arguments, 3);
        const bool back = *static_cast<const bool*>(arguments[4]);
        const cufftHandle handle = back ? plan.back_.get() : plan.forward_.get();
        if (plan.is_double_)
            return back ? execute<cufftDoubleComplex, cufftDoubleReal>(cufft().back_double, handle,
                                                                       from, to)
                        : execute<cufftDoubleReal, cufftDoubleComplex>(cufft().forward_double,
                                                                       handle, from, to);
        return back ? execute<cufftComplex, cufftReal>(cufft().back_float, handle, from, to)
                    : execute<cufftReal, cufftComplex>(cufft().forward_float, handle, from, to);
    }

    Stream& stream_;
    bool is_double_;
    std::uint64_t number_;
    Handle forward_, back_;
};

} // namespace

std::unique_ptr<FourierPlan> make_fourier_plan(const Backend& backend, const MeshShape& shape,
                                               std::string& why) {
    why = cufft().problem;
    if (!why.empty()) return nullptr;
    static std::uint64_t made = 0;
    Stream& stream = stream_of(backend.stream());
    check(cudaSetDevice(stream.device), "selecting the device");
    auto plan = std::make_unique<CufftPlan>(stream, shape.is_double, ++made);
    return plan->make(shape, why) ? std::move(plan) : nullptr;
}

} // namespace shadow::cuda
