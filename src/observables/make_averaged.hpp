// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/registry.hpp"
#include "shadow/observables/transport.hpp"
#include "shadow/system/molecule_list.hpp"

/// How observables that average arrays are made from their tables. They throw InputError, located
/// in the input.
namespace shadow {

/// Number of bins of a histogram.
int read_bins(const Parameters& params, const std::string& key, std::int64_t bins);
/// Wave vectors of each shell.
std::int64_t read_vectors(const Parameters& params, std::int64_t standard);

/// The distance within which particles are neighbours.
template <int Dim>
double read_radius(const Parameters& params, const ObservableContext<Dim>& context);

/// Those of an observable: all of as many atoms, or of `atoms`.
template <int Dim>
std::vector<ConnectedMolecule<Dim>> followed_molecules(const Parameters& params,
                                                       const ObservableContext<Dim>& context);

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_molecule_size(const Parameters& params,
                                                          const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_molecular_pressure(const Parameters& params, const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_bonded_distribution(const Parameters& params, const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_bond_correlation(const Parameters& params,
                                                             const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_positional_correlation(const Parameters& params, const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_clusters(const Parameters& params,
                                                     const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_pair_density(const Parameters& params,
                                                         const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_radial_density(const Parameters& params,
                                                           const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_rdf(const Parameters& params,
                                                const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_structure_factor(const Parameters& params,
                                                             const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_intermediate_scattering(const Parameters& params, const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_density_profile(const Parameters& params,
                                                            const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_density_map(const Parameters& params,
                                                        const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_velocity_distribution(const Parameters& params, const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_kinetic_energy_distribution(const Parameters& params, const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_msd(const Parameters& params,
                                                const ObservableContext<Dim>& context);
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_vacf(const Parameters& params,
                                                 const ObservableContext<Dim>& context);

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_viscosity(const Parameters& params,
                                                      const ObservableContext<Dim>& context);

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_thermal_conductivity(const Parameters& params, const ObservableContext<Dim>& context);

/// Of a periodic box; `flux` is what an error calls it.
template <int Dim>
FluxScale<Dim> read_flux_scale(const Parameters& params, const ObservableContext<Dim>& context,
                               const char* flux);
/// The same for a flux of heat, which is known for forces between two particles.
template <int Dim>
FluxScale<Dim> read_heat_scale(const Parameters& params, const ObservableContext<Dim>& context);

} // namespace shadow
