// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/fftw.hpp"

#include "shadow/core/array.hpp"
#include "shadow/core/error.hpp"

#include "kernels/cpu/threads.hpp"

#include <dlfcn.h>
#include <type_traits>
#include <utility>

namespace shadow::cpu {

namespace {

/// Plans are opaque pointers of FFTW; complex numbers are two real ones.
using Handle = void*;
constexpr unsigned estimate = 1U << 6; // FFTW_ESTIMATE

/// The "advanced interface" of FFTW, for numbers of type T. It is the same in all versions 3.
template <class T>
struct Fftw {
    using Make = Handle(int rank, const int* count, int howmany, T* from, const int* from_shape,
                        int from_stride, int from_distance, T* to, const int* to_shape,
                        int to_stride, int to_distance, unsigned flags);
    using MakeComplex = Handle(int rank, const int* count, int howmany, T* from,
                               const int* from_shape, int from_stride, int from_distance, T* to,
                               const int* to_shape, int to_stride, int to_distance, int sign,
                               unsigned flags);
    using Execute = void(Handle, T* from, T* to);

    Make *make_forward = nullptr, *make_back = nullptr;
    MakeComplex* make_complex = nullptr;
    Execute *forward = nullptr, *back = nullptr, *complex = nullptr;
    void (*destroy)(Handle) = nullptr;
    std::string problem; ///< why the functions are missing; "" if they are not

    Fftw() {
        const std::string letter = sizeof(T) == 4 ? "f" : "", name = "libfftw3" + letter + ".so.3";
        void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            problem = dlerror();
            return;
        }
        const auto find = [&](auto*& function, const char* end) {
            const std::string symbol = "fftw" + letter + "_" + end;
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                dlsym(library, symbol.c_str()));
            if (!function) problem = name + " has no " + symbol;
        };
        find(make_forward, "plan_many_dft_r2c");
        find(make_back, "plan_many_dft_c2r");
        find(make_complex, "plan_many_dft");
        find(forward, "execute_dft_r2c");
        find(back, "execute_dft_c2r");
        find(complex, "execute_dft");
        find(destroy, "destroy_plan");
    }
    static const Fftw& get() {
        static const Fftw functions;
        return functions;
    }
};

/// Owns a plan of FFTW.
template <class T>
class Made {
  public:
    Made() = default;
    explicit Made(Handle handle) : handle_(handle) {
        if (!handle_)
            throw MachineError("FFTW has no plan for a mesh; remove transforms = \"fftw\"");
    }
    Made(Made&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Made& operator=(Made&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Made() {
        if (handle_) Fftw<T>::get().destroy(handle_);
    }
    [[nodiscard]] Handle get() const { return handle_; }

  private:
    Handle handle_ = nullptr;
};

/// Transforms all directions but the first, in batches along the first; then the first, in batches
/// of columns.
template <class T>
class Plan final : public FourierPlan {
  public:
    Plan(const Backend& backend, const MeshShape& shape) : backend_(backend), shape_(shape) {
        const int last = shape.dimensions - 1;
        kept_ = shape.count[last] / 2 + 1;
        rows_per_slab_ = shape.dimensions == 3 ? shape.count[1] : 1;
        columns_ = std::int64_t{rows_per_slab_} * kept_;
        slabs_per_batch_ = shape.dimensions == 3 ? 1 : batch;
        // An estimate uses the addresses of arrays, not their contents.
        Array<T> real(backend, static_cast<std::size_t>(shape.count[0]) * real_slab());
        Array<T> modes(backend, static_cast<std::size_t>(shape.count[0]) * mode_slab());
        for (const bool whole : {true, false}) {
            Batch& made = whole ? whole_ : rest_;
            const int slabs = whole ? slabs_per_batch_ : shape.count[0] % slabs_per_batch_;
            const auto columns = static_cast<int>(whole ? batch : columns_ % batch);
            if (slabs > 0) make_slabs(made, slabs, real.data(), modes.data());
            if (columns > 0) make_columns(made, columns, modes.data());
        }
    }

    [[nodiscard]] std::size_t work_bytes() const override { return 0; }
    void use(void*) override {}
    void transform(void* real, void* spectrum, bool back) const override {
        auto* const numbers = static_cast<T*>(real);
        auto* const modes = static_cast<T*>(spectrum);
        if (back) along_first(modes, true);
        along_others(numbers, modes, back);
        if (!back) along_first(modes, false);
    }

  private:
    static constexpr int batch = 16;
    struct Batch {
        Made<T> forward, back, first_forward, first_back;
    };

    [[nodiscard]] std::size_t real_slab() const {
        return static_cast<std::size_t>(rows_per_slab_) * static_cast<std::size_t>(shape_.line);
    }
    [[nodiscard]] std::size_t mode_slab() const { return 2 * static_cast<std::size_t>(columns_); }

    void make_slabs(Batch& made, int slabs, T* real, T* modes) const {
        const Fftw<T>& fftw = Fftw<T>::get();
        const int rank = shape_.dimensions - 1;
        const int lines[] = {rows_per_slab_, shape_.line}, kept[] = {rows_per_slab_, kept_};
        const int *count = shape_.count + 1, *from = lines + 2 - rank, *to = kept + 2 - rank;
        const auto apart = static_cast<int>(real_slab()), modes_apart = static_cast<int>(columns_);
        made.forward = Made<T>(fftw.make_forward(rank, count, slabs, real, from, 1, apart, modes,
                                                 to, 1, modes_apart, estimate));
        made.back = Made<T>(fftw.make_back(rank, count, slabs, modes, to, 1, modes_apart, real,
                                           from, 1, apart, estimate));
    }
    void make_columns(Batch& made, int columns, T* modes) const {
        const auto apart = static_cast<int>(columns_);
        for (const bool back : {false, true})
            (back ? made.first_back : made.first_forward) = Made<T>(
                Fftw<T>::get().make_complex(1, shape_.count, columns, modes, nullptr, apart, 1,
                                            modes, nullptr, apart, 1, back ? 1 : -1, estimate));
    }

    void along_others(T* real, T* modes, bool back) const {
        const std::int64_t slabs = shape_.count[0], batches = slabs / slabs_per_batch_;
        const Fftw<T>& fftw = Fftw<T>::get();
        each(slabs, slabs_per_batch_, [&](std::int64_t k) {
            const Batch& made = k < batches ? whole_ : rest_;
            const auto first = static_cast<std::size_t>(k * slabs_per_batch_);
            T* const numbers = real + first * real_slab();
            T* const spectrum = modes + first * mode_slab();
            if (back)
                fftw.back(made.back.get(), spectrum, numbers);
            else
                fftw.forward(made.forward.get(), numbers, spectrum);
        });
    }
    void along_first(T* modes, bool back) const {
        each(columns_, batch, [&](std::int64_t k) {
            const Batch& made = k < columns_ / batch ? whole_ : rest_;
            T* const column = modes + 2 * batch * k;
            Fftw<T>::get().complex((back ? made.first_back : made.first_forward).get(), column,
                                   column);
        });
    }
    /// Calls work(k) for each batch, the last of which may be smaller.
    template <class Work>
    void each(std::int64_t all, std::int64_t size, const Work& work) const {
        parallel_ranges(backend_.threads(), (all + size - 1) / size, 1,
                        [&](std::int64_t begin, std::int64_t end) {
                            for (std::int64_t k = begin; k < end; ++k) work(k);
                        });
    }

    const Backend& backend_;
    MeshShape shape_;
    std::int32_t kept_, rows_per_slab_, slabs_per_batch_;
    std::int64_t columns_; ///< of the first direction
    Batch whole_, rest_;
};

} // namespace

std::string fftw_problem() {
    const std::string& problem = Fftw<float>::get().problem;
    return problem.empty() ? Fftw<double>::get().problem : problem;
}

std::unique_ptr<FourierPlan> make_fftw_plan(const Backend& backend, const MeshShape& shape) {
    if (const std::string problem = fftw_problem(); !problem.empty())
        throw MachineError("FFTW cannot be used (" + problem +
                           "); install it, or remove transforms = \"fftw\"");
    if (shape.is_double) return std::make_unique<Plan<double>>(backend, shape);
    return std::make_unique<Plan<float>>(backend, shape);
}

} // namespace shadow::cpu
