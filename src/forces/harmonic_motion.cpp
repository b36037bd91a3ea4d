// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/harmonic_motion.hpp"

#include "bonded_molecules.hpp"

#include "shadow/core/error.hpp"

#include "kernels/bonded/list.hpp"
#include "kernels/launch.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace shadow {
namespace {

/// The stiffness of a row of parameters; NaN if its force is not linear.
struct AskStiffness {
    const double* row;
    double* answer;

    template <class Form>
    void operator()(BondedTag<Form>) const {
        if constexpr (requires(Form form) { form.is_linear(); }) {
            Form form;
            std::memcpy(static_cast<void*>(&form), row, sizeof form);
            if (form.is_linear()) *answer = form.slope(1.0);
        }
    }
};

double stiffness_of(std::int32_t form, const double* row) {
    double answer = std::nan("");
    visit_bonded(OwnForms{}, form, AskStiffness{row, &answer});
    return answer;
}

/// The stiffness of all fields, which are linear, on a particle of a species.
template <int Dim>
double stiffness_of(std::span<const FieldDescription> fields, std::size_t species, std::size_t d) {
    double sum = 0.0;
    const double here[Dim] = {};
    double there[Dim] = {};
    there[d] = 1.0;
    for (const FieldDescription& field : fields)
        sum += field.modulation.at(0.0) *
               (field.at<Dim>(here, species).force[d] - field.at<Dim>(there, species).force[d]);
    return sum;
}

double sinc(double x) {
    return x == 0.0 ? 1.0 : std::sin(x) / x;
}

/// M^-1/2 K M^-1/2 of a molecule along a direction, row by row.
template <int Dim>
std::vector<double> weighted_stiffness(const BondedMolecule& molecule, const Snapshot<Dim>& start,
                                       const std::vector<double>& rows,
                                       std::span<const FieldDescription> fields, std::size_t d) {
    const std::size_t n = molecule.atoms.size();
    std::vector<double> stiffness(n * n);
    for (const MoleculeTerm& term : molecule.terms) {
        const double k = stiffness_of(term.form, rows.data() + term.row);
        const auto a = static_cast<std::size_t>(term.member[0]),
                   b = static_cast<std::size_t>(term.member[1]);
        stiffness[a * n + a] += k;
        stiffness[b * n + b] += k;
        stiffness[a * n + b] -= k;
        stiffness[b * n + a] -= k;
    }
    const auto mass = [&](std::size_t i) { return start.mass(molecule.atoms[i]); };
    for (std::size_t i = 0; i < n; ++i) {
        stiffness[i * n + i] += stiffness_of<Dim>(fields, start.species[molecule.atoms[i]], d);
        for (std::size_t j = 0; j < n; ++j) stiffness[i * n + j] /= std::sqrt(mass(i) * mass(j));
    }
    return stiffness;
}

/// Molecules connected by forces, followed by single particles.
std::vector<BondedMolecule> all_molecules(std::span<const BondedDescription> bonded,
                                          std::size_t particles) {
    std::vector<BondedMolecule> all = bonded_molecules(bonded, particles);
    std::vector<bool> alone(particles, true);
    for (const BondedMolecule& molecule : all)
        for (const std::uint32_t id : molecule.atoms) alone[id] = false;
    for (std::uint32_t id = 0; id < particles; ++id)
        if (alone[id]) all.push_back({{id}, {}});
    return all;
}

/// What molecules must have in common to move alike: species and terms.
template <int Dim>
std::vector<std::int32_t> likeness(const BondedMolecule& molecule, const Snapshot<Dim>& start) {
    std::vector<std::int32_t> like;
    for (const std::uint32_t id : molecule.atoms) like.push_back(start.species[id]);
    for (const MoleculeTerm& t : molecule.terms)
        like.insert(like.end(), {t.form, t.row, t.member[0], t.member[1]});
    return like;
}

template <int Dim>
std::vector<double> masses(const BondedMolecule& molecule, const Snapshot<Dim>& start) {
    std::vector<double> all;
    for (const std::uint32_t id : molecule.atoms) all.push_back(start.mass(id));
    return all;
}

void refuse_large(const BondedMolecule& molecule) {
    if (molecule.atoms.size() <= max_harmonic_atoms) return;
    throw InputError(
        fmt::format("a molecule of {} particles (the exact motion takes matrices of all of them, "
                    "for {} at most); use method = \"respa\"",
                    molecule.atoms.size(), max_harmonic_atoms));
}

} // namespace

/// Adds the modes that all molecules of a kind need, and returns the kind.
template <int Dim>
HarmonicKind<Dim> HarmonicMotion<Dim>::add_kind(const std::vector<std::vector<double>>& stiffness,
                                                const std::vector<double>& mass) {
    const auto n = static_cast<Eigen::Index>(mass.size());
    HarmonicKind<Dim> kind{static_cast<std::int32_t>(n), {}};
    for (std::size_t d = 0; d < Dim; ++d) {
        if (d > 0 && stiffness[d] == stiffness[d - 1]) {
            kind.matrix[d] = kind.matrix[d - 1];
            continue;
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
            Eigen::Map<const Eigen::MatrixXd>(stiffness[d].data(), n, n));
        const auto& square = solver.eigenvalues();
        const auto& vector = solver.eigenvectors();
        modes_.push_back({mass,
                          {square.data(), square.data() + square.size()},
                          {vector.data(), vector.data() + vector.size()}});
        kind.matrix[d] = numbers_;
        numbers_ += 3 * n * n;
    }
    return kind;
}

template <int Dim>
HarmonicMotion<Dim>::HarmonicMotion(const Backend& backend,
                                    std::span<const BondedDescription> bonded,
                                    std::span<const FieldDescription> fields,
                                    const Snapshot<Dim>& start)
    : backend_(backend) {
    std::vector<double> rows;
    for (const BondedDescription& force : bonded)
        rows.insert(rows.end(), force.rows.begin(), force.rows.end());
    std::vector<HarmonicKind<Dim>> kinds;
    std::vector<HarmonicPlace> place(start.size());
    std::vector<std::uint32_t> ids;
    std::map<std::vector<std::int32_t>, std::int32_t> known;
    for (const BondedMolecule& molecule : all_molecules(bonded, start.size())) {
        refuse_large(molecule);
        const auto [kind, is_new] =
            known.try_emplace(likeness(molecule, start), static_cast<std::int32_t>(kinds.size()));
        if (is_new) {
            std::vector<std::vector<double>> stiffness;
            for (std::size_t d = 0; d < Dim; ++d)
                stiffness.push_back(weighted_stiffness(molecule, start, rows, fields, d));
            kinds.push_back(add_kind(stiffness, masses(molecule, start)));
        }
        for (std::size_t i = 0; i < molecule.atoms.size(); ++i)
            place[molecule.atoms[i]] = {kind->second, static_cast<std::int32_t>(i),
                                        static_cast<std::int64_t>(ids.size())};
        ids.insert(ids.end(), molecule.atoms.begin(), molecule.atoms.end());
    }
    kinds_ = Array<HarmonicKind<Dim>>(backend, kinds);
    place_ = Array<HarmonicPlace>(backend, place);
    ids_ = Array<std::uint32_t>(backend, ids);
    for (auto* vectors : {&move_, &momentum_})
        for (Array<double>& component : *vectors) component = Array<double>(backend, start.size());
}

/// The matrices of a motion over a time t; see HarmonicKind.
template <int Dim>
std::vector<double> HarmonicMotion<Dim>::matrices_of(double t) const {
    std::vector<double> all;
    all.reserve(static_cast<std::size_t>(numbers_));
    for (const Modes& modes : modes_) {
        const auto n = static_cast<Eigen::Index>(modes.mass.size());
        using Numbers = Eigen::Map<const Eigen::ArrayXd>;
        const Eigen::ArrayXd w = Numbers(modes.square.data(), n).max(0.0).sqrt(),
                             root = Numbers(modes.mass.data(), n).sqrt(), inverse = root.inverse();
        const Eigen::Map<const Eigen::MatrixXd> vector(modes.vector.data(), n, n);
        const Eigen::ArrayXd half = (0.5 * t * w).unaryExpr(&sinc);
        const auto append = [&](const Eigen::ArrayXd& of_modes, const Eigen::ArrayXd& left) {
            const Eigen::MatrixXd m = left.matrix().asDiagonal() * vector *
                                      of_modes.matrix().asDiagonal() * vector.transpose() *
                                      inverse.matrix().asDiagonal();
            for (Eigen::Index i = 0; i < n; ++i)
                for (Eigen::Index j = 0; j < n; ++j) all.push_back(m(i, j));
        };
        append(t * (t * w).unaryExpr(&sinc), inverse);
        append(0.5 * t * t * half.square(), inverse);
        append((t * w).cos(), root);
    }
    return all;
}

template <int Dim>
void HarmonicMotion<Dim>::move(double t, const ParticlesView<Dim>& particles,
                               const VectorView<Dim, const double>& force,
                               const std::int32_t* index_of_id) {
    Array<double>& matrices = matrices_[t];
    if (matrices.size() == 0) matrices = Array<double>(backend_, matrices_of(t));
    VectorView<Dim, double> move{}, momentum{};
    for (std::size_t d = 0; d < Dim; ++d) {
        move.component[d] = move_[d].data();
        momentum.component[d] = momentum_[d].data();
    }
    const HarmonicMotionView<Dim> motion{kinds_.data(), place_.data(), ids_.data(), index_of_id,
                                         matrices.data()};
    launch(backend_, FindHarmonicMotion<Dim>{motion, particles, force, move, momentum},
           particles.size);
    launch(backend_, ApplyHarmonicMotion<Dim>{particles, move, momentum}, particles.size);
}

template <int Dim>
std::size_t HarmonicMotion<Dim>::bytes() const {
    std::size_t sum = kinds_.bytes() + place_.bytes() + ids_.bytes();
    for (const auto& [t, matrix] : matrices_) sum += matrix.bytes();
    for (const auto* vectors : {&move_, &momentum_})
        for (const Array<double>& component : *vectors) sum += component.bytes();
    return sum;
}

bool BondedDescription::is_linear() const {
    const std::size_t width = rows.size() / static_cast<std::size_t>(row_count);
    for (std::size_t first = 0; first < rows.size(); first += width)
        if (std::isnan(stiffness_of(form, rows.data() + first))) return false;
    return true;
}

template class HarmonicMotion<1>;
template class HarmonicMotion<2>;
template class HarmonicMotion<3>;

} // namespace shadow
