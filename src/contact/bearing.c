/* SPDX-License-Identifier: MIT
 *
 * A journal bearing under a steady load (lash/bearing.h).
 *
 * With the centres at rest a = 0 and b = -eps w/2 (film.h). The load is -f: along the line of centres K g_r,
 * across it K g_t, so that the line of centres stands ahead of the load, with the rotation, by the attitude
 * angle
 *     phi = atan2(-g_t, g_r),   W = K |g|,   S = 1/(pi |g|)   for w = 1.
 * Journal friction: M = 2 pi/u + (eps/2)|g_t|, over mu w R^3 L/c; (R/c) f = M/|g|.
 *
 * Flows of the closed forms: the short bearing takes in (1 + eps)/2 at its widest film, passes on (1 - eps)/2
 * at its thinnest and loses eps at the sides; the long one carries (1 - eps^2)/(2 + eps^2) around, all over w
 * R c L.
 *
 * `reynolds` is solved directly here, on two grids extrapolated to one; the inlet groove is given from the
 * load, and its place from the line of centres, theta = groove - phi, is found together with phi.
 */
#include "lash/bearing.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "contact/film.h"
#include "contact/oil.h"
#include "math/root.h"

static const double pi = 3.14159265358979323846;
static const double celsius = 273.15;
/* Largest eccentricity that a load is searched for at. */
static const double eps_least = 1e-4, eps_most = 0.9995;
enum { AROUND = 256, ACROSS = 16 };

/* What all models give, for w = 1. */
typedef struct steady_film {
    double r, t, peak, inlet, side;
} steady_film;

typedef struct work {
    const lash_bearing_def *def;
    const lashi_film_law *law;
    lashi_inlet inlet;
    lashi_reynolds *grid; /* reynolds only */
    double eps;
    steady_film film;
    lash_status status; /* of the solutions inside a search */
    lash_error *error;
} work;

static const char *film_at(const void *list, size_t index) {
    (void)list;
    return lashi_film_name(index);
}
static const char *inlet_at(const void *list, size_t index) {
    (void)list;
    return lashi_inlet_name(index);
}

static lash_status unknown(const char *what, const char *word, const char *near, const char *choices,
                           lash_error *error) {
    return lashi_fail(error, LASH_ERROR_USAGE, "there is no %s '%s'; choose from: %s%s%s%s", what, word,
                      choices, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static lash_status begin(work *w, const lash_bearing_def *def, lash_error *error) {
    *w = (work){.def = def, .law = lashi_film_find(def->film), .error = error};
    const char *film = def->film ? def->film : "", *inlet = def->inlet ? def->inlet : "";
    if (!w->law)
        return unknown("film model", film, lashi_nearest(film, film_at, NULL), "reynolds, short, long",
                       error);
    if (strcmp(film, "squeeze-long") == 0)
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "the film model squeeze-long has no wedge: it carries no steady load");
    if (w->law->ball)
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "the film model %s is that of a ball in its socket, not of a bearing", film);
    if (!(def->length_ratio > 0) || !isfinite(def->length_ratio))
        return lashi_fail(error, LASH_ERROR_USAGE, "L/D is %g: it must be positive", def->length_ratio);
    if (!w->law->tabulated)
        return LASH_OK;
    w->inlet = lashi_inlet_of(inlet);
    if (strcmp(lashi_inlet_name(w->inlet), inlet) != 0)
        return unknown("inlet", inlet, lashi_nearest(inlet, inlet_at, NULL),
                       "max-film, periodic, groove at ANGLE", error);
    if (w->inlet == LASHI_INLET_GROOVE && !isfinite(def->groove))
        return lashi_fail(error, LASH_ERROR_USAGE, "the groove needs its angle from the load");
    return lashi_reynolds_create(&w->grid, AROUND, ACROSS, error);
}

static double extrapolate(double fine, double coarse) {
    return fine + (fine - coarse) / 3; // second order
}

static lash_status solve_grid(work *w, double pin) {
    lashi_reynolds_problem problem = {.length_ratio = w->def->length_ratio,
                                      .eps = w->eps,
                                      .b = -w->eps / 2,
                                      .cavitated = !w->def->full,
                                      .inlet = w->inlet,
                                      .pin = pin};
    lashi_reynolds_result fine, coarse;
    lash_status status = lashi_reynolds_solve(&fine, &coarse, w->grid, &problem, w->error);
    if (status == LASH_OK)
        w->film = (steady_film){.r = extrapolate(fine.radial, coarse.radial),
                                .t = extrapolate(fine.transverse, coarse.transverse),
                                .peak = extrapolate(fine.peak, coarse.peak),
                                .inlet = extrapolate(fine.inlet_flow, coarse.inlet_flow) / 2,
                                .side = extrapolate(fine.side_flow, coarse.side_flow) / 2};
    return status;
}

static double attitude(const steady_film *film) {
    return atan2(-film->t, film->r);
}

/* Zero where the attitude that a groove gives is the one it was placed for. */
static double groove_error(void *context, double phi) {
    work *w = context;
    if (w->status == LASH_OK)
        w->status = solve_grid(w, w->def->groove - phi);
    return w->status == LASH_OK ? attitude(&w->film) - phi : 0;
}

static lash_status solve_groove(work *w) {
    const double low = -pi / 2, high = pi, tolerance = 1e-8;
    double at_low = groove_error(w, low), at_high = groove_error(w, high);
    if (w->status == LASH_OK && !(at_low >= 0 && at_high <= 0))
        return lashi_fail(w->error, LASH_ERROR_LIMIT,
                          "with the groove at %g degrees from the load the bearing has no equilibrium",
                          w->def->groove * 180 / pi);
    double phi =
        w->status == LASH_OK ? lashi_root(groove_error, w, low, at_low, high, at_high, tolerance) : 0;
    groove_error(w, phi);
    return w->status;
}

static lash_status solve_closed(work *w) {
    lashi_film_data data = {.model = w->def->film,
                            .viscosity = 1,
                            .length = 2 * w->def->length_ratio,
                            .radius = 1,
                            .clearance = 1,
                            .full = w->def->full,
                            .shear = -1};
    lashi_film film;
    lashi_film_numbers numbers;
    lash_status status = lashi_film_compile(&film, &numbers, &data, w->error);
    if (status != LASH_OK)
        return status;
    double eps = w->eps, b = -eps / 2;
    lashi_impedance g = film.kind->impedance(&film, eps, 0, b);
    bool brief = strcmp(w->law->name, "short") == 0;
    w->film = (steady_film){.r = g.r,
                            .t = g.t,
                            .peak = lashi_film_peak(&film, (lashi_film_motion){.eps = eps, .omega_j = 1}),
                            .inlet = brief ? (1 + eps) / 2 : (1 - eps * eps) / (2 + eps * eps),
                            .side = brief ? eps : 0};
    lashi_film_clear(&film);
    return LASH_OK;
}

static lash_status solve_at(work *w, double eps) {
    w->eps = eps;
    return !w->law->tabulated               ? solve_closed(w)
           : w->inlet == LASHI_INLET_GROOVE ? solve_groove(w)
                                            : solve_grid(w, 0);
}

static lash_bearing_point point_of(const work *w) {
    double eps = w->eps, load = hypot(w->film.r, w->film.t);
    double torque = 2 * pi / sqrt((1 - eps) * (1 + eps)) + eps / 2 * fabs(w->film.t);
    return (lash_bearing_point){.eccentricity = eps,
                                .sommerfeld = 1 / (pi * load),
                                .attitude = attitude(&w->film),
                                .load = load,
                                .friction = torque / load,
                                .torque = torque,
                                .inlet_flow = w->film.inlet,
                                .side_flow = w->film.side,
                                .min_film = 1 - eps,
                                .peak_pressure = w->film.peak};
}

lash_bearing_def lash_bearing_default(void) {
    return (lash_bearing_def){.film = "reynolds", .length_ratio = 1, .inlet = "max-film", .groove = NAN};
}

lash_status lash_bearing_solve(lash_bearing_point *out, const lash_bearing_def *bearing, double eccentricity,
                               lash_error *error) {
    if (!out || !bearing)
        return lashi_fail_null(error);
    *out = (lash_bearing_point){0};
    if (!(eccentricity > 0 && eccentricity < 1))
        return lashi_fail(error, LASH_ERROR_USAGE, "the eccentricity is %g: it lies between 0 and 1",
                          eccentricity);
    work w;
    lash_status status = begin(&w, bearing, error);
    if (status == LASH_OK)
        status = solve_at(&w, eccentricity);
    if (status == LASH_OK)
        *out = point_of(&w);
    lashi_reynolds_destroy(w.grid);
    return status;
}

/* log of the load over the wanted one, rising with x = atanh(eps). */
typedef struct search {
    work *w;
    double load;
} search;

static double load_error(void *context, double x) {
    search *s = context;
    if (s->w->status == LASH_OK)
        s->w->status = solve_at(s->w, tanh(x));
    return s->w->status == LASH_OK ? log(hypot(s->w->film.r, s->w->film.t) / s->load) : 0;
}

lash_status lash_bearing_find(lash_bearing_point *out, const lash_bearing_def *bearing, double sommerfeld,
                              lash_error *error) {
    if (!out || !bearing)
        return lashi_fail_null(error);
    *out = (lash_bearing_point){0};
    if (!(sommerfeld > 0) || !isfinite(sommerfeld))
        return lashi_fail(error, LASH_ERROR_USAGE, "the Sommerfeld number is %g: it must be positive",
                          sommerfeld);
    const double tolerance = 1e-10;
    work w;
    lash_status status = begin(&w, bearing, error);
    search s = {&w, 1 / (pi * sommerfeld)};
    if (status == LASH_OK) {
        double low = atanh(eps_least), high = atanh(eps_most);
        double at_low = load_error(&s, low), at_high = load_error(&s, high);
        status = w.status;
        if (status == LASH_OK && at_low > 0)
            status =
                lashi_fail(error, LASH_ERROR_LIMIT, "the load is so small that the journal runs centred");
        else if (status == LASH_OK && at_high < 0)
            status = lashi_fail(
                error, LASH_ERROR_LIMIT,
                "the load is too large: even at an eccentricity of %g the film does not carry it", eps_most);
        if (status == LASH_OK) {
            load_error(&s, lashi_root(load_error, &s, low, at_low, high, at_high, tolerance));
            status = w.status;
        }
    }
    if (status == LASH_OK)
        *out = point_of(&w);
    lashi_reynolds_destroy(w.grid);
    return status;
}

const char *lash_bearing_warning(const lash_bearing_def *bearing) {
    if (!bearing)
        return NULL;
    const lashi_film_law *law = lashi_film_find(bearing->film);
    bool outside =
        law && (bearing->length_ratio < law->trusted_from || bearing->length_ratio > law->trusted_to);
    return outside ? law->warning : NULL;
}

const char *lash_film_name(size_t index) {
    return lashi_film_name(index);
}

const char *lash_oil_name(size_t index) {
    return lashi_oil_name(index);
}

lash_status lash_oil_viscosity(double *out, const char **warning, const char *oil, double temperature,
                               lash_error *error) {
    if (!out || !oil)
        return lashi_fail_null(error);
    return lashi_oil_viscosity(out, warning, oil, temperature - celsius, error);
}
