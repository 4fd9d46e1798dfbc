/* SPDX-License-Identifier: MIT
 *
 * Many machines of one structure, computed side by side: in the lanes of a core's vector registers, or on a GPU.
 *
 *   lash_ensemble_create(&ensemble, system, &(lash_ensemble_plan){.channels = names, .channel_count = 2}, &error);
 *   for each member: lash_ensemble_add(ensemble, system_of_member, &(lash_ensemble_span){.until = 1}, &error);
 *   lash_ensemble_run(ensemble, LASH_ON_GPU, NULL, NULL, &error);
 *   lash_ensemble_value(ensemble, member, channel, LASH_ENSEMBLE_MOST);
 *
 * Members differ in numbers, not in structure: bodies, joints, laws. Each is advanced by dop853 with the tolerances of
 * its own model and its own steps. Numbers agree with a run of that model within its tolerance, not bit for bit.
 */
#ifndef LASH_ENSEMBLE_H
#define LASH_ENSEMBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lash/status.h"
#include "lash/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_ensemble lash_ensemble;

typedef enum lash_on { LASH_ON_LANES, LASH_ON_GPU } lash_on;

/* LASH_OK: ensembles can be computed there; else LASH_ERROR_IO with what is missing. */
lash_status lash_ensemble_can(lash_on on, lash_error *error);

/* Cores that this process may use: a launcher, a container or the user may have left it a few of the machine's. */
size_t lash_core_count(void);

/* What is looked at. Channels: those of a run (lash_sim_channel_name) that follow from the state, accelerations and
 * multipliers at an instant. Not among them: energies that are summed over time, modes, orientations, pressures of films. */
typedef struct lash_ensemble_plan {
    const char *const *channels; /* extrema, means: lash_ensemble_value */
    size_t channel_count;
    const char *const *cuts; /* values at the cuts of a section: lash_ensemble_cut */
    size_t cut_count;
    bool ranges;   /* extrema of these too; else those of the ends of steps */
    bool contacts; /* counts impacts apart from longer contacts, and what they lose */
    bool exponent; /* the growth of a difference: lash_ensemble_growth */
} lash_ensemble_plan;

/* For machines like this one. LASH_ERROR_MODEL with the reason where such machines cannot be computed so;
 * LASH_ERROR_USAGE: a channel that cannot be looked at. */
lash_status lash_ensemble_create(lash_ensemble **out, const lash_system *system,
                                 const lash_ensemble_plan *plan, lash_error *error);
void lash_ensemble_destroy(lash_ensemble *ensemble);

/* The time of a member, from the start of its model. */
typedef struct lash_ensemble_span {
    double from, until;     /* s, values are taken between these */
    double cut, cut_period; /* s, the first cut and from one to the next */
    size_t cuts;
    /* The exponent is measured after `until`: intervals of this length, s, at whose ends the difference is
     * shortened again; `align` of them before those that count, which are LASH_ENSEMBLE_BLOCKS times `block`.
     * */
    double interval;
    size_t align, block;
} lash_ensemble_span;
enum { LASH_ENSEMBLE_BLOCKS = 16 };

/* One more member. The system is not needed any more afterwards. LASH_ERROR_MODEL: it has a different structure. */
lash_status lash_ensemble_add(lash_ensemble *ensemble, const lash_system *system,
                              const lash_ensemble_span *span, lash_error *error);
/* Numbers that are the same in all members become constants of the compiled code. A machine that is not a member can
 * say beforehand in which they will differ, so that ensembles of one study share their code. LASH_ERROR_MODEL: as above. */
lash_status lash_ensemble_vary(lash_ensemble *ensemble, const lash_system *system, lash_error *error);
size_t lash_ensemble_count(const lash_ensemble *ensemble);
size_t lash_ensemble_channel_count(const lash_ensemble *ensemble); /* of both lists of the plan */

/* Runs all members to their ends. progress (may be NULL): called now and then with how many have finished;
 * false stops. LASH_STOP_INTERRUPTED then; LASH_ERROR_IO with the reason where there is no GPU or no compiler
 * for it, or the GPU gives up: what was computed until then stays, and a further call continues. */
lash_status lash_ensemble_run(lash_ensemble *ensemble, lash_on on,
                              bool (*progress)(void *user, size_t finished), void *user, lash_error *error);

/* LASH_OK: the member is at its end; LASH_ERROR_STEP: its steps became too short, or a contact deeper than its
 * law holds; LASH_ERROR_ACCURACY: its energy balance is off, or its joints came apart, by more than a run
 * allows; LASH_ERROR_USAGE: there is no such member, or it has not been run. */
lash_status lash_ensemble_status(const lash_ensemble *ensemble, size_t member);
/* Why a member is not at its end, or cannot be trusted there, in words; "": it can, or has not been run. */
const char *lash_ensemble_reason(const lash_ensemble *ensemble, size_t member);

typedef enum lash_ensemble_what {
    LASH_ENSEMBLE_LEAST,
    LASH_ENSEMBLE_MOST,
    LASH_ENSEMBLE_MEAN,
    LASH_ENSEMBLE_RMS,
    LASH_ENSEMBLE_END /* its value at `until` */
} lash_ensemble_what;
/* Of a channel between `from` and `until`, SI. Channels of the cuts follow those of the plan's first list. NaN
 * if there is none. */
double lash_ensemble_value(const lash_ensemble *ensemble, size_t member, size_t channel,
                           lash_ensemble_what what);
/* A channel of the plan's second list at a cut, both from 0. */
double lash_ensemble_cut(const lash_ensemble *ensemble, size_t member, size_t cut, size_t channel);

/* Of a contact, in the order of lash_system_clearance. The last four are NaN where the plan does not ask for them. */
typedef struct lash_ensemble_contact {
    double begun;                                /* contacts that have begun */
    double share;                                /* of the time, in contact */
    double peak;                                 /* N, largest force at the ends of steps */
    double impacts, impact_time, following_time; /* as in the summary of a run: after less before */
    double energy_lost;                          /* J */
} lash_ensemble_contact;
lash_ensemble_contact lash_ensemble_contact_of(const lash_ensemble *ensemble, size_t member, size_t contact);
/* The logarithm of the difference's growth in each block. LASH_ERROR_USAGE: it was not asked for, or there is
 * no such member; LASH_ERROR_LIMIT: nothing can differ in it. */
lash_status lash_ensemble_growth(double growth[LASH_ENSEMBLE_BLOCKS], const lash_ensemble *ensemble,
                                 size_t member);
/* Accepted steps of a member between `from` and `until`, and evaluations of its equations. */
double lash_ensemble_steps(const lash_ensemble *ensemble, size_t member, double *evaluations);
/* The largest error of a member's energy balance, J; NaN: there is no such member. */
double lash_ensemble_balance(const lash_ensemble *ensemble, size_t member);

#ifdef __cplusplus
}
#endif
#endif
