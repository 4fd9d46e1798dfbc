/* SPDX-License-Identifier: MIT
 *
 * Running a compiled system: a lash_sim steps through time; a lash_state is a snapshot of
 * everything that changes, taken by lash_sim_save. During a run, y and its history are in the
 * integrator.
 *
 *   lash_sim_create(&sim, system, &error);
 *   while (lash_sim_step(sim, 1.0, &error) == LASH_OK)          one accepted step at a time, or …
 *       printf("%g %g\n", lash_sim_time(sim), lash_sim_value(sim, x));
 *   lash_sim_run(sim, record, NULL, &error);                     … to the end, recorded
 */
#ifndef LASH_SIM_H
#define LASH_SIM_H

#include "lash/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_sim lash_sim;
typedef struct lash_state lash_state;
typedef struct lash_record lash_record;

/* The point where a force acts: what a function that gives the force may depend on. Ground axes. */
typedef struct lash_point_motion {
    double position[3], velocity[3]; /* m, m/s */
    double angular_velocity[3];      /* rad/s, of its body; the plane has [2] alone */
    double angle;                    /* rad, plane: of its body; NaN in space */
} lash_point_motion;
/* Adds to the components of a force (N, N m), which are 0 when it is called; called in every evaluation, so
 * that it must be smooth, quick, and a function of nothing but its arguments. */
typedef void lash_force_call(double components[3], void *user, double time, const lash_point_motion *motion);

/* Something that happened at an instant inside a run. */
typedef enum lash_event_kind {
    LASH_EVENT_ONSET,    /* a contact began */
    LASH_EVENT_RELEASE,  /* a contact ended; the fields below describe the whole contact */
    LASH_EVENT_THROUGH,  /* a film was pressed through: dry contact alone from here */
    LASH_EVENT_FILM,     /* a film forms again */
    LASH_EVENT_LOST,     /* permanent contact would be lost: N fell through zero */
    LASH_EVENT_REGAINED, /* … and would press again */
    LASH_EVENT_IMPACT,   /* three-mode: an impact, which takes no time */
    LASH_EVENT_STICK,    /* friction coulomb: what slid sticks */
    LASH_EVENT_SLIP,     /* … what stuck slides, or what slid turns back */
    LASH_EVENT_KINDS
} lash_event_kind;

/* The largest normal force of a stretch of time, and what it was made of at that instant. Elastic and damping
 * part are NaN where contact is a constraint. */
typedef struct lash_peak {
    double time;             /* s */
    double force;            /* N, the sum of the two parts; 0: there was no contact */
    double elastic, damping; /* N */
    double depth;            /* m, penetration; not the largest one, which comes later */
} lash_peak;

typedef struct lash_event {
    lash_event_kind kind;
    double time; /* s */
    const char *joint;
    double angle;            /* rad, direction of contact in ground axes, seen along z */
    double speed;            /* m/s, onset: approach speed, release: separation speed, both positive */
    double peak_force;       /* N, release: largest normal force of the contact */
    double peak_penetration; /* m, the largest; later than the largest force */
    double duration;         /* s */
    double energy_lost;      /* J, in damping and friction of this contact */
    bool impact;             /* release: an impact; false: it was following */
    double rebound;          /* m/s, impact: separation speed after it */
    double impulse;          /* N s, normal: of an impact; release: integral of the normal force */
    double crank;            /* rad or m, coordinate of the first drive; NaN: none */
    double elevation;        /* rad, space: of the direction of contact above the ground's x-y plane */
    /* Release: when the force was largest, its elastic and its damping part and the penetration there; NaN
     * where contact is a constraint */
    double peak_time, peak_elastic, peak_damping, peak_depth; /* s, N, N, m */
} lash_event;

/* The name of a kind of event as files have it: "onset", … */
const char *lash_event_kind_name(lash_event_kind kind);

/* Pa: beyond this no rigid walls hold a film, whatever they are made of. Hardened bearing steel begins to
 * yield below the surface at a peak pressure of 1.6 times its yield strength of 1.2 to 1.7 GPa (K. L.
 * Johnson, Contact Mechanics, 1985, section 6.1); bearing metals give way at a tenth of it. */
#define LASH_STEEL_PRESSURE 2e9

/* What became of a joint with play over a part of a run. */
typedef struct lash_clearance_part {
    size_t impacts, contacts;
    double free_fraction, impact_fraction, following_fraction; /* of the time */
    double energy_lost;                                        /* J */
    lash_peak peak;                                            /* the largest force */
} lash_clearance_part;

/* What became of a joint with play over a run. */
typedef struct lash_clearance_summary {
    const char *joint;
    size_t impacts, contacts; /* impacts: contacts shorter than a few Hertz times */
    double impacts_per_turn;  /* of the first drive; NaN where it has not made a turn */
    double free_fraction, impact_fraction, following_fraction; /* of the time */
    double peak_force, peak_penetration;                       /* N, m, the largest of each */
    double peak_penetration_time;                              /* s */
    lash_peak peak;                                            /* the largest force */
    lash_peak first_turn, later; /* … until lash_summary.first_turn_end, and after it */
    size_t deep;   /* contacts with a penetration beyond the clearance, where no contact law is derived for */
    size_t damped; /* contacts in which damping was more than half of the force outside of the impact they
                      began with: pressed faster than they began, or later */
    lash_peak damped_peak; /* the largest of these forces */
    size_t stiff_steps;    /* of those of the run, where its damping decayed fastest */
    double energy_lost;    /* J */
    size_t floor_used;     /* contacts that began slower than the floor of the approach speed */
    size_t above_validity; /* contacts that began faster than the law's validity limit */
    bool lubricated;
    double film_loss;     /* J, lost in the film; part of energy_lost */
    double friction_loss; /* J, likewise in friction */
    double worn;          /* m³, worn off both parts (lash/wear.h); NaN: it does not wear */
    double sliding_work;  /* J, ∫ F_N |v_T| dt, which wears; NaN likewise */
    double min_film; /* m, least film thickness c - e at accepted steps; negative: pressed into the wall */
    double film_force, film_force_time; /* N, s: the most the film carried at accepted steps */
    size_t through;                     /* times the film was pressed through */
    size_t dropped;       /* of them: when it had carried more than dry contact does at e0 … */
    double dropped_from;  /* N: … and how much at most */
    size_t over_pressure; /* times its pressure rose above LASH_STEEL_PRESSURE … */
    double film_pressure, film_pressure_time; /* Pa, s: … and its largest at accepted steps; NaN: never */
    size_t chatter;                           /* times the chatter rule was used */
    const char *model;                        /* "compliant", "permanent-contact", "three-mode" */
    const char *start;                   /* contact as a constraint: how it started, in words; else NULL */
    size_t losses;                       /* permanent contact: times it would be lost … */
    double first_loss, first_loss_crank; /* s, rad: … the first of them; NaN: never */
    lash_clearance_part after;           /* what was after lash_summary.discard */
} lash_clearance_summary;

typedef struct lash_summary {
    lash_status status; /* how the run ended */
    char message[512];  /* why it failed, "" otherwise */
    double start, end;  /* s, of what was computed */
    size_t steps, rejected;
    size_t evaluations;            /* of the equations of motion, for the steps: whatever is recorded … */
    size_t looks;                  /* … and further ones, for events, dense output, rows and observers */
    double wall_time;              /* s */
    double max_position_violation; /* m or rad, over accepted steps */
    double max_velocity_violation; /* m/s or rad/s */
    double energy_exchanged;  /* J: largest change of any entry of the ledger; scale of the balance error */
    double max_balance_error; /* J */
    double balance_allowed, violation_allowed; /* J, m or rad: larger ones fail the run (lash_sim_judge) */
    double least_rtol; /* below which rounding decides, in a motion no larger than this one; rtol or atol */
    size_t events;
    double first_turn_end; /* s, when the first drive had made its first turn; NaN: not so far */
    double discard; /* s, end of the transient: `after` of each clearance is what came later; NaN: none */
    size_t settled_turns; /* start: settled: turns run before that … */
    double settled_to;    /* … and how well the last one repeated, in the scales of rtol; NaN: not so */
    size_t stiff_steps;   /* steps at which an explicit method looked limited by stability */
    size_t clearance_count;
    const lash_clearance_summary *clearances; /* owned by the sim */
    const lash_system *system;                /* that was run; NULL: not known, and nothing is warned of */
} lash_summary;

typedef struct lash_run_control {
    /* Called now and then with the time reached; returns false to stop the run. May be NULL. */
    bool (*progress)(void *user, double time, double end);
    /* Called for every accepted step from t_old to t_new before modes change; lash_sim_value_at gives any
     * channel inside it. May be NULL. A status other than LASH_OK ends the run with it. */
    lash_status (*observe)(void *user, lash_sim *sim, double t_old, double t_new);
    void *user;
    /* Called for every event, at the end of its step. May be NULL. */
    void (*event)(void *user, const lash_event *event);
} lash_run_control;

/* The least rtol (or atol, where it is given) that changes anything: below it the error scales are rounding,
 * of the machine's size or of what its play makes of it. *joint (may be NULL): whose play decides; NULL:
 * none. */
double lash_system_least_rtol(const lash_system *system, const char **joint);
/* Up to what size a number of that unit ("m/s^2") is rounding in this machine, whose forces are up to `force`, N; 0 without
 * a unit. A body that should stand still never quite does. */
double lash_system_noise(const lash_system *system, const char *unit, double force);

/* What to know before such a system is run, one sentence on each line: bodies that nothing holds, starts that
 * are not as given, a tolerance that is too fine. "": nothing. To be freed with free(); NULL: out of memory. */
char *lash_system_warnings(const lash_system *system);

lash_status lash_sim_create(lash_sim **out, const lash_system *system, lash_error *error);
/* Begins at the start of the run with these coordinates (see lash_sim_coordinates) instead of the assembled
 * ones; NULL: those. */
lash_status lash_sim_create_at(lash_sim **out, const lash_system *system, const double *coordinates,
                               lash_error *error);
/* Begins where `at` stands, with a tangent (see lash_sim_tangent) that is zero; `at` stays as it is. */
lash_status lash_sim_create_tangent(lash_sim **out, const lash_sim *at, lash_error *error);
void lash_sim_destroy(lash_sim *sim);

/* From now on, as run.compiled of the model says, the equations are evaluated by code that the system's C
 * compiler makes for this model, always or where a run is long enough: the same numbers bit for bit, faster.
 * Code that was made before is kept in the user's cache. Where it cannot be made the run continues without it. */
lash_status lash_sim_compile(lash_sim *sim, lash_error *error);
/* That code as text, to be freed with free(): the equations of motion in C, with the names of bodies and
 * joints; whole: with all that it includes. NULL: none, with the reason in *error. */
char *lash_system_code(const lash_system *system, bool whole, lash_error *error);
/* Whether such code is in use. *why (may be NULL): why not, in words, "" where nothing is to be said. */
bool lash_sim_is_compiled(const lash_sim *sim, const char **why);

/* One accepted step, not beyond t_limit. LASH_OK, LASH_STOP_END when t_limit is reached, LASH_STOP_EVENT behind
 * a step to where the model ends its run (stop_at_loss), or an error. */
lash_status lash_sim_step(lash_sim *sim, double t_limit, lash_error *error);
/* The same with an observer and events (lash_run_control), but without its progress. */
lash_status lash_sim_step_observed(lash_sim *sim, double t_limit, const lash_run_control *control,
                                   lash_error *error);
/* start: settled: the turns until one repeats the last, at the start of a run; nothing otherwise. lash_sim_run
 * begins with it where it has not been called. */
lash_status lash_sim_settle(lash_sim *sim, const lash_run_control *control, lash_error *error);
/* To the end of the run (lash_system_end, later by the time that settling took); record may be NULL. What was
 * recorded until an error is kept. A run that `progress` has stopped continues when it is called again with the
 * same record. */
lash_status lash_sim_run(lash_sim *sim, lash_record *record, const lash_run_control *control,
                         lash_error *error);
/* The same to a time of the caller's choice, s. */
lash_status lash_sim_run_until(lash_sim *sim, double end, lash_record *record,
                               const lash_run_control *control, lash_error *error);
/* Steps from now on go to this record, whose samples are laid out from now to `end`, s, as lash_sim_run would
 * do. NULL: to none. The record must live until then. */
lash_status lash_sim_attach(lash_sim *sim, lash_record *record, double end, lash_error *error);
/* Events of the last step, in order; valid until the next one. */
const lash_event *lash_sim_events(size_t *count, const lash_sim *sim);
/* Whether the numbers so far can be trusted: LASH_OK, or LASH_ERROR_ACCURACY with the reason where the energy
 * balance is off or joints are apart, or LASH_ERROR_NOT_FINITE where one of the summary is no number.
 * lash_sim_run asks at its end; ask here after steps of your own. */
lash_status lash_sim_judge(const lash_sim *sim, lash_error *error);
/* Positions, velocities, accelerations and drive forces of a fully driven mechanism at the record's samples:
 * no integration. The record is made `still`. An error when degrees of freedom are left, or where a signal or the
 * friction of a joint has a state that follows from a motion. */
lash_status lash_sim_kinematics(lash_sim *sim, lash_record *record, const lash_run_control *control,
                                lash_error *error);

const lash_system *lash_sim_system(const lash_sim *sim);
double lash_sim_time(const lash_sim *sim);
/* Summary of the run so far; its clearances stay as they are until the next call for this sim. */
lash_summary lash_sim_summary(lash_sim *sim);
/* What to know before a summary is trusted, one sentence on each line: what lash_system_warnings says, errors
 * near their limits, contacts outside of what their laws are for. "": nothing. To be freed with free(); NULL:
 * out of memory. Result files keep it. */
char *lash_summary_warnings(const lash_summary *summary);

/* Channels: every quantity that can be recorded, by name and unit. */
size_t lash_sim_channel_count(const lash_sim *sim);
const char *lash_sim_channel_name(const lash_sim *sim, size_t channel);
const char *lash_sim_channel_unit(const lash_sim *sim, size_t channel);
const char *lash_sim_channel_meaning(const lash_sim *sim, size_t channel); /* what it is, in a few words */
/* Index of a channel; (size_t)-1: no such channel. */
size_t lash_sim_find_channel(const lash_sim *sim, const char *name);
/* The entry of a list of channels (`name` gives NULL past its end) that a wrong name probably means: by its
 * meaning, rocker.omega for rocker.wz, else by its letters. NULL: none is near. */
const char *lash_channel_nearest(const char *word, const char *(*name)(const void *list, size_t index),
                                 const void *list);
/* Its value now. */
double lash_sim_value(lash_sim *sim, size_t channel);
/* Its value inside the step that an observer is looking at, from dense output; NaN elsewhere. */
double lash_sim_value_at(lash_sim *sim, size_t channel, double time);
/* The same for several channels at once, with one evaluation. */
void lash_sim_values_at(double *values, lash_sim *sim, const size_t *channels, size_t count, double time);

/* Inputs: components of forces that a caller sets between steps, added to what the model says: "pull.fx",
 * "motor.torque", "cylinder.actuator" of a spring that has one. They begin as 0, hold until they are set
 * again, and are part of the state. A name of NULL: past the end. */
size_t lash_sim_input_count(const lash_sim *sim);
const char *lash_sim_input_name(const lash_sim *sim, size_t input);
const char *lash_sim_input_unit(const lash_sim *sim, size_t input);
size_t lash_sim_find_input(const lash_sim *sim, const char *name); /* (size_t)-1: no such input */
double lash_sim_input(const lash_sim *sim, size_t input);          /* NaN: no such input */
lash_status lash_sim_set_input(lash_sim *sim, size_t input, double value, lash_error *error);
/* At its start a run begins again with the inputs set so far, as if the model had them: static equilibrium, lags that
 * start settled and first samples are those of their values. */
lash_status lash_sim_begin_again(lash_sim *sim, lash_error *error);
/* A function that adds to the components of a force by name, in its axes; NULL: none any more. */
lash_status lash_sim_set_force(lash_sim *sim, const char *force, lash_force_call *call, void *user,
                               lash_error *error);

/* The coordinates that are integrated, positions then velocities: lash_sim_coordinate_count values. Setting
 * them keeps time, contact memory and ledger, and begins the integrator's history again. Their scales are what
 * the tolerance is measured in: an error of rtol times its scale is tolerated in each. */
size_t lash_sim_coordinate_count(const lash_sim *sim);
void lash_sim_coordinates(double *values, const lash_sim *sim);
bool lash_sim_coordinate_is_angle(const lash_sim *sim, size_t index); /* a position in rad */
void lash_sim_coordinate_scales(double *values, const lash_sim *sim);
lash_status lash_sim_set_coordinates(lash_sim *sim, const double *values, lash_error *error);
/* Moves such values onto the constraints at the present time with the least change in the metric of mass; the
 * sim stays as it is. Differences of two such sets are motions that the joints allow. */
lash_status lash_sim_project_coordinates(double *values, lash_sim *sim, lash_error *error);
/* What contacts remember and their forces depend on, for each contact (lash_system_clearance_count of them):
 * what scales its damping (the approach speed, m/s; with approach: energy the inverse of the effective mass
 * when the contact began, 1/kg) and the bristle deflection of its friction (m; in space three values), all 0
 * while it is free. Setting them leaves out contacts that are free. */
size_t lash_sim_memory_count(const lash_sim *sim);
void lash_sim_memory(double *values, const lash_sim *sim);
lash_status lash_sim_set_memory(lash_sim *sim, const double *values, lash_error *error);
/* The approach speed, m/s or rad/s, with which a contact began that lasts; 0: at rest. NaN: it does not touch. */
double lash_sim_contact_onset(const lash_sim *sim, size_t contact);
/* What signals remember, in the order of the model: integral, lag and held value of those that have one.
 * When they are set, what is sampled at this instant is sampled again. */
size_t lash_sim_signal_count(const lash_sim *sim);
void lash_sim_signals(double *values, const lash_sim *sim);
lash_status lash_sim_set_signals(lash_sim *sim, const double *values, lash_error *error);

/* The tangent: the difference to a motion that is infinitely close, in coordinates and then in memory
 * (lash_sim_coordinate_count + lash_sim_memory_count values), integrated with every step and through every
 * event, exactly to first order. Of what is set, the part remains that the joints allow. Its length does not
 * matter: twice the tangent stays twice the tangent. Only of a sim from lash_sim_create_tangent. */
lash_status lash_sim_tangent(double *values, lash_sim *sim, lash_error *error);
lash_status lash_sim_set_tangent(lash_sim *sim, const double *values, lash_error *error);
/* The error that a step may make in it, of its length. */
double lash_sim_tangent_tolerance(const lash_sim *sim);

/* The state as one block: a copy to go back to. With dop853 the run then continues bit for bit as before; adams
 * and gear begin their history again. */
lash_status lash_state_create(lash_state **out, const lash_sim *sim, lash_error *error);
void lash_state_destroy(lash_state *state);
lash_status lash_sim_save(lash_state *state, const lash_sim *sim, lash_error *error);
lash_status lash_sim_restore(lash_sim *sim, const lash_state *state, lash_error *error);
/* The same where the model has other numbers than the one that the state was saved from, and the same structure:
 * the motion continues from there, the energy that the change brings is no error of the balance. Fails, with the
 * place named, where joints are apart or parts overlap with the new numbers. */
lash_status lash_sim_adopt(lash_sim *sim, const lash_state *state, lash_error *error);
/* Whether a restored run continues bit for bit with this method. */
bool lash_sim_repeats(const lash_sim *sim);
/* A state as bytes, to be freed with free(), and read again: by the same version of Lash on the same kind of
 * machine, for a sim of the same model; others are refused, and so are damaged ones. */
lash_status lash_state_write(void **bytes, size_t *count, const lash_state *state, const lash_sim *sim,
                             lash_error *error);
lash_status lash_state_read(lash_state *state, const lash_sim *sim, const void *bytes, size_t count,
                            lash_error *error);

#ifdef __cplusplus
}
#endif
#endif
