// SPDX-License-Identifier: BSD-3-Clause
#include "force_input.hpp"
#include "pair_strength.hpp"
#include "slab.hpp"

#include <iterator>
#include <string>

namespace shadow {
namespace {

using enum KeyType;

const ParameterInfo accuracy_key{
    "accuracy", number, "", "1e-4",
    "RMS error of forces, over k <q^2> density^(2/dimension), about the "
    "RMS force of charges in a dense liquid"},
    cutoff_key{"cutoff",
               number,
               "length",
               "the cheapest",
               "of the direct sum over pairs; with a longer one fewer wave vectors are needed",
               "1.2"},
    alpha_key{"alpha",
              number,
              "1/length",
              "from accuracy and cutoff",
              "pairs have erfc(alpha r)/r, wave vectors the rest",
              "2.5"},
    pair_truncation{"truncation",
                    text,
                    "",
                    "\"shift\"",
                    "how the sum over pairs ends: shift keeps energies continuous, and assumes "
                    "that the sphere within the cut-off is neutral; none: unchanged",
                    "\"none\"",
                    {"none", "shift"}},
    background{
        "background", boolean, "", "false",
        "neutralise a net charge by a uniform background; otherwise a net charge is refused"},
    fourier_level{"fourier_level", text, "", "that of the pairs", "level of the wave vectors",
                  "\"slow\""},
    mesh_points{"mesh",
                integers,
                "",
                "the coarsest that reaches `accuracy`",
                "points along each direction, even, with prime factors 2, 3 and 5",
                "[32, 32, 32]"},
    transforms{"transforms",
               text,
               "",
               "\"own\"",
               "of the mesh on a CPU: by Shadow's own code, or by FFTW where it is installed, "
               "which is no faster; a GPU uses cuFFT",
               "\"own\"",
               {"own", "fftw"}},
    spline_order{"order", integer, "", "the cheapest", "of the splines, 4 to 8", "6"},
    longest{"k_max", number, "1/length", "from accuracy and alpha", "the longest wave vector",
            "8.0"};

/// For keys whose meaning differs for -ln r.
ParameterInfo with_meaning(ParameterInfo key, const char* meaning) {
    key.meaning = meaning;
    return key;
}
const ParameterInfo plane_accuracy = with_meaning(
                        accuracy_key, "RMS error of forces, over strength <q^2> density^(1/2), "
                                      "about the RMS force of charges in a dense liquid"),
                    plane_alpha = with_meaning(alpha_key, "pairs have E1(alpha^2 r^2)/2, wave "
                                                          "vectors the rest"),
                    plane_mesh = [] {
                        ParameterInfo key = mesh_points;
                        key.example = "[32, 32]";
                        return key;
                    }();

const char* const logarithmic_text =
    "u = -strength q_i q_j ln r of all periodic images, in a conductor; pairs have strength q_i "
    "q_j E1(alpha^2 r^2)/2 up to the cut-off, ";
const char* const potential_text = "u = k q_i q_j / r of all periodic images, in a conductor; "
                                   "pairs have k q_i q_j erfc(alpha r)/r "
                                   "up to the cut-off, ";

const ParameterInfo &dielectric = strength_key(PairStrength::charges),
                    &strength = strength_key(PairStrength::planar);

const Descriptor descriptors[] = {
    {"coulomb-pme",
     "periodic charges: near pairs directly, the rest by a mesh (smooth particle-mesh Ewald)",
     std::string(potential_text) + "the mesh the rest",
     "U. Essmann et al., J. Chem. Phys. 103 (1995) 8577, with the influence function of V. "
     "Ballenegger, J. J. Cerda and C. Holm, J. Chem. Theory Comput. 8 (2012) 936, and without the "
     "force of a charge on itself",
     {accuracy_key, cutoff_key, alpha_key, mesh_points, spline_order, transforms, pair_truncation,
      background, height_key(), vacuum_key(), fourier_level, dielectric}},
    {"coulomb-ewald",
     "periodic charges: near pairs directly, the rest by a sum over wave vectors; for small "
     "systems",
     std::string(potential_text) +
         "wave vectors the rest, 1/(2 V) sum over k of g(k) |sum_j q_j exp(i k.x_j)|^2 times k of "
         "q_i q_j, g = "
         "4 pi/k^2 exp(-k^2 / 4 alpha^2), in a plane 2 pi/k erfc(k / 2 alpha)",
     "P. P. Ewald, Ann. Phys. 369 (1921) 253; in a plane D. E. Parry, Surf. Sci. 49 (1975) 433",
     {accuracy_key, cutoff_key, alpha_key, longest, pair_truncation, background, height_key(),
      vacuum_key(), fourier_level, dielectric}},
    {"coulomb-wolf",
     "damped charges with a cut-off, the sphere within which is assumed to be neutral: for neutral "
     "bulk systems",
     "u = k q_i q_j [v(r) - v(R)], v(r) = erfc(alpha r)/r, R the cut-off; self energy of each "
     "particle -k q_i^2 [v(R)/2 + alpha/sqrt(pi)]",
     "D. Wolf, P. Keblinski, S. R. Phillpot and J. Eggebrecht, J. Chem. Phys. 110 (1999) 8254, eq. "
     "5.13",
     {{"alpha", number, "1/length", "", "damping; 0: none", "0.4"},
      {"cutoff", number, "length", "", "pairs beyond it do not interact", "2.5"},
      dielectric}},
    {"logarithmic-pme",
     "periodic charges in two dimensions: near pairs directly, the rest by a mesh",
     std::string(logarithmic_text) + "the mesh the rest",
     "U. Essmann et al., J. Chem. Phys. 103 (1995) 8577; S. W. de Leeuw and J. W. Perram, Physica "
     "A 113 (1982) 546",
     {plane_accuracy, cutoff_key, plane_alpha, plane_mesh, spline_order, transforms,
      pair_truncation, background, fourier_level, strength}},
    {"logarithmic-ewald",
     "periodic charges in two dimensions: near pairs directly, the rest by a sum over wave "
     "vectors; for small systems",
     std::string(logarithmic_text) +
         "wave vectors the rest, 1/(2 A) sum over k of g(k) |sum_j q_j exp(i k.x_j)|^2 times "
         "strength, g = 2 pi/k^2 exp(-k^2 / 4 alpha^2)",
     "S. W. de Leeuw and J. W. Perram, Physica A 113 (1982) 546",
     {plane_accuracy, cutoff_key, plane_alpha, longest, pair_truncation, background, fourier_level,
      strength}}};

} // namespace

std::vector<Descriptor> long_range_descriptors() {
    return {std::begin(descriptors), std::end(descriptors)};
}

} // namespace shadow
