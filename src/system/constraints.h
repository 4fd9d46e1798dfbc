/* SPDX-License-Identifier: MIT
 *
 * A set of constraints as one linear-algebra object: all rows, their Jacobian by blocks, and the matrix
 *   S = Φq M⁻¹ Φqᵀ
 * factored as L D Lᵀ. A system has two sets: `motion` (ideal joints and drives) and `assembly` (the same with
 * every joint with play closed), so that initial conditions come from the ideal mechanism.
 *
 * Rows that repeat each other make S singular. Then P⁻¹ = S + μ D is factored instead, D the weights of the
 * norm (1 for forces, 1/ℓ² for moments), and S x = b solved by conjugate gradients with the preconditioner
 * P S P. All iterates are D-orthogonal to the null space of S, because P S P r is: for a null vector z,
 * zᵀ D P S = zᵀ S/μ = 0. So they converge to the solution with the least xᵀ D x, and what b has outside the
 * range of S, the rows' small contradictions, is left out. The eigenvalues of P S P S are (σ/(σ + μ))², close
 * to 1 but for few: a few passes reach rounding. Which rows repeat which may change with the position:
 * nothing here depends on it.
 *
 * The plan is made once: constraints are put in an elimination order, every pair of Jacobian blocks that
 * share a body becomes one small product with a known place in S.
 */
#ifndef LASHI_CONSTRAINTS_H
#define LASHI_CONSTRAINTS_H

#include "joint/joint.h"
#include "math/ldlt.h"

/* The Jacobian block of one constraint on one moving body. */
typedef struct lashi_link {
    int J;   /* index of its first double in J: [6][row] */
    int row; /* its first row */
    int rows;
    int body; /* frame index, > 0 */
} lashi_link;

/* S += J_a M⁻¹ J_bᵀ for two links a, b of one body; row of a <= row of b. */
typedef struct lashi_block {
    int J_a, J_b;
    short rows_a, rows_b;
    bool steady; /* only the products of the turning columns change */
    int body;
    int at, stride; /* entry (row rb of b, row ra of a) stands at values[at + rb*stride + ra] */
} lashi_block;

typedef struct lashi_constraint_set {
    lashi_constraint *items; /* in elimination order */
    int count, rows;
    int width;       /* velocities of a body that are used: 3 in the plane, 6 in space */
    size_t jacobian; /* doubles in J */
    lashi_link *links;
    int link_count;
    lashi_block *blocks;
    int block_count;
    lashi_ldlt ldlt;
    int bodies;
    double *regular; /* [rows] added to the diagonal of S where rows repeat each other; NULL: they do not */
    double *spare;   /* [rows] the same, for positions in which rows that can be off repeat others; NULL: none
                        can */
} lashi_constraint_set;

/* Numbers of a set at one instant; sized once. */
typedef struct lashi_constraint_work {
    double *J;                     /* [jacobian]: Φq by blocks */
    double *Phi, *Phi_dot, *gamma; /* [rows] */
    double *S, *factor;            /* matrix and factor */
    double *S_steady;              /* the constant part of S for the system's masses; NULL: not kept */
    int *int_work;
    const double (
        *inverse)[LASHI_FREEDOMS]; /* that S was made with, and workspace of the repeated solution */
    double *right, *residual, *filtered, *along, *part; /* [rows] */
    double (*push)[LASHI_FREEDOMS];                     /* [bodies] */
    unsigned char *off; /* [rows] 1: the row does not hold now, its multiplier is 0; NULL: all hold */
    bool refines;       /* the factor is that of a regularised S */
} lashi_constraint_work;

typedef enum lashi_solver_choice {
    LASHI_SOLVER_AUTO,
    LASHI_SOLVER_DENSE,
    LASHI_SOLVER_SPARSE
} lashi_solver_choice;

/* Takes `count` compiled constraints, orders them, and plans their matrix. moves: [bodies], 0 for bodies that
 * no force moves (they take no part in S). width: of lashi_constraint_set. Memory from the arena. */
lash_status lashi_constraints_plan(lashi_constraint_set *out, lashi_arena *arena,
                                   const lashi_constraint *items, size_t count, const unsigned char *moves,
                                   size_t bodies, int width, lashi_solver_choice solver, lash_error *error);
lash_status lashi_constraint_work_create(lashi_constraint_work *out, lashi_arena *arena,
                                         const lashi_constraint_set *set, lash_error *error);

/* Fills J, Phi, Phi_dot, gamma; zeros for rows that are off. */
void lashi_constraints_evaluate(lashi_constraint_work *work, const lashi_constraint_set *set,
                                const lashi_frame *frames, double t);
/* From an evaluation anywhere: keeps the constant part of S for these masses, so that factor computes only
 * the rest. */
lash_status lashi_constraints_keep_steady(lashi_constraint_work *work, lashi_arena *arena,
                                          const lashi_constraint_set *set,
                                          const double (*inverse)[LASHI_FREEDOMS], lash_error *error);
/* The factor of S + damping·diag(S), or of S + regular. Returns -1 or the row that depends on others.
 * inverse: [body][6], 1/mass or another weight, 0 for what must not move. */
int lashi_constraints_factor(lashi_constraint_work *work, const lashi_constraint_set *set,
                             const double (*inverse)[LASHI_FREEDOMS], double damping);
/* S x = b: b in x, solution out. Where rows repeat each other, the solution of least norm. */
void lashi_constraints_solve(double *x, const lashi_constraint_work *work, const lashi_constraint_set *set);
/* out[row] += Φq u. u: [body][6]. */
void lashi_constraints_multiply(double *out, const lashi_constraint_work *work,
                                const lashi_constraint_set *set, const double (*u)[LASHI_FREEDOMS]);
/* force[body] -= Φqᵀ x. */
void lashi_constraints_subtract(double (*force)[LASHI_FREEDOMS], const lashi_constraint_work *work,
                                const lashi_constraint_set *set, const double *x);

#endif
