/* SPDX-License-Identifier: MIT
 *
 * Error scales: what a tolerance means for each component of y.
 *
 * Without play: positions are controlled absolutely, rtol times a share of the mechanism's size; angles are
 * lengths divided by that size; velocities relative to themselves, with the speed the mechanism has by itself
 * as a floor.
 *
 * With play what matters is the contact: its force depends on δ = e − c and δ̇, not on where the machine
 * stands or how fast it moves. The scale of positions is the smaller of the radial clearance and the
 * penetration of a typical impact; that of velocities is the former times the angular frequency of that
 * contact, as in any vibration: errors of both then weigh alike over a cycle, and the step keeps an even
 * length. So a loose rtol does not become an error of the force. The typical impact: across the gap c under
 * the acceleration a = v²/L that the mechanism's own speed v and size L give, v_i = sqrt(2 a c), onto the
 * mass 1/(Σ 1/m + s²/J) of the two bodies by themselves. A film moves with the machine: its scales are c, and c
 * times the mechanism's own angular speed v/L, but no more than the speed at which it carries the machine's loads
 * (film_scales).
 *
 * Small motions. Nobody knows before a run how far the machine will go. The scales above are those of a motion as large
 * as the machine, at its own speed, and are reduced to the longest way and the largest speed so far
 * (lashi_scale_tolerances): where a mass vibrates by a micrometre in a machine of a metre, rtol is of the micrometre.
 * With play they are small beside the machine, and reduced only for motions that are small beside a contact.
 *
 * Work integrals follow the motion and are not controlled, except for two cases. Where drives decide the whole
 * motion they are all that is integrated, and alone tell how long a step may be. And adams and gear, which
 * choose the lowest order that the motion needs, could leave a large error in the work of a force on a simple
 * motion: there the works of the ledger are held to the tolerance too. No scale goes below rounding.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/larger.h"

/* Share of the mechanism's size that positions of an ideal mechanism are resolved to. */
static const double IDEAL_SHARE = 0.02;
/* Share of a contact's scales that errors are held to where a flight through the gap c is no longer than the
 * contact is deep. In longer flights errors of speed grow, and the wall is the more curved: the share falls
 * with the root of depth over gap. Every further bounce multiplies errors again. */
static const double BOUNCING_SHARE = 0.005;
/* An error of speed δv moves the next contact by c δv/v², which is c over the depth of its duration: behind long flights
 * the share would have to fall with depth over gap itself. Errors of dop853 are so much smaller than its tolerance that the
 * root serves; those of adams and gear have one sign for a whole flight. So for them the share is at most this times depth
 * over gap, which is less than the root where the gap is more than nine times as wide as the contact is deep. */
static const double FAR_SHARE = 0.015;
/* A film is stiff: its force is its damping times its speed. A method whose steps are limited by stability leaves errors of
 * speed there that are as large as its tolerance, and that are errors of the force; adams and gear damp them. So for
 * dop853 speeds are held to this share of that at which the film carries the machine's loads, half way out. */
static const double FILM_SHARE = 0.03, HALF_WAY = 0.5;
/* States of signals are held to this share of themselves, since nobody knows how large they are going to be: a filtered
 * deviation of a micrometre is 1e-6 in metres. Below this share of a unit made of the machine's own length, speed and
 * mass they are rounding. */
static const double SIGNAL_SHARE = 0.1, SMALLEST_SIGNAL = 1e-12;
/* Share of its largest deflection that a bristle is held to. */
static const double BRISTLE_SHARE = 0.1;
/* Error scale in units of rounding of a coordinate, below which control would chase noise. */
static const double ROUNDING = 4;
/* Rounding of positions, ε D at the distance D from the origin, shakes the acceleration of a contact of
 * frequency ω by ω² ε D, and so the speed that a step of some hundredths of 1/ω gives by this share of ω ε D.
 */
static const double SHAKEN = 0.01;
/* The same for a method that knows how long each of its steps is, while something touches: of the accelerations that
 * ω² ε D gives. Measured on chains with play, where errors of speed are as large with this as with none of it, at a
 * tenth of the steps. */
static const double SHAKING = 0.5;

/* Of what a unit is worth in a machine, and of its forces, what a number may be by rounding: a body that should stand still
 * never quite does. */
static const double LEAST_NOISE = 1e-12;

/* The error test of dop853 is stricter than its errors are. Those of adams and gear are not, and as their
 * steps go with the motion their errors have the same sign for long: they add up to more the more steps there
 * are, down to this tolerance, below which other errors are as large. Measured over the machines of
 * tests/physics/test_tolerance.c. */
static const double SLACK = 0.8, SLACK_GROWTH = 0.25, SLACK_END = 1e-9;

static double own_gravity(const lash_system *system) {
    return system->spatial ? lashi_length3(system->gravity) : hypot(system->gravity.x, system->gravity.y);
}

/* The largest rate of a drive over the run; of one without an end, over its first second. */
static double fastest(const lashi_profile *profile, double start, double end) {
    enum { LOOKS = 1000 };
    const double length = isfinite(end) ? end - start : 1;
    const int looks = profile->type == LASHI_PROFILE_SPEED ? 0 : LOOKS;
    double rate = 0;
    for (int k = 0; k <= looks; k++)
        rate = fmax(rate, fabs(lashi_profile_jet(profile, start + length * k / LOOKS).df));
    return rate;
}

/* The largest speed the mechanism has by itself: initial speeds, drives, or falling through its own size.
 * *straight leaves out what turns in place. */
static double own_speed(double *straight, const lash_system *system) {
    double speed = sqrt(own_gravity(system) * system->length);
    *straight = speed;
    for (int b = 0; b < system->bodies - 1; b++) {
        const double *v = system->full0 + system->n_full + system->width * b;
        double squares[2] = {0, 0}; // of the velocity, of the angular velocity
        for (int k = 0; k < system->width; k++)
            squares[k >= system->turning] += v[k] * v[k];
        *straight = fmax(*straight, sqrt(squares[0]));
        speed = fmax(speed, fmax(*straight, sqrt(squares[1]) * system->length));
    }
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_constraint *drive = lashi_drive_constraint(system, d);
        const double rate = fastest(&drive->profile, system->start, system->end);
        if (drive->coordinate.type == LASHI_COORDINATE_ANGLE)
            speed = fmax(speed, rate * system->length);
        else
            *straight = fmax(*straight, rate);
    }
    speed = fmax(speed, *straight);
    if (!(speed > 0))
        speed = system->length; // from rest without gravity: the size in one second
    if (!(*straight > 0))
        *straight = speed;
    return speed;
}

double lashi_own_speed(const lash_system *system) {
    double straight;
    return own_speed(&straight, system);
}

double lashi_own_energy(const lash_system *system) {
    const double speed = lashi_own_speed(system);
    return lash_system_mass(system) * speed * speed;
}

/* Position and velocity scales of a joint with play, and the frequency of its contact, rad/s. */
static void contact_scales(double *length, double *speed, double *frequency, const lash_system *system,
                           const lashi_contact *contact, double own) {
    static const double pi = 3.14159265358979323846;
    const double c = contact->p->room;
    *frequency = 0;
    const double v = sqrt(2 * own * own / system->length * c / contact->p->lever);
    if (contact->model != LASHI_MODEL_COMPLIANT) {
        *length = c;
        *speed = contact->model == LASHI_MODEL_MODES ? v : own / contact->p->lever;
        return;
    }
    if (!contact->dry) { // a film moves with the machine, across its own thickness
        *length = c;
        *speed = own / system->length * c;
        return;
    }
    const lashi_impact_estimate impact = lashi_normal_estimate(&contact->normal, 1 / contact->p->response,
                                                               fmax(v, contact->normal.p->speed_floor));
    *length = fmin(c, impact.delta_max);
    *speed = v;
    if (isfinite(impact.time) && impact.time > 0) {
        *frequency = pi / impact.time;
        *speed = *length * *frequency;
    }
}

/* The acceleration that loads of the machine have: gravity, or that of what moves at the start, or is going to, on curves
 * of the machine's own angular speed. */
static double own_acceleration(const lash_system *system, double own) {
    double moving = 0; // m/s
    for (int b = 0; b < system->bodies - 1; b++) {
        const double *v = system->full0 + system->n_full + system->width * b;
        double square = 0;
        for (int k = 0; k < system->turning; k++)
            square += v[k] * v[k];
        moving = fmax(moving, sqrt(square));
    }
    if (moving == 0 && (system->drive_count > 0 || own_gravity(system) == 0))
        moving = own;
    return fmax(own_gravity(system), moving * own / system->length);
}

/* Position and velocity scales of its film: the speed at which it carries a load of the machine, and how far that leads
 * in the machine's own time. */
static void film_scales(double *length, double *speed, const lash_system *system,
                        const lashi_contact *contact, double own) {
    const double rate = own / system->length, c = contact->film.p->clearance;
    const lashi_film_motion squeezed = {.eps = HALF_WAY, .radial = 1, .place = {1, 0}};
    const double damping = fabs(lashi_film_force(&contact->film, squeezed).radial) / c; // N s/m
    *speed = fmin(rate * c, own_acceleration(system, own) / contact->p->response / damping);
    *length = *speed / rate;
}

/* How far from the origin the machine reaches, m: its coordinates are rounded to this. */
static double reach(const lash_system *system) {
    const int places = system->spatial ? 3 : 2, stride = system->spatial ? 7 : LASHI_PLANE;
    double most = 0;
    for (int b = 0; b < system->bodies - 1; b++)
        for (int k = 0; k < places; k++)
            most = fmax(most, fabs(system->full0[stride * b + k]));
    return fmax(most, system->length);
}

/* What a tolerance of 1 means, and what is rounding. */
typedef struct scales {
    double length, speed;        /* m, m/s */
    double rounding;             /* m, of positions */
    double noise, turning_noise; /* m/s, of velocities; of angular velocities times L */
    const char *joint;           /* whose play decides; NULL: none */
} scales;

static scales find_scales(const lash_system *system) {
    double straight;
    const double L = system->length, D = reach(system), own = own_speed(&straight, system);
    const bool damps_nothing = !lashi_integrator_find(system->model->run.method)->remembers;
    scales s = {.length = IDEAL_SHARE * L,
                .speed = IDEAL_SHARE * own,
                .rounding = ROUNDING * DBL_EPSILON * D,
                .noise = ROUNDING * DBL_EPSILON * straight,
                .turning_noise = ROUNDING * DBL_EPSILON * own};
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        double length, speed, frequency;
        contact_scales(&length, &speed, &frequency, system, contact, own);
        // Without bounces nothing grows.
        const double depth = length / contact->p->room, root = BOUNCING_SHARE * sqrt(depth);
        const double share = contact->model == LASHI_MODEL_PERMANENT ? IDEAL_SHARE
                             : damps_nothing                         ? root
                                                                     : fmin(root, FAR_SHARE * depth);
        if (lashi_is_wet(contact) && damps_nothing) {
            double thin, squeeze;
            film_scales(&thin, &squeeze, system, contact, own);
            if (FILM_SHARE * squeeze < s.speed)
                s.joint = contact->name;
            s.length = fmin(s.length, FILM_SHARE * thin);
            s.speed = fmin(s.speed, FILM_SHARE * squeeze);
        }
        length *= contact->p->lever; // of an angle as of a length
        speed *= contact->p->lever;
        s.noise = fmax(s.noise, SHAKEN * DBL_EPSILON * D * frequency);
        if (share * speed < s.speed)
            s.joint = contact->name;
        s.length = fmin(s.length, share * length);
        s.speed = fmin(s.speed, share * speed);
    }
    s.turning_noise = fmax(s.turning_noise, s.noise);
    return s;
}

/* Of the force of a contact, by rounding: its stiffness, ω² of the mass that it moves, times ε D. */
static double shaking_force(const lash_system *system, const lashi_contact *contact, double own) {
    double length, speed, frequency;
    contact_scales(&length, &speed, &frequency, system, contact, own);
    const bool acts = contact->acts != LASHI_ACTS_ON_ROWS && contact->p->response > 0;
    return acts ? frequency * frequency / contact->p->response * DBL_EPSILON * reach(system) : 0;
}

/* What a unit force on the part `slot`, whichever its direction, is on one freedom of its body at most. */
static double arm(const lash_system *system, const lashi_contact *contact, int slot, int way) {
    const lashi_vec3 s = contact->p->s3[slot];
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        if (item->kind == LASHI_PINNED && item->body == contact->body[slot])
            return fabs(system->q_rate[item->body]) *
                   lashi_length3(lashi_cross3(item->own, lashi_sub3(s, item->joint.geometry->s[item->slot])));
    }
    if (way < system->turning)
        return 1;
    if (!system->spatial)
        return hypot(contact->p->s[slot].x, contact->p->s[slot].y);
    return way == 3 ? hypot(s.y, s.z) : way == 4 ? hypot(s.z, s.x) : hypot(s.x, s.y);
}

double lashi_typical_depth(const lash_system *system, const lashi_contact *contact) {
    if (contact->model != LASHI_MODEL_COMPLIANT || !contact->dry)
        return 0;
    const double own = lashi_own_speed(system), c = contact->p->room;
    const double v = sqrt(2 * own * own / system->length * c / contact->p->lever);
    const lashi_impact_estimate impact = lashi_normal_estimate(&contact->normal, 1 / contact->p->response,
                                                               fmax(v, contact->normal.p->speed_floor));
    return c > 0 ? fmin(c, impact.delta_max) : impact.delta_max;
}

void lashi_set_shake(double *shake, const lash_system *system) {
    const double own = lashi_own_speed(system);
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        const double force = SHAKING * shaking_force(system, contact, own);
        for (int i = 0; i < system->n_v; i++) {
            const int body = system->freedom[i] / LASHI_FREEDOMS, way = system->freedom[i] % LASHI_FREEDOMS;
            for (int slot = 0; slot < LASHI_SLOTS; slot++) {
                if (contact->body[slot] != body)
                    continue;
                shake[system->v_at + i] +=
                    force * arm(system, contact, slot, way) * system->inverse_free[body][way];
            }
        }
    }
}

/* The tolerance to give to a method that remembers, so that its errors add up to what is asked for. */
static double adding_up(double tolerance) {
    return SLACK * tolerance * pow(fmax(tolerance, SLACK_END), SLACK_GROWTH);
}

/* What was asked for, from the tolerance that was given to such a method. */
static double asked_for(double given) {
    return fmin(pow(given / SLACK, 1 / (1 + SLACK_GROWTH)), given / SLACK / pow(SLACK_END, SLACK_GROWTH));
}

double lash_system_least_rtol(const lash_system *system, const char **joint) {
    if (!system)
        return (double)NAN;
    const scales s = find_scales(system);
    if (joint)
        *joint = s.joint;
    const double least = fmin(s.rounding / s.length, s.noise / s.speed);
    return lashi_integrator_find(system->model->run.method)->remembers ? asked_for(least) : least;
}

/* What a unit is worth in a machine of that length, speed and mass: its exponents of m, kg and s. Units that
 * cannot be told count as pure numbers. */
static double own_unit(const lash_system *system, const char *unit, double own) {
    const double sizes[] = {system->length, lash_system_mass(system), system->length / own};
    double value = 1;
    // "kg m/s^2": names with exponents, each stroke turns the next one over.
    static const struct {
        const char *name;
        int m, kg, s;
    } known[] = {{"m", 1, 0, 0},  {"kg", 0, 1, 0},   {"s", 0, 0, 1},   {"N", 1, 1, -2},
                 {"W", 2, 1, -3}, {"Pa", -1, 1, -2}, {"rad", 0, 0, 0}, {"J", 2, 1, -2}};
    for (double power = 1; *unit; power = 1) {
        if (*unit == '/')
            power = -1;
        unit += strspn(unit, "/ ");
        const size_t length = strspn(unit, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const char *name = unit;
        unit += length;
        if (*unit == '^')
            power *= strtod(unit + 1, (char **)&unit);
        else if (length == 0 && *unit)
            unit++;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strlen(known[k].name) == length && strncmp(known[k].name, name, length) == 0)
                value *=
                    pow(pow(sizes[0], known[k].m) * pow(sizes[1], known[k].kg) * pow(sizes[2], known[k].s),
                        power);
    }
    return value;
}

/* What a force of 1 N does to a quantity of that unit: to forces and moments, and to the accelerations of the lightest
 * body; 0 for others. */
static double by_force(const lash_system *system, const char *unit) {
    if (strcmp(unit, "N") == 0)
        return 1;
    if (strcmp(unit, "N m") == 0)
        return system->length;
    const bool turns = strcmp(unit, "rad/s^2") == 0;
    if (!turns && strcmp(unit, "m/s^2") != 0)
        return 0;
    double lightest = 0; // its inverse
    for (int b = 1; b < system->bodies; b++)
        for (int k = turns ? system->turning : 0; k < (turns ? system->width : system->turning); k++)
            lightest = fmax(lightest, system->inverse_mass[b][k]);
    return turns ? lightest * system->length : lightest;
}

double lashi_noise(const lash_system *system, const char *unit, double own, double force) {
    if (!unit[0])
        return 0;
    double shaken = LEAST_NOISE * force;
    for (int k = 0; k < system->contact_count; k++)
        shaken = fmax(shaken, shaking_force(system, &system->contacts[k], own));
    return fmax(LEAST_NOISE * own_unit(system, unit, own), shaken * by_force(system, unit));
}

double lash_system_noise(const lash_system *system, const char *unit, double force) {
    return system && unit ? lashi_noise(system, unit, lashi_own_speed(system), force) : (double)NAN;
}

void lashi_set_size(double *size, const lash_system *system) {
    const double L = system->length, D = reach(system), own = lashi_own_speed(system);
    for (int i = 0; i < system->n_q; i++)
        size[i] = lashi_position_turns(system, i) ? D / L : D;
    for (int i = 0; i < system->n_v; i++)
        size[system->v_at + i] = system->freedom[i] % LASHI_FREEDOMS >= system->turning ? own / L : own;
    for (int k = 0; k < system->machine.signal_count; k++) {
        const lashi_signal *signal = &system->machine.signals[k];
        if (signal->kind == LASHI_SIGNAL_INTEGRAL || signal->kind == LASHI_SIGNAL_LAG)
            size[signal->at] = IDEAL_SHARE * own_unit(system, signal->unit, own);
    }
}

double lashi_set_tolerances(double *rtol, double *atol, const lash_system *system) {
    const lash_run_def *run = &system->model->run;
    const bool play = system->contact_count > 0, remembers = lashi_integrator_find(run->method)->remembers;
    const double asked = isnan(run->atol) ? run->rtol : run->atol, L = system->length;
    const double tolerance = remembers ? adding_up(asked) : asked;
    const double relative = fmax(remembers ? adding_up(run->rtol) : run->rtol, ROUNDING * DBL_EPSILON);
    const scales s = find_scales(system);
    for (int i = 0; i < system->n_q; i++) {
        // In space Euler parameters, half-angles, stand for the turning velocities of free bodies.
        const bool angle = lashi_position_is_angle(system, i), turns = lashi_position_turns(system, i);
        const double lever = angle ? L : turns ? 2 * L : 1;
        // Positions grow with the way and the turns, and their rounding with them.
        rtol[i] = angle ? ROUNDING * DBL_EPSILON : DBL_EPSILON;
        atol[i] = fmax(tolerance * s.length / lever, turns ? ROUNDING * DBL_EPSILON : s.rounding);
    }
    for (int i = 0; i < system->n_v; i++) {
        const bool angle = system->freedom[i] % LASHI_FREEDOMS >= system->turning;
        rtol[system->v_at + i] = fmax(play ? 0 : IDEAL_SHARE * relative, DBL_EPSILON);
        atol[system->v_at + i] =
            angle ? fmax(tolerance * s.speed, s.turning_noise) / L : fmax(tolerance * s.speed, s.noise);
    }
    double straight;
    const double own = own_speed(&straight, system);
    const double work = fmax(tolerance * own_gravity(system) * L, ROUNDING * DBL_EPSILON * own * own);
    for (int i = system->counted_at; i < system->n_y; i++) {
        rtol[i] = system->n_v > 0 ? 0 : relative;
        atol[i] = system->n_v > 0 ? 0 : lash_system_mass(system) * work;
    }
    if (remembers && system->n_v > 0) {
        for (int i = system->work_at; i < system->work_at + LASHI_WORK_COUNT; i++) {
            rtol[i] = relative;
            atol[i] = tolerance * lash_system_mass(system) * own * own;
        }
        // The error norm is a mean: more components must not loosen those of the motion.
        const int motion = system->n_q + system->n_v;
        const double share = sqrt((double)motion / (motion + LASHI_WORK_COUNT));
        for (int i = 0; i < system->work_at; i++) {
            rtol[i] *= share;
            atol[i] *= share;
        }
    }
    // Integrals and lags relative to themselves; a held value does not vary.
    for (int k = 0; k < system->machine.signal_count; k++) {
        const lashi_signal *signal = &system->machine.signals[k];
        if (signal->kind != LASHI_SIGNAL_INTEGRAL && signal->kind != LASHI_SIGNAL_LAG)
            continue;
        rtol[signal->at] = SIGNAL_SHARE * relative;
        atol[signal->at] =
            tolerance * fmin(s.length / L, SMALLEST_SIGNAL) * own_unit(system, signal->unit, own);
    }
    for (int k = 0; k < system->contact_count; k++)
        for (int i = 0; i < lashi_bristles(&system->contacts[k]); i++)
            atol[system->contacts[k].bristle + i] =
                BRISTLE_SHARE * tolerance * system->contacts[k].friction.p->bristle_scale;
    for (int r = 0; r < system->rub_count; r++)
        for (int i = 0; system->rubs[r].bristle >= 0 && i < system->rubs[r].ways; i++)
            atol[system->rubs[r].bristle + i] =
                BRISTLE_SHARE * tolerance * system->rubs[r].law.p->bristle_scale;
    return fmax(tolerance * s.length, s.rounding);
}

void lashi_set_motion(double *share, double *least, const lash_system *system) {
    double straight;
    const double L = system->length, own = own_speed(&straight, system);
    const scales s = find_scales(system);
    for (int i = 0; i < system->n_q; i++) {
        const bool angle = lashi_position_is_angle(system, i), turns = lashi_position_turns(system, i);
        share[i] = IDEAL_SHARE / s.length * (angle ? L : turns ? 2 * L : 1);
        least[i] = turns ? ROUNDING * DBL_EPSILON : s.rounding;
    }
    for (int i = 0; i < system->n_v; i++) {
        const bool angle = system->freedom[i] % LASHI_FREEDOMS >= system->turning;
        share[system->v_at + i] = IDEAL_SHARE / s.speed * (angle ? L : 1);
        least[system->v_at + i] = angle ? s.turning_noise / L : s.noise;
    }
    for (int i = system->work_at; i < system->work_at + LASHI_WORK_COUNT; i++)
        least[i] = ROUNDING * DBL_EPSILON * lash_system_mass(system) * own * own;
}

double lashi_speed_share(const lash_sim *sim) {
    return lashi_larger(sim->state->speed, LASHI_STANDS_STILL);
}

double lashi_least_pace(const double *atol, const double *least, const lash_system *system) {
    double most = 0;
    for (int i = system->v_at; i < system->v_at + system->n_v; i++)
        most = fmax(most, least[i] / atol[i]);
    return fmin(most, 1);
}

double lashi_pace(const lash_sim *sim) {
    return lashi_larger(sim->state->speed, sim->least_pace);
}

double lashi_least_rtol(const lash_sim *sim) {
    const lash_system *system = sim->system;
    double least = lash_system_least_rtol(system, NULL);
    if (!(sim->state->way > 0) || !(sim->state->speed > 0))
        return least;
    const scales s = find_scales(system);
    const double places = s.rounding / s.length, speeds = s.noise / s.speed,
                 smaller = fmax(places / sim->state->way, speeds / sim->state->speed) / fmax(places, speeds);
    least = fmin(places, speeds) * smaller;
    return lashi_integrator_find(system->model->run.method)->remembers ? asked_for(least) : least;
}

/* Error scales of n components from a on, at this share of the machine's own motion. */
static void reduce(double *scaled, const lash_sim *sim, int a, int n, double share) {
    for (int i = a; i < a + n; i++)
        if (sim->atol[i] > 0)
            scaled[i] = lashi_larger(share * sim->atol[i], sim->least[i]);
}

void lashi_scale_tolerances(double *scaled, const lash_sim *sim) {
    const lash_system *system = sim->system;
    memcpy(scaled, sim->atol, sim->problem.n * sizeof *scaled);
    reduce(scaled, sim, 0, system->n_q, sim->state->way);
    reduce(scaled, sim, system->v_at, system->n_v, sim->state->speed);
    reduce(scaled, sim, system->work_at, LASHI_WORK_COUNT, sim->state->speed);
}

double lashi_unrounded_tolerance(const lash_system *system) {
    const lash_run_def *run = &system->model->run;
    const double asked = isnan(run->atol) ? run->rtol : run->atol;
    return (lashi_integrator_find(run->method)->remembers ? adding_up(asked) : asked) *
           find_scales(system).length;
}

double lashi_rounding(const lash_system *system) {
    return find_scales(system).rounding;
}

double lashi_resolution(const lash_sim *sim) {
    return lashi_larger(sim->state->way * sim->unrounded, sim->rounding);
}
