/* SPDX-License-Identifier: MIT
 *
 * A set of constraints as one linear-algebra object: all rows, their Jacobian by blocks, and the matrix
 *   S = Φq M⁻¹ Φqᵀ
 * factored as L D Lᵀ. A system has two sets: `motion` (ideal joints and drives) and `assembly` (the same with
 * every joint with play closed), so that initial conditions come from the ideal mechanism; and where bodies are
 * absorbed and rows repeat others, `whole`, the motion set as it was before (compile.c).
 *
 * Rows that repeat others make S singular. They are left out of it, with multipliers of 0: the motion is the
 * same without them. Which rows repeat which may change on the way: those that are left out are chosen again
 * where the others come near to depending on each other (sim/singular.c). Every vector z of multipliers
 * without effect, Φqᵀ z = 0, has the form z = e_i − S⁻¹ S e_i for a row i that is left out; freed of its part
 * along these vectors, x has the least xᵀ D x of all multipliers with its effect, D the weights of the norm
 * (1 for forces, 1/ℓ² for moments). Rows that can be off repeat others in some positions only; then they are
 * left out for that factorisation alone.
 *
 * The plan is made once: constraints are put in an elimination order, every pair of Jacobian blocks that
 * share a body becomes one small product with a known place in S.
 */
#ifndef LASHI_CONSTRAINTS_H
#define LASHI_CONSTRAINTS_H

#include "joint/joint.h"
#include "math/ldlt.h"

/* How much of its own motion a body decides: nothing, one translation, one turn about a pin, all. */
enum { LASHI_MOVES_NOT, LASHI_MOVES_GUIDED, LASHI_MOVES_PINNED, LASHI_MOVES_FREELY };

/* A body on a pin in ground (absorb.c). Of its velocities the one called `way` is in y; the others go with it. */
typedef struct lashi_pinned {
    int body;
    int way;          /* 3, 4 or 5: the largest component of its axis in body axes */
    lashi_vec3 point; /* m, of the pin, on ground */
    lashi_vec3 axis;  /* of the pin, in ground axes … */
    lashi_vec3 own;   /* … and in body axes, divided by the component `way` of the latter */
} lashi_pinned;

/* The velocities of a pinned body when that in y is 1. */
static inline void lashi_pin_unit(double unit[LASHI_FREEDOMS], const lashi_pinned *pin,
                                  const lashi_frame *frame) {
    const lashi_vec3 v = lashi_cross3(lashi_sub3(pin->point, frame->r), pin->axis);
    unit[0] = v.x, unit[1] = v.y, unit[2] = v.z;
    unit[3] = pin->own.x, unit[4] = pin->own.y, unit[5] = pin->own.z;
}

/* M⁻¹ f of a pinned body, whose pin takes what would not turn it. inverse: 1/(unitᵀ M unit) at `way`. */
static inline void lashi_pin_yield(double u[LASHI_FREEDOMS], const lashi_pinned *pin,
                                   const lashi_frame *frame, const double inverse[LASHI_FREEDOMS],
                                   const double f[LASHI_FREEDOMS]) {
    double unit[LASHI_FREEDOMS], sum = 0;
    lashi_pin_unit(unit, pin, frame);
    for (int k = 0; k < LASHI_FREEDOMS; k++)
        sum += unit[k] * f[k];
    sum *= inverse[pin->way];
    for (int k = 0; k < LASHI_FREEDOMS; k++)
        u[k] = sum * unit[k];
}

/* The Jacobian block of one constraint on one moving body. */
typedef struct lashi_link {
    int J;   /* index of its first double in J: [6][row] */
    int row; /* its first row */
    int rows;
    int body; /* frame index, > 0 */
    int points; /* space: −1 or 1, what v has as its factor in its first three rows, where the others have none; 0: v
                   has other factors */
} lashi_link;

/* S += J_a M⁻¹ J_bᵀ for two links a, b of one body; row of a <= row of b. */
typedef struct lashi_block {
    int J_a, J_b;
    short rows_a, rows_b;
    bool steady; /* only the products of the turning columns change … */
    bool kept;   /* … and nothing turns there */
    bool single; /* J_a and J_b have one column, of the velocity `way` that is left of the body */
    bool first;  /* in a chain (math/chain.h): no block before it has the same place */
    short way;
    int body;
    int row_b;      /* the first row of b */
    int at, stride; /* entry (row rb of b, row ra of a) is at values[at + rb*stride + ra] */
} lashi_block;

/* A link of a pinned body in one column: its block times the unit of that body. */
typedef struct lashi_narrow {
    lashi_link link;
    int column; /* in J: [row] */
    int pin;
} lashi_narrow;

typedef struct lashi_constraint_work lashi_constraint_work;
typedef struct lashi_constraint_set lashi_constraint_set;

/* What a set of joints in space that are all balls, or all pins, does without looking at each of them (chain.c). */
typedef struct lashi_alike {
    void (*evaluate)(lashi_constraint_work *work, const lashi_constraint_set *set, const lashi_frame *frames);
    void (*multiply)(double *out, const double *J, const lashi_constraint_set *set,
                     const double (*u)[LASHI_FREEDOMS]);
    void (*subtract)(double (*force)[LASHI_FREEDOMS], const double *J, const lashi_constraint_set *set,
                     const double *x);
    /* In a chain: S above the diagonal, its factor there (1/D in `inverse`; −1, or the row that depends on others),
     * and solutions with it. */
    void (*fill)(lashi_constraint_work *work, const lashi_constraint_set *set,
                 const double (*inverse)[LASHI_FREEDOMS]);
    int (*factor)(double *S, double *inverse, int n);
    void (*solve)(const double *S, const double *inverse, int n, double *x);
    int rows; /* of each joint */
} lashi_alike;

struct lashi_constraint_set {
    lashi_constraint *items; /* in elimination order */
    int count, rows;
    int width;       /* velocities of a body that are used: 3 in the plane, 6 in space */
    size_t jacobian; /* doubles in J */
    lashi_link *links;
    int link_count;
    lashi_block *blocks;
    int block_count;
    const lashi_pinned *pins;
    int pin_count;
    lashi_narrow *narrow;
    int narrow_count;
    lashi_ldlt ldlt;
    int bodies;
    int redundant;    /* rows that repeat others at every position … */
    int *repeats;     /* [redundant] … at first these */
    int most_repeats; /* with rows that can be off */
    double *weight;   /* [rows] of the norm of multipliers; NULL: no row repeats another */
    int corrections;  /* how often an acceleration is corrected for what rounding has left; see lever.c */
    const lashi_alike *alike; /* NULL: joints of several kinds or of others */
};

/* Numbers of a set at one instant; sized once. */
struct lashi_constraint_work {
    lashi_arena *arena;
    double *J;                     /* [jacobian]: Φq by blocks … */
    bool filled;                   /* … which has been evaluated once */
    double *Phi, *Phi_dot, *gamma; /* [rows] */
    double *S, *factor;            /* matrix and factor */
    double *S_steady;              /* the constant part of S for the system's masses; NULL: not kept */
    bool pair;                     /* two rows, all of which hold: what machines with a driven crank and play
                                      elsewhere come down to; S_steady is kept */
    bool chain;                    /* set->alike, and S is that of a chain (math/chain.h); S_steady is kept */
    int *int_work;
    const double (*inverse)[LASHI_FREEDOMS]; /* that S was made with */
    const lashi_frame *frames;               /* that J was evaluated at */
    double *part;                            /* [rows] */
    double (*push)[LASHI_FREEDOMS];          /* [bodies] */
    unsigned char *off; /* [rows] 1: the row does not hold now, its multiplier is 0; NULL: all hold */
    double *sound;      /* [count] largest determinant of each constraint so far: lashi_constraints_note */
    int *repeats;       /* [most_repeats] rows that are left out, … */
    int repeat_count;   /* … of the present factor, … */
    int room;           /* … and for how many there is room */
    bool shares;        /* every solution is that of least norm … */
    bool shared;        /* … or what was solved with the present factor has become so */
    double *idle;       /* [room][rows] multipliers without effect */
    double *gram;       /* [room][room + 1] */
    double *probe;      /* [rows][rows + 2] lashi_constraints_choose; NULL: nothing to choose */
};

typedef enum lashi_solver_choice {
    LASHI_SOLVER_AUTO,
    LASHI_SOLVER_DENSE,
    LASHI_SOLVER_SPARSE
} lashi_solver_choice;

/* Takes `count` compiled constraints, orders them, and plans their matrix. moves: [bodies] LASHI_MOVES_…;
 * bodies that no force moves take no part in S. width: of lashi_constraint_set. Memory from the arena. */
lash_status lashi_constraints_plan(lashi_constraint_set *out, lashi_arena *arena,
                                   const lashi_constraint *items, size_t count, const unsigned char *moves,
                                   size_t bodies, int width, lashi_solver_choice solver, lash_error *error);
/* After that, where bodies have one velocity left: of the blocks of these bodies one column is enough. moves as
 * before; inverse: [bodies][6], of these bodies not 0 for that velocity alone. */
lash_status lashi_constraints_narrow(lashi_constraint_set *set, lashi_arena *arena,
                                     const unsigned char *moves, const double (*inverse)[LASHI_FREEDOMS],
                                     const lashi_pinned *pins, int pin_count, lash_error *error);
lash_status lashi_constraint_work_create(lashi_constraint_work *out, lashi_arena *arena,
                                         const lashi_constraint_set *set, lash_error *error);

/* How many rows are before the last ones that are left out: of the others no part of S is asked for. */
static inline int lashi_needed_rows(const lashi_constraint_work *work, const lashi_constraint_set *set) {
    int needed = set->rows;
    for (int k = set->redundant - 1; k >= 0 && work->repeats[k] == needed - 1; k--)
        needed--;
    return needed;
}

/* Fills J, Phi, Phi_dot, gamma; zeros for rows that are off. */
void lashi_constraints_evaluate(lashi_constraint_work *work, const lashi_constraint_set *set,
                                const lashi_frame *frames, double t);
/* From an evaluation anywhere: keeps the constant part of S for these masses, so that factor computes only
 * the rest. */
lash_status lashi_constraints_keep_steady(lashi_constraint_work *work, lashi_arena *arena,
                                          const lashi_constraint_set *set,
                                          const double (*inverse)[LASHI_FREEDOMS], lash_error *error);
/* The factor of S + damping·diag(S). Returns -1 or the row that depends on others. inverse: [body][6], 1/mass
 * or another weight, 0 for what must not move. */
int lashi_constraints_factor(lashi_constraint_work *work, const lashi_constraint_set *set,
                             const double (*inverse)[LASHI_FREEDOMS], double damping);
/* Takes the present factor as that of a regular position. The determinant of a constraint in the factor, the
 * product of its pivots, says how much its rows add to those before them. It does not change when the
 * constraint turns, and falls to 0 as d² where it comes to depend on the others at a distance d. */
void lashi_constraints_note(const lashi_constraint_work *work, const lashi_constraint_set *set);
/* By what the determinant of some constraint in the present factor has fallen against its largest, and of
 * which. */
double lashi_constraints_fallen(int *weakest, const lashi_constraint_work *work,
                                const lashi_constraint_set *set);
/* After factor, whether it succeeded or not: chooses again which rows are left out, so that the others depend
 * least on each other. False: the present choice is about as good, and stays. */
bool lashi_constraints_choose(const lashi_constraint_work *work, const lashi_constraint_set *set);
/* S x = b: b in x, solution out. */
void lashi_constraints_solve(double *x, const lashi_constraint_work *work, const lashi_constraint_set *set);
/* Of all multipliers with the effect of x those of least norm. */
void lashi_constraints_share(double *x, const lashi_constraint_work *work, const lashi_constraint_set *set);
/* out[row] += Φq u. u: [body][6]. */
void lashi_constraints_multiply(double *out, const lashi_constraint_work *work,
                                const lashi_constraint_set *set, const double (*u)[LASHI_FREEDOMS]);
/* force[body] -= Φqᵀ x. */
void lashi_constraints_subtract(double (*force)[LASHI_FREEDOMS], const lashi_constraint_work *work,
                                const lashi_constraint_set *set, const double *x);
/* Forces on all bodies become the accelerations M⁻¹ f that ground joints which were taken out leave of them. */
void lashi_constraints_yield(double (*f)[LASHI_FREEDOMS], const lashi_constraint_set *set,
                             const lashi_frame *frames, const double (*inverse)[LASHI_FREEDOMS]);
/* u[body] −= M⁻¹ Φqᵀ x with the masses of the factor. push: [bodies] scratch. */
void lashi_constraints_move(double (*u)[LASHI_FREEDOMS], double (*push)[LASHI_FREEDOMS],
                            const lashi_constraint_work *work, const lashi_constraint_set *set,
                            const double *x);

#endif
