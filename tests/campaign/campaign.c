/* SPDX-License-Identifier: MIT
 *
 * A campaign of random machines: each is run with three methods and two tolerances and judged by what must
 * hold whatever the machine is.
 *
 *   campaign FIRST COUNT STEPS [-v]   seeds FIRST … FIRST + COUNT − 1, at most STEPS steps a run; -v prints
 *                                     every message; exit code 1 when a machine is wrong
 *   campaign FIRST --text             the model of a seed
 *
 * A run that ends by STEPS is judged by what it has done until then.
 *
 * Judged: the run ends well or with a message; every number is finite; no contact is beyond its wall in free
 * flight, at the ends of steps and inside; the energy balance closes; momentum of free bodies is conserved;
 * runs of machines without play agree at the end, those with play in their first contact.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/machine.h"
#include "lash/lash.h"

enum {
    METHODS = 3,
    TOLERANCES = 2,
    RUNS = METHODS * TOLERANCES,
    MOST_CONTACTS = 64,
    MOST_VALUES = 256,
    LOOKS = 4
};
static const char *const methods[METHODS] = {"dop853", "adams", "gear"};
static const char *const tolerances[TOLERANCES] = {"1e-6", "1e-9"};

/* Penetration in free flight that locating a contact leaves, m; and of the machine's size. */
static const double AT_WALL = 1e-10, AT_WALL_OF_SIZE = 1e-11;
/* Of the energy exchanged; of the momentum there is; of size, speed and angle: agreement at the end of fine
 * runs, of coarse ones; of the duration: of first contacts. */
static const double UNBALANCED = 1e-2, UNBALANCED_FINE = 1e-5, MOMENTUM = 1e-7, FINE = 1e-4, COARSE = 0.05,
                    FIRST_CONTACT = 1e-3;

/* Error of a run at rtol 1e-9, of that at 1e-6. */
static const double CONVERGES = 0.05;

typedef struct outcome {
    lash_status status;
    char message[200];
    double values[MOST_VALUES]; /* x, y, angle and their rates of all bodies at the end */
    size_t count;
    double first; /* s, first contact; NaN: none */
    double balance;
    size_t contacts;
} outcome;

/* What the observer needs. */
typedef struct watch {
    size_t delta[MOST_CONTACTS], mode[MOST_CONTACTS], contacts;
    double deepest; /* m, penetration seen in free flight */
    double allowed;
    double momentum[3], drift[3], scale[3]; /* at the start, largest change, what there is */
    const machine *m;
    size_t body[MACHINE_BODIES][5]; /* x, y, vx, vy, wz */
} watch;

static void find_momentum(double P[3], double scale[3], const watch *w, lash_sim *sim, double t,
                          bool inside) {
    memset(P, 0, 3 * sizeof *P);
    for (size_t b = 0; b < w->m->bodies; b++) {
        double v[5];
        for (int k = 0; k < 5; k++)
            v[k] = inside ? lash_sim_value_at(sim, w->body[b][k], t) : lash_sim_value(sim, w->body[b][k]);
        const double m = w->m->mass[b], J = w->m->inertia[b];
        P[0] += m * v[2];
        P[1] += m * v[3];
        P[2] += m * (v[0] * v[3] - v[1] * v[2]) + J * v[4];
        scale[0] = scale[1] = fmax(scale[0], m * hypot(v[2], v[3]));
        scale[2] = fmax(scale[2], m * hypot(v[0], v[1]) * hypot(v[2], v[3]) + J * fabs(v[4]));
    }
}

static lash_status observe(void *user, lash_sim *sim, double t_old, double t_new) {
    watch *w = user;
    for (int k = 1; k <= LOOKS; k++) {
        const double t = k == LOOKS ? t_new : t_old + (t_new - t_old) * k / LOOKS;
        for (size_t c = 0; c < w->contacts; c++)
            if (lash_sim_value_at(sim, w->mode[c], t) == 0)
                w->deepest = fmax(w->deepest, lash_sim_value_at(sim, w->delta[c], t));
    }
    if (w->m->free) {
        double P[3];
        find_momentum(P, w->scale, w, sim, t_new, true);
        for (int k = 0; k < 3; k++)
            w->drift[k] = fmax(w->drift[k], fabs(P[k] - w->momentum[k]));
    }
    return LASH_OK;
}

static bool ends_with(const char *name, const char *tail) {
    const size_t n = strlen(name), m = strlen(tail);
    return n >= m && strcmp(name + n - m, tail) == 0;
}

static void prepare(watch *w, lash_sim *sim) {
    for (size_t c = 0; c < lash_sim_channel_count(sim); c++) {
        const char *name = lash_sim_channel_name(sim, c);
        char mode[200];
        if (!ends_with(name, ".delta") || w->contacts == MOST_CONTACTS)
            continue;
        snprintf(mode, sizeof mode, "%.*s.mode", (int)(strlen(name) - 6), name);
        w->delta[w->contacts] = c;
        w->mode[w->contacts++] = lash_sim_find_channel(sim, mode);
    }
    static const char *const parts[] = {"x", "y", "vx", "vy", "wz"};
    for (size_t b = 0; w->m->free && b < w->m->bodies; b++)
        for (int k = 0; k < 5; k++) {
            char name[40];
            snprintf(name, sizeof name, "%s.%s", w->m->names[b], parts[k]);
            w->body[b][k] = lash_sim_find_channel(sim, name);
        }
    if (w->m->free)
        find_momentum(w->momentum, w->scale, w, sim, 0, false);
}

static void keep_end(outcome *out, lash_sim *sim, const machine *m) {
    static const char *const parts[] = {".x", ".y", ".z", ".angle", ".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
    for (size_t c = 0; c < lash_sim_channel_count(sim) && out->count < MOST_VALUES; c++) {
        const char *name = lash_sim_channel_name(sim, c), *unit = lash_sim_channel_unit(sim, c);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (ends_with(name, parts[k])) {
                const double scale = strcmp(unit, "m") == 0     ? m->length
                                     : strcmp(unit, "m/s") == 0 ? m->speed
                                     : strcmp(unit, "rad") == 0 ? 1
                                                                : m->speed / m->length;
                out->values[out->count++] = lash_sim_value(sim, c) / scale;
                break;
            }
    }
}

/* One run; complaints go to `why`, "" where all is well. */
static void run_one(outcome *out, char why[400], const machine *m, const char *method, const char *rtol,
                    const char *steps) {
    *out = (outcome){.first = (double)NAN};
    why[0] = 0;
    lash_error error = {0};
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    lash_record *record = NULL;
    const lash_setting settings[] = {{"run.method", method}, {"run.rtol", rtol}, {"run.max_steps", steps}};
    const lash_load_options options = {.settings = settings, .setting_count = 3};
    const lash_record_options rows = {.samples = 40, .every = (double)NAN};
    watch w = {.m = m, .allowed = AT_WALL + AT_WALL_OF_SIZE * m->length};
    lash_status status = lash_model_parse(&model, m->text, strlen(m->text), "machine.yaml", &options, &error);
    if (status) {
        snprintf(why, 400, "its model is refused: line %d: %.300s", error.line, error.message);
        goto done;
    }
    status = lash_system_compile(&system, model, &error);
    if (!status)
        status = lash_sim_create(&sim, system, &error);
    if (!status)
        status = lash_record_create(&record, sim, &rows, &error);
    if (!status)
        status = lash_record_to_memory(record, &error);
    if (status)
        goto done;
    prepare(&w, sim);
    const lash_run_control control = {.observe = observe, .user = &w};
    status = lash_sim_run(sim, record, &control, &error);
    const lash_summary s = lash_sim_summary(sim);
    out->balance = s.energy_exchanged > 0 ? s.max_balance_error / s.energy_exchanged : 0;
    if (w.deepest > w.allowed)
        snprintf(why, 400, "in free flight %.3g m beyond the wall", w.deepest);
    size_t count, events;
    const double *value = lash_record_rows(&count, record, LASH_STREAM_SAMPLES);
    for (size_t i = 0; i < count * lash_record_column_count(record); i++)
        if (!isfinite(value[i]) && status >= 0)
            snprintf(why, 400, "%s is not finite",
                     lash_record_column_name(record, i % lash_record_column_count(record)));
    const lash_event *event = lash_record_events(&events, record);
    for (size_t k = 0; k < events && isnan(out->first); k++)
        if (event[k].kind == LASH_EVENT_ONSET || event[k].kind == LASH_EVENT_IMPACT)
            out->first = event[k].time;
    if (status >= 0) {
        keep_end(out, sim, m);
        for (size_t k = 0; k < s.clearance_count; k++)
            out->contacts += s.clearances[k].contacts;
        // No tolerance holds below that which rounding leaves.
        const char *joint;
        const double least = lash_system_least_rtol(system, &joint) / strtod(rtol, NULL),
                     most = strcmp(rtol, tolerances[0]) == 0
                                ? UNBALANCED
                                : fmin(UNBALANCED, UNBALANCED_FINE * fmax(1, least));
        if (out->balance > most)
            snprintf(why, 400, "energy off by %.3g of the exchange", out->balance);
        for (int k = 0; k < 3; k++)
            if (w.drift[k] > MOMENTUM * fmax(w.scale[k], fabs(w.momentum[k])))
                snprintf(why, 400, "%s momentum changes by %.3g of what there is",
                         k < 2 ? "linear" : "angular", w.drift[k] / w.scale[k]);
    }
done:
    out->status = status;
    if (status < 0)
        snprintf(out->message, sizeof out->message, "%.199s", error.message);
    lash_record_destroy(record);
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

static double apart(const outcome *a, const outcome *b) {
    double worst = a->count == b->count ? 0 : INFINITY;
    for (size_t k = 0; k < a->count && k < b->count; k++)
        worst = fmax(worst, fabs(a->values[k] - b->values[k]) / fmax(1, fabs(a->values[k])));
    return worst;
}

/* How runs ended. */
enum { WELL, AT_LIMIT, NOT_TRUSTED, OTHERWISE, ENDINGS };
static const char *const endings[ENDINGS] = {"to the end", "at a limit", "not to be trusted",
                                             "with another message"};

static int ending_of(lash_status status) {
    return status >= 0                     ? WELL
           : status == LASH_ERROR_LIMIT    ? AT_LIMIT
           : status == LASH_ERROR_ACCURACY ? NOT_TRUSTED
                                           : OTHERWISE;
}

/* How many things are wrong with the machine of a seed. */
static int judge(uint64_t seed, const char *steps, bool verbose, size_t ended[ENDINGS]) {
    static machine m;
    static outcome run[RUNS];
    int wrong = 0;
    machine_make(&m, seed);
    for (int k = 0; k < RUNS; k++) {
        char why[400];
        const char *method = methods[k / TOLERANCES], *rtol = tolerances[k % TOLERANCES];
        run_one(&run[k], why, &m, method, rtol, steps);
        ended[ending_of(run[k].status)]++;
        if (why[0]) {
            printf("seed %llu, %s, %s, rtol %s: %s\n", (unsigned long long)seed, m.family, method, rtol, why);
            wrong++;
        }
        if (run[k].status < 0 &&
            (verbose || run[k].status == LASH_ERROR_INTERNAL || run[k].status == LASH_ERROR_MODEL))
            printf("seed %llu, %s, %s, rtol %s: %s: %s\n", (unsigned long long)seed, m.family, method, rtol,
                   lash_status_name(run[k].status), run[k].message);
        wrong += run[k].status == LASH_ERROR_INTERNAL;
    }
    // The finest run of dop853 is what the others are compared with.
    const outcome *fine = &run[TOLERANCES - 1];
    for (int k = 0; k < RUNS; k++) {
        if (fine->status < 0 || run[k].status < 0)
            continue;
        const bool coarse = k % TOLERANCES == 0;
        const char *method = methods[k / TOLERANCES], *rtol = tolerances[k % TOLERANCES];
        // Where small differences grow, as in a long chain, runs still come together as the tolerance falls.
        const double error = apart(fine, &run[k]), twin = apart(fine, &run[k ^ 1]);
        const bool converges =
            run[k ^ 1].status >= 0 && (coarse ? twin < CONVERGES * error : error < CONVERGES * twin);
        if (m.smooth && error > (coarse ? COARSE : FINE) && !converges) {
            printf("seed %llu, %s, %s, rtol %s: ends %.3g apart from the finest run\n",
                   (unsigned long long)seed, m.family, method, rtol, error);
            wrong++;
        }
        const double late = fabs(run[k].first - fine->first);
        if (isnan(run[k].first) != isnan(fine->first) || late > FIRST_CONTACT * m.duration) {
            printf("seed %llu, %s, %s, rtol %s: first contact at %.9g s, in the finest run at %.9g s\n",
                   (unsigned long long)seed, m.family, method, rtol, run[k].first, fine->first);
            wrong++;
        }
    }
    return wrong;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: campaign FIRST COUNT STEPS [-v] | campaign FIRST --text\n");
        return 2;
    }
    const uint64_t first = strtoull(argv[1], NULL, 10);
    if (strcmp(argv[2], "--text") == 0) {
        static machine m;
        machine_make(&m, first);
        fputs(m.text, stdout);
        return 0;
    }
    if (argc < 4) {
        fprintf(stderr, "the largest number of steps is missing\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    const bool verbose = argc > 4 && strcmp(argv[4], "-v") == 0;
    size_t ended[ENDINGS] = {0}, machines = 0;
    for (uint64_t k = 0; k < count; k++) {
        machines += judge(first + k, argv[3], verbose, ended) > 0;
        fflush(stdout);
    }
    printf("%llu machines, %zu of them wrong. Runs:", (unsigned long long)count, machines);
    for (int k = 0; k < ENDINGS; k++)
        printf(" %zu %s%s", ended[k], endings[k], k + 1 < ENDINGS ? "," : ".\n");
    return machines > 0;
}
