// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/registry.hpp"

namespace shadow {

namespace {

using enum KeyType;

const ParameterInfo window{"window", integer, "measurements", "16", "lags of a level; see msd"},
    origins{"origins", integer, "", "1", "that each level has at the same time"},
    longest{"longest", integer, "steps", "16 windows", "longest lag, at least", "500"},
    integral{"window", integer, "measurements", "100", "lags of the integral; see msd"},
    several{"origins",
            integer,
            "",
            "10, or the next divisor below",
            "that each level has at the same time",
            "5"};
const ParameterInfo every{"every", integer, "steps", std::to_string(default_observation_interval),
                          "steps between two measurements"};

ParameterInfo every_few(const char* flux) {
    return {"every",
            integer,
            "steps",
            "",
            std::string("between two measurements: a small part of what the ") + flux + " lasts",
            "5"};
}

std::vector<Descriptor> all_descriptors() {
    return {
        {"thermo",
         "Energies, temperature, pressure (in a periodic box) and momentum of the whole system; "
         "where forces are of several levels, the potential energy of each",
         "T = 2 K / (k_B g), P = (2 K + sum r.f) / (d V); conserved energy = K + U - heat of the "
         "baths + energy of the variables which a method adds",
         "Allen and Tildesley 2017, section 2.4",
         {every}},
        {"energy-terms",
         "Potential energy by force: potential_energy_TYPE, of two of a type also "
         "potential_energy_TYPE_2 (bonded forces of one type and level are one), and TYPE_14 of "
         "pairs "
         "that are scaled; their sum is that of thermo. Each is a pass over the pairs",
         "sum over pairs of u, with the self energies of charges and the mean-field correction for "
         "a cut-off",
         "",
         {every}},
        {"stress",
         "Pressure tensor: xx, yy, zz, xy, xz, yz; the stress is its negative",
         "P_ab = (sum m v_a v_b + sum over pairs of r_a f_b) / V",
         "Allen and Tildesley 2017, section 2.4",
         {every}},
        {"heat-flux",
         "Flux of heat relative to the centre of mass; of a mixture the flux of energy",
         "J = (sum of e_i v_i + sum over pairs of r (f . (v_i + v_j)) / 2) / V, e_i "
         "the energy of a particle with half of that of its pairs and that in fields",
         "Irving and Kirkwood 1950; Allen and Tildesley 2017, section 2.7",
         {every}},
        {"angular-momentum",
         "Total angular momentum about the origin, with periodic images undone",
         "L = sum r x p",
         "",
         {every}},
        {"directional-temperature",
         "Temperature of the motion along each direction",
         "T_x = sum p_x^2 / m / (k_B g_x), without the motion of the centre of mass where it is "
         "conserved; the g_x sum to g",
         "Allen and Tildesley 2017, section 2.4",
         {every}},
        {"configurational",
         "Second derivatives of the potential energy: hypervirial, for compressibilities, and "
         "configurational temperature",
         "X = sum over pairs of r d(r u')/dr / d^2; k T = <|grad U|^2> / <laplacian U>",
         "Allen and Tildesley 2017, section 2.5; Rugh 1997; Butler et al. 1998",
         {every}},
        {"bond-order",
         "Order parameters mu_m of the angles between the bonds of each particle of a plane",
         "mu_m = sum_i sum over pairs {j,k} of neighbours of i of cos(m theta_jik); per particle "
         "psi_m = (1/n) sum_j exp(i m a_j); of all |Psi_m| = |sum psi_m| / N, chi_m = "
         "N (<|Psi_m|^2> - <|Psi_m|>^2)",
         "Leimkuhler and Reich 2004, section 4.5.1; Weber, Marx and Binder 1995",
         {every,
          {"folds", integers, "", "[4, 6]", "the numbers m"},
          {"radius", number, "length", "", "nearer than this is a neighbour", "1.5"},
          {"global", boolean, "", "false", "also |Psi_m| of all particles, and its susceptibility"},
          {"per_particle", boolean, "", "false", "psi_m of every particle in the trajectory"}}},
        {"bond-correlation",
         "Correlation of bond order g_6(r) in a plane",
         "g_m(r) = <psi_m*(i) psi_m(j)> over pairs at distance r, psi_m of each particle as of "
         "bond-order",
         "Nelson and Halperin 1979",
         {every,
          {"fold", integer, "", "6", "m"},
          {"radius", number, "length", "", "nearer than this is a neighbour", "1.5"},
          {"largest", number, "length", "half the box", "distance", "2.0"},
          {"bins", integer, "", "200", "of equal width"}}},
        {"positional-correlation",
         "Pair distribution along the directions of the lattice of a plane, which the global bond "
         "order of each configuration tells",
         "g(x, 0) = A n(x) / (N (N - 1) a(x)), n ordered pairs in strips of area a along the "
         "angles (arg Psi_m + 2 pi k) / m",
         "Bernard and Krauth 2011",
         {every,
          {"fold", integer, "", "6", "m, at most 12"},
          {"radius", number, "length", "", "nearer than this is a neighbour", "1.5"},
          {"width", number, "length", "a quarter of the mean distance", "of a strip", "0.2"},
          {"largest", number, "length", "half the box", "distance", "2.0"},
          {"bins", integer, "", "200", "of equal width"}}},
        {"steinhardt",
         "Bond order q_4 and q_6 in space and number of neighbours: means over particles",
         "q_l = sqrt(4 pi/(2l + 1) sum_m |q_lm|^2), q_lm the mean of Y_lm over a particle's bonds",
         "Steinhardt, Nelson and Ronchetti 1983, eqs. 1.3 and 1.4",
         {every,
          {"radius", number, "length", "", "nearer than this is a neighbour", "1.5"},
          {"global", boolean, "", "false", "also of all bonds of the system together"},
          {"per_particle", boolean, "", "false",
           "q_4, q_6 and neighbours of each in the trajectory"}}},
        {"rdf",
         "Radial distribution function g(r) of all particles and of each pair of species",
         "g(r) = V n(r) / (N (N - 1)/2 v(r)), n pairs in a shell of volume v; between species "
         "N_a N_b",
         "Allen and Tildesley 2017, section 2.6",
         {every,
          {"radius", number, "length", "half the box, or 256 neighbours", "largest distance",
           "2.0"},
          {"bins", integer, "", "200", "of equal width"}}},
        {"pair-density",
         "Mean number density at a distance from a particle, in any box, of all particles and of "
         "each pair of species",
         "rho(r) = <n(r)> / v, n others in a shell of volume v around a particle; between species "
         "those of the second around one of the first",
         "",
         {every,
          {"radius", number, "length", "half the box, where it is periodic", "largest distance",
           "1.5"},
          {"bins", integer, "", "200", "of equal width"}}},
        {"radial-density",
         "Number density around the centre of mass of all particles, of all and of each species",
         "rho(r) = n(r) / v, n particles in a shell of volume v around the centre; along periodic "
         "directions that is L / 2 pi arg sum m exp(2 pi i x / L)",
         "Bai and Breen 2008",
         {every,
          {"radius", number, "length", "half the box, where it is periodic", "largest distance",
           "1.5"},
          {"bins", integer, "", "100", "of equal width"}}},
        {"clusters",
         "Clusters of particles by distance: their number, the largest, the mean size, and how "
         "many "
         "there are of each size",
         "connected components of the pairs nearer than a radius; cluster_size = sum s^2 n(s) / N, "
         "n(s) clusters of s particles",
         "Stillinger 1963",
         {every,
          {"radius", number, "length", "", "nearer than this belongs together", "1.5"},
          {"sizes", integer, "", "100, or all", "up to which clusters are counted by size", "100"},
          {"per_particle", boolean, "", "false",
           "lowest id in the cluster of each, in the trajectory"}}},
        {"structure-factor",
         "Static structure factor S(k) of all particles and of each pair of species",
         "S(k) = <|sum_j exp(i k.x_j)|^2> / N over wave vectors k of the box, one of each shell in "
         "each measurement, in turn; between species Re <rho_a rho_b*> / sqrt(N_a N_b)",
         "Allen and Tildesley 2017, section 2.6",
         {every,
          {"longest", number, "1/length", "", "largest wave number", "10.0"},
          {"shells", integer, "", "64", "of equal thickness, from 0 to the largest"},
          {"method",
           text,
           "",
           "\"direct\"",
           "direct, or fft: all wave vectors, by a mesh",
           "",
           {"direct", "fft"}},
          {"vectors", integer, "", "12", "of each shell, at most; direct"},
          {"accuracy", number, "", "0.001", "relative error of Fourier components; fft"}}},
        {"intermediate-scattering",
         "Collective intermediate scattering function F(k, t) at given wave numbers",
         "F(k, t) = <rho(k, t) rho(-k, 0)> / N, over wave vectors of the box near each wave number",
         "Hansen and McDonald 2013, section 7.4",
         {every,
          {"wavenumbers", numbers, "1/length", "", "k", "[6.8, 7.2]"},
          {"vectors", integer, "", "6", "wave vectors near each k, at most"},
          {"window", integer, "measurements", "100", "lags, from 0"},
          {"spacing", integer, "measurements", "a tenth of the window", "between two origins",
           "10"}}},
        {"density-profile",
         "Number density along a direction, of all particles and of each species",
         "rho(x) = n(x) / v, n particles in a slab of volume v",
         "",
         {every,
          {"direction", text, "", "", "along which it is taken", "\"x\"", {"x", "y", "z"}},
          {"bins", integer, "", "100", "of equal width"},
          {"range", numbers, "length", "required where the box is open",
           "lower and upper end along an open direction; along a periodic one a profile goes "
           "through all of the box, and there is none",
           "[-5.0, 5.0]"}}},
        {"density-map",
         "Number density over two directions, of all particles and of each species",
         "rho(x, y) = n(x, y) / v, n particles in a cell or column of volume v",
         "",
         {every,
          {"directions", texts, "", "[\"x\", \"y\"]", "two of x, y, z"},
          {"bins", integers, "", "[100, 100]", "along each"}}},
        {"bonded-distribution",
         "Distribution of the lengths of bonds, or of angles, dihedrals or impropers, of all and "
         "of "
         "each type",
         "density of probability of r, theta or phi (from -180 to 180 degrees, 0 is cis), without "
         "r^2 or sin(theta) taken off",
         "",
         {every,
          {"of",
           text,
           "",
           "\"bonds\"",
           "which",
           "\"angles\"",
           {"bonds", "angles", "dihedrals", "impropers"}},
          {"range", numbers, "length or degree", "all angles; required by bonds",
           "what is outside is not counted", "[0.5, 1.5]"},
          {"bins", integer, "", "100", "of the range"}}},
        {"molecule-size",
         "Radius of gyration of molecules and, where all of them are unbranched chains, the "
         "distance "
         "between their ends: means over molecules of these and of their squares",
         "R_g^2 = sum m |x - c|^2 / sum m, c the centre of mass; R = x_last - x_first; images are "
         "undone such that molecules are whole",
         "Doi and Edwards 1986, The Theory of Polymer Dynamics, section 2.2",
         {every,
          {"atoms", integer, "", "all, where they are of one size",
           "molecules of so many atoms alone", "4"}}},
        {"molecular-pressure",
         "Pressure of molecules and its tensor, of the motion of their centres of mass and the "
         "forces between these; in equilibrium the means are those of `pressure` and of `stress`, "
         "which are of atoms",
         "P_ab = (sum M V_a V_b + W_ab - sum (r - c)_a f_b) / V, symmetric, W the virial of atoms, "
         "c "
         "the centre of mass of the molecule that r is in; P is a third of its trace, half in a "
         "plane",
         "Ciccotti and Ryckaert 1986; Allen and Tildesley 2017, section 2.4",
         {every}},
        {"velocity-distribution",
         "Distribution of the components of velocities, of all particles and of each species, and "
         "its distance from Maxwell and Boltzmann's",
         "density of probability of one component; in equilibrium sqrt(m / 2 pi kT) exp(-m v^2 / "
         "2kT); velocity_excess = <(m v^2)^2> / 3 (kT)^2 - 1, temperature_excess = <m v^2> / kT - "
         "1",
         "",
         {every,
          {"largest", number, "length/time", "", "what is faster is not counted", "5.0"},
          {"bins", integer, "", "100", "from minus the largest to the largest"}}},
        {"kinetic-energy-distribution",
         "Distribution of the kinetic energies of particles, of all and of each species, and its "
         "distance from Maxwell and Boltzmann's",
         "density of probability of e = m v^2 / 2; in equilibrium (e/kT)^(d/2 - 1) exp(-e/kT) "
         "/ (kT Gamma(d/2)); kinetic_energy_excess = 4 <e^2> / (d (d + 2) (kT)^2) - 1",
         "",
         {every,
          {"largest", number, "energy", "", "what is more is not counted", "8.0"},
          {"bins", integer, "", "100", "from 0 to the largest"}}},
        {"msd",
         "Mean square displacement, non-Gaussian parameter, diffusion coefficient and "
         "self-intermediate scattering; lags 1 .. w, w + 2 .. 2w, 2w + 4 .. 4w ... measurements",
         "msd(t) = <|x(t) - x(0)|^2>; non_gaussian(t) = d/(d + 2) <dx^4>/<dx^2>^2 - 1; "
         "diffusion(t) "
         "= slope of msd over the second half of a window / (2 d); F_s(k, t) = <cos k dx>",
         "Frenkel and Smit 2002, section 4.4.2; Rahman 1964",
         {every,
          window,
          origins,
          longest,
          {"wavenumbers", numbers, "1/length", "[]", "k of F_s(k, t), self_scattering", "[7.2]"},
          {"of",
           text,
           "",
           "\"particles\"",
           "or the centres of mass of molecules: molecule_msd and so on",
           "\"molecules\"",
           {"particles", "molecules"}},
          {"atoms", integer, "", "all, where they are of one size",
           "molecules of so many atoms alone", "4"}}},
        {"vacf",
         "Velocity autocorrelation, and the diffusion coefficient by its integral",
         "vacf(t) = <v(t).v(0)>; diffusion_green_kubo(t) = (1/d) integral of it over one window, "
         "by "
         "trapezoids",
         "Allen and Tildesley 2017, section 8.5",
         {every, window, origins, longest}},
        {"viscosity",
         "Shear viscosity of an isotropic fluid, by Green and Kubo and by Einstein and Helfand, "
         "and "
         "the autocorrelation of the stress",
         "stress_autocorrelation(t) = V/(k_B T) <P_xy(0) P_xy(t)>, averaged over the independent "
         "components of the traceless tensor; viscosity_green_kubo(t) = its integral; "
         "viscosity_helfand(t) = V/(2 k_B T) d/dt <(integral of P_xy)^2>",
         "Daivis and Evans 1994; Allen and Tildesley 2017, section 2.7",
         {every_few("stress"), integral, several, longest}},
        {"thermal-conductivity",
         "Thermal conductivity of a fluid of one species, by Green and Kubo and by Einstein and "
         "Helfand, and the autocorrelation of the flux of heat",
         "heat_flux_autocorrelation(t) = V/(k_B T^2) <J_x(0) J_x(t)>, averaged over directions; "
         "thermal_conductivity_green_kubo(t) = its integral; thermal_conductivity_helfand(t) = "
         "V/(2 k_B T^2) d/dt <(integral of J_x)^2>",
         "Allen and Tildesley 2017, section 2.7",
         {every_few("flux of heat"), integral, several, longest}},
    };
}

} // namespace

const Descriptor& observe_table() {
    static const Descriptor table{
        "observe",
        "What is measured; any number of these, and each type brings keys of its own. In a run "
        "with "
        "stages it is [[stage.observe]]",
        "",
        "",
        {{"type", text, "", "", "one of mdrun --list observe", "\"thermo\""}, every}};
    return table;
}

const std::vector<Descriptor>& observables() {
    static const std::vector<Descriptor> all = all_descriptors();
    return all;
}

} // namespace shadow
