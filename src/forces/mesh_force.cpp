// SPDX-License-Identifier: BSD-3-Clause
#include "mesh_force.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"

#include "kernels/cpu/fftw.hpp"
#include "kernels/cuda/fourier_plan.hpp"
#include "kernels/launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>

namespace shadow {
namespace {

/// 1 / unit is the rounding of a charge on a cell, and cells can hold 64 of the largest charges, in
/// double 4096 (weights are below 1).
template <class T>
double unit_of(const std::vector<double>& charges) {
    double largest = 0.0;
    for (const double q : charges) largest = std::max(largest, std::abs(q));
    return (sizeof(T) == 4 ? 0x1p25 : 0x1p50) / largest;
}

/// SHADOW_TRANSFORMS: how a GPU transforms meshes, to find out which way is at fault.
bool wants_library() {
    const char* const text = std::getenv("SHADOW_TRANSFORMS");
    const std::string wanted = text ? text : "library";
    if (wanted != "library" && wanted != "stages")
        throw MachineError(
            fmt::format("SHADOW_TRANSFORMS is {} in the environment (it says by what a GPU "
                        "transforms meshes: library or stages); set one of these, or unset it",
                        in_quotes(wanted, 60)));
    return wanted == "library";
}

std::unique_ptr<FourierPlan> make_plan(const Backend& backend, const MeshShape& shape, bool fftw) {
    if (has_own_transforms(backend)) return fftw ? cpu::make_fftw_plan(backend, shape) : nullptr;
    if (!wants_library()) return nullptr;
    std::string why;
    auto plan = cuda::make_fourier_plan(backend, shape, why);
    static std::once_flag told;
    if (!plan)
        std::call_once(told, [&] {
            log::warning(fmt::format("the GPU transforms meshes stage by stage, which is slower "
                                     "than cuFFT ({}); put libcufft of CUDA 12 or 13 where the "
                                     "loader finds it, in LD_LIBRARY_PATH, say",
                                     why));
        });
    return plan;
}

} // namespace

template <int Dim, class T>
MeshForce<Dim, T>::MeshForce(const Backend& backend, const LongRangeDescription& description,
                             const Box<Dim>& box, const Snapshot<Dim>& start)
    : Base(backend, description, box, start), coulomb_(description.coulomb),
      rectangular_(!box.is_tilted()), self_(backend, 1) {
    mesh_.order = description.split.order;
    mesh_.unit = unit_of<T>(description.charge);
    mesh_.screening = {description.split.alpha, description.logarithmic};
    mesh_.charge = this->charge_.data();
    mesh_.box = this->box_.data();
    mesh_.self = self_.data();
    for (std::size_t d = 0; d < Dim; ++d) {
        mesh_.count[d] = description.split.count[d];
        mesh_.axis[d] = make_axis(mesh_.count[d], twiddle_[d]);
        factors_[d] = Array<SplineFactors>(backend_, spline_factors(mesh_.count[d], mesh_.order));
        if (mesh_.screening.is_gauss() && rectangular_)
            gauss_[d] = Array<double>(backend_, static_cast<std::size_t>(mesh_.count[d]));
    }
    const std::int32_t half = mesh_.count[Dim - 1] / 2;
    const bool halved = !has_own_transforms(backend_) || description.fftw;
    mesh_.kept = halved ? half + 1 : mesh_.count[Dim - 1];
    mesh_.pairs = make_axis(half, pair_twiddle_);
    constexpr std::int32_t block = (Dim == 3 ? 1 : 2) * Mesh::row_block;
    mesh_.line = (mesh_.count[Dim - 1] + Mesh::padding + block - 1) / block * block;
    mesh_.copies = mesh_copies(backend_);
    influence_ = Array<T>(backend_, static_cast<std::size_t>(mesh_.influence_size()));
    mesh_.influence = influence_.data();
    MeshForce::set_box();
    const auto cells = static_cast<std::size_t>(mesh_.cell_count());
    plan_ = make_plan(backend_, MeshShape::of(mesh_), description.fftw);
    const MeshSizes sizes = mesh_sizes(backend_, mesh_, plan_.get());
    cells_ = Array<typename Mesh::Cell>(backend_, cells * static_cast<std::size_t>(mesh_.copies));
    potential_ = Array<T>(backend_, cells);
    spectrum_ = Array<T>(backend_, 2 * sizes.spectrum);
    scratch_ = Array<T>(backend_, sizes.scratch);
    mesh_.cells = cells_.data();
    mesh_.potential = potential_.data();
    mesh_.real = spectrum_.data();
    mesh_.imaginary = spectrum_.data() + sizes.spectrum;
    mesh_.scratch = scratch_.data();
    if (plan_) plan_->use(scratch_.data());
}

template <int Dim, class T>
void MeshForce<Dim, T>::set_box() {
    MeshInfluence<Dim, T> influence{mesh_, {}, coulomb_, {}, rectangular_};
    FillGauss<Dim, T> fill{influence, {}};
    for (std::size_t d = 0; d < Dim; ++d)
        fill.value.factors[d] = influence.factors[d] = factors_[d].data();
    if (gauss_[0].size() > 0) {
        for (std::size_t d = 0; d < Dim; ++d) influence.gauss[d] = fill.gauss[d] = gauss_[d].data();
        launch(backend_, fill, *std::max_element(mesh_.count, mesh_.count + Dim));
    }
    launch(backend_, FillInfluence<Dim, T>{influence, influence_.data()}, mesh_.mode_count());
    const SumSelfFactors<Dim, T> self{influence};
    reduce(backend_, self, self.modes(), self_.data());
}

template <int Dim, class T>
FourierAxis<T> MeshForce<Dim, T>::make_axis(std::int32_t count, Array<T>& twiddle) {
    twiddle = Array<T>(backend_, fourier_twiddle<T>(count));
    return fourier_axis<T>(count, twiddle.data());
}

template <int Dim, class T>
void MeshForce<Dim, T>::compute(const ParticlesView<Dim>& particles,
                                const ForceOutput<Dim>& output) {
    this->start_virial(output);
    if (output.virial)
        reduce(backend_, SumMeshSelf<Dim, T>{{}, mesh_, particles, output.virial}, particles.size,
               output.virial);
    spread(backend_, mesh_, particles);
    convolve(backend_, mesh_, plan_.get(), -1, output.virial);
    gather(backend_, GatherForces<Dim, T>{mesh_, particles, this->force(),
                                          output.energy ? this->energy_.data() : nullptr});
    this->store(particles, output);
}

template <int Dim, class T>
void MeshForce<Dim, T>::share_modes(const ParticlesView<Dim>& particles, bool accumulate,
                                    Share<Dim>* share) {
    double* const energy = this->energy_.data();
    spread(backend_, mesh_, particles);
    for (int component = -1; component < tensor_size<Dim>; ++component) {
        convolve<Dim, T>(backend_, mesh_, plan_.get(), component, nullptr);
        gather(backend_, GatherForces<Dim, T>{mesh_, particles, this->force(), energy});
        launch(backend_,
               ShareMesh<Dim, T>{mesh_, particles, energy, this->background_, component, accumulate,
                                 share},
               particles.size);
    }
}

template <int Dim, class T>
std::size_t MeshForce<Dim, T>::bytes() const {
    return Base::bytes() + cells_.bytes() + potential_.bytes() + spectrum_.bytes() +
           scratch_.bytes() + influence_.bytes();
}

template class MeshForce<2, float>;
template class MeshForce<2, double>;
template class MeshForce<3, float>;
template class MeshForce<3, double>;

} // namespace shadow
