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
/// so that results do not depend on how steps are grouped.
template <int Dim>
class ParticleSystem final : public System {
  public:
    /// `neighbours` has all lists that `forces` use. `start` holds canonical momenta. `fast`: what
    /// methods need for the motion under the forces of the first level.
    ParticleSystem(const Backend& backend, const Box<Dim>& box, const Snapshot<Dim>& start,
                   std::uint64_t seed, Neighbours<Dim> neighbours,
                   std::vector<std::unique_ptr<ForceTerm<Dim>>> forces,
                   std::unique_ptr<FastMotion<Dim>> fast);
    ParticleSystem(const Backend& backend, const Box<Dim>& box, const Snapshot<Dim>& start,
                   std::uint64_t seed, Neighbours<Dim> neighbours,
                   std::vector<std::unique_ptr<ForceTerm<Dim>>> forces);
    ~ParticleSystem() override;

    void kick(FlowTime t, ForceLevel level) override;
    /// By a central difference of forces, at positions displaced by `look` times `square` times the
    /// acceleration in both directions: two further evaluations, and errors of the sixth order.
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
    /// A pair bath needs a list of its radius.
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
    /// Scales positions with the periodic lengths, about the origin of the box.
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

    /// Sets the number of degrees of freedom by which temperature and thermostats count, and which
    /// components of total momentum are zero because they are conserved; none by default. Both
    /// depend on the method, so each stage sets them.
    void set_degrees_of_freedom(double number, const ConservedMomenta<Dim>& conserved = {}) {
        degrees_of_freedom_ = number;
        conserved_ = conserved;
    }

    /// The work of a shear is in the heat of particles, for drifts, and in Scalar::shear_work.
    void set_shear(double rate) override;
    /// Charges gyrate in all drifts from now on; zero: they do not.
    void set_magnetic_field(const std::array<double, 3>& field);
    [[nodiscard]] double shear_rate() const { return queue_.shear_rate; }

    /// Applies to kicks with the forces of all levels, none of which changes in time.
    void set_boost(const Boost& boost) override;
    [[nodiscard]] bool is_boosted() const { return boost_.any(); }

    /// Applies the queued flows.
    void flush();
    /// Ends a stage: canonical momenta become physical ones, s = 1, pi = 0, and heat counts from 0.
    void detach_bath();
    /// Does a box with a mass have a velocity? Waits for the device.
    [[nodiscard]] bool box_moves();
    /// Sets all momenta to zero.
    void rest();
    /// Sets canonical momenta, in id order.
    void set_momenta(const std::vector<std::array<double, Dim>>& momenta);
    /// Makes forces, per-particle energies and the virial of all levels valid, with nothing queued.
    /// An observable calls it before it reads the views below.
    void prepare_observation(bool with_energy);
    void expect_energies(bool expected) override { energies_expected_ = expected; }
    void expect_virial() override { virial_expected_ = true; }
    void arrive() override { arrived_ = true; }
    /// From the next step on, accumulates the action of each step, or stops doing so: the integral
    /// of p dq - H dt along its drifts and kicks, for forces that do not change in time, without
    /// mean-field corrections. Forces of kicks come with energies then. Flows scaled by a scalar
    /// are left to Scalar::action.
    void follow_action(bool follow);
    /// The action of the last step, or of the current one; in backend memory. Null if it has not
    /// been accumulated.
    [[nodiscard]] const double* action() const { return action_.data(); }

    /// From now on drifts and kicks add multiples of the spacing, and forces always come with
    /// energies, since without them they may be rounded differently.
    void keep_spacing(const Spacing& spacing);
    /// Rounds positions and momenta to multiples of the spacing.
    void settle();

    /// Forces that do not change in time, by level in use, at the positions that free particles
    /// would reach after a time t; in backend memory, until the next call. The particles keep their
    /// positions, and their own forces and lists stay valid; but a force must be evaluated again
    /// before it is asked for its shares. Pairs that come within reach on the way are left out.
    [[nodiscard]] TotalForce<Dim> force_along(double t);
    /// Evaluates valid forces once more, with the same bits.
    void evaluate_again();

    /// Must be called by code that moves particles without `drift`.
    void positions_moved();

    [[nodiscard]] const Backend& backend() const { return backend_; }
    [[nodiscard]] const Box<Dim>& box() const { return ensemble_.box(); }
    [[nodiscard]] std::int64_t size() const { return particles_.size(); }
    [[nodiscard]] ParticlesView<Dim> particles() { return particles_.view(); }
    [[nodiscard]] const std::vector<Species>& species_table() const {
        return particles_.species_table();
    }
    [[nodiscard]] Neighbours<Dim>& neighbours() { return neighbours_; }
    /// For loops over pairs other than forces. Builds the lists on demand; as this may sort
    /// particles, valid forces are summed again.
    void update_pair_lists();
    [[nodiscard]] PairListView pair_list(int index); ///< updated
    [[nodiscard]] const Neighbours<Dim>& neighbours() const { return neighbours_; }
    /// Backend memory, by Scalar.
    [[nodiscard]] double* scalars() { return ensemble_.scalars(); }
    /// The index in memory of the particle with each id; in backend memory.
    [[nodiscard]] const std::int32_t* index_of_id() {
        return neighbours_.index_of_id(particles_.view());
    }
    /// For the levels in use, from the fastest on: their numbers; energies by particle; virials,
    /// one tensor each; forces.
    [[nodiscard]] ByLevel<ForceLevel> levels() const;
    [[nodiscard]] ByLevel<const double*> energies(ForceLevel level = all_levels) const;
    [[nodiscard]] ByLevel<const SymmetricTensor<Dim>*> virials() const;
    [[nodiscard]] TotalForce<Dim> force() const;
    /// Enqueues the shares of particles in all forces (ForceTerm::share) into `share`, backend
    /// memory. Evaluates the forces first. False, with nothing done, if there are no forces.
    bool share(Share<Dim>* share);
    /// Calls `enqueue(share, tail)` for each term of the potential energy in turn, the terms of one
    /// force after each other: `share(accumulate, target)` enqueues ForceTerm::share of the term,
    /// `tail` is its mean-field correction. Forces are evaluated.
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
                    term->tail_energy(part));
    }
    /// The claims of the terms of the potential energy.
    [[nodiscard]] std::vector<ForceClaims<Dim>> claims() const {
        std::vector<ForceClaims<Dim>> all;
        for (const auto& term : terms_) all.push_back(term->claims());
        return all;
    }
    /// Per particle, the energy given by all baths; zeros without a bath.
    [[nodiscard]] const double* heat() const { return heat_.data(); }
    /// The mean-field correction of one level, or of all.
    [[nodiscard]] Tail tail_energy(ForceLevel level = all_levels) const;
    [[nodiscard]] Tail tail_virial() const;
    /// Waits where the ensemble has a clock.
    [[nodiscard]] double time() const { return ensemble_.time(); }
    [[nodiscard]] const Ensemble<Dim>& ensemble() const { return ensemble_; }
    /// Waits; throws SimulationError naming step, particle and nearest partner if a force or a
    /// coordinate was not finite, or a bath equation had no solution.
    void check_status();
    /// Was a force or a coordinate not finite? Waits.
    [[nodiscard]] bool force_failed() const { return status_.get(0) != 0; }
    /// "; fene-bond is infinite from r_max on", or "": for errors.
    [[nodiscard]] std::string infinite_forces() const;
    /// The full error message where a particle has left the domain of a force, or "".
    [[nodiscard]] std::string escape() const;
    [[nodiscard]] std::size_t bytes() const;
    /// Wall time by part ("forces", "lists", "integration", "mollifier") is added to `timer`; null:
    /// it is not measured.
    void set_timer(Timer* timer);
    [[nodiscard]] bool is_timed() const { return timer_ != nullptr; }
    /// The particle with the largest force (a force that is not finite counts as infinite), summed
    /// over all levels from `from` on. Copies forces to the host; not for the step loop.
    struct LargestForce {
        std::uint32_t id = 0;
        double force = 0.0;
    };
    [[nodiscard]] LargestForce largest_force(ForceLevel from = 1);
    /// The current particles, in id order; waits.
    [[nodiscard]] Snapshot<Dim> snapshot();

    /// Frees memory that the next step allocates and fills again, with the same bits, to make room
    /// for host copies of a large system.
    void release();
    [[nodiscard]] SystemState<Dim> state();
    void restore(const SystemState<Dim>& state);

  private:
    using Term = ForceTerm<Dim>;

    /// Forces of a level: either those that do not change in time, or those that do.
    struct ForceArrays {
        std::vector<Term*> terms;
        std::array<Array<double>, Dim> force;
        Array<double> energy;
        Array<SymmetricTensor<Dim>> virial;
        bool force_valid = false;
        ForceSums sums = ForceSums::none; ///< computed together with valid forces
        [[nodiscard]] bool has(ForceSums wanted) const { return force_valid && sums >= wanted; }
        bool used = false;           ///< has terms, or is the first of a system without forces
        double from = 0.0, to = 0.0; ///< time over which changing forces are averaged

        [[nodiscard]] VectorView<Dim, const double> view() const {
            VectorView<Dim, const double> view{};
            for (std::size_t d = 0; d < Dim; ++d) view.component[d] = force[d].data();
            return view;
        }
    };

    [[nodiscard]] Evaluated evaluated() const;
    /// Evaluates forces as before: with energies they may be rounded differently.
    void evaluate_as(const Evaluated& before);
    /// The index in `forces_` of the forces of a level.
    static std::size_t slot(ForceLevel level, bool changing) {
        return 2 * static_cast<std::size_t>(level - 1) + (changing ? 1 : 0);
    }
    void prepare_sums(ForceSums sums); ///< of all levels, at the current positions
    /// Evaluates forces that do not change in time; or those that do, averaged over a time.
    void evaluate(ForceLevel level, ForceSums sums);
    void evaluate_changing(ForceLevel level, ForceSums sums, double from, double to);
    void evaluate(ForceArrays& arrays, ForceSums sums);
    /// `advance`: flows to apply to each particle as soon as its force is known; the force is not
    /// stored then.
    void compute(ForceArrays& arrays, ForceSums sums, std::int32_t* status,
                 const Advance<Dim>* advance = nullptr);
    void defer_forces(ForceLevel level);
    bool compute_deferred();
    /// Points the queue at the current particles, forces and scalars.
    void point_queue();
    [[nodiscard]] std::int64_t step_of_failure() const {
        return failed_step_ > 0 ? failed_step_ : step();
    }
    /// A view of numbers by particle, which are allocated if there are none yet.
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
    /// Marks the energies at averages as unknown, or as no longer needed.
    void forget_mollified();
    [[nodiscard]] ForceArrays& mollified_arrays(ForceLevel level);
    void update_lists(bool done = false);
    /// Applies the queued flows and makes lists valid.
    void flush_and_update_lists();
    /// In backend memory, for the next flow of the queue.
    [[nodiscard]] const double* baths_by_species(const BathFlow& flow);
    void exchange_between_pairs(const BathFlow& flow, const PairNumbers<Dim>& numbers);
    void friction_between_pairs(const BathFlow& flow, const PairNumbers<Dim>& numbers);
    /// Visits the pairs within a radius; lists must be valid.
    template <class Op>
    void sweep(double radius, const Op& op);
    void forget_forces();
    void push(const FlowEntry& entry);
    /// Adds `time` times the sum of a number of each particle to the action.
    template <class Energy>
    void add_to_action(double time, const Energy& energy);
    void kick_changing(ForceLevel level, FlowTime t);
    /// Scalar::potential <- V(q), from valid energies; with a boost also the scalars that depend on
    /// it.
    void sum_potential(Scalar kick_scale = Scalar::one);
    void reset_clocks() { clock_.fill(time()); }

    const Backend& backend_;
    Ensemble<Dim> ensemble_;
    Particles<Dim> particles_;
    Neighbours<Dim> neighbours_;
    std::vector<std::unique_ptr<Term>> terms_;
    std::array<ForceArrays, 2 * max_levels> forces_; ///< indexed by `slot`
    std::unique_ptr<FastMotion<Dim>> fast_;
    /// Forces of kicks at average positions, for the first level means over the motion of light
    /// atoms; by level. In a flow they are numbered after those of `forces_`.
    std::array<ForceArrays, max_levels> mollified_;
    /// Forces of all levels at positions displaced in both directions; the first finally holds the
    /// correction of a gradient kick. In a flow they are numbered after `mollified_`.
    std::array<ForceArrays, 2> sides_;
    /// For `force_along`: forces by level, and the status of these forces, which is not read.
    std::array<ForceArrays, max_levels> along_;
    std::array<Array<double>, Dim> kept_; ///< positions before a displacement
    Array<std::int32_t> status_along_;
    /// The state from which steps continue while the particles are at an output, and its lists.
    struct Kept {
        std::array<Array<double>, Dim> position, momentum, reference;
        std::array<Array<std::int32_t>, Dim> image;
        std::vector<double> scalars; ///< empty: the particles are at no output
        std::int64_t rebuilds = 0;
        Evaluated evaluated{};
    } at_output_;
    /// Sums over pairs that the step length follows.
    std::vector<std::unique_ptr<Term>> sums_;
    ForceArrays step_sum_;
    std::vector<Mollifier> mollifiers_; ///< by level - 1
    bool mollified_measured_ = false;
    bool lists_valid_ = false, lists_built_ = false;
    bool pairs_listed_ = false; ///< lists on demand are valid, too
    bool energies_expected_ = false, virial_expected_ = false, arrived_ = false;
    bool follows_action_ = false, action_begins_ = false;
    Array<double> action_; ///< and an energy to be added to it
    Array<double> heat_;
    /// Of a pair bath, while it acts.
    std::array<Array<double>, Dim> predicted_, impulse_;
    Array<FirstPair<Dim>> first_pair_;
    Array<std::int32_t> friction_status_; ///< see PredictVelocities
    std::vector<KnownPairs> known_pairs_; ///< see PredictVelocities
    /// For baths whose friction differs by species: the damping factor and noise of each flow of
    /// the queue, and the host's copy of them.
    std::vector<double> freedom_by_species_;
    Array<double> by_species_;
    std::vector<double> stored_;
    Array<double> result_; ///< result of a reduction, to be read by the host
    Array<std::int32_t> status_;
    Advance<Dim> queue_{};
    ForceArrays* deferred_ = nullptr;       ///< of the queue's kicks, not computed yet
    std::int64_t deferred_step_ = 0;        ///< to which the deferred forces belong
    const ForceArrays* moved_on_ = nullptr; ///< by whose pass particles were last moved
    bool deferred_follows_ = false; ///< such a pass of the same forces directly precedes the next
    std::int64_t failed_step_ = 0;  ///< of deferred forces that were not finite; 0: none
    Boost boost_{};
    Array<double> charge_over_mass_; ///< by species, in a magnetic field
    Spacing spacing_{};
    double degrees_of_freedom_ = 0.0;
    ConservedMomenta<Dim> conserved_ = {};
    Array<KineticSums<Dim>> kinetic_sums_;
    double tail_volume_; ///< to which the tails refer: the volume at the start; 0 without one
    /// By level: the time that its kicks have reached. It advances with them, so that forces which
    /// change in time are averaged over a kick, and the energy they give in it is exact.
    std::array<double, max_levels> clock_{};
    Timer* timer_ = nullptr;
    struct {
        std::size_t forces = 0, lists = 0, integration = 0, mollifier = 0;
    } parts_;
};

} // namespace shadow
