/* SPDX-License-Identifier: MIT
 *
 * Compiling a film, and the search for its largest pressure.
 */
#include "contact/film.h"

#include "base/error.h"
#include "base/text.h"
#include "contact/film_groove.h"

static const double pi = 3.14159265358979323846;

static const char *name_at(const void *list, size_t index) {
    (void)list;
    return lashi_film_name(index);
}

static lash_status check(const lashi_film_data *d, bool ball, lash_error *error) {
    const struct {
        double value;
        const char *what, *unit;
    } sizes[] = {{d->viscosity, "viscosity", "Pa s"},
                 {ball ? d->radius : d->length, ball ? "ball radius" : "length", "m"},
                 {d->radius, "journal radius", "m"},
                 {d->clearance, "clearance", "m"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (isnan(sizes[i].value))
            return lashi_fail(error, LASH_ERROR_MODEL, "the film needs the %s", sizes[i].what);
        if (!(sizes[i].value > 0) || !isfinite(sizes[i].value))
            return lashi_fail(error, LASH_ERROR_MODEL, "the %s of the film is %g %s: it must be positive",
                              sizes[i].what, sizes[i].value, sizes[i].unit);
    }
    return LASH_OK;
}

lash_status lashi_film_compile(lashi_film *out, lashi_film_numbers *p, const lashi_film_data *data,
                               lash_error *error) {
    *out = (lashi_film){0};
    const lashi_film_law *kind = lashi_film_find(data->model);
    if (!kind) {
        const char *word = data->model ? data->model : "", *near = lashi_nearest(word, name_at, NULL);
        return lashi_fail(error, LASH_ERROR_MODEL, "there is no film model '%s'%s%s%s", word,
                          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    lash_status status = check(data, kind->ball, error);
    if (status != LASH_OK)
        return status;
    if (data->inlet == LASHI_INLET_GROOVE && !kind->grooved)
        return lashi_fail(error, LASH_ERROR_MODEL, "the film model %s has no groove: take reynolds",
                          kind->name);
    if (data->inlet == LASHI_INLET_GROOVE && !isfinite(data->groove))
        return lashi_fail(error, LASH_ERROR_MODEL, "the groove needs its angle");
    if (kind->ball && !data->full)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "the film model %s is a full film: cavitation is not covered", kind->name);
    double R = data->radius, c = data->clearance, L = kind->ball ? R : data->length, ratio = L / (2 * R);
    const bool shear = data->shear < 0 ? kind->shear : data->shear > 0;
    *p = (lashi_film_numbers){
        .viscosity = data->viscosity,
        .radius = R,
        .clearance = c,
        .length_ratio = ratio,
        .scale = data->viscosity * L * R * (R / c) * (R / c),
        .shear = shear ? 2 * pi * data->viscosity * L * R * R * (R / c) : 0,
    };
    if (data->inlet == LASHI_INLET_GROOVE) {
        p->groove[0] = cos(data->groove);
        p->groove[1] = sin(data->groove);
    }
    lashi_film film = {
        .p = p,
        .kind = kind,
        .full = data->full,
        .warning = ratio < kind->trusted_from || ratio > kind->trusted_to ? kind->warning : NULL,
    };
    lashi_film_key key = {data->inlet, data->full, ratio};
    if (data->inlet == LASHI_INLET_GROOVE)
        status = lashi_groove_table_create(&film.groove_table, &key, error);
    else if (kind->tabulated)
        status = lashi_film_table_create(&film.table, &key, error);
    if (status != LASH_OK)
        return status;
    *out = film;
    return LASH_OK;
}

void lashi_film_clear(lashi_film *film) {
    lashi_film_table_destroy(film->table);
    lashi_groove_table_destroy(film->groove_table);
    *film = (lashi_film){0};
}

/* The angle at the position s of [0, 1]: half the steps even in theta, half in Sommerfeld's variable. */
static double spread(double eps, double s) {
    double theta = pi * (2 * s - 1);
    return 2 * atan(sqrt(sqrt((1 - eps) / (1 + eps))) * tan(theta / 2));
}

/* Scans the circle in the middle plane and closes in on the best place by golden section. */
static double search_peak(const lashi_film *film, double eps, double a, double b) {
    enum { STEPS = 256, SECTIONS = 60 };
    const double golden = 0.61803398874989485;
    int best = 0;
    double top = -INFINITY;
    for (int i = 0; i < STEPS; i++) {
        double P = film->kind->pressure(film, eps, a, b, spread(eps, (i + 0.5) / STEPS), 0);
        if (P > top) {
            top = P;
            best = i;
        }
    }
    // spread is not continued over the turn: +-1 step about the best is enough, also beyond +-pi.
    double width = spread(eps, (best + 1.0) / STEPS) - spread(eps, (double)best / STEPS);
    double middle = spread(eps, (best + 0.5) / STEPS), low = middle - 2 * width, high = middle + 2 * width;
    for (int i = 0; i < SECTIONS; i++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        if (film->kind->pressure(film, eps, a, b, left, 0) > film->kind->pressure(film, eps, a, b, right, 0))
            high = right;
        else
            low = left;
    }
    return fmax(film->kind->pressure(film, eps, a, b, (low + high) / 2, 0), 0);
}

double lashi_film_peak(const lashi_film *film, lashi_film_motion m) {
    m.eps = fmin(m.eps, LASHI_FILM_EPS_MAX);
    double a = m.radial, b = lashi_film_squeeze(&m);
    double P = film->groove_table ? film->kind->grooved_peak(film, m.eps, a, b, m.place)
               : film->kind->peak ? film->kind->peak(film, m.eps, a, b)
                                  : search_peak(film, m.eps, a, b);
    double slender = film->p->radius / film->p->clearance;
    return film->p->viscosity * slender * slender * P;
}
