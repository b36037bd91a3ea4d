// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/timer.hpp"
#include "shadow/forces/force.hpp"
#include "shadow/integrators/reversible.hpp"
#include "shadow/integrators/system.hpp"
#include "shadow/integrators/system_state.hpp"
#include "shadow/neighbours/neighbours.hpp"
#include "shadow/system/ensemble.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/ops/advance.hpp"
#include "kernels/ops/pair_bath.hpp"
#include "kernels/ops/stress.hpp"

#include <array>
#include <memory>
#include <vector>

namespace shadow {

template <int Dim>
struct FastMotion;

/// Particles in a box under forces: the System of real simulations. Flows are queued and applied in
/// one pass over the particles between two force evaluations; each is rounded as if applied alone,
/// so results do not depend on how steps are grouped.
template <int Dim>
class ParticleSystem final : public System {
  public:
    /// `neighbours` has all lists which `forces` use. `start` holds canonical momenta.
    /// `fast`: what methods need of the motion under the forces of the first level.
    ParticleSystem(const Backend& backend, const Box<Dim>& box, const Snapshot<Dim>& start,
                   std::uint64_t seed, Neighbours<Dim> neighbours,
                   std::vector<std::unique_ptr<ForceTerm<Dim>>> forces,
                   std::unique_ptr<FastMotion<Dim>> fast);
    ParticleSystem(const Backend& backend, const Box<Dim>& box, const Snapshot<Dim>& start,
                   std::uint64_t seed, Neighbours<Dim> neighbours,
                   std::vector<std::unique_ptr<ForceTerm<Dim>>> forces);
    ~ParticleSystem() override;

    void kick(FlowTime t, ForceLevel level) override;
    /// With a central difference of forces on both sides of where particles are, `look` times
    /// `square` of their acceleration away: two evaluations more, and errors of the sixth order.
    void gradient_kick(FlowTime t, double square) override;
    void mollified_kick(FlowTime t, ForceLevel level) override;
    void mollify(const std::vector<Mollifier>& mollifiers) override;
    [[nodiscard]] const std::vector<Mollifier>& mollifiers() const { return mollifiers_; }
    /// See AveragedMolecules; "" without them.
    [[nodiscard]] std::string overdetermined() const;
    void drift(FlowTime t) override;
    void implicit_kick(double t, ForceLevel level, double theta) override;
    void move_exactly(double t) override;
    void averaged_kick(double t, double window, const LightMotion& light) override;
    void move_light(double t, const LightMotion& light) override;
    /// One of pairs needs a list of its radius.
    void bath(const BathFlow& flow, int occurrence) override;
    [[nodiscard]] std::vector<std::string> species() const override;
    [[nodiscard]] std::vector<double> freedom_by_species() const override {
        return freedom_by_species_;
    }
    void scale_momenta_by_species(Scalar first) override;
    void measure_kinetic_by_species() override;
    using System::scale_momenta;
    void scale_momenta(Scalar factor, Axes axes) override;
    using System::scale_box;
    /// Places with the periodic lengths, about the origin of the box.
    void scale_box(Scalar factor, Axes axes) override;
    using System::measure_virial;
    void measure_virial(Axes axes) override;
    void draw(RandomStream stream, double squares) override;
    void stop_centre() override;
    void measure_kinetic() override;
    void measure_kinetic_along() override;
    void measure_motion() override;
    void measure_slope(StepMeasure of) override;
    void measure_potential(ForceLevel level) override;
    void advance(const ScalarFlow& flow) override;
    void set_scalar(Scalar which, double value) override;
    [[nodiscard]] double scalar(Scalar which) override;
    void end_step(double dt) override;
    void end_step() override;
    void end_substep() override { backend_.mark_step(); }
    void measure_descent() override;
    void descend(double longest_move) override;
    void begin_clock() override { ensemble_.begin_clock(); }
    void keep() override;
    void put_back() override;
    [[nodiscard]] bool is_kept() const { return !at_output_.scalars.empty(); }
    [[nodiscard]] std::int64_t step() const override { return ensemble_.step(); }
    [[nodiscard]] double degrees_of_freedom() const override { return degrees_of_freedom_; }
    [[nodiscard]] double kinetic_energy() override;
    [[nodiscard]] double potential_energy() override;
    [[nodiscard]] double bath_heat() override;

    /// The number by which temperature and thermostats count, and which momenta of the whole are
    /// zero because they are conserved: none where nothing is said. Both depend on the method, so
    /// each stage sets them.
    void set_degrees_of_freedom(double number, const ConservedMomenta<Dim>& conserved = {}) {
        degrees_of_freedom_ = number;
        conserved_ = conserved;
    }

    /// The work of a shear is in the heat of particles, on drifts, and in Scalar::shear_work.
    void set_shear(double rate) override;
    /// Charges turn in all drifts from now on; zero: they do not.
    void set_magnetic_field(const std::array<double, 3>& field);
    [[nodiscard]] double shear_rate() const { return queue_.shear_rate; }

    /// Of kicks with the forces of all levels, none of which changes in time.
    void set_boost(const Boost& boost) override;
    [[nodiscard]] bool is_boosted() const { return boost_.any(); }

    /// Applies what is queued.
    void flush();
    /// Ends a stage: canonical momenta become physical ones, s = 1, pi = 0, and heat counts from 0.
    void detach_bath();
    /// Does a box with a mass have a velocity? Waits for the device.
    [[nodiscard]] bool box_moves();
    /// All momenta become zero.
    void rest();
    /// Canonical momenta, in id order.
    void set_momenta(const std::vector<std::array<double, Dim>>& momenta);
    /// Makes forces, per-particle energies and the virial of all levels valid, nothing queued.
    /// What an observable needs before it looks at the views below.
    void prepare_observation(bool with_energy);
    void expect_energies(bool expected) override { energies_expected_ = expected; }
    void expect_virial() override { virial_expected_ = true; }
    void arrive() override { arrived_ = true; }
    /// From the next step on, adds up the action of each step, or does not any more: the integral
    /// of p dq - H dt along its drifts and kicks, of forces that do not change in time, without
    /// mean-field corrections. Forces of kicks come with energies then. Flows that a scalar scales
    /// are left to Scalar::action.
    void follow_action(bool follow);
    /// That of the last step, or of the one that goes on; in backend memory. Null: none was
    /// followed.
    [[nodiscard]] const double* action() const { return action_.data(); }

    /// From now on drifts and kicks add multiples of these, and forces come with energies always,
    /// since they may be rounded otherwise without.
    void keep_spacing(const Spacing& spacing);
    /// Positions and momenta become such multiples.
    void settle();

    /// Forces that do not change in time, by level in use, where particles would be a time t later
    /// without them; in backend memory, until the next call. The particles stay where they are, and
    /// their own forces and lists valid; but before anything else asks a force for its shares, it
    /// must be evaluated again. Pairs that come within reach on the way are left out.
    [[nodiscard]] TotalForce<Dim> force_along(double t);
    /// Evaluates what is valid once more, with the same bits.
    void evaluate_again();

    /// To be called by code that moves particles without `drift`.
    void positions_moved();

    [[nodiscard]] const Backend& backend() const { return backend_; }
    [[nodiscard]] const Box<Dim>& box() const { return ensemble_.box(); }
    [[nodiscard]] std::int64_t size() const { return particles_.size(); }
    [[nodiscard]] ParticlesView<Dim> particles() { return particles_.view(); }
    [[nodiscard]] const std::vector<Species>& species_table() const {
        return particles_.species_table();
    }
    [[nodiscard]] Neighbours<Dim>& neighbours() { return neighbours_; }
    /// For what goes over pairs beside forces. Lists on demand are made now, and as this may sort
    /// particles, forces that are valid are summed again.
    void update_pair_lists();
    [[nodiscard]] PairListView pair_list(int index); ///< updated
    [[nodiscard]] const Neighbours<Dim>& neighbours() const { return neighbours_; }
    /// Backend memory, by Scalar.
    [[nodiscard]] double* scalars() { return ensemble_.scalars(); }
    /// Of each id, where the particle is in memory now; in backend memory.
    [[nodiscard]] const std::int32_t* index_of_id() {
        return neighbours_.index_of_id(particles_.view());
    }
    /// Of the levels in use, from the fastest on: their numbers; energies by particle; virials, one
    /// tensor each; forces.
    [[nodiscard]] ByLevel<ForceLevel> levels() const;
    [[nodiscard]] ByLevel<const double*> energies(ForceLevel level = all_levels) const;
    [[nodiscard]] ByLevel<const SymmetricTensor<Dim>*> virials() const;
    [[nodiscard]] TotalForce<Dim> force() const;
    /// Enqueues the shares of particles in all forces (ForceTerm::share) into `share`, backend
    /// memory. Forces are evaluated. False, with nothing done: there are none.
    bool share(Share<Dim>* share);
    /// Calls `enqueue(share, tail)` for each term of the potential energy in turn, those of one
    /// force after the other: `share(accumulate, target)` enqueues ForceTerm::share of it, `tail`
    /// is its mean-field correction. Forces are evaluated.
    template <class Enqueue>
    void each_term(Enqueue&& enqueue) {
        update_pair_lists();
        const Timer::Scope scope(timer_, parts_.forces);
        for (const auto& term : terms_)
            for (std::size_t part = 0; part < term->parts(); ++part)
                enqueue(
                    [&](bool accumulate, Share<Dim>* target) {
                        term->share(part, particles_.view(), neighbours_, accumulate, target);
                    },
                    part == 0 ? term->tail_energy() : 0.0);
    }
    /// Of the terms of the potential energy.
    [[nodiscard]] std::vector<ForceClaims<Dim>> claims() const {
        std::vector<ForceClaims<Dim>> all;
        for (const auto& term : terms_) all.push_back(term->claims());
        return all;
    }
    /// Per particle, what all baths gave; zeros without a bath.
    [[nodiscard]] const double* heat() const { return heat_.data(); }
    /// Of one level, or of all.
    [[nodiscard]] Tail tail_energy(ForceLevel level = all_levels) const;
    [[nodiscard]] Tail tail_virial() const;
    /// Waits where the ensemble has a clock.
    [[nodiscard]] double time() const { return ensemble_.time(); }
    [[nodiscard]] const Ensemble<Dim>& ensemble() const { return ensemble_; }
    /// Waits; throws SimulationError that names step, particle and nearest partner if a force or a
    /// coordinate was not finite, or a bath equation had no solution.
    void check_status();
    /// Was a force or a coordinate not finite? Waits.
    [[nodiscard]] bool force_failed() const { return status_.get(0) != 0; }
    /// "; fene-bond is infinite from r_max on", or "": for errors.
    [[nodiscard]] std::string infinite_forces() const;
    /// The whole error where a particle has left what a force is made for, or "".
    [[nodiscard]] std::string escape() const;
    [[nodiscard]] std::size_t bytes() const;
    /// Wall time by part ("forces", "lists", "integration", "mollifier") is added to `timer`; null:
    /// not measured.
    void set_timer(Timer* timer);
    [[nodiscard]] bool is_timed() const { return timer_ != nullptr; }
    /// The particle with the largest force (a force that is not finite counts as infinite), all
    /// levels from `from` on summed. Copies forces to the host; not for the step loop.
    struct LargestForce {
        std::uint32_t id = 0;
        double force = 0.0;
    };
    [[nodiscard]] LargestForce largest_force(ForceLevel from = 1);
    /// The particles now, in id order; waits.
    [[nodiscard]] Snapshot<Dim> snapshot();

    /// Gives back memory that the next step makes again, with the same bits, so that copies on the
    /// host of a large system take its place.
    void release();
    [[nodiscard]] SystemState<Dim> state();
    void restore(const SystemState<Dim>& state);

  private:
    using Term = ForceTerm<Dim>;

    /// Forces of a level: those that do not change in time, or those that do.
    struct ForceArrays {
        std::vector<Term*> terms;
        std::array<Array<double>, Dim> force;
        Array<double> energy;
        Array<SymmetricTensor<Dim>> virial;
        bool force_valid = false;
        ForceSums sums = ForceSums::none; ///< beside forces that are valid
        [[nodiscard]] bool has(ForceSums wanted) const { return force_valid && sums >= wanted; }
        bool used = false;           ///< with terms, or the one of a system without forces
        double from = 0.0, to = 0.0; ///< time over which forces that change in time are means

        [[nodiscard]] VectorView<Dim, const double> view() const {
            VectorView<Dim, const double> view{};
            for (std::size_t d = 0; d < Dim; ++d) view.component[d] = force[d].data();
            return view;
        }
    };

    [[nodiscard]] Evaluated evaluated() const;
    /// Forces as they were: with energies they may be rounded otherwise.
    void evaluate_as(const Evaluated& before);
    /// Where `forces_` has the forces of a level.
    static std::size_t slot(ForceLevel level, bool changing) {
        return 2 * static_cast<std::size_t>(level - 1) + (changing ? 1 : 0);
    }
    void prepare_sums(ForceSums sums); ///< of all levels, where particles are
    /// Forces that do not change in time; or those that do, over a time.
    void evaluate(ForceLevel level, ForceSums sums);
    void evaluate_changing(ForceLevel level, ForceSums sums, double from, double to);
    void evaluate(ForceArrays& arrays, ForceSums sums);
    /// `advance`: flows to apply to each particle as soon as the force on it is known, which is
    /// not written then.
    void compute(ForceArrays& arrays, ForceSums sums, std::int32_t* status,
                 const Advance<Dim>* advance = nullptr);
    void defer_forces(ForceLevel level);
    bool compute_deferred();
    /// At where particles, forces and scalars are now.
    void point_queue();
    [[nodiscard]] std::int64_t step_of_failure() const {
        return failed_step_ > 0 ? failed_step_ : step();
    }
    /// Of numbers by particle; made where there are none yet.
    template <class T>
    [[nodiscard]] VectorView<Dim, T> view_of(std::array<Array<T>, Dim>& components) {
        VectorView<Dim, T> view{};
        for (std::size_t d = 0; d < Dim; ++d) {
            Array<T>& component = components[d];
            if (component.size() == 0)
                component = Array<T>(backend_, static_cast<std::size_t>(size()));
            view.component[d] = component.data();
        }
        return view;
    }
    void evaluate_gradient(double square);
    void evaluate_mollified(ForceLevel level);
    void evaluate_at_averages(ForceLevel level, ForceSums sums);
    [[nodiscard]] bool mollifies(ForceLevel level) const;
    void measure_mollified();
    /// Energies at averages are not known, or of no interest any more.
    void forget_mollified();
    [[nodiscard]] ForceArrays& mollified_arrays(ForceLevel level);
    void update_lists(bool done = false);
    /// Applies what is queued and makes lists valid.
    void flush_and_update_lists();
    /// In backend memory, for the flow that is queued next.
    [[nodiscard]] const double* baths_by_species(const BathFlow& flow);
    void exchange_between_pairs(const BathFlow& flow, const PairNumbers<Dim>& numbers);
    void friction_between_pairs(const BathFlow& flow, const PairNumbers<Dim>& numbers);
    /// Visits the pairs within a radius; lists are valid.
    template <class Op>
    void sweep(double radius, const Op& op);
    void forget_forces();
    void push(const FlowEntry& entry);
    /// The action goes on by `time` times the sum of a number of each particle.
    template <class Energy>
    void add_to_action(double time, const Energy& energy);
    void kick_changing(ForceLevel level, FlowTime t);
    /// Scalar::potential <- V(q), from energies that are valid; with a boost all that it decides.
    void sum_potential(Scalar kick_scale = Scalar::one);
    void reset_clocks() { clock_.fill(time()); }

    const Backend& backend_;
    Ensemble<Dim> ensemble_;
    Particles<Dim> particles_;
    Neighbours<Dim> neighbours_;
    std::vector<std::unique_ptr<Term>> terms_;
    std::array<ForceArrays, 2 * max_levels> forces_; ///< by `slot`
    std::unique_ptr<FastMotion<Dim>> fast_;
    /// Of kicks at average positions, of the first level means over the motion of light atoms; by
    /// level, behind those of `forces_` in a flow.
    std::array<ForceArrays, max_levels> mollified_;
    /// Forces of all levels on both sides of where particles are; on the first in the end what
    /// those of a gradient kick are more. In a flow behind `mollified_`.
    std::array<ForceArrays, 2> sides_;
    /// For `force_along`: forces by level, and the status of such forces, which is not
    /// read.
    std::array<ForceArrays, max_levels> along_;
    std::array<Array<double>, Dim> kept_; ///< where particles were
    Array<std::int32_t> status_along_;
    /// What steps go on from while the particles are at an output, and the lists of it.
    struct Kept {
        std::array<Array<double>, Dim> position, momentum, reference;
        std::array<Array<std::int32_t>, Dim> image;
        std::vector<double> scalars; ///< empty: the particles are at no output
        std::int64_t rebuilds = 0;
        Evaluated evaluated{};
    } at_output_;
    /// Sums over pairs that steps follow.
    std::vector<std::unique_ptr<Term>> sums_;
    ForceArrays step_sum_;
    std::vector<Mollifier> mollifiers_; ///< by level - 1
    bool mollified_measured_ = false;
    bool lists_valid_ = false, lists_built_ = false;
    bool pairs_listed_ = false; ///< lists on demand are valid, too
    bool energies_expected_ = false, virial_expected_ = false, arrived_ = false;
    bool follows_action_ = false, action_begins_ = false;
    Array<double> action_; ///< and an energy on its way there
    Array<double> heat_;
    /// Of a bath of pairs, as long as it acts.
    std::array<Array<double>, Dim> predicted_, impulse_;
    Array<FirstPair<Dim>> first_pair_;
    Array<std::int32_t> friction_status_; ///< see PredictVelocities
    std::vector<KnownPairs> known_pairs_; ///< likewise
    /// Of baths whose friction differs by species: what each of the queue keeps and its noise, and
    /// what the host knows of it.
    std::vector<double> freedom_by_species_;
    Array<double> by_species_;
    std::vector<double> stored_;
    Array<double> result_; ///< a reduction's result on its way to the host
    Array<std::int32_t> status_;
    Advance<Dim> queue_{};
    ForceArrays* deferred_ = nullptr;       ///< of the queue's kicks, not computed yet
    std::int64_t deferred_step_ = 0;        ///< to which they belong
    const ForceArrays* moved_on_ = nullptr; ///< by whose pass particles moved last
    bool deferred_follows_ = false; ///< such a pass of the same forces is right before the next
    std::int64_t failed_step_ = 0;  ///< whose deferred forces were not finite; 0: none
    Boost boost_{};
    Array<double> charge_over_mass_; ///< by species, in a magnetic field
    Spacing spacing_{};
    double degrees_of_freedom_ = 0.0;
    ConservedMomenta<Dim> conserved_ = {};
    Array<KineticSums<Dim>> kinetic_sums_;
    double tail_volume_; ///< for which tails are: that of the start; 0 without one
    /// By level: how far its kicks have come. Time goes on with them, so that forces which change
    /// in time are means over a kick, and what they give in it is exact.
    std::array<double, max_levels> clock_{};
    Timer* timer_ = nullptr;
    struct {
        std::size_t forces = 0, lists = 0, integration = 0, mollifier = 0;
    } parts_;
};

} // namespace shadow
