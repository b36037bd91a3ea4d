// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/topology_file.hpp"

#include "shadow/io/h5md.hpp"

/// The groups `particles/all` and `particles/final` of a result file.
namespace shadow {

void ResultFile::describe_topology(const Topology& topology) {
    hdf5::Group parameters = file_.make_group("parameters");
    write_topology(parameters, topology);
    changed_ = true;
}

template <int Dim>
void ResultFile::describe_particles(const Box<Dim>& box, const Snapshot<Dim>& system,
                                    const TrajectoryFields& fields) {
    trajectory_.describe(file_, units_, box, system, fields);
    changed_ = true;
}

template <int Dim>
void ResultFile::append_frame(const Box<Dim>& box, const Snapshot<Dim>& frame,
                              std::span<const std::vector<double>> extra) {
    const Writing writing(*this);
    trajectory_.append(box, frame, extra);
    changed_ = true;
}

template <int Dim>
void ResultFile::set_final(const Box<Dim>& box, const Snapshot<Dim>& frame) {
    const Writing writing(*this);
    if (!final_.is_described()) final_.describe(file_, units_, box, frame, {});
    final_.keep(ended_);
    final_.append(box, frame);
    changed_ = true;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template void ResultFile::describe_particles(const Box<Dim>&, const Snapshot<Dim>&,            \
                                                 const TrajectoryFields&);                         \
    template void ResultFile::append_frame(const Box<Dim>&, const Snapshot<Dim>&,                  \
                                           std::span<const std::vector<double>>);                  \
    template void ResultFile::set_final(const Box<Dim>&, const Snapshot<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
