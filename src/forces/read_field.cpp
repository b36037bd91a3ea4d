// SPDX-License-Identifier: BSD-3-Clause
#include "force_input.hpp"

#include "shadow/core/log.hpp"
#include "shadow/system/unwrapped.hpp"

#include "kernels/fields/list.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

using enum KeyType;

const ParameterInfo coupling{"coupling",
                             text,
                             "",
                             "\"particle\"",
                             "factor of force and energy: 1, the mass or the charge of the "
                             "particle; the strength is in units of energy over that factor, for "
                             "mass in length^2/time^2 (so that a force is an acceleration)",
                             "\"mass\"",
                             {"particle", "mass", "charge"}},
    species{"species", texts, "", "all", "species on which the field acts", "[\"A\"]"};

template <int Dim, template <int> class... F>
std::vector<const FieldInfo*> all_infos(FieldList<F...>) {
    return {&F<Dim>::info...};
}

/// Calls `use` with the type of the entry at `index`.
template <int Dim, template <int> class... F, class Use>
void with_type(FieldList<F...>, int index, const Use& use) {
    int k = 0;
    ((k++ == index ? use.template operator()<F<Dim>>() : void()), ...);
}

template <int Dim>
class FieldReader {
  public:
    explicit FieldReader(const ForceInput<Dim>& in)
        : table_(in.table), box_(in.context.box), start_(in.context.start),
          info_(*all_infos<Dim>(Fields{})[in.type]) {
        read_.info = &info_;
        read_.name = info_.name;
        read_.field = static_cast<int>(in.type);
    }

    FieldDescription read() {
        std::vector<double> given;
        for (int k = 0; k < info_.parameter_count; ++k) append(info_.parameters[k], given);
        with_type<Dim>(Fields{}, read_.field, [&]<class Field>() { compile<Field>(given); });
        read_weights();
        add_weights();
        if (info_.in_open_directions) refuse_periodic();
        refuse_outside();
        return read_;
    }

  private:
    void append(const FieldParameter& p, std::vector<double>& given) {
        const bool vector = p.kind == FieldParameter::Kind::vector;
        std::vector<double> numbers(vector ? Dim : 1, 0.0);
        if (p.required || table_.has(p.name)) {
            if (vector)
                numbers = table_.numbers(p.name);
            else
                numbers[0] = table_.number(p.name);
        }
        if (vector && numbers.size() != Dim)
            table_.fail(p.name,
                        fmt::format("{} of {} numbers (the system has {} dimension{}); give "
                                    "one for each direction",
                                    p.name, numbers.size(), Dim, Dim == 1 ? "" : "s"));
        for (const double x : numbers) {
            const bool bad = !std::isfinite(x) ||
                             (p.range == FieldParameter::Range::positive && !(x > 0.0)) ||
                             (p.range == FieldParameter::Range::not_negative && !(x >= 0.0));
            if (bad)
                table_.fail(p.name,
                            fmt::format("{} = {} is out of range ({}); give such a number", p.name,
                                        x,
                                        p.range == FieldParameter::Range::any ? "it is finite"
                                        : p.range == FieldParameter::Range::positive
                                            ? "it is above zero"
                                            : "it is not below zero"));
        }
        given.insert(given.end(), numbers.begin(), numbers.end());
    }

    template <class Field>
    void compile(const std::vector<double>& given) {
        if constexpr (requires { Field::problem(given.data(), box_.view()); })
            if (const char* problem = Field::problem(given.data(), box_.view()))
                table_.fail("type", problem);
        const Field field = Field::from(given.data(), box_.view());
        const auto* numbers = reinterpret_cast<const double*>(&field);
        read_.numbers.assign(numbers, numbers + sizeof field / sizeof(double));
    }

    void read_weights() {
        const auto& all = start_.species_table;
        std::string to = "particle";
        if (info_.couples) to = table_.choice("coupling", coupling.words, "particle");
        read_.couples_to_charge = to == "charge";
        std::vector<bool> chosen(all.size(), !table_.has("species"));
        if (table_.has("species"))
            for (const std::string& name : table_.texts("species")) {
                const auto at = std::find_if(all.begin(), all.end(),
                                             [&](const Species& s) { return s.name == name; });
                if (at == all.end())
                    table_.fail("species", fmt::format("no species {} (those of [[species]] or of "
                                                       "the file take part); give one of them",
                                                       name));
                chosen[static_cast<std::size_t>(at - all.begin())] = true;
            }
        for (std::size_t s = 0; s < all.size(); ++s)
            read_.weight.push_back(!chosen[s]       ? 0.0
                                   : to == "mass"   ? all[s].mass
                                   : to == "charge" ? all[s].charge
                                                    : 1.0);
        const auto acts = [](double w) { return w != 0.0; };
        if (std::none_of(read_.weight.begin(), read_.weight.end(), acts))
            table_.fail(to == "charge" ? "coupling" : "species",
                        to == "charge"
                            ? "coupling = \"charge\" on species without charge (it acts on "
                              "nothing); set charge in [[species]], or name others"
                            : "an empty list of species (it acts on nothing); name some");
    }

    /// Sums the weights of all particles; the rounding error of a neutral system becomes zero.
    void add_weights() {
        double size = 0.0;
        for (const std::uint16_t s : start_.species) {
            read_.total_weight += read_.weight[s];
            size += std::abs(read_.weight[s]);
        }
        if (std::abs(read_.total_weight) <= 1e-12 * size) read_.total_weight = 0.0;
    }

    void refuse_periodic() const {
        const std::vector<double> gradient = read_.gradient<Dim>();
        for (std::size_t d = 0; d < Dim; ++d)
            if (gradient[d] != 0.0 && box_.periodic()[d])
                table_.fail("type", fmt::format("{} along {}, which is periodic (its force would "
                                                "jump where the box repeats); open the direction "
                                                "by system.box.periodic",
                                                info_.name, "xyz"[d]));
    }

    /// Throws for particles behind walls.
    void refuse_outside() const {
        for (std::size_t i = 0; i < start_.size(); ++i) {
            const std::array<double, Dim> place = unwrapped(start_, box_, i);
            if (std::isfinite(read_.at<Dim>(place.data(), start_.species[i]).u)) continue;
            std::string at;
            for (const double x : place) at += fmt::format("{}{:.6g}", at.empty() ? "" : ", ", x);
            table_.fail(
                "type",
                fmt::format("particle {} at ({}) starts beyond the {} (its energy is infinite "
                            "there); move the wall, turn its normal, or move the particles",
                            i, at, info_.name));
        }
    }

    const Parameters& table_;
    const Box<Dim>& box_;
    const Snapshot<Dim>& start_;
    const FieldInfo& info_;
    FieldDescription read_;
};

/// Warns of a trap that pushes negative charges away.
template <int Dim>
void warn_of_hills(const Parameters& table, const FieldDescription& field,
                   const Snapshot<Dim>& start) {
    if (field.name != "harmonic-trap" || !field.modulation.is_constant()) return;
    for (std::size_t s = 0; s < field.weight.size(); ++s)
        if (field.weight[s] < 0.0 &&
            std::find(start.species.begin(), start.species.end(), s) != start.species.end())
            return log::warning(fmt::format(
                "{}: harmonic-trap with coupling = \"charge\" on {}, whose charge is negative (the "
                "trap is a hill for it, and pushes it away the faster the farther it is); name by "
                "`species` those that it is to hold, or use coupling = \"particle\"",
                table.where("coupling"), start.species_table[s].name));
}

/// Warns of a uniform field along a periodic direction, which has no equilibrium.
template <int Dim>
void warn_of_fall(const Parameters& table, const FieldDescription& field, const Box<Dim>& box) {
    const std::vector<double> strength = field.gradient<Dim>();
    const bool falls = field.modulation.is_constant();
    for (std::size_t d = 0; d < Dim; ++d)
        if (field.info->uniform && box.periodic()[d] && strength[d] * field.total_weight != 0.0)
            log::warning(fmt::format(
                "{}: {} along {}, which is periodic ({}); {}", table.where("type"), field.name,
                "xyz"[d],
                falls ? "all particles fall for ever: temperature, pressure and diffusion count "
                        "the fall as heat, however long the run"
                      : "it accelerates all particles together: temperature, pressure and "
                        "diffusion count this motion as heat, even after the field has ended",
                falls ? "put walls across an open direction where it is to be gravity"
                      : "observe directional-temperature, or let the field act on species whose "
                        "weights sum to zero"));
}

} // namespace

std::vector<const FieldInfo*> field_infos() {
    return all_infos<3>(Fields{});
}

std::vector<Descriptor> field_descriptors() {
    std::vector<Descriptor> all;
    for (const FieldInfo* info : field_infos()) {
        Descriptor d{info->name, info->summary, info->equation, info->reference, {}};
        for (int k = 0; k < info->parameter_count; ++k) {
            const FieldParameter& p = info->parameters[k];
            const bool vector = p.kind == FieldParameter::Kind::vector;
            d.parameters.push_back({p.name, vector ? numbers : number, p.unit,
                                    p.required ? ""
                                    : vector   ? "zeros"
                                               : "0.0",
                                    p.meaning, p.example});
        }
        if (info->couples) d.parameters.push_back(coupling);
        d.parameters.insert(d.parameters.end(), {species, modulation_key()});
        all.push_back(std::move(d));
    }
    return all;
}

/// Throws also for a particle of the start where the field is not finite.
template <int Dim>
std::vector<ForceDescription> read_field(const ForceInput<Dim>& in) {
    FieldDescription field = FieldReader<Dim>(in).read();
    field.level = in.level();
    field.modulation = read_modulation(in.table);
    warn_of_fall(in.table, field, in.context.box);
    warn_of_hills(in.table, field, in.context.start);
    return {field};
}

template std::vector<ForceDescription> read_field(const ForceInput<1>&);
template std::vector<ForceDescription> read_field(const ForceInput<2>&);
template std::vector<ForceDescription> read_field(const ForceInput<3>&);

} // namespace shadow
