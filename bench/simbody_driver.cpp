// SPDX-License-Identifier: MIT
// The same slider-crank with play on Simbody: what a good general multibody engine costs on this problem.
//
// Crank and rod on pins, the slider on a slider mobilizer, the crank's speed prescribed by Motion::Steady, so
// that no constraint equations remain. The joint with play is a Force::Custom with the formulas of
// handwritten.c. Its memory (the approach speed delta'-, 0 in free flight) is a discrete state variable,
// changed by a triggered event handler at delta = 0. Two of Simbody's integrators are offered:
// Runge-Kutta-Merson, and the Adams method of CPodes, which needs half the evaluations and more work beside
// each. Its Runge-Kutta-Fehlberg was less accurate than Merson's at equal cost.
#include "comparators.h"

#include <Simbody.h>

#include <chrono>
#include <climits>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>

using namespace SimTK;

namespace {

const Real speed = 5000.0 * 2.0 * Pi / 60.0;
const Real crank_length = 0.05, crank_mass = 0.30, crank_inertia = 1e-4;
const Real rod_length = 0.12, rod_mass = 0.21, rod_inertia = 2.5e-4;
const Real slider_mass = 0.14, slider_inertia = 1e-4;
const Real bearing_radius = 0.010, clearance = 0.5 * 0.05e-3, journal_radius = bearing_radius - clearance;
const Real young = 207e9, poisson = 0.3, restitution = 0.9;
const Real friction = 0.01, friction_v0 = 1e-4, friction_v1 = 1e-3;
const Real damping = 0.75 * (1.0 - restitution * restitution);
const Real approach_floor = 1e-6; // m/s, least delta'-

// Width of the window in which an event is located, in Simbody's units; a thousand times less changes no
// digit shown.
const Real event_window = 1e-6;

// A bar along X with its origin at one end and its centre of mass in the middle.
Body::Rigid bar(Real length, Real mass, Real central_inertia) {
    Vec3 centre(0.5 * length, 0, 0);
    return Body::Rigid(
        MassProperties(mass, centre, Inertia(central_inertia).shiftFromMassCenter(-centre, mass)));
}

struct Gap {
    Vec3 normal, rate_vector;
    Real eccentricity, delta, rate;
};

// The force of the joint with play: bearing at the slider's origin, journal at the rod's far end.
class PlayForce : public Force::Custom::Implementation {
  public:
    PlayForce(const GeneralForceSubsystem &forces, const MobilizedBody &rod, const MobilizedBody &slider)
        : forces_(forces), rod_(rod), slider_(slider) {
        const Real flexibility = 2.0 * (1.0 - poisson * poisson) / young;
        stiffness_ = 4.0 / (3.0 * flexibility) * std::sqrt(bearing_radius * journal_radius / clearance);
    }

    void realizeTopology(State &state) const override {
        memory_ = forces_.allocateDiscreteVariable(state, Stage::Dynamics, new Value<Real>(0.0));
    }

    Real approach(const State &state) const {
        return Value<Real>::downcast(forces_.getDiscreteVariable(state, memory_)).get();
    }

    void set_approach(State &state, Real speed_in) const {
        Value<Real>::updDowncast(forces_.updDiscreteVariable(state, memory_)).upd() = speed_in;
    }

    Real delta(const State &state) const {
        const Vec3 e = rod_.findStationLocationInGround(state, Vec3(rod_length, 0, 0)) -
                       slider_.getBodyOriginLocation(state);
        return e.norm() - clearance;
    }

    Gap gap(const State &state) const {
        const Vec3 arm = rod_.getBodyRotation(state).x() * rod_length;
        const Vec3 e = rod_.getBodyOriginLocation(state) + arm - slider_.getBodyOriginLocation(state);
        Gap g;
        g.eccentricity = e.norm();
        g.normal = g.eccentricity > 0 ? Vec3(e / g.eccentricity) : Vec3(0);
        g.delta = g.eccentricity - clearance;
        g.rate_vector = rod_.getBodyOriginVelocity(state) + rod_.getBodyAngularVelocity(state) % arm -
                        slider_.getBodyOriginVelocity(state);
        g.rate = dot(g.rate_vector, g.normal);
        return g;
    }

    Real normal_force(const State &state, const Gap &g) const {
        const Real speed_in = approach(state);
        if (speed_in <= 0 || g.delta <= 0)
            return 0;
        return stiffness_ * g.delta * std::sqrt(g.delta) * std::max(1.0 + damping * g.rate / speed_in, 0.0);
    }

    void calcForce(const State &state, Vector_<SpatialVec> &body_forces, Vector_<Vec3> &,
                   Vector &) const override {
        evaluations++;
        if (approach(state) <= 0)
            return;
        const Gap g = gap(state);
        const Real normal = normal_force(state, g);
        if (normal <= 0)
            return;
        const Vec3 tangent(-g.normal[1], g.normal[0], 0);
        const Real slide =
            dot(g.rate_vector, tangent) + journal_radius * rod_.getBodyAngularVelocity(state)[2];
        const Real ramp = clamp(0.0, (std::abs(slide) - friction_v0) / (friction_v1 - friction_v0), 1.0);
        const Vec3 force = -normal * (g.normal + std::copysign(friction * ramp, slide) * tangent);
        const Vec3 arm = rod_.getBodyRotation(state).x() * rod_length + journal_radius * g.normal;
        body_forces[rod_.getMobilizedBodyIndex()] += SpatialVec(arm % force, force);
        body_forces[slider_.getMobilizedBodyIndex()] -=
            SpatialVec((bearing_radius * g.normal) % force, force);
    }

    Real calcPotentialEnergy(const State &) const override {
        return 0; // not asked for
    }

    mutable long evaluations = 0;
    mutable long impacts = 0;

  private:
    const GeneralForceSubsystem &forces_;
    const MobilizedBody &rod_;
    const MobilizedBody &slider_;
    Real stiffness_;
    mutable DiscreteVariableIndex memory_;
};

// Changes the mode where delta passes through zero.
class ContactChange : public TriggeredEventHandler {
  public:
    explicit ContactChange(const PlayForce &play) : TriggeredEventHandler(Stage::Position), play_(play) {
        getTriggerInfo().setRequiredLocalizationTimeWindow(event_window);
    }

    Real getValue(const State &state) const override {
        return play_.delta(state);
    }

    void handleEvent(State &state, Real, bool &) const override {
        if (play_.approach(state) > 0) {
            play_.set_approach(state, 0);
        } else {
            play_.set_approach(state, std::max(play_.gap(state).rate, approach_floor));
            play_.impacts++;
        }
    }

  private:
    const PlayForce &play_;
};

enum class Method { Merson, Adams };

void run(bench_sample *samples, bench_cost *cost, const bench_request *request, Method method) {
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    forces.setNumberOfThreads(1); // handing so small a force to other threads costs more than it saves
    Force::UniformGravity gravity(forces, matter, Vec3(0, -9.81, 0));
    MobilizedBody::Pin crank(matter.Ground(), Transform(), bar(crank_length, crank_mass, crank_inertia),
                             Transform());
    MobilizedBody::Pin rod(crank, Transform(Vec3(crank_length, 0, 0)), bar(rod_length, rod_mass, rod_inertia),
                           Transform());
    MobilizedBody::Slider slider(matter.Ground(), Transform(),
                                 Body::Rigid(MassProperties(slider_mass, Vec3(0), Inertia(slider_inertia))),
                                 Transform());
    Motion::Steady drive(crank, speed);
    auto *play = new PlayForce(forces, rod, slider);
    Force::Custom play_force(forces, play);
    system.addEventHandler(new ContactChange(*play));

    State state = system.realizeTopology();
    rod.setOneU(state, 0, -crank_length * speed / rod_length - speed); // relative to the crank
    slider.setOneQ(state, 0, crank_length + rod_length);

    std::unique_ptr<Integrator> owner;
    if (method == Method::Merson) {
        owner = std::make_unique<RungeKuttaMersonIntegrator>(system);
    } else {
        owner = std::make_unique<CPodesIntegrator>(system, CPodes::Adams, CPodes::Functional);
        owner->setInternalStepLimit(INT_MAX);
    }
    Integrator &integrator = *owner;
    integrator.setAccuracy(request->tolerance);
    TimeStepper stepper(system, integrator);
    stepper.initialize(state);

    for (int i = 0; i < request->sample_count; i++) {
        stepper.stepTo(request->times[i]);
        const State &now = integrator.getState();
        const long counted = play->evaluations;
        system.realize(now, Stage::Acceleration);
        const Gap g = play->gap(now);
        Vector torque;
        matter.findMotionForces(now, torque);
        double *value = samples[i].value;
        value[BENCH_X] = slider.getOneQ(now, 0);
        value[BENCH_V] = slider.getOneU(now, 0);
        value[BENCH_A] = slider.getOneUDot(now, 0);
        value[BENCH_MOMENT] = -torque[0];
        value[BENCH_NORMAL] = play->normal_force(now, g);
        value[BENCH_ECCENTRICITY] = g.eccentricity;
        play->evaluations = counted;
    }
    const Real end = request->turns * 2.0 * Pi / speed;
    if (integrator.getTime() < end)
        stepper.stepTo(end);
    cost->evaluations = play->evaluations;
    cost->steps = integrator.getNumStepsTaken();
    cost->rejected = integrator.getNumErrorTestFailures();
    cost->impacts = play->impacts;
}

int timed_run(bench_sample *samples, bench_cost *cost, const bench_request *request, Method method) {
    const auto start = std::chrono::steady_clock::now();
    *cost = bench_cost{};
    try {
        run(samples, cost, request, method);
    } catch (const std::exception &trouble) {
        std::fprintf(stderr, "simbody: %s\n", trouble.what());
        return -1;
    }
    cost->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return 0;
}

} // namespace

extern "C" int bench_simbody_run(bench_sample *samples, bench_cost *cost, const bench_request *request) {
    return timed_run(samples, cost, request, Method::Merson);
}

extern "C" int bench_simbody_adams_run(bench_sample *samples, bench_cost *cost,
                                       const bench_request *request) {
    return timed_run(samples, cost, request, Method::Adams);
}
