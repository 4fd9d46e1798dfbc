/* SPDX-License-Identifier: MIT
 *
 * Linearisation about the present state (t, q0, v0).
 *
 * Z holds a basis of the velocities that the constraints allow, ZᵀMZ = 1, and goes with the motion: where the
 * machine moves the allowed directions turn, and Z turns no more than it must, ZᵀMŻ = 0. Small differences to
 * the motion are δq = Zξ and δv = Zη + Nξ with ZᵀMN = 0, so that in the plane, where N = Ż,
 *     ξ̇ = η,   η̇ = ZᵀM δv̇ + ŻᵀMN ξ.
 * Column i of A is the derivative of the right side along a curve through the state: positions moved by εZ_i
 * and put onto the constraints with the least change in the metric of M, by which velocities change by εN_i;
 * or velocities moved by εZ_i. Without the last term a pendulum on a turning disk, whose directions turn
 * with it, would seem stiffer than it is. Derivatives are central differences of fourth order,
 *     f′ ≈ (8 (f(ε) − f(−ε)) − (f(2ε) − f(−2ε)))/12ε,
 * with steps ε that grow by tens, from a fraction of the scale on which forces change to a share of the machine's
 * size. While rounding decides, the derivatives of two steps following each other differ ever less, and more where
 * the fifth order or another piece of a force begins: that of the least difference is taken. A stiff mesh that has
 * turned by 100 rad needs this: its deflection is a difference of places rounded to 1e-14 of them.
 *
 * Signals with a state that varies, integrals and lags, follow as components of x behind ξ and η.
 *
 * What is made of pieces stays in the one that holds: contacts touch or do not, switches of expressions keep
 * their branches, held values stay, what slides continues to slide. What sticks is no freedom: Z is free of it.
 * On the border between two pieces there is no linear motion, and it is refused.
 *
 * In space a difference of orientations is a turn φ. Of a rotor, whose inertia its turning leaves nearly as it
 * is, it is seen in axes that stand still, so that frequencies are those that its housing feels. With
 * K = Zᵀ(ω′ × MZ), where M turns by K + Kᵀ,
 *     ξ̇ = η + (K + Kᵀ)/2 ξ,   and η̇ has (K − Kᵀ)/2 η + Zᵀ(ω′ × MN) ξ in addition.
 * Of other bodies it is seen in their own axes: φ̇ = δω′ − ω′ × φ, and Ż = N − ω′ × Z but for what is along Z.
 */
#include "lash/linear.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "math/eigen.h"
#include "sim/sim.h"

static const double STEP = 1e-3;    // of the scale on which forces change
static const double ROOM = 0.05;    // of the mechanism's size: no step to begin with is longer
static const double REACH = 5e-3;   // of its size, or of its speed: no step at all
static const double GROWTH = 10;    // of steps
static const double RESOLVED = 1e3; // times the rounding of the coordinates that it moves: no step is shorter
static const double DEPENDENT = 1e-7; // of a unit velocity: what is left of one that the joints forbid
static const double SYMMETRIC = 1e-2; // of the inertia: the change by turning that a rotor may have
static const double REAL = 1e-9;      // a real or imaginary part below this share of the value is rounding
static const double NOTHING = 1e-13;  // of the forces in a mode: what sets it in motion is rounding

enum { STEPS = 20 };

struct lash_linear {
    lashi_arena arena;
    lash_sim *sim;
    size_t freedoms, states, inputs, outputs, coordinates; /* states: of signals */
    double *Z, *rate;                                      /* [freedoms][coordinates]; rate: N */
    double *A, *B, *C, *D;
    const char **names, **units; /* [coordinates] */
    size_t *channels;            /* [outputs] */
    double complex *values, *vectors;
    size_t *modes; /* of values, with Im ≥ 0 */
    size_t mode_count;
    double *y, *beside;             /* [n_y] the point looked at; scratch */
    double (*step)[LASHI_FREEDOMS]; /* [bodies] */
    double *sample[4];           /* [freedoms + states + outputs], and behind them [coordinates] velocities */
    double *trial[STEPS];        /* derivatives with each step, of the same */
    bool *touch, *touched;       /* [contacts] where y stands; at the present point */
    double error[2], largest[2]; /* of columns of positions and of velocities; the columns' own lengths */
    double pace;                 /* 1/s, of the machine itself: what is far below is no stiffness */
};

/* ---- the equations as a function ---- */

static lash_status place(lash_sim *sim, const double *coordinates, lash_error *error) {
    const size_t count = lash_sim_coordinate_count(sim);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(coordinates[i]))
            return lashi_fail(error, LASH_ERROR_USAGE, "coordinate %zu is not a finite number", i);
    memcpy(sim->y_work, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    memcpy(sim->y_work, coordinates, count * sizeof(double));
    return LASH_OK;
}

lash_status lash_sim_rates(double *rates, lash_sim *sim, double time, const double *coordinates,
                           lash_error *error) {
    if (!rates || !sim || !coordinates || !isfinite(time))
        return lashi_fail(error, LASH_ERROR_USAGE, "rates need a sim, a time and coordinates");
    lash_status status = place(sim, coordinates, error);
    const int quiet = lashi_quiet_suspend(sim->workspace, sim->memories);
    if (!status)
        status = lashi_sim_evaluate(sim, time, sim->y_work, error);
    lashi_quiet_resume(sim->workspace, sim->memories, quiet);
    if (!status)
        memcpy(rates, sim->ydot_work, lash_sim_coordinate_count(sim) * sizeof(double));
    return status;
}

lash_status lash_sim_jacobian(double *jacobian, lash_sim *sim, double time, const double *coordinates,
                              lash_error *error) {
    if (!jacobian || !sim || !coordinates || !isfinite(time))
        return lashi_fail(error, LASH_ERROR_USAGE, "a Jacobian needs a sim, a time and coordinates");
    static const int places[4] = {1, -1, 2, -2};
    static const double weights[4] = {8, -8, -1, 1};
    const size_t n = lash_sim_coordinate_count(sim);
    double *y = malloc((3 * n + 1) * sizeof *y), *rates = y + n, *scales = rates + n;
    if (!y)
        return lashi_fail_memory(error);
    lash_status status = LASH_OK;
    lash_sim_coordinate_scales(scales, sim);
    memcpy(y, coordinates, n * sizeof *y);
    memset(jacobian, 0, n * n * sizeof *jacobian);
    for (size_t j = 0; !status && j < n; j++) {
        const double h = STEP * scales[j];
        for (int k = 0; !status && k < 4; k++) {
            y[j] = coordinates[j] + places[k] * h;
            status = lash_sim_rates(rates, sim, time, y, error);
            for (size_t i = 0; i < n; i++)
                jacobian[i * n + j] += weights[k] * rates[i] / (12 * h);
        }
        y[j] = coordinates[j];
    }
    free(y);
    return status;
}

lash_status lash_sim_gaps(double *gaps, lash_sim *sim, double time, const double *coordinates,
                          lash_error *error) {
    if (!gaps || !sim || !coordinates || !isfinite(time))
        return lashi_fail(error, LASH_ERROR_USAGE, "gaps need a sim, a time and coordinates");
    const size_t count = lash_system_clearance_count(sim->system);
    const lash_status status = place(sim, coordinates, error);
    if (status)
        return status;
    lashi_gap_point *points = calloc(count + 1, sizeof *points);
    if (!points)
        return lashi_fail_memory(error);
    lashi_contacts_measure(points, sim, time, sim->y_work);
    for (size_t k = 0; k < count; k++)
        gaps[k] = points[k].delta;
    free(points);
    return LASH_OK;
}

/* ---- what the constraints allow ---- */

static double mass_of(const lash_system *system, size_t i) {
    return 1 / system->inverse_free[system->freedom[i] / LASHI_FREEDOMS][system->freedom[i] % LASHI_FREEDOMS];
}

/* aᵀ M b of velocities. */
static double product(const lash_system *system, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < system->n_v; i++)
        sum += mass_of(system, (size_t)i) * a[i] * b[i];
    return sum;
}

/* Unit velocities, what the constraints allow of them, made orthogonal; the largest that is left comes first.
 */
static lash_status find_basis(lash_linear *l, lash_error *error) {
    const lash_system *system = l->sim->system;
    const size_t n = (size_t)system->n_v;
    const double t = l->sim->integrator->t;
    double *all = lashi_arena_alloc(&l->arena, n * n, sizeof *all);
    l->Z = lashi_arena_alloc(&l->arena, n * n, sizeof *l->Z);
    if (!all || !l->Z)
        return lashi_fail_memory(error);
    for (size_t i = 0; i < n; i++) {
        memset(l->y, 0, (size_t)system->n_y * sizeof *l->y);
        l->y[(size_t)system->v_at + i] = 1 / sqrt(mass_of(system, i));
        if (lashi_project_difference(l->y, l->sim->workspace, t, lashi_sim_y(l->sim), l->beside, STEP))
            return lashi_fail_at(
                error, LASH_ERROR_SINGULAR, t, "",
                "the mechanism is in a singular position at t = %.9g s: there is no linear motion about it",
                t);
        memcpy(all + i * n, l->y + system->v_at, n * sizeof *all);
    }
    for (;;) {
        size_t best = 0;
        double largest = 0;
        for (size_t i = 0; i < n; i++) {
            double *x = all + i * n;
            for (int pass = 0; pass < 2; pass++)
                for (size_t k = 0; k < l->freedoms; k++) {
                    const double share = product(system, x, l->Z + k * n);
                    for (size_t j = 0; j < n; j++)
                        x[j] -= share * l->Z[k * n + j];
                }
            const double square = product(system, x, x);
            if (square > largest) {
                largest = square;
                best = i;
            }
        }
        if (l->freedoms == n || sqrt(largest) < DEPENDENT)
            return LASH_OK;
        for (size_t j = 0; j < n; j++)
            l->Z[l->freedoms * n + j] = all[best * n + j] / sqrt(largest);
        l->freedoms++;
    }
}

/* Takes out of Z the direction in which the functional g of velocities is not 0: by Householder's reflection
 * it becomes the last vector, which is left out. */
static void leave_out(lash_linear *l, const double *g) {
    const size_t n = l->coordinates, f = l->freedoms;
    double *w = l->beside, length = 0, square = 0;
    for (size_t i = 0; i < f; i++) {
        w[i] = 0;
        for (size_t j = 0; j < n; j++)
            w[i] += g[j] * l->Z[i * n + j];
        length += w[i] * w[i];
    }
    length = sqrt(length);
    double size = 0;
    for (size_t j = 0; j < n; j++)
        size += g[j] * g[j] / mass_of(l->sim->system, j);
    if (!(length > DEPENDENT * sqrt(size)))
        return; // the joints hold it already
    w[f - 1] += copysign(length, w[f - 1]);
    for (size_t i = 0; i < f; i++)
        square += w[i] * w[i];
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < f; i++)
            sum += w[i] * l->Z[i * n + j];
        for (size_t i = 0; i < f; i++)
            l->Z[i * n + j] -= 2 * w[i] * sum / square;
    }
    l->freedoms--;
}

static void leave_out_sticking(lash_linear *l) {
    const lash_sim *sim = l->sim;
    const lash_system *system = sim->system;
    for (int r = 0; system->sticks && r < system->rub_count; r++) {
        if (sim->rub_memories[r].mode != LASHI_RUB_STICKS)
            continue;
        lashi_slide slide;
        int body[LASHI_LINKS];
        lashi_frames_at(sim->frames, NULL, system, sim->integrator->t, lashi_sim_y(sim));
        lashi_rub_slide(&slide, body, &system->rubs[r], &sim->rub_memories[r], system, sim->frames);
        for (int way = 0; way < system->rubs[r].ways && l->freedoms > 0; way++) {
            for (size_t j = 0; j < l->coordinates; j++) {
                double unit[LASHI_FREEDOMS];
                lashi_velocity_unit(unit, system, sim->frames, (int)j);
                l->y[j] = 0;
                for (int link = 0; link < LASHI_LINKS; link++)
                    for (int k = 0; k < LASHI_FREEDOMS && body[link] == system->freedom[j] / LASHI_FREEDOMS;
                         k++)
                        l->y[j] += slide.T[way][link][k] * unit[k];
            }
            leave_out(l, l->y);
        }
    }
}

/* ---- derivatives ---- */

/* Components of x. */
static size_t order(const lash_linear *l) {
    return 2 * l->freedoms + l->states;
}

static bool varies(const lashi_signal *signal) {
    return signal->kind == LASHI_SIGNAL_INTEGRAL || signal->kind == LASHI_SIGNAL_LAG;
}

/* The place in y of the state number s. */
static int state_at(const lash_system *system, size_t s) {
    int k = 0;
    while (!varies(&system->machine.signals[k]) || s-- > 0)
        k++;
    return system->machine.signals[k].at;
}

/* Whether turning with ω leaves the inertia of a body nearly as it is. */
static bool is_rotor(const lash_system *system, int body, const double omega[3]) {
    const double *J = system->mass[body] + 3;
    const double most = SYMMETRIC * fmax(J[0], fmax(J[1], J[2])) * lashi_length3(lashi_vec3_of(omega));
    return fabs(omega[0] * (J[1] - J[2])) <= most && fabs(omega[1] * (J[2] - J[0])) <= most &&
           fabs(omega[2] * (J[0] - J[1])) <= most;
}

/* Of rotors adds M⁻¹(ω′ × M v′) to x, or of the other bodies that turn freely ω′ × v′. */
static void add_turning(double *x, const lash_linear *l, const double *v, bool rotors) {
    const lash_system *system = l->sim->system;
    const double *about = lashi_sim_y(l->sim) + system->v_at;
    for (int b = 1; b < system->bodies; b++) {
        if (!lashi_turns_freely(system, b))
            continue;
        const int j = system->u_at[b] + 3;
        if (is_rotor(system, b, about + j) != rotors)
            continue;
        const double none[3] = {1, 1, 1}, *J = rotors ? system->mass[b] + 3 : none;
        const lashi_vec3 turned = {J[0] * v[j], J[1] * v[j + 1], J[2] * v[j + 2]},
                         cross = lashi_cross3(lashi_vec3_of(about + j), turned);
        x[j] += cross.x / J[0];
        x[j + 1] += cross.y / J[1];
        x[j + 2] += cross.z / J[2];
    }
}

/* ZᵀMv̇, rates of signals and the outputs where l->y stands. */
static lash_status look(double *out, lash_linear *l, lash_error *error) {
    lash_sim *sim = l->sim;
    const lash_system *system = sim->system;
    const double t = sim->integrator->t;
    const lash_status status = lashi_sim_evaluate(sim, t, l->y, error);
    for (size_t i = 0; !status && i < l->freedoms; i++)
        out[i] = product(system, l->Z + i * l->coordinates, sim->ydot_work + system->v_at);
    for (size_t s = 0; !status && s < l->states; s++)
        out[l->freedoms + s] = sim->ydot_work[state_at(system, s)];
    if (!status)
        lashi_channel_values(out + l->freedoms + l->states, sim, l->channels, l->outputs, t, l->y);
    return status;
}

/* Positions of y moved by epsilon along z, and put onto the constraints; not 0: they cannot be. */
static int shift(double *y, lash_linear *l, const double *z, double epsilon) {
    const lash_system *system = l->sim->system;
    memset(l->step, 0, (size_t)system->bodies * sizeof *l->step);
    for (int j = 0; j < system->n_v; j++)
        l->step[system->freedom[j] / LASHI_FREEDOMS][system->freedom[j] % LASHI_FREEDOMS] = z[j];
    lashi_shift_state(y, system, (const double(*)[LASHI_FREEDOMS])l->step, epsilon);
    return lashi_project(y, l->sim->workspace, l->sim->integrator->t, LASHI_SHARP);
}

/* The state moved by epsilon along Z_i, in positions or in velocities. */
static lash_status move(lash_linear *l, size_t i, bool velocity, double epsilon, lash_error *error) {
    const lash_system *system = l->sim->system;
    const double *z = l->Z + i * l->coordinates;
    memcpy(l->y, lashi_sim_y(l->sim), (size_t)system->n_y * sizeof *l->y);
    int failed = 0;
    if (velocity) {
        for (int j = 0; j < system->n_v; j++)
            l->y[system->v_at + j] += epsilon * z[j];
        failed = lashi_project(l->y, l->sim->workspace, l->sim->integrator->t, LASHI_SHARP);
    } else {
        failed = shift(l->y, l, z, epsilon);
    }
    if (failed)
        return lashi_fail_at(error, LASH_ERROR_SINGULAR, l->sim->integrator->t, "",
                             "the mechanism cannot move from its present position");
    return LASH_OK;
}

/* How far to go along Z_i: a share of the scale of the coordinate that it moves most in terms of its scale.
 */
static double step_along(const lash_linear *l, size_t i, bool velocity) {
    const lash_system *system = l->sim->system;
    const double *z = l->Z + i * l->coordinates, rtol = system->model->run.rtol;
    double most = 0;
    for (int j = 0; j < system->n_v; j++) {
        const int turning = system->freedom[j] % LASHI_FREEDOMS >= system->turning;
        const double size = turning ? 1 : system->length, tau = l->sim->resolution / rtol;
        double scale = fmin(tau / (turning ? system->length : 1), ROOM * size / STEP);
        if (velocity)
            scale = l->sim->atol[system->v_at + j] / rtol;
        most = fmax(most, fabs(z[j]) / scale);
    }
    return most > 0 ? STEP / most : STEP;
}

/* The longest step along Z_i. */
static double longest_step(const lash_linear *l, size_t i, bool velocity) {
    const lash_system *system = l->sim->system;
    const double *z = l->Z + i * l->coordinates;
    double most = 0;
    for (int j = 0; j < system->n_v; j++) {
        const bool turns = system->freedom[j] % LASHI_FREEDOMS >= system->turning;
        const double size = velocity ? lashi_own_speed(system) : system->length;
        most = fmax(most, fabs(z[j]) / (turns ? size / system->length : size));
    }
    return most > 0 ? REACH / most : REACH;
}

/* A step along Z_i of the length of rounding, in the metric of M, of what it moves. */
static double rounding_along(const lash_linear *l, size_t i, bool velocity) {
    const lash_system *system = l->sim->system;
    const double *z = l->Z + i * l->coordinates, *y = lashi_sim_y(l->sim);
    double square = 0;
    for (int j = 0; j < system->n_v; j++) {
        const int body = system->freedom[j] / LASHI_FREEDOMS, k = system->freedom[j] % LASHI_FREEDOMS;
        double value = 1; // a component of an orientation in space
        if (velocity)
            value = y[system->v_at + j];
        else if (!system->spatial)
            value = y[j];
        else if (!lashi_turns_freely(system, body))
            value = y[system->q_at[body]] / system->q_rate[body];
        else if (k < 3)
            value = y[system->q_at[body] + k];
        if (z[j] != 0)
            square += mass_of(system, (size_t)j) * value * value;
    }
    return DBL_EPSILON * sqrt(square);
}

/* The derivative of component r from four samples. */
static double difference(const double *const sample[4], size_t r, double h) {
    return (8 * (sample[0][r] - sample[1][r]) - (sample[2][r] - sample[3][r])) / (12 * h);
}

/* Components of a sample without velocities. */
static size_t sampled(const lash_linear *l) {
    return l->freedoms + l->states + l->outputs;
}

/* Which contacts touch where l->y stands; those with a film do not care. */
static void see_contacts(bool *touches, lash_linear *l) {
    const lash_sim *sim = l->sim;
    const lash_system *system = sim->system;
    lashi_frames_at(sim->frames, NULL, system, sim->integrator->t, l->y);
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        touches[k] = contact->model == LASHI_MODEL_COMPLIANT && contact->dry &&
                     lashi_gap_of(contact, sim->frames).delta > 0;
    }
}

/* Derivatives along Z_i with the step h. within: whether all contacts that touch still do, and no others. */
static lash_status try_step(double *derivative, bool *within, lash_linear *l, size_t i, bool velocity,
                            double h, lash_error *error) {
    static const int places[4] = {1, -1, 2, -2};
    lash_sim *sim = l->sim;
    *within = true;
    for (int k = 0; k < 4; k++) {
        lash_status status = move(l, i, velocity, places[k] * h, error);
        memcpy(l->sample[k] + sampled(l), l->y + sim->system->v_at, l->coordinates * sizeof(double));
        if (!status)
            status = look(l->sample[k], l, error);
        if (status)
            return status;
        see_contacts(l->touch, l);
        for (int c = 0; c < sim->system->contact_count; c++)
            *within = *within && l->touch[c] == l->touched[c];
    }
    for (size_t r = 0; r < sampled(l) + l->coordinates; r++)
        derivative[r] = difference((const double *const *)l->sample, r, h);
    return LASH_OK;
}

/* Components a to b of a column of A, C and N. */
static void put(lash_linear *l, size_t i, bool velocity, const double *derivative, size_t a, size_t b) {
    const size_t own = l->freedoms + l->states, n = order(l), column = velocity ? l->freedoms + i : i;
    for (size_t r = a; r < b; r++)
        if (r < own)
            l->A[(l->freedoms + r) * n + column] = derivative[r];
        else if (r < sampled(l))
            l->C[(r - own) * n + column] = derivative[r];
        else if (!velocity)
            l->rate[i * l->coordinates + r - sampled(l)] = derivative[r];
}

/* The one of count steps at which components a to b differ least from those of the step before. Where two agree by
 * chance in rounding, the pair before them tells. error: the difference, and what is surely rounding. */
static int best_step(double *error, const lash_linear *l, int count, const double *rounding, size_t a,
                     size_t b) {
    int best = 0;
    double before = 0;
    *error = INFINITY;
    for (int k = 1; k < count; k++) {
        double square = 0, length = 0;
        for (size_t r = a; r < b; r++) {
            square += (l->trial[k][r] - l->trial[k - 1][r]) * (l->trial[k][r] - l->trial[k - 1][r]);
            length += l->trial[k][r] * l->trial[k][r];
        }
        const double e = fmax(fmax(sqrt(square), before / (GROWTH * GROWTH)), rounding[k] * sqrt(length));
        before = sqrt(square);
        if (e < *error) {
            *error = e;
            best = k;
        }
    }
    return best;
}

/* Adds the derivative along Z_i to a column of A and C. Accelerations have the same step, so that the errors of a
 * stiff contact push along it alone and leave slow modes as they are. */
static lash_status differentiate(lash_linear *l, size_t i, bool velocity, lash_error *error) {
    const double unit = rounding_along(l, i, velocity), longest = longest_step(l, i, velocity);
    double h = fmax(step_along(l, i, velocity) / GROWTH, RESOLVED * unit), rounding[STEPS];
    int count = 0;
    for (bool within = true; count < STEPS && (count < 2 || h <= longest); count++, h *= GROWTH) {
        const lash_status status =
            try_step(l->trial[count], &within, l, i, velocity, h, count < 2 ? error : NULL);
        if (status && count < 2)
            return status;
        if (status || (!within && count > 1))
            break;
        rounding[count] = unit / h;
    }
    double e, square = 0;
    int best = best_step(&e, l, count, rounding, 0, l->freedoms);
    put(l, i, velocity, l->trial[best], 0, l->freedoms);
    for (size_t r = 0; r < l->freedoms; r++)
        square += l->trial[best][r] * l->trial[best][r];
    l->error[velocity] = fmax(l->error[velocity], e);
    l->largest[velocity] = fmax(l->largest[velocity], sqrt(square));
    for (size_t r = l->freedoms; r < sampled(l); r++) {
        best = best_step(&e, l, count, rounding, r, r + 1);
        put(l, i, velocity, l->trial[best], r, r + 1);
    }
    best = best_step(&e, l, count, rounding, sampled(l), sampled(l) + l->coordinates);
    put(l, i, velocity, l->trial[best], sampled(l), sampled(l) + l->coordinates);
    return LASH_OK;
}

/* The same of positions with one step: an equilibrium that is searched for needs no more. */
static lash_status differentiate_once(lash_linear *l, size_t i, lash_error *error) {
    bool within;
    const double h = step_along(l, i, false);
    const lash_status status = try_step(l->trial[0], &within, l, i, false, h, error);
    if (!status)
        put(l, i, false, l->trial[0], 0, sampled(l) + l->coordinates);
    return status;
}

/* The same for the state number s of a signal. */
static lash_status differentiate_state(lash_linear *l, size_t s, lash_error *error) {
    static const int places[4] = {1, -1, 2, -2};
    const lash_sim *sim = l->sim;
    const int at = state_at(sim->system, s);
    const double h = STEP * (fabs(lashi_sim_y(sim)[at]) + sim->problem.size[at]);
    lash_status status = LASH_OK;
    for (int k = 0; !status && k < 4; k++) {
        memcpy(l->y, lashi_sim_y(sim), (size_t)sim->system->n_y * sizeof *l->y);
        l->y[at] += places[k] * h;
        status = look(l->sample[k], l, error);
    }
    const size_t f = l->freedoms, own = f + l->states, n = order(l);
    for (size_t r = 0; !status && r < sampled(l); r++) {
        const double d = difference((const double *const *)l->sample, r, h);
        if (r < own)
            l->A[(f + r) * n + 2 * f + s] = d;
        else
            l->C[(r - own) * n + 2 * f + s] = d;
    }
    return status;
}

/* What the turning of the axes, of the allowed directions and of rotors adds to ξ̇ and η̇. */
static void fill_motion(lash_linear *l) {
    const lash_system *system = l->sim->system;
    const size_t f = l->freedoms, n = l->coordinates, m = order(l);
    double *turned = l->beside;
    for (size_t r = 0; r < f; r++) {
        l->A[r * m + f + r] += 1;
        memset(turned, 0, n * sizeof *turned);
        add_turning(turned, l, l->Z + r * n, false);
        for (size_t i = 0; i < f; i++) {
            l->A[i * m + r] -= product(system, l->Z + i * n, turned);
            l->A[(f + r) * m + i] +=
                product(system, l->rate + r * n, l->rate + i * n) - product(system, turned, l->rate + i * n);
        }
        memset(turned, 0, n * sizeof *turned);
        add_turning(turned, l, l->Z + r * n, true);
        for (size_t i = 0; i < f; i++) {
            const double half = 0.5 * product(system, l->Z + i * n, turned);
            l->A[i * m + r] += half;
            l->A[r * m + i] += half;
            l->A[(f + i) * m + f + r] += half;
            l->A[(f + r) * m + f + i] -= half;
        }
        memset(turned, 0, n * sizeof *turned);
        add_turning(turned, l, l->rate + r * n, true);
        for (size_t i = 0; i < f; i++)
            l->A[(f + i) * m + r] += product(system, l->Z + i * n, turned);
    }
}

/* Forces enter linearly: a difference as large as their loads has no error but rounding. But friction goes
 * with loads that must not change their sign. */
static lash_status differentiate_inputs(lash_linear *l, lash_error *error) {
    lash_sim *sim = l->sim;
    const lash_system *system = sim->system;
    const size_t f = l->freedoms, own = f + l->states;
    double weight = 0;
    for (int b = 1; b < system->bodies; b++)
        weight += (system->rub_count ? 10 * STEP : 10) * system->mass[b][0];
    lash_status status = LASH_OK;
    for (size_t u = 0; !status && u < l->inputs; u++) {
        // An input of the model may enter in any way: a small difference.
        const lashi_sim_input *input = &sim->input_list[u];
        double *value = input->force < 0 ? &sim->settings[input->component]
                                         : &sim->inputs[input->force][input->component];
        const double kept = *value, from = lash_sim_input(sim, u),
                     h = input->force < 0 ? STEP * (fabs(from) + 1) : weight;
        for (int k = 0; !status && k < 2; k++) {
            *value = from + (k ? -h : h);
            lashi_inputs_use(sim);
            memcpy(l->y, lashi_sim_y(sim), (size_t)system->n_y * sizeof *l->y);
            status = look(l->sample[k], l, error);
        }
        *value = kept;
        lashi_inputs_use(sim);
        for (size_t r = 0; !status && r < own + l->outputs; r++) {
            const double d = (l->sample[0][r] - l->sample[1][r]) / (2 * h);
            if (r < own)
                l->B[(f + r) * l->inputs + u] = d;
            else
                l->D[(r - own) * l->inputs + u] = d;
        }
    }
    return status;
}

/* ---- modes ---- */

static lash_status find_modes(lash_linear *l, lash_error *error) {
    const size_t n = order(l);
    const lash_status status = lashi_eigen(l->values, l->vectors, l->A, n, error);
    for (size_t k = 0; !status && k < n; k++)
        if (cimag(l->values[k]) >= -REAL * cabs(l->values[k]))
            l->modes[l->mode_count++] = k;
    return status;
}

static lash_status name_coordinates(lash_linear *l, lash_error *error) {
    static const char *const plane[] = {"x", "y", "angle"}, *const space[] = {"x",      "y",      "z",
                                                                              "turn.x", "turn.y", "turn.z"};
    const lash_system *system = l->sim->system;
    for (size_t i = 0; i < l->coordinates; i++) {
        const int body = system->freedom[i] / LASHI_FREEDOMS, k = system->freedom[i] % LASHI_FREEDOMS;
        l->names[i] = lashi_arena_print(&l->arena, "%s.%s", system->body_names[body],
                                        system->spatial ? space[k] : plane[k]);
        l->units[i] = k < system->turning ? "m" : "rad";
        if (!l->names[i])
            return lashi_fail_memory(error);
    }
    return LASH_OK;
}

static const char *channel_name(const void *sim, size_t index) {
    return lash_sim_channel_name(sim, index);
}

static lash_status find_outputs(lash_linear *l, const char *const *outputs, lash_error *error) {
    for (size_t k = 0; k < l->outputs; k++) {
        l->channels[k] = outputs[k] ? lash_sim_find_channel(l->sim, outputs[k]) : (size_t)-1;
        if (l->channels[k] == (size_t)-1) {
            const char *near = outputs[k] ? lash_channel_nearest(outputs[k], channel_name, l->sim) : NULL;
            return lashi_fail(error, LASH_ERROR_USAGE, "no channel '%.100s'%s%s%s",
                              outputs[k] ? outputs[k] : "", near ? "; did you mean '" : "", near ? near : "",
                              near ? "'?" : "");
        }
    }
    return LASH_OK;
}

static lash_status allocate_matrices(lash_linear *l, lash_error *error) {
    const size_t n = order(l);
    l->A = lashi_arena_alloc(&l->arena, n * n, sizeof(double));
    l->B = lashi_arena_alloc(&l->arena, n * l->inputs, sizeof(double));
    l->C = lashi_arena_alloc(&l->arena, l->outputs * n, sizeof(double));
    l->D = lashi_arena_alloc(&l->arena, l->outputs * l->inputs, sizeof(double));
    l->values = lashi_arena_alloc(&l->arena, n, sizeof *l->values);
    l->vectors = lashi_arena_alloc(&l->arena, n * n, sizeof *l->vectors);
    l->modes = lashi_arena_alloc(&l->arena, n, sizeof *l->modes);
    l->rate = lashi_arena_alloc(&l->arena, l->freedoms * l->coordinates, sizeof(double));
    bool whole = l->A && l->B && l->C && l->D && l->values && l->vectors && l->modes && l->rate;
    const size_t length = sampled(l) + l->coordinates;
    for (int k = 0; k < 4; k++) {
        l->sample[k] = lashi_arena_alloc(&l->arena, length, sizeof(double));
        whole = whole && l->sample[k];
    }
    for (int k = 0; k < STEPS; k++) {
        l->trial[k] = lashi_arena_alloc(&l->arena, length, sizeof(double));
        whole = whole && l->trial[k];
    }
    return whole ? LASH_OK : lashi_fail_memory(error);
}

static lash_linear *create(lash_sim *sim, size_t output_count, lash_error *error);

lash_status lashi_stiffness_find(lashi_stiffness *out, lash_sim *sim, lash_error *error) {
    lash_linear *l = out->inside = create(sim, 0, error);
    if (!l)
        return LASH_ERROR_MEMORY;
    lash_status status = find_basis(l, error);
    if (!status)
        status = allocate_matrices(l, error);
    const size_t f = out->freedoms = l->freedoms;
    for (size_t i = 0; !status && i < f; i++)
        status = differentiate_once(l, i, error);
    for (size_t i = 0; !status && i < f; i++)
        for (size_t k = 0; k < f; k++)
            out->stiffness[i * f + k] = -l->A[(f + i) * 2 * f + k];
    if (!status) {
        memcpy(l->y, lashi_sim_y(sim), (size_t)sim->system->n_y * sizeof *l->y);
        status = look(out->acceleration, l, error);
    }
    sim->workspace->present = false;
    if (status)
        lashi_stiffness_clear(out);
    return status;
}

double lashi_stiffness_move(double *y, lash_sim *sim, const lashi_stiffness *at, const double *x,
                            double longest) {
    const lash_system *system = sim->system;
    lash_linear *l = at->inside;
    double *way = l->beside, most = 0;
    memset(way, 0, l->coordinates * sizeof *way);
    for (size_t i = 0; i < at->freedoms; i++)
        for (size_t j = 0; j < l->coordinates; j++)
            way[j] += x[i] * l->Z[i * l->coordinates + j];
    for (size_t j = 0; j < l->coordinates; j++) {
        const bool turns = system->freedom[j] % LASHI_FREEDOMS >= system->turning;
        most = fmax(most, fabs(way[j]) / (turns ? 1 : system->length));
    }
    memcpy(y, lashi_sim_y(sim), (size_t)system->n_y * sizeof *y);
    return shift(y, l, way, most > longest ? longest / most : 1) == 0 ? fmin(most, longest) : 0;
}

double lashi_stiffness_residual(double *work, const lash_sim *sim, const lashi_stiffness *at,
                                const double *x) {
    const lash_linear *l = at->inside;
    double square = 0;
    for (size_t i = 0; i < at->freedoms; i++) {
        const double a = product(sim->system, l->Z + i * l->coordinates, sim->ydot_work + sim->system->v_at);
        square += a * a;
        *work += a * x[i];
    }
    return sqrt(square);
}

void lashi_stiffness_clear(lashi_stiffness *stiffness) {
    lash_linear_destroy(stiffness->inside);
    stiffness->inside = NULL;
}

static lash_status fill(lash_linear *l, lash_error *error) {
    lash_status status = lashi_switches_check(l->sim, error);
    if (!status)
        status = find_basis(l, error);
    if (!status)
        leave_out_sticking(l);
    if (!status)
        status = allocate_matrices(l, error);
    if (status)
        return status;
    for (size_t i = 0; !status && i < 2 * l->freedoms; i++)
        status = differentiate(l, i % l->freedoms, i >= l->freedoms, error);
    if (!status)
        fill_motion(l);
    for (size_t k = 0; !status && k < l->states; k++)
        status = differentiate_state(l, k, error);
    if (!status)
        status = differentiate_inputs(l, error);
    return status ? status : find_modes(l, error);
}

/* An empty one at the present point of a sim; NULL: out of memory. */
static lash_linear *create(lash_sim *sim, size_t output_count, lash_error *error) {
    lash_linear *l = calloc(1, sizeof *l);
    if (!l) {
        lashi_fail_memory(error);
        return NULL;
    }
    const lash_system *system = sim->system;
    l->sim = sim;
    l->inputs = sim->input_count;
    l->outputs = output_count;
    l->coordinates = (size_t)system->n_v;
    l->pace = lashi_own_speed(system) / system->length;
    for (int k = 0; k < system->machine.signal_count; k++)
        l->states += varies(&system->machine.signals[k]);
    l->y = lashi_arena_alloc(&l->arena, sim->problem.n, sizeof(double));
    l->beside = lashi_arena_alloc(&l->arena, sim->problem.n, sizeof(double));
    l->step = lashi_arena_alloc(&l->arena, (size_t)system->bodies, sizeof *l->step);
    l->names = lashi_arena_alloc(&l->arena, l->coordinates, sizeof *l->names);
    l->units = lashi_arena_alloc(&l->arena, l->coordinates, sizeof *l->units);
    l->channels = lashi_arena_alloc(&l->arena, output_count, sizeof *l->channels);
    const size_t contacts = (size_t)system->contact_count;
    l->touch = lashi_arena_alloc(&l->arena, contacts, sizeof *l->touch);
    l->touched = lashi_arena_alloc(&l->arena, contacts, sizeof *l->touched);
    if (l->y && l->beside && l->step && l->names && l->units && l->channels && l->touch && l->touched) {
        memcpy(l->y, lashi_sim_y(sim), sim->problem.n * sizeof *l->y);
        see_contacts(l->touched, l);
        return l;
    }
    lashi_fail_memory(error);
    lash_linear_destroy(l);
    return NULL;
}

lash_status lash_linear_create(lash_linear **out, lash_sim *sim, const char *const *outputs,
                               size_t output_count, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !sim || (output_count > 0 && !outputs))
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "a linearisation needs a sim and the names of its outputs");
    lash_linear *l = create(sim, output_count, error);
    if (!l)
        return LASH_ERROR_MEMORY;
    lash_status status = name_coordinates(l, error);
    if (!status)
        status = find_outputs(l, outputs, error);
    const int quiet = lashi_quiet_suspend(sim->workspace, sim->memories);
    if (!status)
        status = fill(l, error);
    lashi_quiet_resume(sim->workspace, sim->memories, quiet);
    l->sim = NULL;
    if (status)
        lash_linear_destroy(l);
    else
        *out = l;
    return status;
}

void lash_linear_destroy(lash_linear *linear) {
    if (!linear)
        return;
    lashi_arena_clear(&linear->arena);
    free(linear);
}

/* ---- what it holds ---- */

double lash_linear_uncertainty(const lash_linear *linear) {
    if (!linear)
        return 0;
    const double fastest = fmax(sqrt(linear->largest[0]), linear->pace);
    return fmax(linear->error[0] / (fastest * fastest), linear->error[1] / fmax(linear->largest[1], fastest));
}

size_t lash_linear_freedoms(const lash_linear *linear) {
    return linear ? linear->freedoms : 0;
}

const double *lash_linear_matrix(size_t *rows, size_t *columns, const lash_linear *linear, char which) {
    size_t r = 0, c = 0;
    const double *matrix = NULL;
    if (linear) {
        const size_t n = order(linear);
        switch (which) {
        case 'A': matrix = linear->A, r = n, c = n; break;
        case 'B': matrix = linear->B, r = n, c = linear->inputs; break;
        case 'C': matrix = linear->C, r = linear->outputs, c = n; break;
        case 'D': matrix = linear->D, r = linear->outputs, c = linear->inputs; break;
        default: break;
        }
    }
    if (rows)
        *rows = r;
    if (columns)
        *columns = c;
    return matrix;
}

/* Whether an eigenvalue is 0 but for rounding: in its mode accelerations and what goes with velocities are small
 * beside forces that cancel, and signals stand still or follow the velocities. */
static bool is_zero(const lash_linear *l, size_t k) {
    const size_t f = l->freedoms, n = order(l);
    const double complex *vector = l->vectors + k * n, s = l->values[k];
    double forces = 0, motion = 0;
    for (size_t r = f; r < n; r++) {
        double complex sum = 0;
        double size = 0, moving = 0;
        for (size_t c = 0; c < n; c++) {
            const double complex term = l->A[r * n + c] * vector[c];
            if (c >= f && c < 2 * f) {
                moving += cabs(term);
            } else {
                sum += term;
                size += cabs(term);
            }
        }
        if (r >= 2 * f && cabs(sum) > 2 * moving + NOTHING * size)
            return false;
        if (r < 2 * f) {
            forces = fmax(forces, size);
            motion = fmax(motion, fmax(moving, cabs(s * vector[r])));
        }
    }
    return motion <= NOTHING * forces;
}

bool lash_linear_mode(lash_mode *out, const lash_linear *linear, size_t mode) {
    static const double two_pi = 6.283185307179586476925;
    if (!out || !linear || mode >= linear->mode_count)
        return false;
    *out = (lash_mode){0};
    if (is_zero(linear, linear->modes[mode]))
        return true;
    const double complex s = linear->values[linear->modes[mode]];
    const double size = cabs(s), imaginary = fabs(cimag(s)) > REAL * size ? cimag(s) : 0,
                 real = fabs(creal(s)) > REAL * size ? creal(s) : 0;
    *out = (lash_mode){.real = real,
                       .imaginary = imaginary,
                       .frequency = imaginary / two_pi,
                       .natural = size / two_pi,
                       .damping = real != 0 ? -real / size : 0};
    return true;
}

const char *lash_linear_coordinate_name(const lash_linear *linear, size_t coordinate) {
    return linear && coordinate < linear->coordinates ? linear->names[coordinate] : NULL;
}

const char *lash_linear_coordinate_unit(const lash_linear *linear, size_t coordinate) {
    return linear && coordinate < linear->coordinates ? linear->units[coordinate] : NULL;
}

lash_status lash_linear_shape(double *real, double *imaginary, const lash_linear *linear, size_t mode,
                              lash_error *error) {
    if (!real || !imaginary || !linear || mode >= linear->mode_count)
        return lashi_fail(error, LASH_ERROR_USAGE, "there is no such mode");
    const size_t f = linear->freedoms, n = linear->coordinates;
    const double complex *vector = linear->vectors + linear->modes[mode] * order(linear);
    double complex largest = 0;
    for (size_t j = 0; j < n; j++) {
        double complex x = 0;
        for (size_t i = 0; i < f; i++)
            x += linear->Z[i * n + j] * vector[i];
        real[j] = creal(x);
        imaginary[j] = cimag(x);
        largest = cabs(x) > cabs(largest) ? x : largest;
    }
    for (size_t j = 0; cabs(largest) > 0 && j < n; j++) {
        const double complex x = (real[j] + imaginary[j] * I) / largest;
        real[j] = creal(x);
        imaginary[j] = cimag(x);
    }
    return LASH_OK;
}
