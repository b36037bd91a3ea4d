// SPDX-License-Identifier: BSD-3-Clause
#include "fourier_force.hpp"

#include "ewald_force.hpp"
#include "mesh_force.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/strain.hpp"
#include "kernels/ops/sums.hpp"

#include <fmt/format.h>

namespace shadow {

template <int Dim>
FourierForce<Dim>::FourierForce(const Backend& backend, const LongRangeDescription& description,
                                const Box<Dim>& box, const Snapshot<Dim>& start)
    : backend_(backend), box_(backend, std::vector<BoxView<Dim>>{box.view()}),
      charge_(backend, description.charge), energy_(backend, start.size()), name_(description.name),
      level_(description.level), claims_(description.claims<Dim>()), net_charge_(0.0),
      inverse_mass_(1.0 / start.total_mass()), net_(backend, 1), layer_(backend, 1),
      left_(backend, 1) {
    for (const std::uint16_t s : start.species) net_charge_ += description.charge[s];
    background_ = background_energy(description, box, net_charge_);
    for (auto& component : force_) component = Array<double>(backend, start.size());
    if (description.wire) {
        const Wire& wire = *description.wire;
        wire_.emplace(backend, wire, description.coulomb, box.lengths()[wire.along]);
        bounds_ = fmt::format("wire of charges (two are more than height = {:.6g} apart across {}",
                              wire.height, "xyz"[wire.along]);
    }
    if (!description.slab) return;
    const Slab& slab = *description.slab;
    slab_ = {static_cast<int>(slab.direction), slab.middle, slab.height,
             2.0 * std::numbers::pi * description.coulomb / box.volume()};
    bounds_ = fmt::format("layer of charges (two are more than height = {:.6g} apart along {}",
                          slab.height, "xyz"[slab.direction]);
}

template <int Dim>
std::string FourierForce<Dim>::escape() const {
    const std::int32_t left = left_.get(0);
    if (left == 0) return "";
    return fmt::format("particle {} has left the {}, where {} is not known); give a larger height, "
                       "or walls or a field that hold charges together, or, if a force threw it "
                       "out, a smaller dt",
                       left - 1, bounds_, name_);
}

template <int Dim>
std::size_t FourierForce<Dim>::bytes() const {
    std::size_t all = energy_.bytes();
    for (const auto& component : force_) all += component.bytes();
    return all;
}

template <int Dim>
void FourierForce<Dim>::update_box(const ParticlesView<Dim>& particles) {
    if (!box_is_old_) return;
    launch(backend_, CopyBox<Dim>{particles.box, box_.data()}, 1);
    set_box();
    box_is_old_ = false;
}

template <int Dim>
VectorView<Dim, double> FourierForce<Dim>::force() {
    VectorView<Dim, double> view;
    for (std::size_t d = 0; d < Dim; ++d) view.component[d] = force_[d].data();
    return view;
}

template <int Dim>
void FourierForce<Dim>::start_virial(const ForceOutput<Dim>& output) {
    if (!output.virial) return;
    if (!output.accumulate) launch(backend_, Clear{output.virial->component}, tensor_size<Dim>);
    const double all = background_ * net_charge_;
    for (int d = 0; d < Dim && all != 0.0; ++d)
        launch(backend_, AddConstant{&output.virial->component[d], all}, 1);
}

template <int Dim>
void FourierForce<Dim>::measure_layer(const ParticlesView<Dim>& particles) {
    reduce(backend_, MeasureLayer<Dim>{particles, charge_.data(), slab_}, particles.size,
           layer_.data());
}

template <int Dim>
void FourierForce<Dim>::add_images(const ParticlesView<Dim>& particles,
                                   const ForceOutput<Dim>& output) {
    if (wire_)
        wire_->add(particles, charge_.data(), force(), output.energy ? energy_.data() : nullptr,
                   output.virial);
    if (slab_.factor == 0.0) return;
    measure_layer(particles);
    launch(backend_,
           AddSlab<Dim>{particles, charge_.data(), slab_, layer_.data(), force(),
                        output.energy ? energy_.data() : nullptr},
           particles.size);
    if (output.virial) launch(backend_, AddSlabVirial<Dim>{slab_, layer_.data(), output.virial}, 1);
}

template <int Dim>
void FourierForce<Dim>::share(const ParticlesView<Dim>& particles, bool accumulate,
                              Share<Dim>* share) {
    share_modes(particles, accumulate, share);
    if (wire_) wire_->share(particles, charge_.data(), share);
    if (slab_.factor == 0.0) return;
    measure_layer(particles);
    launch(backend_, ShareSlab<Dim>{particles, charge_.data(), slab_, layer_.data(), share},
           particles.size);
}

template <int Dim>
void FourierForce<Dim>::store(const ParticlesView<Dim>& particles, const ForceOutput<Dim>& output) {
    add_images(particles, output);
    reduce(backend_, SumForces<Dim>{force()}, particles.size, net_.data());
    launch(backend_,
           StoreFourierForces<Dim>{particles,
                                   force(),
                                   output.energy ? energy_.data() : nullptr,
                                   net_.data(),
                                   inverse_mass_,
                                   charge_.data(),
                                   background_,
                                   slab_,
                                   slab_.factor == 0.0 ? nullptr : layer_.data(),
                                   wire_ ? wire_->view() : WireView<Dim>{},
                                   wire_ ? wire_->extent() : nullptr,
                                   left_.data(),
                                   {output.force, output.energy, output.status, output.accumulate}},
           particles.size);
}

namespace {

template <int Dim>
std::unique_ptr<FourierForce<Dim>>
make_fourier(const Backend& backend, const LongRangeDescription& description, const Box<Dim>& own,
             const Snapshot<Dim>& start, bool is_double) {
    const Box<Dim> box = fourier_box(description, own);
    if (description.split.order == 0)
        return std::make_unique<EwaldForce<Dim>>(backend, description, box, start);
    // In float forces are accurate to 1e-5 of the force scale.
    if (is_double || description.accuracy < 5e-5)
        return std::make_unique<MeshForce<Dim, double>>(backend, description, box, start);
    return std::make_unique<MeshForce<Dim, float>>(backend, description, box, start);
}

} // namespace

template <int Dim>
std::unique_ptr<ForceTerm<Dim>> LongRangeDescription::make(const ForceContext<Dim>& context,
                                                           Neighbours<Dim>&) const {
    if constexpr (Dim > 1)
        return make_fourier<Dim>(context.backend, *this, context.box, context.start,
                                 context.pair_is_double);
    else
        return nullptr;
}

namespace {

/// Particles in id order on a CPU, and the force on them in double.
template <int Dim>
struct Evaluation {
    const Backend backend = Backend::cpu();
    Ensemble<Dim> ensemble;
    Particles<Dim> particles;
    std::unique_ptr<FourierForce<Dim>> force;

    Evaluation(const LongRangeDescription& description, const Box<Dim>& box,
               const Snapshot<Dim>& start)
        : ensemble(backend, box), particles(backend, ensemble, start),
          force(make_fourier<Dim>(backend, description, box, start, true)) {}

    [[nodiscard]] std::vector<std::array<double, Dim>> forces() {
        std::array<Array<double>, Dim> found;
        Array<std::int32_t> status(backend, 1);
        ForceOutput<Dim> output;
        output.status = status.data();
        const auto n = static_cast<std::size_t>(particles.size());
        for (std::size_t d = 0; d < Dim; ++d) {
            found[d] = Array<double>(backend, n);
            output.force.component[d] = found[d].data();
        }
        force->compute(particles.view(), output);
        std::vector<std::array<double, Dim>> all(n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t d = 0; d < Dim; ++d) all[i][d] = found[d].data()[i];
        return all;
    }
    void add_shares(std::vector<PairTotals<Dim>>& totals) {
        Array<Share<Dim>> share(backend, totals.size());
        force->share(particles.view(), false, share.data());
        for (std::size_t i = 0; i < totals.size(); ++i) {
            const Share<Dim>& own = share.data()[i];
            totals[i].energy = own.energy;
            std::copy_n(own.virial.component, totals[i].virial.size(), totals[i].virial.begin());
        }
    }
};

} // namespace

template <int Dim>
std::vector<std::array<double, Dim>> long_range_forces(const LongRangeDescription& description,
                                                       const Box<Dim>& box,
                                                       const Snapshot<Dim>& particles) {
    if constexpr (Dim > 1) return Evaluation<Dim>(description, box, particles).forces();
    return std::vector<std::array<double, Dim>>(particles.size());
}

template <int Dim>
std::vector<PairTotals<Dim>> long_range_totals(const LongRangeDescription& description,
                                               const Box<Dim>& box,
                                               const Snapshot<Dim>& particles) {
    std::vector<PairTotals<Dim>> totals(particles.size());
    if constexpr (Dim > 1) {
        Evaluation<Dim> evaluation(description, box, particles);
        const auto forces = evaluation.forces();
        for (std::size_t i = 0; i < totals.size(); ++i) totals[i].force = forces[i];
        evaluation.add_shares(totals);
    }
    return totals;
}

/// On a mesh energies of particles are sums of some hundred terms, and forces their differences
/// from point to point; virials and energies have the same rounding. In double charges are rounded
/// to 2^-50.
template <int Dim>
DirectForce<Dim> LongRangeDescription::direct(const DirectContext<Dim>& context) const {
    const auto totals = long_range_totals(*this, context.box, context.particles);
    double largest = 0.0;
    for (const PairTotals<Dim>& own : totals) largest = std::max(largest, std::abs(own.energy));
    PairTotals<Dim> rounding;
    rounding.energy = direct_roundings * (context.epsilon + 0x1p-50) * largest;
    rounding.virial.fill(rounding.energy);
    for (std::size_t d = 0; d < Dim; ++d)
        rounding.force[d] =
            2.0 * rounding.energy *
            (split.order > 0 ? split.count[d] / context.box.lengths()[d] : split.longest);
    return [totals, rounding](DirectTotals<Dim>& sums, std::size_t particle) {
        sums.value.add(totals[particle]);
        sums.rounding.add(rounding);
    };
}

template class FourierForce<2>;
template class FourierForce<3>;
#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::unique_ptr<ForceTerm<Dim>> LongRangeDescription::make(const ForceContext<Dim>&,  \
                                                                        Neighbours<Dim>&) const;   \
    template std::vector<std::array<double, Dim>> long_range_forces<Dim>(                          \
        const LongRangeDescription&, const Box<Dim>&, const Snapshot<Dim>&);                       \
    template DirectForce<Dim> LongRangeDescription::direct(const DirectContext<Dim>&) const;       \
    template std::vector<PairTotals<Dim>> long_range_totals(                                       \
        const LongRangeDescription&, const Box<Dim>&, const Snapshot<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
