/* SPDX-License-Identifier: MIT
 *
 * The inside of lash_sim: a workspace, an integrator, and the state they act on.
 *
 * A step has two halves: `advance` proposes and accepts a step, finds the earliest event in it and looks for
 * the peaks of contacts; samples and peaks are then read off the interpolant up to where the step ends;
 * `commit` changes modes, corrects, and keeps account.
 */
#ifndef LASHI_SIM_H
#define LASHI_SIM_H

#include <stdint.h>

#include "dynamics/evaluate.h"
#include "integrate/event.h"
#include "integrate/integrator.h"
#include "lash/record.h"

/* Running account of one joint with play; part of the state. */
typedef struct lashi_contact_account {
    size_t impacts, contacts, floor_used, above_validity, chatter;
    size_t through;                                /* times its film was pressed through … */
    size_t dropped;                                /* … having carried more than dry contact does then */
    double dropped_from;                           /* N, the most it had carried */
    size_t over_pressure;                          /* stretches with more pressure than steel bears */
    int over;                                      /* 1 during one, as of the last accepted step */
    double film_pressure, film_pressure_time;      /* Pa, s: the largest such pressure */
    double min_film;                               /* m, least c − e at accepted steps */
    double farthest;                               /* m, largest |δ| */
    double film_force, film_force_time;            /* N, s: the most the film carried there */
    double free_time, impact_time, following_time; /* s, of finished stretches */
    lash_peak turn[2];                             /* in the first turn of the drive, and after it */
    double peak_delta, deepest_at;                 /* m, s */
    size_t deep;                                   /* finished contacts deeper than the clearance */
    size_t damped;                                 /* finished contacts whose damping is warned of … */
    lash_peak damped_peak;                         /* … the largest force there */
    size_t stiff;                                  /* steps that its damping seems to have limited */
    size_t losses;                                 /* permanent contact: times N fell through zero … */
    double first_loss, first_loss_crank;           /* s, rad: … the first of them */
    lash_peak after;            /* the largest force since statistics are counted (state->counted_from) … */
    lash_clearance_part before; /* … and what had been until then; its peak is not used */
    double
        hertz_time; /* s, of the present contact: scale by which an impact is distinguished from following */
} lashi_contact_account;

/* A gap at one point of the motion. */
typedef struct lashi_gap_point {
    double delta, deltadot, speed; /* m, m/s, |ė| in m/s */
    double sliding;                /* m/s */
} lashi_gap_point;

/* A second event of a contact: δ̇ = 0 of its law, δ = e0 of its film, or an end of the piece of its
 * excitation. */
typedef enum lashi_border_kind {
    LASHI_BORDER_TURNING,
    LASHI_BORDER_FILM,
    LASHI_BORDER_UP,
    LASHI_BORDER_DOWN
} lashi_border_kind;

typedef struct lashi_border {
    int contact;
    lashi_border_kind kind;
} lashi_border;

/* Of the ledger: kinetic, potential and elastic energy, losses, input. */
enum { LASHI_ENTRIES = 5 };

typedef struct lashi_tangent lashi_tangent;
typedef struct lashi_invariants lashi_invariants;

/* Everything that changes, as one block: this head, then contacts, accounts, events, what is known of the
 * constraints, history of the integrator. */
struct lash_state {
    size_t bytes;
    double t;
    double energy0;                    /* J, K + V + U at the start: what the balance is measured from */
    double ledger0[LASHI_ENTRIES];     /* J, entries at the start */
    double ledger[LASHI_ENTRIES];      /* J, at the last accepted point */
    double exchanged;                  /* J, largest change of an entry of the ledger */
    double kinetic, largest;           /* J, largest kinetic energy; of all entries */
    double max_balance;                /* J */
    double way, speed;                 /* largest so far, as shares of the machine's own: 1 or less */
    double off_since;                  /* s, since when the balance is off by more than is allowed; NaN */
    double max_position, max_velocity; /* largest constraint violation */
    double tangent_length;             /* of the tangent over what is carried behind y */
    double apart_since;                /* s, since when it is larger than is allowed */
    double h_free;                     /* s, last step with every joint free; 0: none yet */
    double h_smooth;                   /* s, last step before it was shortened for the end of a contact */
    int approaching;                   /* the next step is shortened so */
    lashi_piece piece;                 /* of time, which the next step does not leave */
    int crowded;                       /* pieces one after the other that are as short as rounding */
    size_t events;                     /* that have happened */
    double turn_end;                   /* s, end of the first drive's first turn; INFINITY: not so far */
    double counted_from;               /* s, statistics are also counted from there; INFINITY: not so far */
    int counting;                      /* 1: that is past */
    int crossing;                      /* a singular position is near: singular.c … */
    double t_singular;                 /* s, … and is passed then, if known */
    size_t rubs_at, memories_at, accounts_at, armed_at, sound_at, repeats_at, history_at; /* byte offsets */
    size_t inputs_at, modes_at, settings_at, phases_at, deposits_at;                      /* byte offsets */
};

/* A quantity that can be recorded. */
typedef struct lashi_channel_group lashi_channel_group;
typedef struct lashi_channel {
    const char *name, *unit, *meaning;
    int kind;                         /* enum in channel.c */
    int index;                        /* of the body, joint, drive, force or contact */
    const lashi_channel_group *group; /* those that are computed together, in channel.c */
} lashi_channel;

/* A component of a force that a caller may set, or an input of the model. */
typedef struct lashi_sim_input {
    const char *name, *unit;
    int force, component; /* force -1: the input of that number */
} lashi_sim_input;

struct lash_sim {
    lashi_arena arena;
    const lash_system *system;
    lashi_workspace *workspace;
    const lashi_integrator_kind *kind; /* at work: the model's, … */
    lashi_integrator *integrator;
    const lashi_integrator_kind *kinds[2]; /* … which is the first, or what passes singular positions */
    lashi_integrator *integrators[2];      /* the second NULL: nothing does */
    lashi_problem problem;
    double *rtol, *atol;          /* [problem.n] of a motion as large as the machine's own … */
    double *scaled;               /* [problem.n] … and as large as it has been */
    double *share, *least;        /* [problem.n] lashi_set_motion */
    double least_pace;            /* lashi_least_pace */
    lashi_tangent *tangent;       /* carried behind y; NULL: none */
    lashi_invariants *invariants; /* LASH_CHECK=1; NULL: off */
    /* Called after each step of a run: decides whether compiled code is worth its time (src/compile); NULL:
     * none. */
    lash_status (*consider)(lash_sim *sim, double end, lash_error *error);
    const char *interpreted;  /* why there is no compiled code; NULL: there is, or nobody asked */
    double resolution;        /* m, error scale of positions of a motion as large as the machine's own */
    double unrounded;         /* m, the same where rounding does not bound it … */
    double rounding;          /* m, … which is this */
    double own_energy;        /* J, see tolerance.c */
    double kink;              /* s, of a law, where the step ends; INFINITY: none */
    double own_speed;         /* m/s, likewise */
    double violation_allowed; /* m or rad, see account.c */
    lash_state *state;
    lashi_memory *memories;          /* in the state block */
    lashi_contact_account *accounts; /* in the state block */
    lashi_rub_memory *rub_memories;  /* in the state block */
    lashi_phase *phases;             /* [contacts] in the state block */
    lashi_channel *channels;
    size_t channel_count;
    lashi_sim_input *input_list;
    size_t input_count;
    double (*inputs)[LASHI_INPUTS]; /* [forces] in the state block */
    lashi_input_call *calls;        /* [forces] */
    double *settings;               /* [inputs] in the state block */
    double *deposits;               /* [deposits] likewise: what has worn off (wearing.c) */
    double *modes;                  /* [switches] in the state block */
    double *driven;                 /* [switches] s, likewise: when d was last driven away from a border */
    lash_record *record;            /* that steps go to; NULL: none */
    const lash_record *interrupted; /* of a run that can continue; NULL: none */
    double interrupted_end;         /* s, where that run ends */
    double *y_work, *ydot_work;     /* [problem.n] */
    double *y_start;                /* [problem.n] where the sim began: as assembled, or as given */
    bool given;                     /* its coordinates were given */

    /* the step in progress */
    lashi_event_search search;
    lashi_event *events; /* [event_count]: δ of every clearance, then δ̇ of those that switch, then rubs */
    lashi_border *borders; /* second events of contacts, after the δ events */
    int border_count;
    bool any_switch;              /* some law switches at δ̇ = 0: every step is looked through */
    bool by_tolerance;            /* some contact has the detector penetration-tolerance */
    bool limited;                 /* the last step, by stability */
    bool quietens;                /* some contact may become quiet, or a mild test suits it while it lasts */
    size_t found;                 /* event found, SIZE_MAX: none */
    double t_new;                 /* s, where the step ends: at the event or at the integrator's t */
    int flip;                     /* switch that changes its piece there; -1: none */
    bool flip_up;                 /* to the next higher one */
    lashi_jet *looks;             /* [points of a search][reads] switches.c */
    lashi_bounds_jet *stretch;    /* [reads] likewise */
    lashi_jet *bands;             /* [switches] likewise: of d and its rates, what is rounding or rest */
    double *y_event;              /* [problem.n] */
    unsigned char *simultaneous;  /* [event_count] */
    unsigned char *turning;       /* [contacts] at their event now */
    unsigned char *was_touching;  /* [contacts] modes.c: before the event … */
    unsigned char *followed;      /* [contacts] … and before friction was decided */
    lashi_impact *impacts;        /* [contacts] modes.c */
    unsigned char *resting;       /* [rubs] sticking.c: at rest … */
    unsigned char *starting;      /* [rubs] … or begins to slide */
    unsigned char *turns;         /* [rubs] … in one of several directions … */
    double (*fitted)[LASHI_WAYS]; /* … and their forces along them */
    unsigned char *stuck_so;      /* [rubs] stuck already … */
    lashi_rub_memory *before;     /* [rubs] … and what it did before the event */
    bool logging;                 /* changes of friction are events; not at the start */
    lashi_gap_point *ends;        /* [contacts] where the step of the integrator ends */
    double crank0;                /* rad or m, coordinate of the first drive at the start */
    bool timed;                   /* loads depend on the time: N may change where nothing moves */
    double *pressures;            /* [points of a step][contacts] N, modes.c */
    int stuck;                    /* changes of mode one after the other without progress in time */
    bool stopping;                /* a contact asked to end the run */
    bool passing;                 /* from one piece of time to the next: forces may have jumped */
    lashi_frame *frames;          /* [bodies] for event functions, apart from the workspace */

    /* singular.c */
    bool crossed;                /* the step in progress is the last of a crossing */
    lashi_constraint_work probe; /* constraints at any point, apart from the workspace */
    double *y_probe;             /* [problem.n] */

    bool observed;   /* an observer is looking at the step: its interpolant is there */
    lash_error flaw; /* what it met that is no number; status LASH_OK: nothing */

    lash_event *happened; /* events of the last step, for the record */
    size_t happened_count, happened_capacity;
    lash_clearance_summary *summaries; /* [contacts] what lash_sim_summary has given last */
    double wall_time;                  /* s, in run so far */
    size_t settled_turns;              /* start: settled: turns that were run for it … */
    double settled_to;                 /* … how well the last one repeated, in the scales of rtol … */
    bool settled;                      /* … and whether that is enough */
    lash_status ended;
    char message[512];
};

/* sim.c. These alone move the present point (t, y) of the integrator: a step, or another beginning. */
lash_status lashi_sim_integrate(lash_sim *sim, double t_limit, lash_error *error);
/* Gives the integrator at work the error scales of the motion so far. */
void lashi_sim_rescale(lash_sim *sim);
lash_status lashi_sim_integrate_past(lash_sim *sim, double t_past, double leniency, double t_limit,
                                     lash_error *error);
lash_status lashi_sim_restart(lash_sim *sim, double t, const double *y, double h, lash_error *error);
lash_status lashi_sim_advance(lash_sim *sim, double t_limit, lash_error *error);
lash_status lashi_sim_commit(lash_sim *sim, lash_error *error);
/* Where a piece of time ends now, the next one begins: modes are looked at again, and the integrator starts
 * again where forces jump. */
lash_status lashi_sim_pass(lash_sim *sim, lash_error *error);
/* Without a motion to continue with: the piece that holds up to t. */
lash_status lashi_sim_look_ahead(lash_sim *sim, double t, lash_error *error);
/* Steps and evaluations so far, of both integrators. */
lashi_integrator_counts lashi_sim_counts(const lash_sim *sim);
/* y at the present time. */
static inline const double *lashi_sim_y(const lash_sim *sim) {
    return sim->integrator->y;
}
/* quieten.c: by what the error test may be milder where all contact lasts; 1: it does not. */
double lashi_lasting_leniency(const lash_sim *sim);
/* Lasting contact that becomes quiet. At an accepted point: those that may now. */
lash_status lashi_quieten(lash_sim *sim, lash_error *error);
/* Before a step: nothing is neglected yet. */
void lashi_quiet_forget(lash_sim *sim);
/* After it, with its status: where it left out too much it is to be repeated, *again > 0 s long at most,
 * with all contacts resolved or as it was; the sim is at its beginning then. */
lash_status lashi_quiet_check(lash_sim *sim, double *again, lash_status status, lash_error *error);
/* All contacts are resolved from now on, at an event in the last step, whose state is y_event. */
void lashi_quiet_end(lash_sim *sim);
/* All contacts are resolved from now on, until they are quiet again. */
void lashi_quiet_release(lash_sim *sim);
/* outside.c. What scales the damping of contact k, and is remembered for it: its approach speed, or with
 * approach: energy the inverse of the effective mass when it began. */
double *lashi_damping_memory(const lash_sim *sim, int k);
/* y at a time inside the step that advance has found, before commit. */
lash_status lashi_sim_sample(double *y, lash_sim *sim, double t, lash_error *error);

/* A force of the motion jumps at the present time: contacts are looked at, the integrator restarts. */
lash_status lashi_sim_jump(lash_sim *sim, lash_error *error);

/* The step ends at an event, where y_event stands. */
static inline bool lashi_at_event(const lash_sim *sim) {
    return sim->found != SIZE_MAX || sim->flip >= 0;
}

/* outside.c: the present point becomes y_work. The energy that this brings is no error of the balance. */
lash_status lashi_sim_displace(lash_sim *sim, lash_error *error);

/* switches.c: pieces of expressions of the state. */
lash_status lashi_switches_create(lash_sim *sim, lash_error *error);
/* States of signals and pieces at the start, in y_start. */
lash_status lashi_switches_begin(lash_sim *sim, lash_error *error);
lash_status lashi_switches_prepare(lash_sim *sim, lash_error *error); /* before a step */
/* After it: the first switch in it ends it, in flip, t_new and y_event. */
lash_status lashi_switches_find(lash_sim *sim, lash_error *error);
lash_status lashi_switches_turn(lash_sim *sim, lash_error *error); /* handles it at (t_new, y_event) */
/* Pieces that fit the point (t, y), after something has jumped there. */
lash_status lashi_switches_settle(lash_sim *sim, double t, const double *y, lash_error *error);
/* For the start: how near to a border each d is on it, to rounding; and its band while it rests there. */
void lashi_switches_bands(double *rounding, double *rest, lash_sim *sim);
/* An error where a switch is on an end of its piece now, so that it has two sides. */
lash_status lashi_switches_check(lash_sim *sim, lash_error *error);
/* At a sample: *y becomes y_event with the new values; and pieces that fit. */
lash_status lashi_switches_pass(lash_sim *sim, const double **y, double t, lash_error *error);

/* input.c: the list of inputs. */
lash_status lashi_inputs_create(lash_sim *sim, lash_error *error);
/* Forces look at inputs only where there are some. */
void lashi_inputs_use(lash_sim *sim);

/* singular.c: singular positions. */
lash_status lashi_singular_create(lash_sim *sim, lash_error *error);
/* One step of the integrator, past a singular position where one is near. */
lash_status lashi_singular_step(lash_sim *sim, double t_limit, lash_error *error);
/* A point of the interpolant in a step past one, put onto the constraints as far as they are sharp. */
lash_status lashi_singular_sample(double *y, lash_sim *sim, double t, lash_error *error);
/* After a step: continues with the model's method when the position is passed. */
lash_status lashi_singular_end(lash_sim *sim, lash_error *error);
/* The integrator at work, by state->crossing. */
void lashi_singular_select(lash_sim *sim);

/* wearing.c: adds what the step that advance has found wears off, before commit changes modes. */
lash_status lashi_wear_step(lash_sim *sim, lash_error *error);

/* unseen.c: a time in the last step up to which it is to be repeated, since it has passed over what the
 * table of a force does then; INFINITY: it has not. */
double lashi_unseen(lash_sim *sim);

/* kinks.c: a time in the last step, up to t_new, up to which it is to be repeated, since a law has a
 * kink there; INFINITY: none. sim->ends holds the gaps at t_new. at_end: also one close to it. */
double lashi_kink(lash_sim *sim, bool at_end);
/* Losses and impulses at the event found, of contacts that end inside the step of a method that does not repeat it. */
void lashi_recount_losses(lash_sim *sim);

/* account.c: energies and violations of accepted points; the workspace holds the point. */
lash_status lashi_account_begin(lash_sim *sim, lash_error *error);
lash_status lashi_account_keep(lash_sim *sim, lash_error *error);
/* What the entries are now with other numbers than before is no exchange and no error. */
lash_status lashi_account_rebase(lash_sim *sim, lash_error *error);
void lashi_account_from_now(lash_sim *sim); /* the transient ends at the present time */
/* … or inside the step that advance has found, before commit. */
lash_status lashi_account_transient(lash_sim *sim, lash_error *error);
double lashi_account_energy(const lash_sim *sim); /* J, K + V + U */
/* J, error of the balance that is tolerated. share: of the energy exchanged, `run: balance`; largest: entry of
 * the ledger. */
double lashi_balance_tolerated(double share, double rtol, double steps, double own_energy, double kinetic,
                               double largest, double exchanged);
double lashi_balance_allowed(const lash_sim *sim);         /* J, error of the balance that fails the run */
double lashi_violation_allowed(const lash_system *system); /* m or rad, likewise */

/* settle.c: runs turns until one repeats the last. */
lash_status lashi_settle(lash_sim *sim, const lash_run_control *control, lash_error *error);
/* equilibrium.c: y_start becomes a static equilibrium. */
lash_status lashi_equilibrium(lash_sim *sim, lash_error *error);
/* linear.c: accelerations and their stiffness at the present point, along what the constraints allow. */
typedef struct lashi_stiffness {
    double *acceleration, *stiffness; /* [freedoms], [freedoms][freedoms]: the caller's, for n_v of them */
    size_t freedoms;
    struct lash_linear *inside;
} lashi_stiffness;
lash_status lashi_stiffness_find(lashi_stiffness *out, lash_sim *sim, lash_error *error);
/* y where the present point is moved by x, but by no more than a share of the mechanism's size or rad; returns
 * that share, 0: it cannot be. */
double lashi_stiffness_move(double *y, lash_sim *sim, const lashi_stiffness *at, const double *x,
                            double longest);
/* The size of the accelerations where the workspace stands; their product with x is added to *work. */
double lashi_stiffness_residual(double *work, const lash_sim *sim, const lashi_stiffness *at,
                                const double *x);
void lashi_stiffness_clear(lashi_stiffness *stiffness);

/* tolerance.c: error scales of every component of y, returned: of positions, m; and an energy the mechanism
 * has by itself, J. */
double lashi_set_tolerances(double *rtol, double *atol, const lash_system *system);
/* What rounding of positions makes of accelerations where contacts touch, in the place of each velocity of y: added to
 * shake. */
void lashi_set_shake(double *shake, const lash_system *system);
/* Size of the machine in each component of y: what is added to it where a gap or a relative speed is made. */
void lashi_set_size(double *size, const lash_system *system);
/* What share 1 m, rad, m/s, … is of the machine's own motion, and the least error scales, those of rounding, of
 * coordinates, velocities and works. */
void lashi_set_motion(double *share, double *least, const lash_system *system);
/* A machine that has been no faster than this share of its own speed has stood still. */
static const double LASHI_STANDS_STILL = 1e-6;
/* The largest speed so far as a share of the machine's own, or what counts as none. */
double lashi_speed_share(const lash_sim *sim);
/* The same, or the least that rounding leaves of the error scales of velocities. */
double lashi_pace(const lash_sim *sim);
double lashi_least_pace(const double *atol, const double *least, const lash_system *system);
/* The least rtol that rounding allows for what the motion has been so far. */
double lashi_least_rtol(const lash_sim *sim);
/* The error scales at what the motion has been so far. */
void lashi_scale_tolerances(double *scaled, const lash_sim *sim);
/* Of positions, m, where rounding does not bound it. */
double lashi_unrounded_tolerance(const lash_system *system);
/* m, of positions. */
double lashi_rounding(const lash_system *system);
/* m, error scale of positions at what the motion has been so far. */
double lashi_resolution(const lash_sim *sim);
double lashi_own_energy(const lash_system *system);
double lashi_own_speed(const lash_system *system);
/* m or rad, depth of an impact behind a flight through the play of a contact at that; 0: it is no force of a dry law. */
double lashi_typical_depth(const lash_system *system, const lashi_contact *contact);
/* lash_system_noise, at its own speed. */
double lashi_noise(const lash_system *system, const char *unit, double own, double force);
/* Whether position i of y is an angle. */
static inline bool lashi_position_is_angle(const lash_system *system, int i) {
    for (int k = 0; k < system->pin_count; k++)
        if (i == system->q_at[system->pins[k].body])
            return true;
    return !system->spatial && system->freedom[i] % LASHI_FREEDOMS >= system->turning;
}
/* Whether it is one, or in space an Euler parameter. */
static inline bool lashi_position_turns(const lash_system *system, int i) {
    for (int b = 1; system->spatial && b < system->bodies; b++)
        if (lashi_turns_freely(system, b) && i >= system->q_at[b] + 3 && i < system->q_at[b] + 7)
            return true;
    return lashi_position_is_angle(system, i);
}

/* Of a direction n above the x-y plane, rad. */
static inline double lashi_elevation(lashi_vec3 n) {
    return atan2(n.z, hypot(n.x, n.y));
}

/* contact_events.c: the state machine of joints with play. */
lash_status lashi_contacts_create(lash_sim *sim, lash_error *error);
lash_status lashi_contacts_begin(lash_sim *sim, lash_error *error); /* modes of the initial state */
lash_status lashi_contacts_find(lash_sim *sim, lash_error *error);  /* earliest event of the step */
/* All gaps at (t, y); frames may be overwritten. */
void lashi_contacts_measure(lashi_gap_point *points, lash_sim *sim, double t, const double *y);
/* The same contacts with other numbers, at the present point. */
lash_status lashi_contacts_fit(lash_sim *sim, lash_error *error);
/* What the contacts remember of their gaps, at another point (t, y) than the last step's end. */
void lashi_contacts_renew(lash_sim *sim, double t, const double *y);
/* The pieces of their excitations, likewise. */
void lashi_contacts_set_pieces(lash_sim *sim, double t, const double *y);
/* Handles the event found, or what the step's end shows; returns the step to restart with through *h (0: go
 * on). */
lash_status lashi_contacts_change(lash_sim *sim, double *h, lash_error *error);
/* Its second half: joints `turning` leave their modes at (t_new, y_event), where the workspace stands. */
lash_status lashi_contacts_turn(lash_sim *sim, double *h, lash_error *error);
/* Contacts that a jump of a force or drive at the present time turns: what pressed may pull after it. *h > 0:
 * the state has changed, in y_event, and the next step is so long. */
lash_status lashi_contacts_jump(lash_sim *sim, double *h, lash_error *error);
/* What became of contact k so far. */
lash_clearance_summary lashi_contact_summary(const lash_sim *sim, int k);
/* What contacts have been until (t, y) is the part before. */
void lashi_contacts_part(lash_sim *sim, double t, const double *y);
/* Longest contact that still counts as an impact, s. */
double lashi_impact_limit(const lashi_contact_account *account);

/* What contact.c and modes.c share. */
lash_status lashi_log_event(lash_sim *sim, const lash_event *event, lash_error *error);
double lashi_lost_so_far(const lash_sim *sim, int k, const double *y); /* J, in joint k */
double lashi_crank_angle(const lash_system *system, double t); /* of the first drive, rad or m; NaN: none */

/* modes.c: contacts that are constraints. Whether the event of joint k is now that of its pressure N; the N
 * of all those joints as event functions; and whether N is at its event. */
bool lashi_presses(const lash_sim *sim, int k);
void lashi_press_values(double *g, lash_sim *sim, double t, const double *y);
lashi_event lashi_press_event(const lash_sim *sim, int k, bool armed);
bool lashi_press_turns(const lash_sim *sim, int k);
bool lashi_press_timed(const lash_system *system);  /* see sim->timed */
void lashi_press_forget(lash_sim *sim);             /* another point: the step before it is unknown */
size_t lashi_press_work(const lash_system *system); /* doubles in pressures */
lash_status lashi_press_begin(lash_sim *sim, lash_error *error); /* before a step: N at its beginning */
bool lashi_press_near(lash_sim *sim); /* after it: N of some contact may pass zero in it */
/* N on the other side than the mode says. */
bool lashi_press_contradicts(const lash_sim *sim, int k);
bool lashi_flies_off(const lash_sim *sim, int k); /* an impact has thrown it off the wall just now */
lash_status lashi_modes_begin(lash_sim *sim, lash_error *error);
lash_status lashi_modes_begun(lash_sim *sim, lash_error *error); /* once friction is decided */
/* Events of the start, for the record: contacts that pull already. */
lash_status lashi_modes_announce(lash_sim *sim, lash_error *error);
lash_status lashi_permanent_change(lash_sim *sim, int k, lash_error *error);
/* Which contacts follow at an event; where friction alone changes those that do are at rest; which follow as friction is
 * decided now; and the record of it all. */
lash_status lashi_modes_change(lash_sim *sim, const unsigned char *turning, lash_error *error);
void lashi_modes_keep(lash_sim *sim);
lash_status lashi_modes_resettle(bool *changed, double *y, lash_sim *sim, double t, lash_error *error);
lash_status lashi_modes_changed(lash_sim *sim, lash_error *error);
void lashi_modes_note(lash_sim *sim); /* the largest N at accepted steps */

/* sticking.c: set-valued friction. */
lash_status lashi_stick_create(lash_sim *sim, lash_error *error);
void lashi_stick_values(double *g, lash_sim *sim, double t, const double *y); /* event functions */
void lashi_stick_watch(lash_sim *sim);                                        /* before a step */
double lashi_stick_reach(const lash_sim *sim); /* s, how far the next step may go */
double lashi_stick_parts(lash_sim *sim);       /* after it: parts it must be looked at in; 0: none */
/* What sticks and what slides at (t, y); found: the rub whose event it is, or -1; again: other contacts follow than when it
 * was decided at this instant. y gets the speeds of what comes to rest. */
lash_status lashi_stick_decide(double *y, lash_sim *sim, double t, int found, bool again, lash_error *error);
/* Events of what has been decided; the workspace holds (t, y). */
lash_status lashi_stick_decided(const double *y, lash_sim *sim, double t, lash_error *error);
/* In place of all these, of a machine whose motion is known at (t, y): what moves slides as its speed says. */
void lashi_stick_by_speed(lash_sim *sim, double t, const double *y);
/* At the workspace's point, where a force has jumped or a drive changes: what sticks does so with too much
 * friction, or what slides has come to rest. */
bool lashi_stick_contradicts(const lash_sim *sim);

/* watch.c: what the step just accepted shows. */
void lashi_note_peak(lash_sim *sim, int k, const lash_peak *at); /* a force of contact k, for its peaks */
/* The same where contact is a constraint, whose force has no parts. */
void lashi_note_force(lash_sim *sim, int k, double t, double force);
double lashi_largest_force(const lash_sim *sim, int k); /* N, of contact k so far */
/* Takes over what contact k has been so far into its joint's account. */
void lashi_note_contact(lashi_contact_account *account, const lash_sim *sim, int k);
/* The first drive turns: its coordinate is an angle. */
bool lashi_drive_turns(const lash_system *system);
void lashi_contacts_watch(lash_sim *sim);                                 /* peaks; the step to take next */
lash_status lashi_contacts_check(const lash_sim *sim, lash_error *error); /* within the laws' ranges */
/* First step into the contact of joint k, s; its approach speed and Hertz time are set. */
double lashi_first_step(const lash_sim *sim, int k);

/* tangent.c: a difference to a motion nearby. Number of values behind the n_y of y; */
size_t lashi_tangent_size(const lash_system *system);
lash_status lashi_tangent_create(lash_sim *sim, const double *y, lash_error *error); /* y: where it begins */
void lashi_tangent_destroy(lashi_tangent *tangent);
/* lashi_rhs with the sim as context: rates of y and of what is carried behind it. */
int lashi_tangent_evaluate(double *ydot, void *sim, double t, const double *y);
/* What is carried behind y at the end of a step: onto the constraints, and back to its length. */
lash_status lashi_tangent_correct(double *y, lash_sim *sim, double t, lash_error *error);
/* lashi_contacts_turn for the sim, and for what is carried. */
lash_status lashi_tangent_cross(lash_sim *sim, double *h, lash_error *error);

/* invariants.c: laws that must hold in every step, for LASH_CHECK=1. The sim owns the twin, which repeats
 * some of its steps; NULL: the method does not repeat itself. */
bool lashi_invariants_wanted(void);
lash_status lashi_invariants_create(lash_sim *sim, lash_sim *twin, lash_error *error);
void lashi_invariants_destroy(lashi_invariants *check);
lash_status lashi_invariants_begin(lash_sim *sim, lash_error *error);
lash_status lashi_invariants_step(lash_sim *sim, lash_error *error);                /* after advance */
lash_status lashi_invariants_end(lash_sim *sim, double t_limit, lash_error *error); /* after commit */

/* channel.c */
lash_status lashi_channels_create(lash_sim *sim, lash_error *error);
/* Values of so many channels, by number, from the workspace, evaluated at (t, y). */
void lashi_channel_values(double *values, const lash_sim *sim, const size_t *channels, size_t count, double t,
                          const double *y);
/* Whether a channel is an integral over the run, as what was lost and put in. */
bool lashi_channel_is_integral(const lash_sim *sim, size_t channel);
/* Brings the workspace to the point (t, y). */
lash_status lashi_sim_evaluate(lash_sim *sim, double t, const double *y, lash_error *error);

/* LASH_OK, or an error that names the first of so many values that is not a finite number, and the cause.
 * object: whose values they are, "" where the names say it. */
lash_status lashi_sim_finite(const lash_sim *sim, const char *object, const char *const *names,
                             const double *values, size_t count, double t, lash_error *error);
/* explain.c: what went wrong when the equations could not be evaluated, in words. */
lash_status lashi_sim_explain(const lash_sim *sim, lash_status status, lash_error *error);

#endif
