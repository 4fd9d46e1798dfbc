/* SPDX-License-Identifier: MIT
 *
 * Initial conditions: positions and velocities that satisfy every constraint, from approximate ones.
 *
 * Positions: damped Gauss–Newton with least weighted change,
 *   Δq = −W Φqᵀ (Φq W Φqᵀ + μ diag)⁻¹ Φ,    W = diag(1, 1, 1/ℓ²) per body, 0 for a held coordinate,
 * ℓ the size of the mechanism. The damping μ (Levenberg 1944, Marquardt 1963) makes the matrix regular also
 * when constraints repeat each other, and grows when a step does not reduce the residual. Near the solution μ
 * falls to MU_LEAST, which leaves convergence superlinear for consistent constraints. Velocities: the same
 * linear problem, solved with weights M⁻¹ (the velocities an impulsive closure would give) and repeated to
 * remove the trace of μ.
 */
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static const double MU_LEAST = 1e-11, MU_FIRST = 1e-8, MU_MOST = 1e8;
static const double CLOSED = 1e-13;     /* of the mechanism's size, and rad: positions are closed */
static const double NEARLY = 1e-10;     /* of the same: good enough when rounding stops the iteration */
static const double LONGEST_STEP = 0.3; /* rad, and of the mechanism's size, in one iteration */
static const double CROSSED = 0.5;      /* a residual that stuck axes leave, 1 at a right angle */
static const double NUDGE = 0.05;       /* rad */
static const double LIGHTEST = 1e9;     /* m ℓ²/J of an inertia in the weights of velocities */
enum { ITERATIONS = 300 };

/* Where a residual stands. */
typedef struct place {
    int item, row;
} place;

/* Largest residual with angles made lengths, and where it stands. */
static double largest(place *at, const double *Phi, const lashi_constraint_set *set) {
    double worst = 0;
    *at = (place){0, 0};
    for (int c = 0; c < set->count; c++)
        for (int r = 0; r < set->items[c].rows; r++) {
            const double x = fabs(Phi[set->items[c].first_row + r]);
            if (!(x <= worst)) {
                worst = x;
                *at = (place){c, r};
            }
        }
    return worst;
}

static double sum_of_squares(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

/* One damped step from the evaluated state: step[body] (zeroed first) = −W Φqᵀ (…)⁻¹ residual. */
static bool newton_step(double (*step)[LASHI_FREEDOMS], double *lambda, lashi_constraint_work *work,
                        const lash_system *system, const lashi_constraint_set *set, const double *residual,
                        const double (*inverse)[LASHI_FREEDOMS], double mu) {
    memset(step, 0, (size_t)system->bodies * sizeof *step);
    memcpy(lambda, residual, (size_t)set->rows * sizeof(double));
    if (lashi_constraints_factor(work, set, inverse, mu) >= 0)
        return false;
    lashi_constraints_solve(lambda, work, set);
    lashi_constraints_subtract(step, work, set, lambda);
    for (int b = 1; b < system->bodies; b++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            step[b][k] *= inverse[b][k];
    return true;
}

/* Axes at a right angle that should be parallel: the residual is stationary there and gives no direction.
 * Turns every body that may turn a little, each its own way. */
static void nudge(double *y, double (*step)[LASHI_FREEDOMS], const lash_system *system,
                  const double (*inverse)[LASHI_FREEDOMS]) {
    memset(step, 0, (size_t)system->bodies * sizeof *step);
    for (int b = 1; b < system->bodies; b++)
        for (int k = system->turning; k < system->width; k++)
            step[b][k] = inverse[b][k] > 0 ? NUDGE * sin(b + 2 * k) : 0;
    lashi_shift(y, system, (const double(*)[LASHI_FREEDOMS])step, 1);
}

static const char *unit_of(const lashi_constraint_set *set, place at) {
    return lashi_row_is_moment(&set->items[at.item], at.row) ? "rad" : "m";
}

/* What stays open, in words. Least squares spread a mistake over the whole loop, so that the joint that is
 * drawn farthest apart is named too; NULL: it is not where the machine was drawn. */
static lash_status fail_to_close(const lashi_constraint_set *set, place worst, double gap, double t,
                                 const place *drawn, double drawn_gap, lash_error *error) {
    const lashi_constraint *item = &set->items[worst.item];
    const int row = worst.row;
    if (item->geometry && item->type != LASHI_JOINT_drive && lashi_row_is_moment(item, row))
        return lashi_fail_at(
            error, LASH_ERROR_ASSEMBLY, t, item->name,
            "the mechanism cannot be closed: the axes of '%s' stay off by %.3g rad; check its `axis`, given "
            "in "
            "the first body's axes, its `second_axis`, given in the second's, the orientations drawn, and "
            "whether held coordinates or drives leave it room",
            item->name, asin(fmin(gap, 1)));
    char other[320] = "";
    if (drawn && drawn->item != worst.item && drawn_gap > gap)
        snprintf(other, sizeof other, "; drawn farthest apart is '%.200s', by %.3g %s",
                 set->items[drawn->item].name, drawn_gap, unit_of(set, *drawn));
    // Two drives of one freedom leave a joint open as wrong lengths do.
    char drives[320] = "";
    const char *names[2] = {NULL, NULL};
    for (int c = 0; c < set->count; c++)
        if (set->items[c].type == LASHI_JOINT_drive)
            names[names[0] != NULL] = set->items[c].name;
    if (names[1])
        snprintf(drives, sizeof drives,
                 ", which '%.100s' and '%.100s' may take from each other: try with one of them", names[0],
                 names[1]);
    // Which way, in space: that of the ground's axis, or as the joint's row is called.
    const char *way = item->geometry && item->type != LASHI_JOINT_drive ? lashi_row_name(item, row) : "";
    return lashi_fail_at(error, LASH_ERROR_ASSEMBLY, t, item->name,
                         "the mechanism cannot be closed: '%s' stays open by %.3g %s%s%s; check lengths and "
                         "positions around it, and whether held coordinates or drives leave it room%s%s",
                         item->name, gap, unit_of(set, worst), way[0] ? (way[1] ? ", " : " along ") : "", way,
                         drives, other);
}

lash_status lashi_close_positions(double *y, lashi_constraint_work *work, lashi_frame *frames,
                                  const lash_system *system, const lashi_constraint_set *set, double t,
                                  const double (*inverse)[LASHI_FREEDOMS], lash_error *error) {
    if (set->rows == 0)
        return LASH_OK;
    lashi_arena scratch = {0};
    lash_status status = LASH_OK;
    double(*step)[LASHI_FREEDOMS] = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *step);
    double *lambda = lashi_arena_alloc(&scratch, (size_t)set->rows, sizeof(double));
    double *start = lashi_arena_alloc(&scratch, (size_t)system->n_full, sizeof(double));
    double *Phi = lashi_arena_alloc(&scratch, (size_t)set->rows, sizeof(double));
    if (!step || !lambda || !start || !Phi) {
        status = lashi_fail_memory(error);
        goto done;
    }
    double mu = MU_FIRST;
    place worst = {0, 0}, drawn = {0, 0};
    double gap = INFINITY, drawn_gap = INFINITY;
    bool nudged = false;
    lashi_frames_fill(frames, system, y);
    lashi_constraints_evaluate(work, set, frames, t);
    for (int k = 0; k < ITERATIONS; k++) {
        memcpy(Phi, work->Phi, (size_t)set->rows * sizeof(double));
        const double before = sum_of_squares(Phi, set->rows);
        gap = largest(&worst, Phi, set);
        if (k == 0) {
            drawn = worst;
            drawn_gap = gap;
        }
        if (gap <= CLOSED * system->length || !isfinite(before))
            break;
        memcpy(start, y, (size_t)system->n_full * sizeof(double));
        bool better = false;
        while (!better && mu <= MU_MOST) {
            if (newton_step(step, lambda, work, system, set, Phi, inverse, mu)) {
                double longest = 0;
                for (int b = 1; b < system->bodies; b++)
                    for (int i = 0; i < system->width; i++)
                        longest =
                            fmax(longest, fabs(step[b][i]) / (i < system->turning ? system->length : 1));
                lashi_shift(y, system, (const double(*)[LASHI_FREEDOMS])step,
                            longest > LONGEST_STEP ? LONGEST_STEP / longest : 1);
                lashi_frames_fill(frames, system, y);
                lashi_constraints_evaluate(work, set, frames, t);
                better = sum_of_squares(work->Phi, set->rows) < before;
            }
            if (!better) {
                mu *= 10;
                memcpy(y, start, (size_t)system->n_full * sizeof(double));
                lashi_frames_fill(frames, system, y);
                lashi_constraints_evaluate(work, set, frames, t);
            }
        }
        if (!better && !nudged && system->spatial && gap > CROSSED) {
            nudge(y, step, system, inverse);
            lashi_frames_fill(frames, system, y);
            lashi_constraints_evaluate(work, set, frames, t);
            nudged = better = true;
            mu = MU_FIRST;
        }
        if (!better)
            break; // no step helps: closed to rounding, or stuck
        lashi_count_angles(y, system, frames);
        mu = fmax(mu / 30, MU_LEAST);
    }
    lashi_count_angles(y, system, frames);
    if (!(gap <= NEARLY * system->length))
        status = fail_to_close(set, worst, gap, t, t == system->start ? &drawn : NULL, drawn_gap, error);
done:
    lashi_arena_clear(&scratch);
    return status;
}

/* Journals that are given a velocity in their bearings have it: the first rows of such joints are P_j − P_i.
 */
static void set_apart(double *rate, const lash_system *system, const lashi_constraint_set *set) {
    for (int c = 0; c < set->count; c++) {
        const lashi_constraint *item = &set->items[c];
        if (item->type == LASHI_JOINT_drive)
            continue;
        const lashi_vec3 *given = &system->joints[item->origin].thrown;
        const double parts[3] = {given->x, given->y, given->z};
        for (int k = 0; k < (system->spatial ? 3 : 2) && k < item->rows; k++)
            rate[item->first_row + k] -= parts[k];
    }
}

/* " ('motor' and 'second')" where there are several drives, else "". */
static const char *list_drives(char *out, size_t size, const lash_system *system) {
    const lash_model *model = system->model;
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; model->drive_count > 1 && i < model->drive_count && used + 1 < size; i++) {
        const int more = snprintf(out + used, size - used, "%s'%s'%s", i ? " and " : " (",
                                  model->drives[i].name, i + 1 < model->drive_count ? "" : ")");
        used += (size_t)(more > 0 ? more : 0);
    }
    return out;
}

/* What is left of the rates lies across all that motion can do, so it has only the rows that contradict each other:
 * their joints and drives without `but`, as "; it is at odds with 'guide', 'slot'". */
static const char *list_parties(char *out, size_t size, const lashi_constraint_set *set, const double *rate,
                                double worst, size_t but) {
    static const double NOTABLE = 1e-6;
    const lashi_constraint *last = NULL;
    size_t used = 0;
    out[0] = '\0';
    for (int c = 0; c < set->count && used + 1 < size; c++) {
        const lashi_constraint *item = &set->items[c];
        bool party = false;
        for (int k = 0; k < item->rows; k++)
            party = party || fabs(rate[item->first_row + k]) > NOTABLE * worst;
        if (!party || (size_t)c == but)
            continue;
        const int more = snprintf(out + used, size - used, "%s'%.100s'",
                                  last ? ", " : "; it is at odds with ", item->name);
        used += (size_t)(more > 0 ? more : 0);
        last = item;
    }
    return out;
}

lash_status lashi_close_velocities(double *y, lashi_constraint_work *work, lashi_frame *frames,
                                   const lash_system *system, const lashi_constraint_set *set, double t,
                                   const double (*inverse)[LASHI_FREEDOMS], lash_error *error) {
    if (set->rows == 0)
        return LASH_OK;
    lashi_arena scratch = {0};
    lash_status status = LASH_OK;
    double(*step)[LASHI_FREEDOMS] = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *step);
    double(*v)[LASHI_FREEDOMS] = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *v);
    double *lambda = lashi_arena_alloc(&scratch, (size_t)set->rows, sizeof(double));
    double *rate = lashi_arena_alloc(&scratch, (size_t)set->rows, sizeof(double));
    if (!step || !v || !lambda || !rate) {
        status = lashi_fail_memory(error);
        goto done;
    }
    // The damping leaves a share of about MU_LEAST of the residual in each pass.
    enum { PASSES = 4 };
    double worst_rate = 0, speed = 0;
    place worst = {0, 0};
    for (int pass = 0; pass <= PASSES; pass++) {
        lashi_frames_fill(frames, system, y);
        lashi_constraints_evaluate(work, set, frames, t);
        memcpy(rate, work->Phi_dot, (size_t)set->rows * sizeof(double));
        if (t == system->start)
            set_apart(rate, system, set);
        // Scale of the speeds: those there are, and those the drives ask for.
        speed = pass == 0 ? largest(&worst, rate, set) : speed;
        for (int i = 0; i < system->full_v; i++)
            speed = fmax(speed, fabs(y[system->n_full + i]));
        worst_rate = largest(&worst, rate, set);
        if (pass == PASSES || worst_rate == 0)
            break;
        if (!newton_step(step, lambda, work, system, set, rate, inverse, MU_LEAST)) {
            status = lashi_fail_at(error, LASH_ERROR_ASSEMBLY, t, "",
                                   "no velocities satisfy the joints and drives: numbers are not finite");
            goto done;
        }
        for (int i = 0; i < system->full_v; i++)
            y[system->n_full + i] += step[1 + i / system->width][i % system->width];
    }
    if (!(worst_rate <= 1e-9 * fmax(speed, 1e-30))) {
        const lashi_constraint *item = &set->items[worst.item];
        const bool play = item->type != LASHI_JOINT_drive && system->joints[item->origin].first_contact >= 0;
        char drives[LASH_ERROR_PLACE], parties[512];
        status = lashi_fail_at(
            error, LASH_ERROR_ASSEMBLY, t, item->name,
            "no velocities satisfy all joints and drives: '%s' is missed by %.3g m/s (or "
            "rad/s)%s%s; drives may contradict each other%s, held velocities may leave no room, "
            "the mechanism is in a dead position, or a joint connects the wrong points or has a wrong `axis`",
            item->name, worst_rate,
            play ? ", which has play, but starts with the velocities of a joint without" : "",
            list_parties(parties, sizeof parties, set, rate, worst_rate, (size_t)worst.item),
            list_drives(drives, sizeof drives, system));
    }
done:
    lashi_arena_clear(&scratch);
    return status;
}

/* Weights of least change: lengths against angles by the size of the mechanism; held coordinates cannot move.
 */
static void set_weights(double (*weight)[LASHI_FREEDOMS], const lash_system *system, bool velocities) {
    static const unsigned position[4] = {LASH_HOLD_X, LASH_HOLD_Y, LASH_HOLD_Z, LASH_HOLD_ANGLE};
    static const unsigned velocity[4] = {LASH_HOLD_VX, LASH_HOLD_VY, LASH_HOLD_VZ, LASH_HOLD_W};
    const double angle = 1 / (system->length * system->length);
    for (int b = 1; b < system->bodies; b++)
        for (int k = 0; k < system->width; k++) {
            const bool turns = k >= system->turning;
            const int bit = turns ? 3 : k;
            const bool held =
                (system->model->bodies[b].def.hold & (velocities ? velocity[bit] : position[bit])) != 0;
            weight[b][k] = held ? 0 : velocities ? system->inverse_mass[b][k] : turns ? angle : 1;
        }
}

/* Inertias too small for 16 digits beside their masses are replaced by larger ones, so that lever.c can
 * report them. False: none. */
static bool weigh_light_bodies(double (*weight)[LASHI_FREEDOMS], const lash_system *system) {
    bool any = false;
    for (int b = 1; b < system->bodies; b++)
        for (int k = system->turning; k < system->width; k++) {
            const double most = LIGHTEST * system->inverse_mass[b][0] / (system->length * system->length);
            any = any || weight[b][k] > most;
            weight[b][k] = fmin(weight[b][k], most);
        }
    return any;
}

lash_status lashi_assemble(lash_system *system, lash_error *error) {
    lashi_arena scratch = {0};
    lashi_constraint_work work;
    const lashi_constraint_set *set = &system->assembly;
    lash_status status = lashi_constraint_work_create(&work, &scratch, set, error);
    lashi_frame *frames = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *frames);
    double(*weight)[LASHI_FREEDOMS] = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *weight);
    double *given = lashi_arena_alloc(&scratch, (size_t)system->full_v, sizeof *given);
    if (!status && (!frames || !weight || !given))
        status = lashi_fail_memory(error);
    if (status)
        goto done;
    lashi_frame_ground(&frames[0]);
    set_weights(weight, system, false);
    status = lashi_close_positions(system->full0, &work, frames, system, set, system->start,
                                   (const double(*)[LASHI_FREEDOMS])weight, error);
    if (status)
        goto done;
    set_weights(weight, system, true);
    memcpy(given, system->full0 + system->n_full, (size_t)system->full_v * sizeof *given);
    status = lashi_close_velocities(system->full0, &work, frames, system, set, system->start,
                                    (const double(*)[LASHI_FREEDOMS])weight, error);
    if (status == LASH_ERROR_ASSEMBLY && weigh_light_bodies(weight, system)) {
        memcpy(system->full0 + system->n_full, given, (size_t)system->full_v * sizeof *given);
        status = lashi_close_velocities(system->full0, &work, frames, system, set, system->start,
                                        (const double(*)[LASHI_FREEDOMS])weight, error);
    }
done:
    lashi_arena_clear(&scratch);
    return status;
}
