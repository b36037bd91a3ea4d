// SPDX-License-Identifier: BSD-3-Clause
#include "ewald_force.hpp"

#include "kernels/launch.hpp"

namespace shadow {
namespace {

/// The next index within -top .. top along each direction, the last fastest; false after the last.
template <int Dim>
bool advance(WaveVector<Dim>& k, const std::int32_t (&top)[Dim]) {
    for (int d = Dim - 1; d >= 0; --d) {
        if (++k.n[d] <= top[d]) return true;
        k.n[d] = -top[d];
    }
    return false;
}

} // namespace

template <int Dim>
EwaldForce<Dim>::EwaldForce(const Backend& backend, const LongRangeDescription& description,
                            const Box<Dim>& box, const Snapshot<Dim>& start)
    : Base(backend, description, box, start), coulomb_(description.coulomb) {
    std::int32_t top[Dim];
    WaveVector<Dim> k{};
    max_turns(box, description.split.longest, top);
    sum_.screening = {description.split.alpha, description.logarithmic};
    const BoxView<Dim> view = box.view();
    sum_.box = &view;
    std::vector<WaveVector<Dim>> modes;
    while (advance(k, top)) { // from 0 on: the second of k and -k
        sum_.modes = &k;
        double vector[Dim];
        const double longest = description.split.longest;
        if (sum_.wave_vector(0, vector) <= longest * longest) modes.push_back(k);
    }
    sum_.box = this->box_.data();
    modes_ = Array<WaveVector<Dim>>(backend, modes);
    factor_ = Array<double>(backend, modes.size());
    cosine_ = Array<double>(backend, modes.size());
    sine_ = Array<double>(backend, modes.size());
    sum_.charge = this->charge_.data();
    sum_.modes = modes_.data();
    sum_.factor = factor_.data();
    sum_.count = static_cast<std::int64_t>(modes.size());
    sum_.cosine = cosine_.data();
    sum_.sine = sine_.data();
    EwaldForce::set_box();
}

/// The modes stay the same.
template <int Dim>
void EwaldForce<Dim>::set_box() {
    launch(backend_, FillModeFactors<Dim>{sum_, coulomb_, factor_.data()}, sum_.count);
}

template <int Dim>
EwaldSum<Dim> EwaldForce<Dim>::sum(const ParticlesView<Dim>& particles) {
    EwaldSum<Dim> all = sum_;
    all.particles = particles;
    launch(backend_, SumChargeModes<Dim>{all}, all.count);
    return all;
}

template <int Dim>
void EwaldForce<Dim>::compute(const ParticlesView<Dim>& particles, const ForceOutput<Dim>& output) {
    const EwaldSum<Dim> all = sum(particles);
    launch(backend_, ApplyChargeModes<Dim>{all, this->force(), this->energy_.data(), nullptr},
           particles.size);
    this->start_virial(output);
    if (output.virial && all.count > 0)
        reduce(backend_, SumModeVirial<Dim>{{}, all, output.virial}, all.count, output.virial);
    this->store(particles, output);
}

template <int Dim>
void EwaldForce<Dim>::share_modes(const ParticlesView<Dim>& particles, bool accumulate,
                                  Share<Dim>* share) {
    if (virial_.size() == 0)
        virial_ = Array<SymmetricTensor<Dim>>(backend_, static_cast<std::size_t>(particles.size));
    launch(
        backend_,
        ApplyChargeModes<Dim>{sum(particles), this->force(), this->energy_.data(), virial_.data()},
        particles.size);
    launch(backend_,
           ShareModes<Dim>{this->charge_.data(), particles.species, this->energy_.data(),
                           virial_.data(), this->background_, accumulate, share},
           particles.size);
}

template <int Dim>
std::size_t EwaldForce<Dim>::bytes() const {
    return Base::bytes() + modes_.bytes() + factor_.bytes() + cosine_.bytes() + sine_.bytes() +
           virial_.bytes();
}

template class EwaldForce<2>;
template class EwaldForce<3>;

} // namespace shadow
