/* SPDX-License-Identifier: MIT
 *
 * adams and gear: variable-order multistep methods, by CVODE of SUNDIALS.
 *
 *   adams  Adams-Moulton of orders 1 to 12, the corrector iterated as a plain fixed point: few evaluations
 *          per step of smooth motion. Where the iteration fails to converge at the step that the error would
 *          allow, the motion is stiff; such steps are counted.
 *   gear   backward differentiation of orders 1 to 5 with Newton's method, for stiff forces. The Jacobian is
 *          dense and made of differences up to DENSE_LIMIT components, matrix-free (GMRES) beyond.
 *
 * Error scale: that of the interface, with |y| taken at the beginning of the step; the norm is the root mean
 * square over the controlled components. A component without tolerances is a quadrature: it has a negligible
 * weight and a zero column in the dense Jacobian.
 *
 * Limits: the methods keep y in a history of differences. So correct() accepts a correction only when it
 * exceeds LARGE_CORRECTION error scales of some component, and then restarts at order 1; smaller ones are
 * ignored and y stays. load() restarts too, so a resumed run agrees to the tolerance, not bit for bit.
 *
 * Reference: A. C. Hindmarsh et al., SUNDIALS: Suite of nonlinear and differential/algebraic equation
 * solvers, ACM TOMS 31 (2005) 363-396; CVODE 6.4 user guide.
 */
#include "integrate/integrator.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "integrate/cvode_library.h"

enum {
    DENSE_LIMIT = 200,    /* components up to which n evaluations and n^3/3 operations per Jacobian pay off */
    ANDERSON_DEPTH = 0,   /* acceleration of the fixed point: costs more than it saves on smooth motion */
    MAX_FAILURES = 100,   /* in one step: never reached, each shortens it and its length fails first */
    MAX_KRYLOV = 10,      /* dimension of the GMRES space */
    MOST_TINY = 4,        /* steps as short as rounding that are tried after a restart */
    CLOSE_LIMIT_ULP = 256 /* CVODE chooses no first step for a shorter interval than this */
};

static const double EXCLUDED_WEIGHT = 1e-30; // of a component out of the error control
static const double MIN_STEP_ULP = 16;       // in units of rounding of t
static const double SPAN_OF_UNLIMITED = 1.0; // s, scale for the first step of a run without limit
/* After a restart the order is 1, with a larger error than the orders above it. FIRST_STEPS steps of the
 * share FIRST_SHARE of the way to the limit make that error negligible: the impulse of a force that grows
 * evenly with time is right to rounding. That is enough for adams, which keeps rates. gear keeps values, and
 * loses what such short steps know of them when the next step is much longer. So its steps grow by GROWTH
 * until an error limits them. Its order rises only where an error is seen: until then its tolerances are no
 * larger than SHARP, as far as rounding allows. */
enum { FIRST_STEPS = 3 };
static const double FIRST_SHARE = 1e-8, LEAST_FIRST = 1024; // the latter in units of rounding of t
static const double GROWTH = 1.4, SHARP = 1e-10, ABOVE_ROUNDING = 1e5;

typedef struct multistep {
    lashi_integrator base;
    size_t n, controlled;
    lashi_rhs f;
    void *context;
    double max_step;
    double *rtol, *atol, *size, *y_old, *y; // n each, in one block
    bool *excluded;                         // n
    bool fresh;                             // no step since restart
    int first_steps;                        // that are still to be taken after it
    bool sharp;                             // gear: no error has limited a step since restart
    double grown_to;                        // s, length to which the steps of gear may grow
    bool not_finite, refused;               // what f has reported since the step began
    lash_status stop;                       // f gave up with this
    long failures, convergence_failures;    // of CVODE since its last restart
    // SUNDIALS
    SUNContext sundials;
    void *cvode;
    N_Vector vector, view; // y; an array of the caller
    SUNMatrix jacobian;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
} multistep;

/* What save() keeps, followed by y. */
typedef struct history {
    double t, h_next;
    lashi_integrator_counts counts;
} history;

/* ---- What CVODE calls ---- */

static bool all_finite(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += 0.0 * x[i]; // NaN for every infinity and NaN
    return sum == 0.0;
}

static int evaluate(double t, N_Vector y, N_Vector ydot, void *context) {
    multistep *self = context;
    double *f = N_VGetArrayPointer(ydot);
    self->base.counts.evaluations++;
    int flag = self->f(f, self->context, t, N_VGetArrayPointer(y));
    if (flag < 0) {
        self->stop = (lash_status)flag;
        return -1;
    }
    if (flag == 0 && !all_finite(f, self->n)) {
        self->not_finite = true;
        return 1;
    }
    self->refused |= flag > 0;
    return flag;
}

static double error_scale(const multistep *self, const double *y, size_t i) {
    return self->atol[i] + self->rtol[i] * fabs(y[i]);
}

/* Factor by which tolerances are sharper while the first steps of gear grow. */
static double sharper(const multistep *self, const double *y) {
    double mildest = 0, largest = 0;
    for (size_t i = 0; i < self->n; i++)
        if (!self->excluded[i]) {
            mildest = fmax(mildest, self->rtol[i]);
            largest = fmax(largest, fabs(y[i]) / error_scale(self, y, i));
        }
    return fmax(1, fmin(mildest / SHARP, 1 / (ABOVE_ROUNDING * DBL_EPSILON * largest)));
}

/* CVODE's norm is the root mean square over all n; the factor makes it that over the controlled ones. */
static int error_weights(N_Vector y_vector, N_Vector weight_vector, void *context) {
    const multistep *self = context;
    const double *y = N_VGetArrayPointer(y_vector);
    double *weight = N_VGetArrayPointer(weight_vector);
    double factor = self->controlled ? sqrt((double)self->n / (double)self->controlled) : 1.0;
    if (self->sharp && self->linear)
        factor *= sharper(self, y);
    for (size_t i = 0; i < self->n; i++) {
        double scale = error_scale(self, y, i);
        if (!self->excluded[i] && !(scale > 0))
            return -1;
        weight[i] = self->excluded[i] ? EXCLUDED_WEIGHT : factor / scale;
    }
    return 0;
}

static void be_silent(int code, const char *module, const char *function, char *message, void *context) {
    (void)code, (void)module, (void)function, (void)message, (void)context;
}

/* J by forward differences, like CVODE's own except for the quadratures, whose columns are zero. The
 * increment is the root of rounding times |y_j|, but large enough that the change of f exceeds its rounding
 * error. A component that is near zero may be added to others that are not, as the speed of a slider at rest to that of
 * its rod: then it is some thousand roundings of their size, no more, since beside a small value f may bend, as the force
 * of a film does where it begins to be pressed. A column that rounding has made is too long, the
 * corrections of Newton's method with it too short, and both their test and that of the error are passed. */
static int dense_jacobian(double t, N_Vector y_vector, N_Vector f_vector, SUNMatrix J, void *context,
                          N_Vector shifted, N_Vector unused_1, N_Vector unused_2) {
    (void)unused_1, (void)unused_2;
    static const double ROUNDING_MARGIN = 1000;
    multistep *self = context;
    double *y = N_VGetArrayPointer(y_vector);
    const double *f = N_VGetArrayPointer(f_vector), *f_shifted = N_VGetArrayPointer(shifted);
    double h = 0, size_f = 0;
    CVodeGetCurrentStep(self->cvode, &h);
    for (size_t i = 0; i < self->n; i++)
        if (!self->excluded[i])
            size_f += pow(f[i] / error_scale(self, y, i), 2);
    size_f = sqrt(size_f / (double)self->controlled);
    double smallest = ROUNDING_MARGIN * fabs(h) * DBL_EPSILON * (double)self->n * size_f;
    if (smallest == 0)
        smallest = 1;
    for (size_t j = 0; j < self->n; j++) {
        double *column = SUNDenseMatrix_Column(J, (sunindextype)j);
        if (self->excluded[j]) {
            memset(column, 0, self->n * sizeof *column);
            continue;
        }
        double kept = y[j];
        y[j] += fmax(fmax(sqrt(DBL_EPSILON) * fabs(kept), ROUNDING_MARGIN * DBL_EPSILON * self->size[j]),
                     smallest * error_scale(self, y, j));
        double increment = y[j] - kept;
        int flag = evaluate(t, y_vector, shifted, self);
        if (flag > 0) { // out of range ahead: look back
            increment = -increment;
            y[j] = kept + increment;
            flag = evaluate(t, y_vector, shifted, self);
        }
        y[j] = kept;
        if (flag)
            return flag;
        for (size_t i = 0; i < self->n; i++)
            column[i] = (f_shifted[i] - f[i]) / increment;
    }
    return 0;
}

/* ---- The table of functions ---- */

static void multistep_destroy(lashi_integrator *base) {
    multistep *self = (multistep *)base;
    if (!self)
        return;
    CVodeFree(&self->cvode);
    if (self->nonlinear)
        SUNNonlinSolFree(self->nonlinear);
    if (self->linear)
        SUNLinSolFree(self->linear);
    if (self->jacobian)
        SUNMatDestroy(self->jacobian);
    if (self->view)
        N_VDestroy(self->view);
    if (self->vector)
        N_VDestroy(self->vector);
    if (self->sundials)
        SUNContext_Free(&self->sundials);
    free(self->rtol);
    free(self->excluded);
    free(self);
}

/* Restarts CVODE at (t, y) with the first step h; 0: it chooses. */
static lash_status reinitialise(multistep *self, double t, double h, lash_error *error) {
    self->base.t_old = self->base.t = t;
    memcpy(self->y_old, self->y, self->n * sizeof *self->y);
    self->base.h_next = h;
    self->fresh = true;
    self->first_steps = FIRST_STEPS;
    self->sharp = false;
    self->grown_to = 0;
    self->failures = self->convergence_failures = 0;
    if (!all_finite(self->y, self->n))
        return lashi_fail_at(error, LASH_ERROR_NOT_FINITE, t, "", "the state is not finite at t = %.17g s",
                             t);
    if (CVodeReInit(self->cvode, t, self->vector) || CVodeSetInitStep(self->cvode, h))
        return lashi_fail_at(error, LASH_ERROR_INTERNAL, t, "", "CVODE refused to start at t = %.17g s", t);
    return LASH_OK;
}

static lash_status multistep_restart(lashi_integrator *base, double t, const double *y, double h,
                                     lash_error *error) {
    multistep *self = (multistep *)base;
    memmove(self->y, y, self->n * sizeof *y);
    return reinitialise(self, t, h, error);
}

/* Corrections up to so many error scales are ignored: a restart at order 1 costs hundreds of steps. */
static const double LARGE_CORRECTION = 1000;

static lash_status multistep_correct(lashi_integrator *base, const double *y, lash_error *error) {
    multistep *self = (multistep *)base;
    bool large = false;
    for (size_t i = 0; i < self->n && !large; i++)
        large =
            !self->excluded[i] && fabs(y[i] - self->y[i]) > LARGE_CORRECTION * error_scale(self, self->y, i);
    return large ? multistep_restart(base, base->t, y, 0, error) : LASH_OK;
}

static void multistep_rescale(lashi_integrator *base, const double *atol) {
    multistep *self = (multistep *)base;
    memcpy(self->atol, atol, self->n * sizeof *atol);
}

static lash_status explain(const multistep *self, int flag, lash_error *error) {
    double t = self->base.t;
    if (self->stop)
        return self->stop; // the callee has kept its own error record
    if (flag == CV_TOO_MUCH_ACC)
        return lashi_fail_at(
            error, LASH_ERROR_STEP, t, "",
            "the tolerances ask for more than rounding allows at t = %.17g s; use larger ones", t);
    if (flag == CV_ILL_INPUT)
        return lashi_fail_at(error, LASH_ERROR_STEP, t, "",
                             "an error scale is zero at t = %.17g s; give an absolute tolerance", t);
    if (self->not_finite)
        return lashi_fail_at(
            error, LASH_ERROR_NOT_FINITE, t, "",
            "step size too small at t = %.17g s: the accelerations are not finite numbers however short "
            "the step; look for a force that divides by zero or overflows",
            t);
    if (self->refused)
        return lashi_fail_at(
            error, LASH_ERROR_STEP, t, "",
            "step size too small at t = %.17g s: the motion cannot be evaluated beyond this state; look "
            "for a mechanism at a dead point or a law out of its range",
            t);
    return lashi_fail_at(
        error, LASH_ERROR_STEP, t, "",
        "step size too small at t = %.17g s (CVODE code %d): the motion is probably discontinuous here (a "
        "jump in a force or a drive) or too stiff for this method; try %s",
        t, flag, self->linear ? "dop853" : "gear or dop853");
}

/* Counts failed attempts since the last call. */
static void count_failures(multistep *self) {
    long tests = 0, solves = 0, convergence = 0;
    CVodeGetNumErrTestFails(self->cvode, &tests);
    CVodeGetNumStepSolveFails(self->cvode, &solves);
    CVodeGetNumNonlinSolvConvFails(self->cvode, &convergence);
    self->base.counts.rejected += (size_t)(tests + solves - self->failures);
    // Newton's method does not fail because of stiffness.
    self->base.counts.stiff += !self->linear && convergence > self->convergence_failures;
    self->failures = tests + solves;
    self->convergence_failures = convergence;
}

static void limit_steps(multistep *self, double h) {
    const double most = fmin(h, self->max_step);
    CVodeSetMaxStep(self->cvode, isfinite(most) ? most : 0);
}

/* The first steps after a restart are no longer than h; those of gear then grow slowly. */
static void pace(multistep *self, double h) {
    if (self->fresh) {
        CVodeSetInitStep(self->cvode, fmin(h, self->max_step));
        limit_steps(self, h);
        self->sharp = true;
    } else if (self->first_steps > 0) {
        if (--self->first_steps == 0 && !self->linear)
            limit_steps(self, INFINITY);
    } else if (self->linear) {
        self->sharp &= self->base.h_next > self->grown_to / GROWTH;
        self->grown_to = GROWTH * self->base.h_next;
        limit_steps(self, self->grown_to);
    }
}

static lash_status multistep_step(lashi_integrator *base, double t_limit, lash_error *error) {
    multistep *self = (multistep *)base;
    const double t = base->t, remaining = t_limit - t, ulp = DBL_EPSILON * fabs(t);
    if (!(remaining > 0))
        return lashi_fail_at(error, LASH_ERROR_INTERNAL, t, "", "a step from t = %.17g s to %.17g s", t,
                             t_limit);
    const bool unlimited = isinf(t_limit);
    if (self->fresh && remaining < CLOSE_LIMIT_ULP * ulp)
        CVodeSetInitStep(self->cvode, remaining);
    else if (!unlimited)
        pace(self, fmax(FIRST_SHARE * remaining, LEAST_FIRST * ulp));
    CVodeSetStopTime(self->cvode, unlimited ? 0.5 * DBL_MAX : t_limit);
    memcpy(self->y_old, self->y, self->n * sizeof *self->y);
    self->not_finite = self->refused = false;
    self->stop = LASH_OK;

    double t_new = t;
    int flag = 0;
    bool stuck = true;
    // The first step that CVODE chooses may be as short as rounding; the next is ten thousand times longer.
    const int most = self->fresh ? MOST_TINY : 1;
    for (int tries = 0; flag >= 0 && stuck && tries < most; tries++) {
        flag = CVode(self->cvode, unlimited ? t + SPAN_OF_UNLIMITED : t_limit, self->vector, &t_new,
                     CV_ONE_STEP);
        stuck = t_new < t_limit && !(t_new - t > MIN_STEP_ULP * ulp);
    }
    count_failures(self);
    if (flag < 0 || stuck || !all_finite(self->y, self->n)) {
        // The last accepted point stays current.
        memcpy(self->y, self->y_old, self->n * sizeof *self->y);
        base->t_old = t;
        return explain(self, flag, error);
    }
    self->fresh = false;
    base->t_old = t;
    base->t = t_new;
    base->counts.steps++;
    CVodeGetCurrentStep(self->cvode, &base->h_next);
    return LASH_OK;
}

static lash_status multistep_interpolate(double *y, lashi_integrator *base, double t, lash_error *error) {
    multistep *self = (multistep *)base;
    // Both ends are exact.
    if (t == base->t || t == base->t_old) {
        memcpy(y, t == base->t ? base->y : base->y_old, self->n * sizeof *y);
        return LASH_OK;
    }
    int flag = -1;
    if (t > base->t_old && t < base->t) {
        N_VSetArrayPointer(y, self->view);
        flag = CVodeGetDky(self->cvode, t, 0, self->view);
    }
    if (flag)
        return lashi_fail_at(error, LASH_ERROR_INTERNAL, t, "", "t = %.17g s is outside the last step", t);
    return LASH_OK;
}

static size_t multistep_history_size(const lashi_problem *problem) {
    return sizeof(history) + problem->n * sizeof(double);
}

static void multistep_save(void *block, const lashi_integrator *base) {
    const multistep *self = (const multistep *)base;
    history head = {base->t, base->h_next, base->counts};
    memcpy(block, &head, sizeof head);
    memcpy((char *)block + sizeof head, self->y, self->n * sizeof(double));
}

/* At order 1 the saved step would be far too long: CVODE chooses a new one. */
static lash_status multistep_load(lashi_integrator *base, const void *block, lash_error *error) {
    multistep *self = (multistep *)base;
    history head;
    memcpy(&head, block, sizeof head);
    memcpy(self->y, (const char *)block + sizeof head, self->n * sizeof(double));
    lash_status status = reinitialise(self, head.t, 0, error);
    base->h_next = head.h_next;
    base->counts = head.counts;
    return status;
}

/* ---- Creation ---- */

static bool attach_fixed_point(multistep *self) {
    self->nonlinear = SUNNonlinSol_FixedPoint(self->vector, ANDERSON_DEPTH, self->sundials);
    return self->nonlinear && CVodeSetNonlinearSolver(self->cvode, self->nonlinear) == CV_SUCCESS;
}

static bool attach_newton(multistep *self) {
    self->nonlinear = SUNNonlinSol_Newton(self->vector, self->sundials);
    if (!self->nonlinear || CVodeSetNonlinearSolver(self->cvode, self->nonlinear))
        return false;
    if (self->n <= DENSE_LIMIT) {
        self->jacobian = SUNDenseMatrix((sunindextype)self->n, (sunindextype)self->n, self->sundials);
        self->linear = self->jacobian ? SUNLinSol_Dense(self->vector, self->jacobian, self->sundials) : NULL;
        return self->linear &&
               CVodeSetLinearSolver(self->cvode, self->linear, self->jacobian) == CV_SUCCESS &&
               CVodeSetJacFn(self->cvode, dense_jacobian) == CV_SUCCESS;
    }
    self->linear = SUNLinSol_SPGMR(self->vector, SUN_PREC_NONE, MAX_KRYLOV, self->sundials);
    return self->linear && CVodeSetLinearSolver(self->cvode, self->linear, NULL) == CV_SUCCESS;
}

/* y' = 0. */
static int at_rest(double *ydot, void *context, double t, const double *y) {
    (void)t, (void)y;
    memset(ydot, 0, ((const multistep *)context)->n * sizeof *ydot);
    return 0;
}

/* CVODE allocates its copy of the Jacobian in its first step. A step at rest makes that happen here, not in a
 * run. */
static bool warm_up(multistep *self) {
    double t;
    self->f = at_rest;
    self->context = self;
    for (size_t i = 0; i < self->n; i++)
        self->y[i] = self->atol[i] > 0 ? 0 : 1; // no error scale is zero, none asks for more than rounding
    int flag = CVodeReInit(self->cvode, 0.0, self->vector);
    if (!flag)
        flag = CVode(self->cvode, 1.0, self->vector, &t, CV_ONE_STEP);
    self->base.counts = (lashi_integrator_counts){0};
    return flag >= 0;
}

static bool attach_sundials(multistep *self, int method) {
    const sunindextype n = (sunindextype)self->n;
    if (SUNContext_Create(NULL, &self->sundials))
        return false;
    self->vector = N_VMake_Serial(n, self->y, self->sundials);
    self->view = N_VMake_Serial(n, self->y, self->sundials);
    self->cvode = CVodeCreate(method, self->sundials);
    if (!self->vector || !self->view || !self->cvode)
        return false;
    if (CVodeSetErrHandlerFn(self->cvode, be_silent, NULL) ||
        CVodeInit(self->cvode, evaluate, 0.0, self->vector) ||
        CVodeWFtolerances(self->cvode, error_weights) || CVodeSetUserData(self->cvode, self) ||
        CVodeSetMaxNumSteps(self->cvode, -1) || CVodeSetMaxErrTestFails(self->cvode, MAX_FAILURES) ||
        CVodeSetMaxConvFails(self->cvode, MAX_FAILURES))
        return false;
    if (isfinite(self->max_step) && CVodeSetMaxStep(self->cvode, self->max_step))
        return false;
    return (method == CV_ADAMS ? attach_fixed_point(self) : attach_newton(self)) && warm_up(self);
}

static lash_status multistep_create(lashi_integrator **out, const lashi_integrator_kind *kind, int method,
                                    const lashi_problem *problem, lash_error *error) {
    *out = NULL;
    const lash_status status = lashi_cvode_load(error);
    if (status)
        return status;
    const size_t n = problem->n;
    multistep *self = calloc(1, sizeof *self);
    if (!self)
        return lashi_fail_memory(error);
    self->rtol = n < SIZE_MAX / (8 * sizeof(double)) ? calloc(5 * n + 1, sizeof(double)) : NULL;
    self->excluded = calloc(n + 1, sizeof *self->excluded);
    if (!self->rtol || !self->excluded)
        goto failed;
    self->atol = self->rtol + n;
    self->size = self->atol + n;
    self->y_old = self->size + n;
    self->y = self->y_old + n;
    self->base.kind = kind;
    self->base.y_old = self->y_old;
    self->base.y = self->y;
    self->n = n;
    self->max_step = problem->max_step;
    for (size_t i = 0; i < n; i++) {
        self->rtol[i] = problem->rtol[i];
        self->atol[i] = problem->atol[i];
        self->size[i] = problem->size ? problem->size[i] : 0;
        self->excluded[i] = !(problem->rtol[i] > 0 || problem->atol[i] > 0);
        self->controlled += !self->excluded[i];
    }
    if (!attach_sundials(self, method))
        goto failed;
    self->f = problem->f;
    self->context = problem->context;
    *out = &self->base;
    return LASH_OK;

failed:
    multistep_destroy(&self->base);
    return lashi_fail_memory(error);
}

static lash_status adams_create(lashi_integrator **out, const lashi_problem *problem, lash_error *error);
static lash_status gear_create(lashi_integrator **out, const lashi_problem *problem, lash_error *error);

#define MULTISTEP_FUNCTIONS                                                                                  \
    .destroy = multistep_destroy, .restart = multistep_restart, .correct = multistep_correct,                \
    .rescale = multistep_rescale, .step = multistep_step, .interpolate = multistep_interpolate,              \
    .history_size = multistep_history_size, .save = multistep_save, .load = multistep_load

const lashi_integrator_kind lashi_adams = {
    .name = "adams",
    .doc = "Adams-Moulton of variable order 1 to 12 (CVODE): smooth motion that is expensive to evaluate",
    .remembers = true,
    .create = adams_create,
    MULTISTEP_FUNCTIONS,
};

const lashi_integrator_kind lashi_gear = {
    .name = "gear",
    .doc = "backward differentiation of variable order 1 to 5 (CVODE): stiff forces",
    .remembers = true,
    .create = gear_create,
    MULTISTEP_FUNCTIONS,
};

static lash_status adams_create(lashi_integrator **out, const lashi_problem *problem, lash_error *error) {
    return multistep_create(out, &lashi_adams, CV_ADAMS, problem, error);
}

static lash_status gear_create(lashi_integrator **out, const lashi_problem *problem, lash_error *error) {
    return multistep_create(out, &lashi_gear, CV_BDF, problem, error);
}
