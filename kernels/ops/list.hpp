// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/advance.hpp"
#include "kernels/ops/averaged_molecules.hpp"
#include "kernels/ops/barostat.hpp"
#include "kernels/ops/bond_correlation.hpp"
#include "kernels/ops/bond_order.hpp"
#include "kernels/ops/bonded.hpp"
#include "kernels/ops/boost.hpp"
#include "kernels/ops/cells.hpp"
#include "kernels/ops/charge_mesh.hpp"
#include "kernels/ops/clusters.hpp"
#include "kernels/ops/connected.hpp"
#include "kernels/ops/density_modes.hpp"
#include "kernels/ops/displacement.hpp"
#include "kernels/ops/entries.hpp"
#include "kernels/ops/ewald.hpp"
#include "kernels/ops/fields.hpp"
#include "kernels/ops/fire.hpp"
#include "kernels/ops/global_order.hpp"
#include "kernels/ops/gradient_kick.hpp"
#include "kernels/ops/grid.hpp"
#include "kernels/ops/harmonic_motion.hpp"
#include "kernels/ops/heat_flux.hpp"
#include "kernels/ops/histograms.hpp"
#include "kernels/ops/implicit_kick.hpp"
#include "kernels/ops/in_turn.hpp"
#include "kernels/ops/light_motion.hpp"
#include "kernels/ops/mesh_influence.hpp"
#include "kernels/ops/molecules.hpp"
#include "kernels/ops/motion.hpp"
#include "kernels/ops/net_force.hpp"
#include "kernels/ops/origin_pairs.hpp"
#include "kernels/ops/origins.hpp"
#include "kernels/ops/pair_bath.hpp"
#include "kernels/ops/pair_derivatives.hpp"
#include "kernels/ops/properties.hpp"
#include "kernels/ops/radii.hpp"
#include "kernels/ops/ranges.hpp"
#include "kernels/ops/self_energy.hpp"
#include "kernels/ops/shadow_energy.hpp"
#include "kernels/ops/share_pairs.hpp"
#include "kernels/ops/shares.hpp"
#include "kernels/ops/shear.hpp"
#include "kernels/ops/slab.hpp"
#include "kernels/ops/sort.hpp"
#include "kernels/ops/spread.hpp"
#include "kernels/ops/steinhardt.hpp"
#include "kernels/ops/stress.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/ops/sweep.hpp"
#include "kernels/ops/thermo.hpp"
#include "kernels/ops/transform_stage.hpp"
#include "kernels/ops/velocity_moments.hpp"
#include "kernels/ops/wire.hpp"
#include "kernels/ops/wrap.hpp"

/// Every op that the host passes to `launch`, `launch_and_scan`, `reduce` or `count`, to be
/// instantiated for the device (kernels/cuda/instances.hpp). A missing op is reported when any
/// build is linked, as an undefined `shadow::cuda::launch<Op>`, `reduce<Op>` or `count<Op>`. X
/// takes the op, whose template arguments may contain commas.

/// Ops of particles, for each dimension.
#define SHADOW_LAUNCH_OPS(X, Dim)                                                                  \
    X(AddFieldEnergy<Dim>)                                                                         \
    X(AddShearWork<Dim>)                                                                           \
    X(AddTail<Dim>)                                                                                \
    X(Advance<Dim>)                                                                                \
    X(ApplyBonded<Dim>)                                                                            \
    X(ApplyField<Dim>)                                                                             \
    X(ApplyHarmonicMotion<Dim>)                                                                    \
    X(AverageMolecules<Dim, Averaging::at_rest>)                                                   \
    X(AverageMolecules<Dim, Averaging::in_time>)                                                   \
    X(BuildRanges<Dim>)                                                                            \
    X(CopyBox<Dim>)                                                                                \
    X(CopyVectors<Dim>)                                                                            \
    X(CopyVectors<Dim, std::int32_t>)                                                              \
    X(DifferenceOfForces<Dim>)                                                                     \
    X(DivideMomenta<Dim>)                                                                          \
    X(ExchangeFirstPairs<Dim>)                                                                     \
    X(FillClusters<Dim>)                                                                           \
    X(FindCells<Dim>)                                                                              \
    X(FindCentre<Dim>)                                                                             \
    X(FindCentreVelocity<Dim>)                                                                     \
    X(FindHarmonicMotion<Dim>)                                                                     \
    X(FinishDirections<Dim>)                                                                       \
    X(FinishHeatFlux<Dim>)                                                                         \
    X(FinishMolecularPressure<Dim>)                                                                \
    X(FinishPathEnergy<Dim>)                                                                       \
    X(FinishRebuild<Dim>)                                                                          \
    X(FinishShadowEnergy<Dim>)                                                                     \
    X(FinishShearFlow<Dim>)                                                                        \
    X(FinishStress<Dim>)                                                                           \
    X(FinishThermo<Dim>)                                                                           \
    X(FollowBox<Dim>)                                                                              \
    X(GatherPlaces<Dim>)                                                                           \
    X(GiveImpulses<Dim>)                                                                           \
    X(ImplicitKick<Dim>)                                                                           \
    X(InTurn<WrapPositions<Dim>, CountHashed<Dim>>)                                                \
    X(LocateMolecules<Dim>)                                                                        \
    X(MeanLightForce<Dim>)                                                                         \
    X(MeasureVirial<Dim>)                                                                          \
    X(MoveAlong<Dim>)                                                                              \
    X(MoveByForce<Dim>)                                                                            \
    X(MoveFire<Dim>)                                                                               \
    X(MoveLight<Dim>)                                                                              \
    X(PlanGrid<Dim>)                                                                               \
    X(PutById<Share<Dim>>)                                                                         \
    X(RankWindow<Dim>)                                                                             \
    X(ReduceSlide<Dim>)                                                                            \
    X(RestorePositions<Dim>)                                                                       \
    X(SampleWindow<Dim>)                                                                           \
    X(ScaleBox<Dim>)                                                                               \
    X(ShareBonded<Dim>)                                                                            \
    X(ShareField<Dim>)                                                                             \
    X(SlideImages<Dim>)                                                                            \
    X(SpreadToMesh<Dim>)                                                                           \
    X(StopCentre<Dim>)                                                                             \
    X(StoreOrigin<Dim>)                                                                            \
    X(StorePoint<Dim>)                                                                             \
    X(Sweep<Dim, AddPairFriction<Dim>>)                                                            \
    X(Sweep<Dim, FindFirstPair<Dim>>)                                                              \
    X(Sweep<Dim, JoinNeighbours>)                                                                  \
    X(Sweep<Dim, PredictVelocities<Dim>>)                                                          \
    X(Sweep<Dim, SharePairs<Dim, double>>)                                                         \
    X(Sweep<Dim, SharePairs<Dim, float>>)                                                          \
    X(TestDisplacement<Dim>)                                                                       \
    X(TransposeAverage<Dim, Averaging::at_rest>)                                                   \
    X(TransposeAverage<Dim, Averaging::in_time>)                                                   \
    X(WrapPositions<Dim>)

#define SHADOW_SCAN_OPS(X, Dim)                                                                    \
    X(CountBins<Dim>)                                                                              \
    X(CountClusters<Dim>)

#define SHADOW_REDUCE_OPS(X, Dim)                                                                  \
    X(CompareWithOrigin<Dim>)                                                                      \
    X(MeasureAngularMomentum<Dim>)                                                                 \
    X(MeasureCentre<Dim>)                                                                          \
    X(MeasureFire<Dim>)                                                                            \
    X(MeasureHeatFlux<Dim>)                                                                        \
    X(MeasureInside<Dim>)                                                                          \
    X(MeasureKinetic<Dim>)                                                                         \
    X(MeasureMolecules<Dim>)                                                                       \
    X(MeasureMotion<Dim>)                                                                          \
    X(MeasureSlope<Dim>)                                                                           \
    X(MeasureThermo<Dim>)                                                                          \
    X(MeasureVelocityMoments<Dim>)                                                                 \
    X(PlanMeasuredGrid<Dim>)                                                                       \
    X(ScatterFromOrigin<Dim>)                                                                      \
    X(SquareForces<Dim>)                                                                           \
    X(SumBondedVirial<Dim>)                                                                        \
    X(SumForceProducts<Dim>)                                                                       \
    X(SumModes<Dim>)                                                                               \
    X(SumMoments<Dim>)                                                                             \
    X(SumPathProducts<Dim>)                                                                        \
    X(SumShares<Dim>)                                                                              \
    X(SumVirial<Dim>)                                                                              \
    X(TwiceKinetic<Dim>)                                                                           \
    X(TwiceKineticAlong<Dim>)                                                                      \
    X(TwiceKineticBySpecies<Dim>)

#define SHADOW_COUNT_OPS(X, Dim)                                                                   \
    X(CountOriginPairs<Dim, DistanceBins<Dim>>)                                                    \
    X(CountPairs<Dim>)                                                                             \
    X(CountPlaces<Dim>)                                                                            \
    X(CountRadii<Dim>)                                                                             \
    X(CountTerms<Dim>)                                                                             \
    X(CountVelocities<Dim>)

/// Ops of periodic charges, in 2D and 3D; and on a mesh, for both types of its potential.
#define SHADOW_CHARGE_LAUNCH_OPS(X, Dim)                                                           \
    X(AddSlab<Dim>)                                                                                \
    X(AddSlabVirial<Dim>)                                                                          \
    X(AddWire<Dim>)                                                                                \
    X(ApplyChargeModes<Dim>)                                                                       \
    X(FillModeFactors<Dim>)                                                                        \
    X(FinishWire<Dim>)                                                                             \
    X(ShareModes<Dim>)                                                                             \
    X(ShareSlab<Dim>)                                                                              \
    X(ShareWire<Dim>)                                                                              \
    X(StoreFourierForces<Dim>)                                                                     \
    X(SumChargeModes<Dim>)

#define SHADOW_CHARGE_REDUCE_OPS(X, Dim)                                                           \
    X(MeasureLayer<Dim>)                                                                           \
    X(MeasureWire<Dim>)                                                                            \
    X(SumForces<Dim>)                                                                              \
    X(SumModeVirial<Dim>)                                                                          \
    X(SumWireMoments<Dim>)                                                                         \
    X(SumWireVirial<Dim>)

#define SHADOW_MESH_LAUNCH_OPS(X, Dim, T)                                                          \
    X(ApplyInfluence<Dim, T>)                                                                      \
    X(ClearCells<Dim, T>)                                                                          \
    X(FillGauss<Dim, T>)                                                                           \
    X(FillInfluence<Dim, T>)                                                                       \
    X(GatherForces<Dim, T>)                                                                        \
    X(LoadCells<Dim, T>)                                                                           \
    X(ShareMesh<Dim, T>)                                                                           \
    X(SpreadCharges<Dim, T>)

#define SHADOW_MESH_REDUCE_OPS(X, Dim, T)                                                          \
    X(SumMeshSelf<Dim, T>)                                                                         \
    X(SumMeshVirial<Dim, T>)                                                                       \
    X(SumSelfFactors<Dim, T>)

/// Ops without a dimension.
#define SHADOW_PLAIN_LAUNCH_OPS(X)                                                                 \
    X(AddConstant)                                                                                 \
    X(DrawNumbers)                                                                                 \
    X(AddSelfEnergy)                                                                               \
    X(AddToAction)                                                                                 \
    X(BondProducts)                                                                                \
    X(AdvanceScalars<NosePoincareFirst>)                                                           \
    X(AdvanceScalars<NosePoincareSecond>)                                                          \
    X(AdvanceScalars<NosePoincareSlow>)                                                            \
    X(AdvanceScalars<NosePoincareChange>)                                                          \
    X(AdvanceScalars<GeneralizedBathFirst>)                                                        \
    X(AdvanceScalars<GeneralizedBathSecond>)                                                       \
    X(AdvanceScalars<GeneralizedBathChange>)                                                       \
    X(AdvanceScalars<ExplicitNoseFirst<RecursiveBath>>)                                            \
    X(AdvanceScalars<ExplicitNoseDrift<RecursiveBath>>)                                            \
    X(AdvanceScalars<ExplicitNoseSecond<RecursiveBath>>)                                           \
    X(AdvanceScalars<ExplicitNoseChange>)                                                          \
    X(AdvanceScalars<ExplicitNoseFirst<DensityBath>>)                                              \
    X(AdvanceScalars<ExplicitNoseDrift<DensityBath>>)                                              \
    X(AdvanceScalars<ExplicitNoseSecond<DensityBath>>)                                             \
    X(AdvanceScalars<SeparatedNoseKick>)                                                           \
    X(AdvanceScalars<SeparatedNoseDrift>)                                                          \
    X(AdvanceScalars<MoveBoxFirst>)                                                                \
    X(AdvanceScalars<MoveBoxSecond>)                                                               \
    X(AdvanceScalars<NoseHooverFirst>)                                                             \
    X(AdvanceScalars<NoseHooverSecond>)                                                            \
    X(AdvanceScalars<NoseHooverTemperature>)                                                       \
    X(AdvanceScalars<NoseHooverNoise>)                                                             \
    X(AdvanceScalars<SpeciesChainsFirst>)                                                          \
    X(AdvanceScalars<SpeciesChainsSecond>)                                                         \
    X(AdvanceScalars<SpeciesChainsTemperature>)                                                    \
    X(AdvanceScalars<ChangePressure>)                                                              \
    X(AdvanceScalars<BeginSteps>)                                                                  \
    X(AdvanceScalars<AdaptStep>)                                                                   \
    X(AdvanceScalars<StepDensityFirst>)                                                            \
    X(AdvanceScalars<StepDensitySecond>)                                                           \
    X(AdvanceScalars<ScaleByEnergy>)                                                               \
    X(AdvanceScalars<PoincareKick>)                                                                \
    X(AdvanceScalars<PoincareEnd>)                                                                 \
    X(AdvanceScalars<ControlFire>)                                                                 \
    X(AdvanceScalars<RescaleMomenta>)                                                              \
    X(AdvanceScalars<CoupleWeakly>)                                                                \
    X(AdvanceScalars<ProposeVolume>)                                                               \
    X(AdvanceScalars<AcceptVolume>)                                                                \
    X(AdvanceScalars<ProposeMove>)                                                                 \
    X(AdvanceScalars<AcceptMove>)                                                                  \
    X(AdvanceScalars<BeginDeformation>)                                                            \
    X(AdvanceScalars<EndDeformation>)                                                              \
    X(BuildAllRanges)                                                                              \
    X(Clear<double>)                                                                               \
    X(Clear<std::int32_t>)                                                                         \
    X(CountMembers)                                                                                \
    X(FillConsecutive)                                                                             \
    X(FinishClusters)                                                                              \
    X(FinishConfigurational)                                                                       \
    X(FinishGlobalOrder)                                                                           \
    X(FinishSteinhardt)                                                                            \
    X(FinishVelocityMoments)                                                                       \
    X(InvertIds)                                                                                   \
    X(InTurn<SortBin, Clear<std::int32_t>>)                                                        \
    X(KeepRow)                                                                                     \
    X(LatticeDirections)                                                                           \
    X(PlaceEntries)                                                                                \
    X(PutById<double>)                                                                             \
    X(PutById<std::int32_t>)                                                                       \
    X(PutById<std::uint16_t>)                                                                      \
    X(FollowBoost)                                                                                 \
    X(WeighDensity)                                                                                \
    X(ReadClock)                                                                                   \
    X(ScatterOrder)                                                                                \
    X(SortProperties)                                                                              \
    X(SplitLines<float>)                                                                           \
    X(SplitLines<double>)                                                                          \
    X(StartAlone)                                                                                  \
    X(StoreNumbers)                                                                                \
    X(StoreProperties)                                                                             \
    X(TakeCounts)                                                                                  \
    X(TransformStage<float>)                                                                       \
    X(TransformStage<double>)                                                                      \
    X(TakeModes)                                                                                   \
    X(Sweep<2, BondOrder>)                                                                         \
    X(Sweep<3, Steinhardt>)

#define SHADOW_PLAIN_SCAN_OPS(X) X(CountEntries)

#define SHADOW_PLAIN_REDUCE_OPS(X)                                                                 \
    X(MeasureClusters)                                                                             \
    X(SumArrays)                                                                                   \
    X(SumHarmonics)                                                                                \
    X(SumOrder)                                                                                    \
    X(SumPairDerivatives<1>)                                                                       \
    X(SumPairDerivatives<2>)                                                                       \
    X(SumPairDerivatives<3>)

#define SHADOW_PLAIN_COUNT_OPS(X)                                                                  \
    X(CountClusterSizes)                                                                           \
    X(CountOriginPairs<2, DirectionBins>)
