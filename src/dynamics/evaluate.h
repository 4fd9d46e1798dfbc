/* SPDX-License-Identifier: MIT
 *
 * One evaluation of the equations of motion: y → frames → constraints → forces → accelerations and
 * multipliers.
 *
 *   [ M   Φqᵀ ] [ v̇ ]   [ g                     ]
 *   [ Φq  0   ] [ λ ] = [ γ − 2α Φ̇ − β² Φ       ]       (docs/physics.md, section 1)
 * solved through S λ = Φq M⁻¹ g − (γ − 2αΦ̇ − β²Φ), S = Φq M⁻¹ Φqᵀ;  v̇ = M⁻¹(g − Φqᵀλ).
 * Everything it needs besides the const system is in a workspace that is sized once.
 */
#ifndef LASHI_EVALUATE_H
#define LASHI_EVALUATE_H

#include "system/system.h"

typedef struct lashi_rub_work lashi_rub_work;
typedef struct lashi_compiled lashi_compiled;

/* A quiet contact (quiet.c), as lashi_quiet_look found it. */
typedef struct lashi_quiet {
    double depth, rate, curve; /* m, m/s, m/s²: w, ẇ, ẅ; at w the contact's law carries its load */
    double frequency;          /* rad/s, Ω of the vibration that is over */
    double fast;               /* ρ: how fast w changes; 1: as fast as the contact vibrates */
    double jump;               /* m/s: of ẇ, where friction has a kink here */
} lashi_quiet;
typedef struct lashi_quiet_work lashi_quiet_work;

/* A pin that is all constraints of a machine in the plane, and where the numbers of its two bodies are. */
typedef struct lashi_one_pin {
    const lashi_constraint *joint; /* NULL: there is no such pin */
    lashi_rows rows;
    struct lashi_pin_end {
        const lashi_frame *frame;
        double *a, *f;         /* v̇, g; of ground scratch */
        const double *inverse; /* M⁻¹; NULL: no force moves it */
    } end[LASHI_SLOTS];
} lashi_one_pin;

/* Filled by the stages of lashi_evaluate in this order; valid until the next evaluation. */
typedef struct lashi_workspace {
    const lash_system *system;
    lashi_arena arena;
    lashi_frame *frames;                 /* [bodies] stage 1: positions and velocities */
    double (*force)[LASHI_FREEDOMS];     /* [bodies] stage 3: g; ground's entry is scratch */
    lashi_contact_state *contact_states; /* [contacts] stage 3 */
    lashi_ledger ledger;                 /* stage 3; input is completed after stage 4 */
    lashi_constraint_work constraints;   /* stage 2 */
    double *lambda;                      /* [rows] stage 4 */
    lashi_constraint_work whole;         /* lashi_reactions_share: all constraints, where wanted … */
    double *whole_lambda; /* … [whole.rows] and their multipliers; NULL: motion has them all */
    double (*acceleration)[LASHI_FREEDOMS]; /* [bodies] stage 4: v̇ */
    double (
        *known)[LASHI_FREEDOMS]; /* [bodies] stage 1: v̇ that is given: of prescribed bodies, of pinned ones
                                               at a steady turn, 0 for the others; in the plane it is
                                               `acceleration` itself */
    double (*scratch)[LASHI_FREEDOMS]; /* [bodies] free for any use between evaluations */
    double *row_scratch;               /* [rows] likewise */
    double *ydot;                      /* [n_y] for evaluations whose ẏ nobody keeps */
    const lashi_memory *memories;      /* [contacts] contact memory, set by the caller */
    lashi_jet *reads;                  /* [reads] stage 1: what expressions of the state read */
    double *modes;          /* [switches] which pieces of these expressions hold, set by the caller */
    const double *settings; /* [inputs] values of the inputs; NaN: as their tables say; set by the caller */
    lashi_instant now;      /* both, as expressions see them */
    lashi_inputs seen;      /* and as forces see them */
    size_t evaluations;
    double t;          /* of the last evaluation */
    bool present;      /* the contents belong to the present point of the run; every evaluation clears it */
    int mismatch;      /* some evaluation since it was cleared saw δ on the other side of a contact's mode */
    bool linked;       /* some contact is a constraint */
    bool spares;       /* in the plane, and nothing rubs or is linked: stages need not leave all here */
    lashi_one_pin pin; /* where one pin is all constraints there are, in the plane, and nothing rubs */
    double *least;     /* [contacts] least N of the evaluations since the caller set it, and the … */
    double *most;      /* … largest; only where N is a multiplier */
    lashi_quiet *quiet;           /* [contacts] NULL: none can become quiet */
    lashi_quiet_work *quieting;   /* workspace of quiet.c; NULL: likewise */
    struct lashi_workspace *twin; /* for evaluations beside the present point; NULL: likewise */
    int quiet_count;              /* contacts that are quiet: lashi_quiet_list */
    double *impact;               /* workspace of impact.c; NULL: no contact has impacts … */
    size_t impact_room;           /* … and for how many contacts at once it has room */
    double *y_onto;               /* [n_y] lashi_evaluate_onto */
    double *apart; /* [items] N, by which ideal teeth push their wheels apart; NULL: no pressure angle */
    lashi_rub_work *rubs;                 /* rubbing.c; NULL: nothing rubs and no teeth push apart */
    lashi_rub_state *rub_states;          /* [rubs] stage 4 */
    const lashi_rub_memory *rub_memories; /* [rubs] set by the caller */
    double *least_margin, *most_margin;   /* [rubs] margins of sticking since the caller set them */
    int failed_rub; /* rub whose friction had no solution or several in some evaluation … */
    int tight_rub; /* the one with the largest effect on its own load in the last evaluation, where the equations are nearly
                      or possibly singular; -1: they are not */
    int rub_solutions; /* … 0, 2 for several, or LASHI_RUBS_NO_MEMORY; -1: none failed since it was cleared */
    int singular_row; /* row that made S singular, when an evaluation failed; else -1 */
    int failed_force; /* force that had no finite value in some evaluation since it was cleared; -1: none … */
    double failed_t;          /* … when … */
    double failed_at;         /* … and the x of its table, if it has one */
    lashi_compiled *compiled; /* code made for the model (src/compile); NULL: none */
    /* Its evaluation, which replaces lashi_evaluate. Returns 0, or 1 where the library must do it; NULL:
     * none. */
    int (*code)(double *ydot, struct lashi_workspace *w, double t, const double *y);
} lashi_workspace;

lash_status lashi_workspace_create(lashi_workspace **out, const lash_system *system, lash_error *error);
void lashi_workspace_destroy(lashi_workspace *workspace);

/* ẏ = f(t, y). A lashi_rhs: context is the workspace. Returns 0, or 1 when S is singular or a number is not
 * finite. */
int lashi_evaluate(double *ydot, void *context, double t, const double *y);
/* The same where nobody looks at the workspace afterwards: what stands there is then of no use. */
int lashi_evaluate_rates(double *ydot, void *context, double t, const double *y);
/* The same where no integral of the ledger is summed: their rates may be missing in ydot. */
int lashi_evaluate_motion(double *ydot, void *context, double t, const double *y);
/* Stages 1 to 4 without quiet contacts. */
int lashi_evaluate_open(double *ydot, lashi_workspace *workspace, double t, const double *y);
/* quiet.c: takes its memory. False: there is not enough. */
bool lashi_quiet_create(lashi_workspace *workspace);
/* Stages 1 to 4 with quiet contacts. */
int lashi_quiet_solve(double *ydot, lashi_workspace *workspace, double t, const double *y);
/* Lists the contacts that are quiet. To be called whenever contact memory has changed. */
void lashi_quiet_list(lashi_workspace *workspace);
/* Evaluates quiet contacts by their own laws, as resolved ones, until they are resumed. Returns
 * their number. */
int lashi_quiet_suspend(lashi_workspace *workspace, lashi_memory *memories);
void lashi_quiet_resume(lashi_workspace *workspace, lashi_memory *memories, int count);
/* δ̈ of a quiet contact at t. */
static inline double lashi_quiet_curve(const lashi_quiet_way *way, double t) {
    double sum = 0;
    for (int i = way->count - 1; i >= 0; i--)
        sum = way->part[i] + (t - way->at[i]) * sum;
    return sum;
}
/* After an evaluation at (t, y), which stays valid: fills workspace->quiet of the quiet contacts. 0, or 1
 * where that cannot be found. */
int lashi_quiet_look(lashi_workspace *workspace, double t, const double *y);
/* Fills depth and rate from the present δ, δ̇ and force alone; curve is 0. */
void lashi_quiet_take(lashi_workspace *workspace);
/* After one of these two: moves y to δ = w and δ̇ = ẇ, by forces along the normals. 0, or 1 where there are
 * no such forces. */
int lashi_quiet_reach(double *y, lashi_workspace *workspace);
/* lashi_evaluate at the nearest point on the constraints. */
int lashi_evaluate_onto(double *ydot, void *context, double t, const double *y);
/* Stages 1 to 3 alone: enough for energies and violations. */
void lashi_look(lashi_workspace *workspace, double t, const double *y);

/* reads.c. What expressions read at (t, y), with frames filled; and the rates of signals with states. */
void lashi_reads_evaluate(lashi_workspace *workspace, double *ydot, double t, const double *y);
/* Single ones. a: accelerations, of the body or of all; NULL: not known. rate: in place of the value. */
lashi_jet lashi_read_body(const lashi_frame *frame, const double *a, bool spatial, int component);
lashi_jet lashi_read_coordinate(const lashi_coordinate *coordinate, const lashi_frame *frames,
                                const double (*a)[LASHI_FREEDOMS], int width, bool rate);
lashi_jet lashi_read_length(const lashi_force *force, const lashi_frame *frames,
                            const double (*a)[LASHI_FREEDOMS], bool spatial, bool rate);
/* A signal with a state, from that and what it is made of. */
lashi_jet lashi_signal_jet(lashi_signal_type kind, double time, double value, lashi_jet made_of);
/* The same after an evaluation, when accelerations are known: velocities then have rates too. */
void lashi_reads_complete(lashi_workspace *workspace, double t, const double *y);
/* After an evaluation at t: signals that are sampled at t get their values, in y. True: there are some. */
bool lashi_reads_sample(double *y, lashi_workspace *workspace, double t);
/* The value of an input. */
double lashi_input_at(const lashi_workspace *workspace, int input, double t);
/* States of signals at the start, in y; frames filled. */
void lashi_reads_begin(double *y, lashi_workspace *workspace, double t);

/* After an evaluation: replaces λ by that of least norm where rows repeat each other. Where bodies are
 * absorbed as well, whole_lambda gets the multipliers of all constraints. Motion does not need this: to be
 * called only where reactions are wanted. */
void lashi_reactions_share(lashi_workspace *workspace);

/* following.c: contacts as constraints. Switches their rows on and off as the contact memory says. */
void lashi_following_switch(lashi_workspace *workspace);
/* Forces of these contacts from λ, and whether one contradicts its mode. */
void lashi_following_finish(lashi_workspace *workspace, double *ydot);
/* rubbing.c: friction that is found together with accelerations and multipliers, and teeth that push their
 * wheels apart. Whether a system has any. */
bool lashi_rubs_needed(const lash_system *system);
lash_status lashi_rub_work_create(lashi_rub_work **out, lashi_arena *arena, const lash_system *system,
                                  lash_error *error);
void lashi_rub_work_destroy(lashi_rub_work *work);
/* Takes λ and M⁻¹g without this friction, gives λ and forces with it. 0, or 1 when there is no solution, when
 * there are several, or when memory is short. */
enum { LASHI_RUBS_NO_MEMORY = 3 };
int lashi_rubs_solve(lashi_workspace *workspace, double *ydot, const double *y);
/* How rub r slides at an instant, and on which bodies. */
void lashi_rub_slide(lashi_slide *out, int bodies[LASHI_LINKS], const lashi_rub *rub,
                     const lashi_rub_memory *memory, const lash_system *system, const lashi_frame *frames);
/* After an evaluation: rates of its sliding speeds, m/s². Where it sticks, without the part that returns it
 * to where it was held. Returns the largest term of these sums. */
double lashi_rub_rate(double rate[LASHI_WAYS], const lashi_workspace *workspace, int r);
/* After an evaluation: forces f[rub][way] of the rubs marked in `which` that fit together. Each is as large
 * as now and against the motion that begins, or smaller, and no motion begins. False: no memory. */
bool lashi_rub_fit(double (*f)[LASHI_WAYS], lashi_workspace *workspace, const unsigned char *which);
/* After an evaluation at y: y gets the nearest velocities at which the rubs marked in `stops` do not slide.
 * False: no memory. */
bool lashi_rub_stop(double *y, lashi_workspace *workspace, const unsigned char *stops);
/* impact.c: what an impact does in one contact. */
typedef struct lashi_impact {
    int joins;              /* in: 1 for every contact that is closed at this instant */
    bool merges;            /* in: its last bounce was too short to be seen; it does not leave again */
    double approach, leave; /* m/s: δ̇ before, −δ̇ after */
    double impulse;         /* N s, normal */
    double friction;        /* N s, along t on the journal */
    double lost;            /* J */
    double lost_friction;   /* J, the part of it lost by friction */
    bool rests;             /* stays at its wall after the impact: follows or lifts off (sim/modes.c) */
} lashi_impact;
/* Room for impacts of so many contacts together. It grows with the square of their number: a run begins with
 * room for LASHI_IMPACT_USUAL and gets more when more of them meet. False: no memory. */
enum { LASHI_IMPACT_USUAL = 64 };
bool lashi_impact_reserve(lashi_workspace *workspace, size_t contacts);
/* Impulses at (t, y) in all contacts that join, with all other constraints in place. y gets the velocities
 * after the impact, the losses and the work of the drives. impacts: [contacts]. 0, or 1 when S is singular,
 * LASHI_IMPACT_NO_MEMORY, or LASHI_IMPACT_LOCKED + k where nothing can yield to the impact of contact k. */
enum { LASHI_IMPACT_NO_MEMORY = -1, LASHI_IMPACT_LOCKED = 2 };
int lashi_impact_solve(double *y, lashi_impact *impacts, lashi_workspace *workspace, double t);

/* After an evaluation: mass that an impact of contact k along n meets, all ideal joints in place, kg.
 * INFINITY: neither body can move. */
double lashi_effective_mass(lashi_workspace *workspace, int k, const lashi_gap *gap, lashi_vec3 n);
/* Whether ideal teeth with a pressure angle push wheels apart that the joints let go apart at the start. */
bool lashi_teeth_part(const lash_system *system, const lashi_constraint *teeth);

typedef struct lashi_energy {
    double kinetic, potential, elastic; /* J; potential: gravity, zero at y = 0 of the ground */
} lashi_energy;
/* Adds the energy that a body has by its motion and weight. */
static inline void lashi_add_energy(lashi_energy *energy, int spatial, const double *mass,
                                    const double *weight, const lashi_frame *f) {
    if (spatial) {
        energy->kinetic += 0.5 * (mass[0] * lashi_dot3(f->v, f->v) + mass[3] * f->own.x * f->own.x +
                                  mass[4] * f->own.y * f->own.y + mass[5] * f->own.z * f->own.z);
        energy->potential -= weight[0] * f->r.x + weight[1] * f->r.y + weight[2] * f->r.z;
    } else {
        energy->kinetic += 0.5 * (mass[0] * (f->vx * f->vx + f->vy * f->vy) + mass[2] * f->w * f->w);
        energy->potential -= weight[0] * f->x + weight[1] * f->y;
    }
}
/* Energies of the state last evaluated. */
lashi_energy lashi_energy_evaluate(const lashi_workspace *workspace);

/* Largest |Φ| and |Φ̇| of the state last evaluated. */
void lashi_violation(double *position, double *velocity, const lashi_workspace *workspace);

/* What may be left of Φ, in units of the mechanism's size: enough for a motion; or what rounding leaves,
 * where small errors grow (sim/singular.c). */
#define LASHI_ENOUGH 1e-14
#define LASHI_SHARP  2e-16
/* Whether an iteration for positions ends, of which this is pass k: worst |Φ| now and in the pass before. Rounding ends
 * it too: the residual no longer becomes smaller. */
static inline bool lashi_projection_ends(double worst, double before, double enough, int k) {
    enum { PASSES = 8 };
    return worst <= enough || worst >= 0.5 * before || k >= PASSES;
}
/* Moves y onto the constraints at t: positions by Newton's method with least change in the metric of M, then
 * velocities. No allocation. 0, or 1 when it fails. */
int lashi_project(double *y, lashi_workspace *workspace, double t, double enough);
/* Takes the difference between y, which is on the constraints at t, and a motion nearby, and leaves the part
 * that the constraints allow. epsilon: factor that makes the difference so small that its square is
 * negligible; beside: [n_y] scratch. 0, or 1 when S is singular. */
int lashi_project_difference(double *difference, lashi_workspace *workspace, double t, const double *y,
                             double *beside, double epsilon);

#endif
