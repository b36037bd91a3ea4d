// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/long_range.hpp"

#include "force_input.hpp"
#include "force_tables.hpp"
#include "pair_strength.hpp"
#include "slab.hpp"
#include "wire.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"

#include "kernels/cpu/fftw.hpp"
#include "kernels/mesh/fourier.hpp"
#include "kernels/potentials/list.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

namespace shadow {
namespace {

constexpr double max_mesh_points = 1 << 30, max_modes = 1e6;

/// Charges: their pair part and, if they are periodic, their Fourier part.
struct LongRangeForce {
    PairForceDescription pairs;
    std::optional<LongRangeDescription> fourier;
};

template <int Dim>
class LongRangeReader {
  public:
    LongRangeReader(const Parameters& table, const Box<Dim>& box, const Snapshot<Dim>& start,
                    double coulomb)
        : table_(table), box_(box), start_(start), name_(table.text("type")),
          mesh_(name_.ends_with("-pme")) {
        system_.logarithmic = name_.starts_with("logarithmic");
        system_.dimension = Dim;
        system_.lengths.assign(box.lengths().begin(), box.lengths().end());
        for (std::size_t d = 0; d < Dim && box.is_tilted(); ++d)
            system_.edges.push_back(box.edge_length(d));
        system_.particles = static_cast<double>(start.size());
        system_.coulomb = read_strength(
            table, system_.logarithmic ? PairStrength::planar : PairStrength::charges, coulomb);
        system_.squares = system_.net = 0.0;
        for (const std::uint16_t s : start.species) {
            const double q = start.species_table[s].charge;
            system_.squares += q * q;
            system_.net += q;
            largest_ = std::max(largest_, std::abs(q));
        }
    }

    LongRangeForce read(double cutoff) {
        if (name_ == "coulomb-wolf") return wolf();
        check_system();
        LongRangeForce force;
        LongRangeDescription fourier;
        fourier.accuracy = accuracy_ = read_accuracy();
        if (!system_.logarithmic) {
            fourier.slab = read_slab(table_, box_, start_, accuracy_, system_);
            fourier.wire = read_wire(table_, box_, start_, accuracy_, system_);
        }
        split_accuracy_ = accuracy_;
        if (fourier.wire) split_accuracy_ /= wire_crowding(system_, *fourier.wire);
        fourier.logarithmic = system_.logarithmic;
        if (fourier.slab) fourier.image_error = slab_error(system_, *fourier.slab);
        if (fourier.wire) fourier.image_error = wire_error(system_, *fourier.wire);
        fourier.split = choose(cutoff);
        fourier.fftw = mesh_ && read_fftw();
        fourier.coulomb = system_.coulomb;
        fourier.force_scale = system_.force_scale();
        fourier.pair_error = pair_error(system_, fourier.split.alpha, fourier.split.cutoff);
        fourier.fourier_error = fourier_error(system_, fourier.split);
        fourier.type = name_;
        fourier.name = name_ + "_fourier";
        warn_of_errors(fourier);
        for (const Species& s : start_.species_table) fourier.charge.push_back(s.charge);
        fourier.neutral = is_neutral();
        force.pairs.name = name_;
        force.pairs.potential =
            pairs(fourier.split.alpha, fourier.split.cutoff, name_ + "_pairs", truncation_given());
        force.pairs.potential.periodic = true;
        if (force.pairs.potential.truncation == Truncation::shift)
            fourier.pair_shift =
                screened_potential(system_.logarithmic, fourier.split.alpha, fourier.split.cutoff);
        force.fourier = std::move(fourier);
        return force;
    }

  private:
    void check_system() {
        if (system_.logarithmic && Dim != 2)
            table_.fail("type",
                        fmt::format("{} in {} (-ln r is what charges of a plane have); use "
                                    "{}",
                                    name_, Dim == 1 ? "one dimension" : "space",
                                    Dim == 1 ? "logarithmic in an open box" : "coulomb-pme"));
        if (Dim == 1)
            table_.fail("type", name_ + " in one dimension (it is made for two and three); use "
                                        "coulomb in an open box");
        if (system_.logarithmic && !box_.is_periodic())
            table_.fail("type", name_ + " in a box with open directions (its sum is over images in "
                                        "all); make all periodic, or use logarithmic in an open "
                                        "box");
        if (box_.is_open())
            table_.fail("type", name_ + " in an open box (its sum is over periodic images); make a "
                                        "direction periodic, or use coulomb, or coulomb-dsf");
        check_charges();
        const bool neutral = is_neutral();
        const bool neutralised = table_.boolean("background", false);
        if (!neutral && !box_.is_periodic())
            table_.fail("type", fmt::format("{} in a box with open directions, with a total charge "
                                            "of {:.6g} (its energy is infinite, and a background "
                                            "would be a body of some shape); make it neutral",
                                            name_, system_.net));
        if (neutralised && !box_.is_periodic())
            table_.fail("background",
                        "a background in a box with open directions (it would be a body of some "
                        "shape, and the charges are neutral without it); remove it");
        if (!neutral && !neutralised)
            table_.fail("type", fmt::format("{} with a total charge of {:.6g} (the sum "
                                            "over images is infinite); make it neutral, or set "
                                            "background = true for a uniform one that neutralises "
                                            "it",
                                            name_, system_.net));
    }
    /// Rounded charges of molecules need not sum to zero exactly.
    [[nodiscard]] bool is_neutral() const {
        return std::abs(system_.net) <= 1e-9 * largest_ * system_.particles;
    }
    void check_charges() const {
        if (largest_ == 0.0)
            table_.fail("type", name_ + " without charges (every species has charge 0); set "
                                        "charge in [[species]] or remove this force");
    }

    /// What was given may not be accurate enough.
    void warn_of_errors(const LongRangeDescription& fourier) const {
        const double error =
            std::hypot(fourier.pair_error, fourier.fourier_error, fourier.image_error);
        if (error > 1.05 * fourier.accuracy)
            log::warning(fmt::format("{}: an estimated error of forces of {:.2g}, beyond accuracy "
                                     "= {} (of pairs {:.2g}, "
                                     "of wave vectors {:.2g}{}); leave out what was chosen by "
                                     "hand, or ask for less accuracy",
                                     table_.where("type"), error, fourier.accuracy,
                                     fourier.pair_error, fourier.fourier_error,
                                     fourier.slab || fourier.wire
                                         ? fmt::format(", of images {:.2g}", fourier.image_error)
                                         : ""));
    }

    double read_accuracy() const {
        const double accuracy = table_.positive("accuracy", 1e-4);
        if (accuracy < 1e-12 || accuracy > 0.1)
            table_.fail("accuracy", fmt::format("accuracy = {} is out of range (1e-12 to 0.1, a "
                                                "relative error of forces); give such a number",
                                                accuracy));
        return accuracy;
    }

    [[nodiscard]] bool read_fftw() const {
        if (table_.choice("transforms", {"own", "fftw"}, "own") != "fftw") return false;
        if (const std::string problem = cpu::fftw_problem(); !problem.empty())
            table_.fail("transforms", fmt::format("transforms by FFTW, which is not there ({}); "
                                                  "install it (libfftw3-single3 and "
                                                  "libfftw3-double3 of Debian), or remove "
                                                  "transforms",
                                                  problem));
        return true;
    }

    EwaldSplit choose(double shared) {
        EwaldSplit given;
        const double half = 0.5 * *std::min_element(system_.lengths.begin(), system_.lengths.end());
        if (table_.has("cutoff")) given.cutoff = table_.positive("cutoff");
        refuse_long_cutoff(table_, "cutoff", given.cutoff, 2.0 * half);
        if (table_.has("alpha")) given.alpha = table_.positive("alpha");
        if (!mesh_ && table_.has("k_max")) given.longest = table_.positive("k_max");
        if (mesh_ && table_.has("mesh")) given.count = read_mesh();
        if (mesh_ && table_.has("order")) {
            const std::int64_t order = table_.integer("order");
            if (order < 4 || order > 8)
                table_.fail("order", fmt::format("order = {} is out of range (splines have orders "
                                                 "4 to 8); give one of these",
                                                 order));
            given.order = static_cast<int>(order);
        }
        if (shared > half || system_.logarithmic) shared = 0.0; // a pass of its own
        const EwaldSplit split = choose_split(system_, given, mesh_, split_accuracy_, shared);
        mesh_ ? check_mesh(split, given) : check_modes(split, given);
        return split;
    }

    void check_mesh(const EwaldSplit& split, const EwaldSplit& given) const {
        double points = 1.0;
        for (const std::int32_t n : split.count) points *= n;
        const std::string size =
            fmt::format("a mesh of {} = {:.3g} points", fmt::join(split.count, " x "), points);
        if (points > max_mesh_points && !given.count.empty())
            table_.fail("mesh", size + " (beyond what is computed); give fewer, or leave it out");
        if (points > max_mesh_points)
            table_.fail(given.alpha > 0.0 ? "alpha" : "accuracy",
                        fmt::format("{} (accuracy = {} with cutoff = {} and alpha = {:.4g} needs "
                                    "as many); give a longer cutoff{} or less accuracy",
                                    size, accuracy_, split.cutoff, split.alpha,
                                    given.order > 0 && given.order < 8 ? ", a higher order" : ""));
        if (points > 1e6 && points > 200.0 * system_.particles)
            log::warning(
                fmt::format("{}: {} for {} particles (it takes most of the time); a longer "
                            "cutoff needs a coarser one",
                            table_.where("type"), size, system_.particles));
    }
    void check_modes(const EwaldSplit& split, const EwaldSplit& given) const {
        const double turns = split.longest / (2.0 * std::numbers::pi);
        double modes = 0.5 * (Dim == 3 ? 4.0 / 3.0 : 1.0) * std::numbers::pi;
        for (const double length : system_.lengths) modes *= turns * length;
        if (modes > max_modes)
            table_.fail(given.longest > 0.0 ? "k_max" : "type",
                        fmt::format("{:.3g} wave vectors up to {:.4g} (each is summed over all "
                                    "particles); use {}-pme, or a longer cutoff",
                                    modes, split.longest,
                                    system_.logarithmic ? "logarithmic" : "coulomb"));
    }

    std::vector<std::int32_t> read_mesh() {
        std::vector<std::int32_t> mesh;
        for (const std::int64_t n : table_.integers("mesh")) {
            if (n < 10 || n > 4096 || good_count(static_cast<double>(n)) != n)
                table_.fail("mesh",
                            fmt::format("{} points (even numbers from 10 to 4096 with prime "
                                        "factors 2, 3 and 5 can be transformed); give such "
                                        "numbers",
                                        n));
            mesh.push_back(static_cast<std::int32_t>(n));
        }
        if (mesh.size() != Dim)
            table_.fail("mesh", fmt::format("{} numbers of points in {} dimensions (one for each "
                                            "direction); give {}",
                                            mesh.size(), Dim, Dim));
        return mesh;
    }

    [[nodiscard]] Truncation truncation_given() const {
        return table_.choice("truncation", {"none", "shift"}, "shift") == "shift"
                   ? Truncation::shift
                   : Truncation::none;
    }

    [[nodiscard]] PairPotential pairs(double alpha, double cutoff, const std::string& name,
                                      Truncation end) const {
        PairPotential potential;
        potential.potential = system_.logarithmic ? potential_index<Logarithmic>
                                                  : potential_index<DampedShiftedForce>;
        potential.vanishes = false;
        potential.charged = true;
        potential.truncation = end;
        potential.name = name;
        for (const Species& a : start_.species_table)
            for (const Species& b : start_.species_table)
                potential.pairs.push_back(
                    {{system_.coulomb * a.charge * b.charge, alpha}, cutoff, 0.0});
        return potential;
    }

    /// The pair part alone.
    LongRangeForce wolf() {
        check_charges();
        const double alpha = table_.number("alpha"), cutoff = table_.positive("cutoff");
        if (alpha < 0.0)
            table_.fail("alpha", fmt::format("alpha = {} is out of range (a damping is not below "
                                             "zero); give such a number",
                                             alpha));
        refuse_long_cutoff(table_, "cutoff", cutoff, box_.shortest_periodic_length());
        warn_of_damping(table_, alpha, cutoff);
        LongRangeForce force;
        force.pairs.name = name_;
        force.pairs.potential = pairs(alpha, cutoff, name_, Truncation::shift);
        return force;
    }

    const Parameters& table_;
    const Box<Dim>& box_;
    const Snapshot<Dim>& start_;
    ChargedSystem system_{};
    std::string name_;
    bool mesh_; ///< else a sum over wave vectors
    double largest_ = 0.0, accuracy_ = 0.0;
    double split_accuracy_ = 0.0; ///< of pairs and wave vectors
};

} // namespace

/// Without a cut-off of their own, pairs may use the longest one of the forces before.
template <int Dim>
std::vector<ForceDescription> read_long_range(const ForceInput<Dim>& in) {
    const auto& [table, type, context, before] = in;
    double cutoff = 0.0;
    for (const ForceDescription& force : before)
        cutoff =
            std::max(cutoff, std::visit([](const auto& f) { return f.list().radius(); }, force));
    auto [pairs, fourier] =
        LongRangeReader<Dim>(table, context.box, context.start, context.units.coulomb).read(cutoff);
    refuse_other_charges(table, before);
    pairs.level = in.level();
    if (!fourier) return {pairs};
    fourier->level = table.has("fourier_level")
                         ? read_level(table, context.levels, "", "fourier_level")
                         : pairs.level;
    return {pairs, *fourier};
}

template std::vector<ForceDescription> read_long_range(const ForceInput<1>&);
template std::vector<ForceDescription> read_long_range(const ForceInput<2>&);
template std::vector<ForceDescription> read_long_range(const ForceInput<3>&);

} // namespace shadow
