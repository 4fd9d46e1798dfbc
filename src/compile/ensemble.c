/* SPDX-License-Identifier: MIT
 *
 * Ensembles: members as rows of doubles (ensemble.h), and what runs them.
 */
#include "lash/ensemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/cores.h"
#include "compile/gpu.h"
#include "compile/grip.h"
#include "compile/write.h"
#include "sim/sim.h"

/* The columns of a member as the text has them (ensemble.h). */
enum { T, H, STATUS, ERROR, Y };
enum {
    RUNNING,
    AT_END,
    TOO_SHORT,
    ELSEWHERE,
    TOO_DEEP,
    TOO_FAR,
    TOO_MANY,
    UNSETTLED,
    UNYIELDING,
    LOST_CONTACT
};
enum {
    END,
    BEGIN,
    UNTIL,
    CUT,
    CUT_PERIOD,
    CUT_COUNT,
    CUT_NEXT,
    INTERVAL,
    ALIGN,
    BLOCK,
    INTERVAL_NEXT,
    STOP,
    SOUGHT, /* … of an extremum */
    STEPS = SOUGHT + 9,
    EVALUATIONS,
    KINETIC, /* of the account */
    POTENTIAL,
    ELASTIC,
    LOST,
    INPUT,
    EXCHANGED,
    BALANCE,
    APART,
    TAKEN,
    REST_COLUMNS
};
enum { TOUCHING, SPEED, STEP, SINCE, MASS, INVERSE, WEIGHED = 2, SHADOWED = 2 };
enum { WAY_OF_GRIP, SHARE, HELD, GRIP_COLUMNS };
enum { COUNT, TIME, PEAK, IMPACTS, IMPACT, FOLLOWING, SUM_COLUMNS };
enum { LEAST, MOST, SUM, SQUARES, LAST, DOUBT, NOISE, VALUE_COLUMNS };
/* By how much two rules may differ in the mean of a channel, as a share of its largest value: channels that go with the motion
 * differ by less than a tenth of it, what is not resolved at all by as much as its value. */
static const double MOST_DOUBT = 0.02;
/* Larger than any value. */
static const double FAR = 1e300;

/* What the account of a member may show. */
typedef struct allowance {
    double balance, rtol, own_energy, apart; /* as in src/sim/account.c */
} allowance;

struct lash_ensemble {
    char *text;       /* of a member */
    double *first;    /* [numbers] of the first one, … */
    bool *varies;     /* … and those that others differ in: the list of a member */
    lashi_seen *seen; /* [cuts][channels][losses] */
    lashi_state_size state;
    int *place; /* [numbers_of_y] of the numbers of the state in y */
    int numbers_of_y;
    int contacts, switches, cuts, channels;
    bool impacts, weigh, bounded, shadow;
    unsigned long long modes;        /* bits of contacts that are constraints at times … */
    unsigned long long always;       /* … and always */
    bool changes;                    /* of modes */
    int grips;                       /* contacts and places of ideal joints, if friction may hold some */
    size_t numbers, listed, columns; /* of a member */
    double *members;                 /* [count][columns] */
    double *lists;                   /* [count][listed] */
    double *stops;                   /* of all members; those of each end with INFINITY; and tables */
    size_t stop_count, stop_capacity;
    size_t list, list_count; /* the list of stops that the last one with a list of its own has */
    struct table {
        size_t at, size; /* in stops, doubles, … */
        double fine;     /* … behind which its sights are; 0: there are none */
    } * tables;
    size_t table_count, table_capacity;
    size_t count, capacity, list_capacity;
    size_t most_cuts;   /* of any member */
    double *cut_values; /* [count][most_cuts][cuts], when it has been run */
    allowance *trust;   /* [count] */
    size_t trust_capacity;
    bool run;
};

static int state_columns(const lash_ensemble *e) {
    return 2 * e->state.pairs + e->state.others;
}
static int values(const lash_ensemble *e) {
    return e->cuts + e->channels + (e->impacts ? e->contacts : 0);
}
static int contact_columns(const lash_ensemble *e) {
    return SINCE + e->weigh * WEIGHED + e->bounded + e->changes + e->shadow * (SHADOWED + e->bounded);
}
static int column_contact(const lash_ensemble *e, int contact) {
    return Y + state_columns(e) * (1 + e->shadow) + contact_columns(e) * contact;
}
static int column_grip(const lash_ensemble *e, int grip) {
    return column_contact(e, e->contacts) + GRIP_COLUMNS * grip;
}
static int column_rest(const lash_ensemble *e, int k) {
    return column_grip(e, e->grips) + 3 * e->switches + k;
}
static int column_sum(const lash_ensemble *e, int contact) {
    return column_rest(e, REST_COLUMNS) + SUM_COLUMNS * contact;
}
static int column_value(const lash_ensemble *e, int value) {
    return column_sum(e, e->contacts) + VALUE_COLUMNS * value;
}
static int column_growth(const lash_ensemble *e, int block) {
    return column_value(e, values(e)) + 2 * block;
}
/* How far and how fast it has been, as shares of its own motion; its origin. */
static int column_way(const lash_ensemble *e) {
    return column_growth(e, e->shadow ? LASH_ENSEMBLE_BLOCKS : 0);
}
enum { WAY, PACE, MOTION_COLUMNS };
static const double *member_at(const lash_ensemble *e, size_t member) {
    return e->members + member * e->columns;
}

/* Masses of a contact in which a member begins: the inverse of its mass, and the mass of the equivalent free
 * impact (weigh_contacts in src/sim/contact_events.c). */
typedef struct begun_contact {
    double inverse, mass;
} begun_contact;

/* Of power laws in closed form; of cylinders the mass whose free impact at the speed of first touch lasts as long. */
static double equivalent_mass(const lashi_normal *law, double mass, double speed, double first) {
    if (law->family != LASHI_NORMAL_CYLINDER)
        return mass * pow(first / speed, law->p->exponent - 1);
    const double time = lashi_normal_estimate(law, mass, speed).time;
    double low = -300, high = 300; // powers of ten
    for (int k = 0; k < 50; k++) {
        const double middle = 0.5 * (low + high);
        *(lashi_normal_estimate(law, pow(10, middle), first).time < time ? &low : &high) = middle;
    }
    return pow(10, low);
}

/* Most doubles of tables and stops that members have together, 1 GB. */
enum { MOST_SHARED = 1 << 27 };
static lash_status fail_shared(lash_error *error) {
    return lashi_fail(
        error, LASH_ERROR_LIMIT,
        "the tables and histories of so many machines, each with its own, do not fit into memory");
}

/* Whether two tables are the same: most that are not differ at one of a few places already. */
static bool are_alike(const double *a, const double *b, size_t size) {
    enum { PLACES = 64 };
    for (size_t k = 0; k < PLACES; k++)
        if (a[size * k / PLACES] != b[size * k / PLACES])
            return false;
    return memcmp(a, b, size * sizeof *a) == 0;
}

/* The place of a table among those that all share, each once; with its sights. */
static bool share_table(size_t *place, lash_ensemble *e, const lashi_shared_table *shared) {
    const double *values = shared->coefficients;
    const struct table one = {e->stop_count, shared->size / sizeof *values,
                              isnan(shared->fine) ? 0 : shared->fine};
    const size_t sights = one.fine > 0 ? lashi_table_size(shared->points) : 0;
    bool room = true;
    for (size_t k = 0; k < e->table_count; k++)
        if (e->tables[k].size == one.size && e->tables[k].fine == one.fine &&
            are_alike(e->stops + e->tables[k].at, values, one.size)) {
            *place = e->tables[k].at;
            return true;
        }
    for (size_t j = 0; room && j < one.size + sights; j++)
        room = lashi_append(e->stops, e->stop_count, e->stop_capacity, j < one.size ? values[j] : 0);
    if (room && sights)
        lashi_table_sights(e->stops + one.at + one.size, shared->points, one.fine);
    *place = one.at;
    return room && lashi_append(e->tables, e->table_count, e->table_capacity, one);
}

static lash_status share_tables(lash_ensemble *e, lashi_text *text, lash_error *error) {
    for (size_t i = 0; i < text->shared_count; i++) {
        size_t place = 0;
        if (e->stop_count > MOST_SHARED)
            return fail_shared(error);
        if (!share_table(&place, e, &text->shared[i]))
            return lashi_fail_memory(error);
        text->numbers[text->shared[i].number] = (double)place;
    }
    return LASH_OK;
}

/* The text and the numbers of a member, and its contacts. */
static lash_status write_member(lashi_text *out, begun_contact *begun, const lash_system *system,
                                lash_ensemble *e, lash_error *error) {
    lashi_workspace *w = NULL;
    const size_t n = (size_t)system->n_y;
    double *rtol = calloc(5 * n + 1, sizeof *rtol), *atol = rtol + n, *ydot = atol + n, *share = ydot + n,
           *least = share + n;
    lash_status status = rtol ? lashi_workspace_create(&w, system, error) : lashi_fail_memory(error);
    *out = (lashi_text){0};
    if (!status) {
        lashi_set_tolerances(rtol, atol, system);
        lashi_set_motion(share, least, system);
        const lashi_looks looks = {.seen = e->seen,
                                   .count = values(e),
                                   .cuts = e->cuts,
                                   .impacts = e->impacts,
                                   .shadow = e->shadow,
                                   .rtol = rtol,
                                   .atol = atol,
                                   .resolution = lashi_unrounded_tolerance(system),
                                   .rounding = lashi_rounding(system),
                                   .share = share,
                                   .least = least,
                                   .least_pace = lashi_least_pace(atol, least, system)};
        status = lashi_text_write_ensemble(out, w, &looks, error);
    }
    if (!status)
        status = share_tables(e, out, error);
    bool evaluated = false;
    for (int k = 0; !status && begun && e->weigh && k < system->contact_count; k++) {
        const lashi_memory *memory = &system->memories0[k];
        if (!memory->touching || system->contacts[k].constraint >= 0)
            continue;
        if (!evaluated && lashi_evaluate(ydot, w, system->start, system->y0))
            break;
        evaluated = true;
        const lashi_gap *gap = &w->contact_states[k].gap;
        const double mass = lashi_effective_mass(w, k, gap, gap->n);
        // With the speed of that impact in place of the speed at first touch.
        const lashi_normal *law = &system->contacts[k].normal;
        const double speed =
            sqrt(gap->deltadot * gap->deltadot + 2 * lashi_normal_energy(law, gap->delta) / mass);
        begun[k].inverse = 1 / mass;
        begun[k].mass = equivalent_mass(law, mass, fmax(speed, law->p->speed_floor),
                                        fmax(memory->onset.speed, law->p->speed_floor));
    }
    lashi_workspace_destroy(w);
    free(rtol);
    return status;
}

static lash_status find_all(lash_ensemble *e, const lash_system *system, const char *const *channels,
                            size_t count, bool extrema, int first, lash_error *error) {
    for (size_t k = 0; k < count; k++) {
        lashi_seen *seen = &e->seen[first + (int)k];
        if (!channels[k] || !lashi_seen_find(seen, system, channels[k]))
            return lashi_fail(
                error, LASH_ERROR_USAGE,
                "'%s' cannot be looked at in an ensemble: energies that are summed over time, modes, "
                "orientations, "
                "pressures of films, violations of constraints and the gap of permanent contact cannot, nor "
                "reactions beside rows that repeat others",
                channels[k] ? channels[k] : "");
        seen->extrema = extrema;
    }
    return LASH_OK;
}

lash_status lash_ensemble_create(lash_ensemble **out, const lash_system *system,
                                 const lash_ensemble_plan *plan, lash_error *error) {
    lashi_text text = {0};
    if (out)
        *out = NULL;
    if (!out || !system || !plan || (!plan->channels && plan->channel_count) ||
        (!plan->cuts && plan->cut_count))
        return lashi_fail_null(error);
    const size_t seen =
        plan->channel_count + plan->cut_count + (plan->contacts ? (size_t)system->contact_count : 0);
    if (seen > LASHI_MOST_SEEN)
        return lashi_fail(error, LASH_ERROR_USAGE, "an ensemble looks at %d channels at most",
                          (int)LASHI_MOST_SEEN);
    lash_ensemble *e = calloc(1, sizeof *e);
    if (!e || !(e->seen = calloc(seen + 1, sizeof *e->seen)) ||
        !(e->place = calloc((size_t)system->n_y + 1, sizeof *e->place))) {
        lash_ensemble_destroy(e);
        return lashi_fail_memory(error);
    }
    e->numbers_of_y = system->n_y;
    e->state = lashi_ensemble_state(e->place, system);
    e->contacts = system->contact_count;
    e->switches = lashi_ensemble_switches(system, plan->contacts);
    e->channels = (int)plan->channel_count;
    e->cuts = (int)plan->cut_count;
    e->impacts = plan->contacts;
    e->weigh = lashi_ensemble_weighs(system, plan->contacts);
    e->bounded = lashi_ensemble_is_bounded(system);
    e->modes = lashi_ensemble_modes(system);
    for (int k = 0; k < e->contacts && k < LASHI_MOST_SEEN; k++)
        e->always |= (unsigned long long)(system->contacts[k].model == LASHI_MODEL_PERMANENT) << k;
    e->changes = lashi_ensemble_changes(system);
    e->grips = lashi_ensemble_grips(system);
    e->shadow = plan->exponent;
    lash_status status = find_all(e, system, plan->cuts, plan->cut_count, plan->ranges, 0, error);
    if (!status)
        status = find_all(e, system, plan->channels, plan->channel_count, true, e->cuts, error);
    for (int k = 0; e->impacts && k < e->contacts; k++)
        e->seen[e->cuts + e->channels + k] = lashi_seen_loss(system, k);
    if (!status)
        status = write_member(&text, NULL, system, e, error);
    if (!status && !text.text)
        status = lashi_fail(error, LASH_ERROR_MODEL, "ensembles are not made yet for %s", text.why);
    if (!status) {
        e->text = text.text;
        e->first = text.numbers;
        e->numbers = text.number_count;
        text.text = NULL;
        text.numbers = NULL;
        if (!(e->varies = calloc(e->numbers + 1, sizeof *e->varies)))
            status = lashi_fail_memory(error);
    }
    if (!status) {
        e->columns = (size_t)(column_way(e) + MOTION_COLUMNS + state_columns(e));
        *out = e;
    } else {
        lash_ensemble_destroy(e);
    }
    lashi_text_clear(&text);
    return status;
}

void lash_ensemble_destroy(lash_ensemble *ensemble) {
    if (!ensemble)
        return;
    free(ensemble->text);
    free(ensemble->first);
    free(ensemble->varies);
    free(ensemble->seen);
    free(ensemble->place);
    free(ensemble->members);
    free(ensemble->lists);
    free(ensemble->stops);
    free(ensemble->tables);
    free(ensemble->trust);
    free(ensemble->cut_values);
    free(ensemble);
}

/* A first step that is short for any machine; the first attempts make it longer. */
static const double FIRST_STEP = 1e-7;

static double end_of(const lash_ensemble *e, const lash_ensemble_span *span) {
    return e->shadow
               ? span->until + (double)(span->align + LASH_ENSEMBLE_BLOCKS * span->block) * span->interval
               : span->until;
}

static lash_status check_span(const lash_ensemble *e, const lash_system *system,
                              const lash_ensemble_span *span, lash_error *error) {
    const double end = end_of(e, span);
    if (!(span->until > system->start) || !isfinite(end) || !isfinite(span->from) ||
        !(span->from < span->until))
        return lashi_fail(
            error, LASH_ERROR_USAGE,
            "a member must end after its start, %g s, and after the time from which values count",
            system->start);
    if (e->shadow && (!(span->interval > 0) || span->block == 0))
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "an exponent needs an interval > 0 and at least one in a block");
    if (e->cuts && span->cuts &&
        (!(span->cut > system->start) || !(span->cut_period > 0) || !isfinite(span->cut + span->cut_period) ||
         span->cuts > (size_t)1 << 40))
        return lashi_fail(error, LASH_ERROR_USAGE, "cuts come after the start, and time passes between them");
    for (int k = 0; k < system->drive_count; k++)
        if (!(fabs(lashi_profile_jet(&lashi_drive_constraint(system, k)->profile, end).f) <
              0.5 * LASHI_TRIG_RANGE))
            return lashi_fail(error, LASH_ERROR_USAGE,
                              "the drive '%s' goes too far in that time: %g rad at most",
                              system->drives[k].name, 0.5 * LASHI_TRIG_RANGE);
    return LASH_OK;
}

static bool add_stop(lash_ensemble *e, double t) {
    return lashi_append(e->stops, e->stop_count, e->stop_capacity, t);
}

/* The times at which the steps of a member must end: where its forces or drives pass from one piece to the
 * next, and inside a piece in which they vary, so that the stages see it (farthest in sim/sim.c). */
static lash_status add_stops(lash_ensemble *e, const lash_system *system, double end, lash_error *error) {
    enum { PARTS = 4, MOST_PIECES = 200000 };
    lashi_piece piece = lashi_piece_from(system, system->start);
    double t = system->start;
    bool room = true, jumps;
    lash_status status = LASH_OK;
    for (size_t pieces = 1; !status && room && piece.end < end; pieces++) {
        for (int k = 1; room && piece.varies && k < PARTS; k++)
            room = add_stop(e, t + (piece.end - t) * k / PARTS);
        t = piece.end;
        room = room && add_stop(e, t);
        const lashi_piece after = lashi_piece_from(system, t);
        status = lashi_piece_pass(&jumps, system, t, piece, after, error);
        piece = after;
        // How many it will be is seen early.
        const double share = (t - system->start) / (end - system->start);
        if (!status && (double)pieces > MOST_PIECES * fmax(share, 0.01))
            status = lashi_fail(error, LASH_ERROR_MODEL,
                                "ensembles are not made yet for forces or drives that change so often");
        if (!status && e->stop_count > MOST_SHARED)
            status = fail_shared(error);
    }
    for (int k = 1; room && !status && piece.varies && isfinite(piece.end) && k < PARTS; k++)
        room = add_stop(e, t + (piece.end - t) * k / PARTS);
    room = room && add_stop(e, (double)INFINITY);
    return status ? status : room ? LASH_OK : lashi_fail_memory(error);
}

/* Where the list of stops that was added is in the end: a history that many members have is there once. */
static size_t share_stops(lash_ensemble *e, size_t added) {
    const size_t count = e->stop_count - added;
    if (count > 0 && count == e->list_count &&
        memcmp(e->stops + e->list, e->stops + added, count * sizeof *e->stops) == 0) {
        e->stop_count = added;
        return e->list;
    }
    e->list = added;
    e->list_count = count;
    return added;
}

/* The columns of a member at its start. */
static void begin_member(double *m, const lash_ensemble *e, const lash_system *system,
                         const lash_ensemble_span *span, const begun_contact *begun, lash_sim *sim) {
    const double *y = sim ? sim->y_start : system->y0;
    double *rest = m + column_rest(e, 0);
    memset(m, 0, e->columns * sizeof *m);
    m[T] = system->start;
    m[H] = fmin(FIRST_STEP, 0.01 * (span->until - system->start));
    m[ERROR] = 1;
    for (int i = 0; i < state_columns(e); i++)
        m[Y + i] = y[e->place[i]];
    for (int i = 0; i < state_columns(e); i++)
        m[column_way(e) + MOTION_COLUMNS + i] = y[e->place[i]];
    double *mode = m + column_rest(e, 0) - 3 * e->switches, *border = mode + e->switches;
    if (system->machine.switch_count)
        lashi_switches_bands(border, border + e->switches, sim);
    for (int k = 0; k < system->machine.switch_count; k++)
        *mode++ = sim->modes[k];
    for (int k = 0; k < e->contacts; k++)
        if (lashi_ensemble_has_switch(system, k, e->impacts)) {
            mode[e->switches] = -1;                                  // it never rests
            *mode++ = system->memories0[k].onset.unloading ? -1 : 1; // N is looked at when it begins
        }
    rest[END] = end_of(e, span);
    rest[BEGIN] = span->from;
    rest[UNTIL] = span->until;
    rest[CUT] = span->cut;
    rest[CUT_PERIOD] = span->cut_period;
    rest[CUT_COUNT] = e->cuts ? (double)span->cuts : 0;
    rest[INTERVAL] = span->interval;
    rest[ALIGN] = (double)span->align;
    rest[BLOCK] = (double)span->block;
    for (int k = 0; k < e->contacts; k++) {
        double *c = m + column_contact(e, k);
        const lashi_memory *memory = sim ? &sim->memories[k] : &system->memories0[k];
        const bool always = system->contacts[k].constraint >= 0 && !(e->modes >> k & 1);
        c[TOUCHING] = always || memory->touching != 0;
        c[SPEED] = memory->onset.speed;
        if (e->weigh) {
            c[SINCE] = system->start;
            c[MASS] = begun[k].mass;
        }
        if (e->bounded)
            c[INVERSE] = begun[k].inverse;
    }
    for (int k = 0; k < e->grips; k++)
        m[column_grip(e, k) + WAY_OF_GRIP] = m[column_grip(e, k) + SHARE] = 1;
    for (int r = 0; e->grips && r < system->rub_count; r++) {
        const lashi_rub_memory *memory = &sim->rub_memories[r];
        const int contact = system->rubs[r].contact;
        double *grip = m + column_grip(e, contact >= 0 ? contact : e->contacts + r);
        if (memory->mode == LASHI_RUB_BY_SPEED) // it does not touch, or never sticks
            continue;
        const bool sticks = memory->mode == LASHI_RUB_STICKS;
        grip[WAY_OF_GRIP] = sticks ? LASHI_GRIP_STICKS : memory->way[0];
        grip[SHARE] = sticks ? fmin(memory->share, LASHI_GRIP_LARGEST_SHARE) : 1;
        grip[HELD] = memory->held[0];
    }
    const double own = lashi_own_speed(system);
    for (int v = 0; v < values(e); v++) {
        m[column_value(e, v) + LEAST] = FAR;
        m[column_value(e, v) + MOST] = -FAR;
        m[column_value(e, v) + NOISE] = lashi_noise(system, e->seen[v].unit, own, 0);
    }
}

/* The list of a member that has these numbers. */
static void fill_list(double *list, const lash_ensemble *e, const double *numbers) {
    for (size_t k = 0; k < e->numbers; k++)
        if (e->varies[k])
            *list++ = numbers[k];
}

/* Whether number k of a machine is not that of the first one, or none that can be written into the text. */
static bool differs(const lash_ensemble *e, const double *numbers, size_t k) {
    return numbers[k] != e->first[k] || !isfinite(e->first[k]);
}

/* Numbers in which a machine differs from the first one are listed for all members from now on. */
static lash_status vary(lash_ensemble *e, const double *numbers, lash_error *error) {
    size_t listed = 0;
    for (size_t k = 0; k < e->numbers; k++)
        listed += e->varies[k] || differs(e, numbers, k);
    if (listed == e->listed)
        return LASH_OK;
    double *wider = malloc((e->count + 1) * listed * sizeof *wider), *to = wider;
    if (!wider)
        return lashi_fail_memory(error);
    for (size_t i = 0; i < e->count; i++) {
        const double *from = e->lists + i * e->listed;
        for (size_t k = 0; k < e->numbers; k++)
            if (e->varies[k])
                *to++ = *from++;
            else if (differs(e, numbers, k))
                *to++ = e->first[k];
    }
    for (size_t k = 0; k < e->numbers; k++)
        e->varies[k] |= differs(e, numbers, k);
    free(e->lists);
    e->lists = wider;
    e->list_capacity = e->count + 1;
    e->listed = listed;
    return LASH_OK;
}

/* The numbers of a machine, if it has the same structure as the first one. */
static lash_status compare_member(lashi_text *out, begun_contact *begun, lash_ensemble *e,
                                  const lash_system *system, lash_error *error) {
    const bool alike = system->contact_count == e->contacts && system->n_y == e->numbers_of_y;
    lash_status status = LASH_OK;
    *out = (lashi_text){0};
    if (alike)
        status = write_member(out, begun, system, e, error);
    if (!status && (!out->text || strcmp(out->text, e->text) != 0))
        status = lashi_fail(error, LASH_ERROR_MODEL, "a member of another structure than the first one");
    return status ? status : vary(e, out->numbers, error);
}

lash_status lash_ensemble_vary(lash_ensemble *ensemble, const lash_system *system, lash_error *error) {
    lashi_text text;
    if (!ensemble || !system)
        return lashi_fail_null(error);
    const lash_status status = compare_member(&text, NULL, ensemble, system, error);
    lashi_text_clear(&text);
    return status;
}

lash_status lash_ensemble_add(lash_ensemble *ensemble, const lash_system *system,
                              const lash_ensemble_span *span, lash_error *error) {
    lashi_text text = {0};
    lash_ensemble *e = ensemble;
    if (!e || !system || !span)
        return lashi_fail_null(error);
    lash_sim *sim = NULL;
    begun_contact *begun = calloc((size_t)e->contacts + 1, sizeof *begun);
    lash_status status = begun ? check_span(e, system, span, error) : lashi_fail_memory(error);
    if (!status)
        status = compare_member(&text, begun, e, system, error);
    if (!status &&
        (!lashi_grow(&e->trust, &e->trust_capacity, e->count, sizeof *e->trust) ||
         !lashi_grow(&e->members, &e->capacity, e->count, e->columns * sizeof(double)) ||
         (e->listed && !lashi_grow(&e->lists, &e->list_capacity, e->count, e->listed * sizeof(double)))))
        status = lashi_fail_memory(error);
    // States of signals, pieces of conditions, and which contacts follow from the start.
    if (!status && (system->machine.read_count || e->changes))
        status = lash_sim_create(&sim, system, error);
    const size_t stops = e->stop_count;
    if (!status && system->breaks)
        status = add_stops(e, system, end_of(e, span), error);
    if (status)
        e->stop_count = stops;
    if (!status) {
        begin_member(e->members + e->count * e->columns, e, system, span, begun, sim);
        e->members[e->count * e->columns + (size_t)column_rest(e, STOP)] = (double)share_stops(e, stops);
        e->trust[e->count] = (allowance){system->model->run.balance, system->model->run.rtol,
                                         lashi_own_energy(system), lashi_violation_allowed(system)};
        fill_list(e->lists + e->count * e->listed, e, text.numbers);
        e->count++;
        if (e->cuts && span->cuts > e->most_cuts)
            e->most_cuts = span->cuts;
        e->run = false;
    }
    lash_sim_destroy(sim);
    free(begun);
    lashi_text_clear(&text);
    return status;
}

size_t lash_ensemble_count(const lash_ensemble *ensemble) {
    return ensemble ? ensemble->count : 0;
}

size_t lash_ensemble_channel_count(const lash_ensemble *ensemble) {
    return ensemble ? (size_t)(ensemble->cuts + ensemble->channels) : 0;
}

/* Members that run on a core between two reports of progress. */
enum { AT_ONCE = 64 };

lash_status lash_ensemble_can(lash_on on, lash_error *error) {
    char why[LASHI_GPU_SAYS];
    if (on != LASH_ON_LANES && on != LASH_ON_GPU)
        return lashi_fail(error, LASH_ERROR_USAGE, "an ensemble runs on lanes or on a GPU");
    if (on == LASH_ON_GPU && !lashi_gpu_is_there(why))
        return lashi_fail(error, LASH_ERROR_IO, "there is no GPU: %s", why);
    return LASH_OK;
}

/* What a run works on. */
typedef struct work {
    lash_ensemble *e;
    char *text;
    size_t cut_count; /* values of a member */
    bool (*progress)(void *user, size_t finished);
    void *user;
    size_t finished;
    bool stopped;
} work;

static lashi_members_function *find_lanes(const work *w, lash_error *error) {
    char why[LASHI_COMPILER_SAYS];
    lashi_members_function *run = lashi_compiler_lanes(w->text, why);
    if (!run)
        lashi_fail(error, LASH_ERROR_IO, "the ensemble cannot be compiled: %s", why);
    return run;
}

static bool is_stopped(void *user) {
    work *w = user;
    w->stopped = w->progress && !w->progress(w->user, w->finished);
    return w->stopped;
}

static lash_status run_on_lanes(work *w, lash_error *error) {
    lash_ensemble *e = w->e;
    lashi_members_function *run = find_lanes(w, error);
    if (!run)
        return LASH_ERROR_IO;
    for (size_t first = 0; first < e->count; first += AT_ONCE) {
        const size_t last = first + AT_ONCE < e->count ? first + AT_ONCE : e->count;
        run(e->members, e->lists, e->stops, e->cut_values, (long)w->cut_count, (long)first, (long)last,
            is_stopped, w);
        w->finished = last;
        if (w->stopped || is_stopped(w))
            return LASH_STOP_INTERRUPTED;
    }
    return LASH_OK;
}

/* Cores that work beside a GPU, and their members: the text with one lane. */
static const char alone[] = "#undef W\n#define W 1\n";
/* LEFT_PER_CORE: members per core that end the work of the GPU; the cores take them. CORE_SPEED: attempts of
 * a core in the time of one attempt of a GPU's thread. SLOW: how much longer than the mean a member must last
 * to be given to a core. */
enum { LEFT_PER_CORE = 16 };
static const double CORE_SPEED = 20, SLOW = 2;

typedef struct beside {
    work *w;
    lashi_members_function *run;
    lashi_cores
        *cores; /* NULL: they have not begun, for to start them takes as long as to copy the first members */
    double *before; /* [count], s, times of the members after the last launch but one */
    struct slow {
        size_t member;
        double lasts; /* launches */
    } * slow;         /* [count] */
    double load;      /* launches of attempts that cores have been given */
} beside;

static int descending(const void *a, const void *b) {
    const struct slow *x = a, *y = b;
    return x->lasts != y->lasts ? (x->lasts < y->lasts) - (x->lasts > y->lasts)
                                : (x->member > y->member) - (x->member < y->member);
}

/* Chooses the members that would last longest, as many as the cores can finish while the GPU finishes the
 * others. */
static double choose(void *user, const lashi_gpu_round *round, size_t *away, size_t *away_count) {
    beside *b = user;
    const lash_ensemble *e = b->w->e;
    const double *t = round->reached, *status = t + LASHI_GPU_STATUS * round->count;
    const double cores = (double)lashi_cores_count(), launches = fmax(round->launches, 1);
    const double few_are = LEFT_PER_CORE * cores * (double)round->count / (double)e->count;
    double *before = b->before + round->first;
    const int end = column_rest(e, END);
    size_t open = 0, slow = 0;
    double rates = 0;
    if (round->begins)
        memcpy(before, t, round->count * sizeof *t);
    for (size_t i = 0; i < round->count; i++)
        if (status[i] == 0) {
            open++;
            rates += (t[i] - before[i]) / (member_at(e, round->first + i)[end] - t[i]);
        }
    const bool few = (double)open <= few_are;
    const double mean = (double)open / rates, // harmonic: the slowest hardly count
        most = cores * CORE_SPEED * mean * launches;
    for (size_t i = 0; i < round->count; i++)
        if (status[i] == 0) {
            const double lasts = (member_at(e, round->first + i)[end] - t[i]) / (t[i] - before[i]);
            if (few || (lasts > SLOW * mean + 1 && lasts < FAR))
                b->slow[slow++] = (struct slow){round->first + i, lasts < FAR ? lasts : 0};
        }
    memcpy(before, t, round->count * sizeof *t);
    qsort(b->slow, slow, sizeof *b->slow, descending);
    // What they have done since the group before.
    b->load = fmax(b->load - cores * CORE_SPEED * launches * round->share, 0);
    for (size_t k = 0; k < slow; k++)
        if (few || b->load + b->slow[k].lasts <= most) {
            b->load += b->slow[k].lasts;
            away[(*away_count)++] = b->slow[k].member;
        }
    return mean;
}

static bool take(void *user, size_t member, const double *row, const double *cuts) {
    beside *b = user;
    const lash_ensemble *e = b->w->e;
    if (!b->cores)
        b->cores = lashi_cores_start(b->run, e->stops, e->columns, e->listed, b->w->cut_count);
    lashi_alone *one = b->cores ? lashi_cores_room(b->cores) : NULL;
    if (!one)
        return false;
    one->member = member;
    memcpy(one->columns, row, e->columns * sizeof *row);
    if (e->listed)
        memcpy(one->numbers, e->lists + member * e->listed, e->listed * sizeof *one->numbers);
    memcpy(one->cuts, cuts, b->w->cut_count * sizeof *cuts);
    lashi_cores_take(b->cores, one);
    return true;
}

static bool look(void *user, size_t finished) {
    const beside *b = user;
    b->w->finished = finished;
    if (b->cores)
        b->w->finished -= lashi_cores_taken(b->cores) - lashi_cores_ended(b->cores);
    return !is_stopped(b->w);
}

/* Copies what the cores have reached into the members. */
static void gather(const beside *b) {
    const lash_ensemble *e = b->w->e;
    for (size_t i = 0; i < lashi_cores_taken(b->cores); i++) {
        const lashi_alone *one = lashi_cores_at(b->cores, i);
        memcpy(e->members + one->member * e->columns, one->columns, e->columns * sizeof *one->columns);
        memcpy(e->cut_values + one->member * b->w->cut_count, one->cuts, b->w->cut_count * sizeof *one->cuts);
    }
}

static lash_status run_on_gpu(work *w, lash_error *error) {
    char why[LASHI_COMPILER_SAYS];
    lash_ensemble *e = w->e;
    _Static_assert((int)LASHI_COMPILER_SAYS == (int)LASHI_GPU_SAYS, "messages of one size");
    const lash_status there = lash_ensemble_can(LASH_ON_GPU, error);
    if (there)
        return there;
    const size_t length = strlen(w->text) + sizeof alone;
    char *text = malloc(length), *code = NULL;
    beside b = {
        .w = w, .before = malloc(e->count * sizeof *b.before), .slow = malloc(e->count * sizeof *b.slow)};
    lash_status status = text && b.before && b.slow ? LASH_OK : lashi_fail_memory(error);
    if (!status) {
        snprintf(text, length, "%s%s", alone, w->text);
        if (!(code = lashi_compiler_gpu(w->text, why)) || !(b.run = lashi_compiler_lanes(text, why)))
            status = lashi_fail(error, LASH_ERROR_IO, "the ensemble cannot be compiled for the GPU: %s", why);
    }
    if (!status) {
        const lashi_gpu_job job = {.code = code,
                                   .threads = lashi_ensemble_block(e->state.pairs + e->state.others),
                                   .count = e->count,
                                   .rows = e->members,
                                   .column_count = e->columns,
                                   .lists = e->lists,
                                   .number_count = e->listed,
                                   .stops = e->stops,
                                   .stop_count = e->stop_count,
                                   .cuts = e->cut_values,
                                   .cut_count = w->cut_count,
                                   .calls = {choose, take, look},
                                   .user = &b};
        const bool done = lashi_gpu_members(&job, why);
        while (done && !w->stopped && b.cores && lashi_cores_wait(b.cores))
            look(&b, e->count);
        if (b.cores) {
            lashi_cores_stop(b.cores);
            gather(&b);
        }
        if (w->stopped)
            status = LASH_STOP_INTERRUPTED;
        else if (!done)
            status = lashi_fail(error, LASH_ERROR_IO, "the GPU gave up: %s", why);
    }
    lashi_cores_destroy(b.cores);
    free(b.before);
    free(b.slow);
    free(text);
    free(code);
    return status;
}

lash_status lash_ensemble_run(lash_ensemble *ensemble, lash_on on,
                              bool (*progress)(void *user, size_t finished), void *user, lash_error *error) {
    lash_ensemble *e = ensemble;
    if (!e)
        return lashi_fail_null(error);
    if (on != LASH_ON_LANES && on != LASH_ON_GPU)
        return lashi_fail(error, LASH_ERROR_USAGE, "an ensemble runs on lanes or on a GPU");
    if (e->count == 0)
        return LASH_OK;
    work w = {.e = e,
              .text = lashi_ensemble_text(e->text, e->first, e->varies, e->numbers),
              .cut_count = e->most_cuts * (size_t)e->cuts,
              .progress = progress,
              .user = user};
    // The cuts of an earlier run stay where the members are the same.
    if (!e->run) {
        free(e->cut_values);
        e->cut_values = calloc(w.cut_count * e->count + 1, sizeof *e->cut_values);
    }
    lash_status status = LASH_ERROR_MEMORY;
    if (w.text && e->cut_values) {
        status = (on == LASH_ON_GPU ? run_on_gpu : run_on_lanes)(&w, error);
        e->run = true;
    } else {
        lashi_fail_memory(error);
    }
    free(w.text);
    return status;
}

/* Whether the account of a member shows that it can be trusted: the verdict of src/sim/account.c, from fewer
 * numbers. No energy was larger than at the start and what has been exchanged together. */
static bool is_trusted(const lash_ensemble *e, size_t member) {
    const double *rest = member_at(e, member) + column_rest(e, 0);
    const allowance *trust = &e->trust[member];
    const double pace = fmax(member_at(e, member)[column_way(e) + PACE], LASHI_STANDS_STILL);
    const double kinetic = rest[KINETIC] + rest[EXCHANGED],
                 largest = kinetic + fabs(rest[POTENTIAL]) + fabs(rest[ELASTIC]);
    return rest[APART] <= trust->apart &&
           rest[BALANCE] <= lashi_balance_tolerated(trust->balance, trust->rtol, rest[TAKEN],
                                                    trust->own_energy * pace, kinetic, largest,
                                                    rest[EXCHANGED]);
}

/* Integral over the time that counts. */
static double integral(const lash_ensemble *e, const double *m, int value) {
    return m[column_value(e, value) + SUM];
}
static double length_of(const lash_ensemble *e, const double *m) {
    const double *rest = m + column_rest(e, 0);
    return rest[UNTIL] - rest[BEGIN];
}

/* Whether the steps of a member were short enough for its channels: some change faster than the motion, such as the sine of
 * an angle. */
static bool is_resolved(const lash_ensemble *e, size_t member) {
    const double *m = member_at(e, member);
    for (int k = 0; k < e->channels; k++) {
        const double *v = m + column_value(e, e->cuts + k);
        const double largest = fmax(v[NOISE], fmax(fabs(v[LEAST]), fabs(v[MOST])));
        if (v[LEAST] < FAR && v[DOUBT] > MOST_DOUBT * length_of(e, m) * largest)
            return false;
    }
    return true;
}

lash_status lash_ensemble_status(const lash_ensemble *ensemble, size_t member) {
    if (!ensemble || member >= ensemble->count || !ensemble->run ||
        member_at(ensemble, member)[STATUS] == RUNNING)
        return LASH_ERROR_USAGE;
    return member_at(ensemble, member)[STATUS] != AT_END                   ? LASH_ERROR_STEP
           : is_trusted(ensemble, member) && is_resolved(ensemble, member) ? LASH_OK
                                                                           : LASH_ERROR_ACCURACY;
}

const char *lash_ensemble_reason(const lash_ensemble *ensemble, size_t member) {
    static const char *const given_up[] = {
        [TOO_SHORT] = "steps became too short",
        [ELSEWHERE] = "it was stopped",
        [TOO_DEEP] = "a contact became deeper than its law holds",
        [TOO_FAR] = "an angle became too large",
        [TOO_MANY] = "there were more than max_steps steps",
        [UNSETTLED] = "conditions changed without end",
        [UNYIELDING] =
            "rigid contacts repeated each other, or had too much friction, or nothing could give way to "
            "an impact",
        [LOST_CONTACT] = "a contact was lost where the run ends then (stop_at_loss)",
    };
    switch (lash_ensemble_status(ensemble, member)) {
    case LASH_ERROR_STEP: return given_up[(int)member_at(ensemble, member)[STATUS]];
    case LASH_ERROR_ACCURACY:
        return is_trusted(ensemble, member) ? "a channel changed faster than the steps could follow"
                                            : "the energy balance was off, or joints came apart";
    default: return "";
    }
}

double lash_ensemble_value(const lash_ensemble *ensemble, size_t member, size_t channel,
                           lash_ensemble_what what) {
    const lash_ensemble *e = ensemble;
    if (lash_ensemble_status(e, member) != LASH_OK || channel >= (size_t)(e->channels + e->cuts))
        return (double)NAN;
    const int value = (int)channel < e->channels ? e->cuts + (int)channel : (int)channel - e->channels;
    const double *m = member_at(e, member), *v = m + column_value(e, value);
    switch (what) {
    case LASH_ENSEMBLE_LEAST: return v[LEAST] < FAR ? v[LEAST] : (double)NAN;
    case LASH_ENSEMBLE_MOST: return v[MOST] > -FAR ? v[MOST] : (double)NAN;
    case LASH_ENSEMBLE_MEAN: return integral(e, m, value) / length_of(e, m);
    case LASH_ENSEMBLE_RMS: return sqrt(v[SQUARES] / length_of(e, m));
    case LASH_ENSEMBLE_END: return v[LAST];
    }
    return (double)NAN;
}

double lash_ensemble_cut(const lash_ensemble *ensemble, size_t member, size_t cut, size_t channel) {
    const lash_ensemble *e = ensemble;
    if (lash_ensemble_status(e, member) != LASH_OK || channel >= (size_t)e->cuts ||
        !((double)cut < member_at(e, member)[column_rest(e, CUT_NEXT)]))
        return (double)NAN;
    return e->cut_values[(member * e->most_cuts + cut) * (size_t)e->cuts + channel];
}

lash_ensemble_contact lash_ensemble_contact_of(const lash_ensemble *ensemble, size_t member, size_t contact) {
    const lash_ensemble *e = ensemble;
    const double none = (double)NAN;
    if (lash_ensemble_status(e, member) != LASH_OK || contact >= (size_t)e->contacts)
        return (lash_ensemble_contact){none, none, none, none, none, none, none};
    const double *m = member_at(e, member), *c = m + column_sum(e, (int)contact);
    return (lash_ensemble_contact){
        .begun = c[COUNT],
        .share = c[TIME] / length_of(e, m),
        .peak = c[PEAK],
        .impacts = e->impacts ? c[IMPACTS] : none,
        .impact_time = !e->impacts                ? none
                       : e->always >> contact & 1 ? 0
                                                  : c[IMPACT],
        .following_time = !e->impacts                             ? none
                          : (e->modes | e->always) >> contact & 1 ? c[TIME]
                                                                  : c[FOLLOWING],
        .energy_lost = e->impacts ? integral(e, m, e->cuts + e->channels + (int)contact) : none};
}

lash_status lash_ensemble_growth(double growth[LASH_ENSEMBLE_BLOCKS], const lash_ensemble *ensemble,
                                 size_t member) {
    const lash_ensemble *e = ensemble;
    if (!growth || lash_ensemble_status(e, member) != LASH_OK || !e->shadow)
        return LASH_ERROR_USAGE;
    for (int b = 0; b < LASH_ENSEMBLE_BLOCKS; b++) {
        const double *g = member_at(e, member) + column_growth(e, b);
        if (!(g[0] > 0))
            return LASH_ERROR_LIMIT;
        growth[b] = log(g[0]) + g[1] * log(2);
    }
    return LASH_OK;
}

double lash_ensemble_steps(const lash_ensemble *ensemble, size_t member, double *evaluations) {
    const bool known = ensemble && member < ensemble->count;
    const double *rest = known ? member_at(ensemble, member) + column_rest(ensemble, 0) : NULL;
    if (evaluations)
        *evaluations = known ? rest[EVALUATIONS] : (double)NAN;
    return known ? rest[STEPS] : (double)NAN;
}

double lash_ensemble_balance(const lash_ensemble *ensemble, size_t member) {
    return ensemble && member < ensemble->count ? member_at(ensemble, member)[column_rest(ensemble, BALANCE)]
                                                : (double)NAN;
}
