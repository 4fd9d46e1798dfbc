/* SPDX-License-Identifier: MIT
 *
 * The bed of springs between worn surfaces: see worn.h.
 */
#include "contact/worn.h"

#include <math.h>
#include <string.h>

#include "contact/surface.h"
#include "math/trig.h"

#define INLINE static inline __attribute__((always_inline))

static const double TWO_PI = 6.283185307179586;
/* Of a root, a maximum or a depth by steps of second order: how many there may be, and the last one, in sectors or as a
 * share, after which the next is rounding. */
enum { STEPS = 60 };
static const double CLOSE = 1e-9;
/* Of a bracket, in place of a step of Newton's that leaves it. */
static const double HALF = 0.5;

/* Gauss–Legendre on [−1, 1]. */
enum { POINTS = 5 };
static const double gauss_x[POINTS] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                       0.9061798459386640};
static const double gauss_w[POINTS] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                       0.4786286704993665, 0.2369268850561891};

/* The places of a sector that are tabulated: its node, and those of Gauss's formula. */
static const double place_of[LASHI_WORN_PLACES] = {0,   0.0469100770306680, 0.2307653449471584,
                                                   0.5, 0.7692346550528415, 0.9530899229693319};

/* ---- profiles ---- */

/* Of a place a few turns away at most: quicker than a division. */
static int wrapped(int s, int sectors) {
    while (s < 0)
        s += sectors;
    while (s >= sectors)
        s -= sectors;
    return s;
}

/* At x sectors from the first node, a few turns at most. */
INLINE lashi_surface_jet surface_at(const lashi_surface *surface, double x) {
    if (!surface->a)
        return (lashi_surface_jet){0, 0, 0};
    const double whole = floor(x);
    return lashi_surface_in(surface, wrapped((int)whole, surface->sectors), x - whole,
                            surface->sectors / TWO_PI);
}

lashi_surface_jet lashi_surface_at(const lashi_surface *surface, double angle) {
    return surface_at(surface, fmod(angle, TWO_PI) * (surface->sectors / TWO_PI));
}

/* The system (a_{s−1} + 4 a_s + a_{s+1})/6 = h_s, around the circle: the corner entries by the formula of
 * Sherman and Morrison (Numerical Recipes, section 2.7). */
void lashi_surface_fit(double *a, const double *h, int sectors, double *work) {
    double *factor = work,
           *z = work + sectors; // the matrix without its corners, diagonal changed at both ends
    const double gamma = -4, off = 1;
    double pivot = 4 - gamma;
    a[0] = 6 * h[0] / pivot;
    z[0] = gamma / pivot;
    for (int s = 1; s < sectors; s++) {
        const bool last = s == sectors - 1;
        factor[s] = off / pivot;
        pivot = (last ? 4 - off * off / gamma : 4) - off * factor[s];
        a[s] = (6 * h[s] - off * a[s - 1]) / pivot;
        z[s] = ((last ? off : 0) - off * z[s - 1]) / pivot;
    }
    for (int s = sectors - 2; s >= 0; s--) {
        a[s] -= factor[s + 1] * a[s + 1];
        z[s] -= factor[s + 1] * z[s + 1];
    }
    const double share = (a[0] + off * a[sectors - 1] / gamma) / (1 + z[0] + off * z[sectors - 1] / gamma);
    for (int s = 0; s < sectors; s++)
        a[s] -= share * z[s];
}

bool lashi_surface_is_worn(const double *a, int sectors, int count) {
    static const double ROUNDING = 1e-12; // of the largest
    double least = 0, most = 0;
    for (int s = sectors; s < count; s++)
        if (!(a[s] >= 0 && isfinite(a[s])))
            return false;
    for (int s = 0; s < sectors; s++) {
        if (!isfinite(a[s]))
            return false;
        const double h = (a[s ? s - 1 : sectors - 1] + 4 * a[s] + a[s + 1 < sectors ? s + 1 : 0]) / 6;
        least = fmin(least, h);
        most = fmax(most, fabs(a[s]));
    }
    return least >= -ROUNDING * most;
}

void lashi_surface_gain(double *gain, const double *shares, int sectors) {
    // What each sector would give to its neighbours, and which part of that it has.
    for (int s = 0; s < sectors; s++) {
        const double before = shares[s ? s - 1 : sectors - 1], after = shares[s + 1 < sectors ? s + 1 : 0],
                     asked = (fmax(0, after - shares[s]) + fmax(0, before - shares[s])) / 3;
        gain[s] = asked > shares[s] ? shares[s] / asked : 1;
    }
    const double first = gain[0];
    double last_flow = 0, first_flow = 0;
    for (int s = 0; s < sectors; s++) { // from s to s + 1
        const int next = s + 1 < sectors ? s + 1 : 0;
        const double rise = shares[next] - shares[s], flow = rise / 3 *
                                                             (rise > 0 ? gain[s]
                                                              : next   ? gain[next]
                                                                       : first);
        gain[s] = shares[s] - flow + last_flow;
        if (s == 0)
            first_flow = flow;
        last_flow = flow;
    }
    gain[0] = shares[0] - first_flow + last_flow;
    for (int s = 0; s < sectors; s++)
        gain[s] = fmax(gain[s], 0); // rounding
}

double lashi_surface_deepest(const lashi_surface *surface) {
    double deepest = 0;
    const int S = surface->sectors;
    for (int s = 0; surface->a && s < S; s++) {
        const double *a = surface->a, a1 = a[s], a2 = a[s + 1 < S ? s + 1 : 0];
        const double before = a1 - a[s ? s - 1 : S - 1], here = a2 - a1, after = a[wrapped(s + 2, S)] - a2;
        deepest = fmax(deepest, surface_at(surface, s).h);
        if (!(before + here > 0 && here + after < 0))
            continue;
        // The zero of twice the slope, (D₂ − 2D₁ + D₀) f² + 2(D₁ − D₀) f + D₀ + D₁.
        const double square = after - 2 * here + before, half = here - before, constant = before + here;
        const double root = sqrt(fmax(0, half * half - square * constant));
        deepest = fmax(deepest, surface_at(surface, s + fmin(constant / (root - half), 1)).h);
    }
    double end = 0;
    for (int s = S; surface->a && s < surface->count; s++)
        end = fmax(end, surface->a[s]);
    return deepest + end;
}

void lashi_surface_share(double *shares, int sectors, double x, double weight) {
    const double whole = floor(x);
    const int first = wrapped((int)whole - 1, sectors);
    double w[4];
    lashi_surface_weights(w, x - whole);
    for (int k = 0; k < 4; k++)
        shares[first + k < sectors ? first + k : first + k - sectors] += weight * w[k];
}

void lashi_worn_prepare(lashi_worn *worn) {
    worn->least = 0;
    for (int p = 0; p < 2; p++) {
        worn->steepest[p] = 0;
        if (!worn->surface[p].a)
            continue;
        const int S = worn->surface[p].sectors;
        double least = INFINITY, steepest = 0;
        for (int s = 0; s < S; s++) {
            least = fmin(least, worn->surface[p].a[s]);
            steepest = fmax(steepest, fabs(worn->surface[p].a[s] - worn->surface[p].a[s ? s - 1 : S - 1]));
        }
        worn->least += least;
        worn->steepest[p] = steepest * S / TWO_PI;
    }
    const int S = worn->surface[0].sectors;
    for (int s = 0; worn->table && s < S; s++)
        for (int kind = 0; kind < LASHI_WORN_PLACES; kind++) {
            const double x = s + place_of[kind];
            const lashi_surface_jet b = surface_at(&worn->surface[0], x);
            lashi_worn_sector *to = &worn->table[s];
            to->h[kind] = b.h;
            to->dh[kind] = b.dh;
            lashi_sincos(x * (TWO_PI / S), &to->sine[kind], &to->cosine[kind]);
        }
}

/* ---- depth ---- */

enum { REACHING = 5 }; /* four around a place; a node may lie between two of them */

/* The surfaces at one instant, angles counted in sectors of the bearing. */
typedef struct faces {
    const lashi_worn *worn;
    double clearance;
    lashi_vec2 e;       /* m */
    double size, theta; /* of e: m; rad */
    double turned;      /* sectors, α */
    double width;       /* rad, of a sector */
    /* Of the journal, where it is turned like that: sectors from one of the bearing to the first of the REACHING splines
     * that reach its tabulated places, and how they weigh there, 1 and 1/rad. */
    int shift;
    double w[REACHING][LASHI_WORN_PLACES], dw[REACHING][LASHI_WORN_PLACES];
} faces;

typedef struct place {
    double x;            /* sectors */
    double d, slope;     /* m, m per sector */
    double bend;         /* m per sector² */
    double cosine, sine; /* of its angle */
    double journal_rise; /* m/rad, h_j′ */
} place;

/* Inline, as those that follow: of what they find, most callers need a part. */
INLINE place place_at(const faces *f, double x) {
    place p = {.x = x};
    lashi_sincos(x * f->width, &p.sine, &p.cosine);
    const lashi_surface_jet b = surface_at(&f->worn->surface[0], x),
                            j = surface_at(&f->worn->surface[1], x - f->turned);
    const double along = f->e.x * p.cosine + f->e.y * p.sine;
    p.journal_rise = j.dh;
    p.d = along - f->clearance - b.h - j.h;
    p.slope = f->width * (f->e.y * p.cosine - f->e.x * p.sine - b.dh - j.dh);
    p.bend = f->width * f->width * (-along - b.ddh - j.ddh);
    return p;
}

/* The tabulated places of a sector. */
typedef struct sector {
    double d[LASHI_WORN_PLACES];            /* m */
    double journal_rise[LASHI_WORN_PLACES]; /* m/rad, h_j′ */
    const lashi_worn_sector *table;
} sector;

INLINE sector sector_at(const faces *f, int s) {
    const int S = f->worn->surface[0].sectors;
    sector o = {.table = &f->worn->table[wrapped(s, S)]};
    double h[LASHI_WORN_PLACES];
    memcpy(h, o.table->h, sizeof h);
    if (f->worn->surface[1].a) {
        const int k = wrapped(s + f->shift, S);
        const double *a = f->worn->surface[1].a + k;
        double past[REACHING]; // the first ones, behind the last
        if (k > S - REACHING) {
            for (int n = 0; n < REACHING; n++)
                past[n] = a[k + n < S ? n : n - S];
            a = past;
        }
        for (int n = 0; n < REACHING; n++)
            for (int i = 0; i < LASHI_WORN_PLACES; i++) {
                h[i] += f->w[n][i] * a[n];
                o.journal_rise[i] += f->dw[n][i] * a[n];
            }
    }
    for (int i = 0; i < LASHI_WORN_PLACES; i++)
        o.d[i] = f->e.x * o.table->cosine[i] + f->e.y * o.table->sine[i] - f->clearance - h[i];
    return o;
}

/* One of them, without its bend. */
INLINE place place_in(const faces *f, const sector *o, int s, int kind) {
    const lashi_worn_sector *t = o->table;
    return (place){.x = s + place_of[kind],
                   .d = o->d[kind],
                   .slope = f->width * (f->e.y * t->cosine[kind] - f->e.x * t->sine[kind] - t->dh[kind] -
                                        o->journal_rise[kind]),
                   .cosine = t->cosine[kind],
                   .sine = t->sine[kind],
                   .journal_rise = o->journal_rise[kind]};
}

/* Where d is 0 between two places of which one is outside. */
INLINE double root_between(const faces *f, const place *a, const place *b) {
    const place *out = a->d > 0 ? b : a, *in = a->d > 0 ? a : b;
    double low = out->x, high = in->x, x = low + (high - low) * out->d / (out->d - in->d);
    for (int k = 0; k < STEPS; k++) {
        const place p = place_at(f, x);
        *(p.d > 0 ? &high : &low) = x;
        double next = x - p.d / p.slope;
        if (!((next - low) * (next - high) <= 0))
            next = low + HALF * (high - low);
        const double moved = fabs(next - x);
        x = next;
        if (moved <= CLOSE)
            break;
    }
    return x;
}

/* The top of d between two places, rising at a and falling at b. */
static place top_between(const faces *f, const place *a, const place *b) {
    double low = a->x, high = b->x, x = low + (high - low) * a->slope / (a->slope - b->slope);
    place p = place_at(f, x);
    for (int k = 0; k < STEPS; k++) {
        *(p.slope > 0 ? &low : &high) = x;
        double next = x - p.slope / p.bend;
        if (!(next > low && next < high))
            next = low + HALF * (high - low);
        const double moved = fabs(next - x);
        x = next;
        p = place_at(f, x);
        if (moved <= CLOSE)
            break;
    }
    return p;
}

/* ---- integrals ---- */

typedef void visit(void *context, const faces *f, const place *p, double weight);

/* A sector that is pressed all along, by the formula with the places of the table. It does not look for nodes
 * of the journal inside: its places stay where they are, so that forces are the slopes of the energy as it is
 * computed, whatever the formula leaves out. */
INLINE void whole(visit *each, void *context, const faces *f, const sector *o, int s) {
    for (int kind = 1; kind < LASHI_WORN_PLACES; kind++) {
        const place p = place_in(f, o, s, kind);
        if (p.d > 0)
            each(context, f, &p, 0.5 * gauss_w[kind - 1] * f->width);
    }
}

/* Visits the points of Gauss's formula between x0 and x1, no node between them; weights in rad. */
INLINE void gauss(visit *each, void *context, const faces *f, double x0, double x1) {
    const double middle = 0.5 * (x0 + x1), half = 0.5 * (x1 - x0);
    for (int k = 0; k < POINTS; k++) {
        const place p = place_at(f, middle + half * gauss_x[k]);
        if (p.d > 0)
            each(context, f, &p, gauss_w[k] * half * f->width);
    }
}

/* The same where the journal may have a node between them. */
INLINE void between(visit *each, void *context, const faces *f, double x0, double x1) {
    const double node = ceil(x0 - f->turned) + f->turned;
    if (f->worn->surface[1].a && node > x0 && node < x1) {
        gauss(each, context, f, x0, node);
        gauss(each, context, f, node, x1);
    } else {
        gauss(each, context, f, x0, x1);
    }
}

/* Looks along the places that can touch, or be the deepest: finds the top and visits what is pressed. */
INLINE place survey(const faces *f, visit *each, void *context) {
    const int S = f->worn->surface[0].sectors;
    place deepest = place_at(f, f->theta / f->width);
    // d ≤ e cos − c − least: beyond this angle from e it is neither in contact nor as deep as there.
    const double level = fmin(0, deepest.d) + f->clearance + f->worn->least;
    const double reach = level > -f->size && level < f->size ? acos(level / f->size) : TWO_PI / 2;
    const int first = (int)floor((f->theta - reach) / f->width),
              last = (int)fmin(ceil((f->theta + reach) / f->width), (double)first + S);
    sector here = sector_at(f, first);
    place a = place_in(f, &here, first, 0);
    for (int s = first; s < last; s++) {
        const sector next = sector_at(f, s + 1);
        const place b = place_in(f, &next, s + 1, 0);
        // A top between them may be higher than both by what their tangents allow.
        const bool tops = a.slope > 0 && b.slope < 0;
        const double most = fmin(a.d + a.slope, b.d - b.slope);
        place top = a.d > b.d ? a : b;
        if (!tops && top.d > deepest.d) // a node that is a top by itself
            top = place_at(f, top.x);
        if (tops && (most > deepest.d || (top.d <= 0 && most > 0)))
            top = top_between(f, &a, &b);
        if (top.d > deepest.d)
            deepest = top;
        if (a.d > 0 && b.d > 0)
            whole(each, context, f, &here, s);
        else if (a.d > 0)
            between(each, context, f, a.x, root_between(f, &a, &b));
        else if (b.d > 0)
            between(each, context, f, root_between(f, &a, &b), b.x);
        else if (top.d > 0)
            between(each, context, f, root_between(f, &a, &top), root_between(f, &top, &b));
        a = b;
        here = next;
    }
    return deepest;
}

static faces faces_of(const lashi_worn *worn, double clearance, lashi_vec2 e, double alpha) {
    const double width = TWO_PI / worn->surface[0].sectors;
    faces f = {.worn = worn,
               .clearance = clearance,
               .e = e,
               .size = sqrt(lashi_dot(e, e)),
               .theta = atan2(e.y, e.x),
               .turned = fmod(alpha, TWO_PI) / width,
               .width = width};
    f.shift = (int)floor(-f.turned) - 1;
    for (int kind = 0; worn->surface[1].a && kind < LASHI_WORN_PLACES; kind++) {
        const double x = place_of[kind] - f.turned, begin = floor(x), at = x - begin, to = 1 - at;
        const double dw[4] = {-to * to, at * (3 * at - 4), to * (4 - 3 * to), at * at};
        const int later = (int)begin - 1 > f.shift; // a node of the journal lies before it
        double w[4];
        lashi_surface_weights(w, at);
        for (int n = 0; n < 4; n++) {
            f.w[n + later][kind] = w[n];
            f.dw[n + later][kind] = 0.5 * dw[n] / width;
        }
    }
    return f;
}

/* ---- the unworn pin ---- */

/* With e = c + δ, cos ψ = c/e and y = tan ψ = √(e² − c²)/c,
 *   u = ½ ∫_−ψ^ψ (e cos x − c)² dx = c² v(y),     v = (3/2 + y²/2) atan y − 3y/2,
 *   v′ = y (atan y − y/(1 + y²)),
 * and for small y, where that cancels, v = Σ (−1)^k 2(k + 1)/((2k + 3)(2k + 5)) y^(2k + 5). */
enum { TERMS = 24 };
static const double SERIES_TO = 0.25; /* y² */
#define TERM(k)      (((k) % 2 ? -2.0 : 2.0) * ((k) + 1) / (2.0 * (k) + 3))
#define OF_ENERGY(k) (TERM(k) / (2.0 * (k) + 5))
#define FOUR(of, k)  of(k), of((k) + 1), of((k) + 2), of((k) + 3)
static double energy_at(double *slope, double y) {
    static const double of_slope[TERMS] = {FOUR(TERM, 0),  FOUR(TERM, 4),  FOUR(TERM, 8),
                                           FOUR(TERM, 12), FOUR(TERM, 16), FOUR(TERM, 20)},
                        of_energy[TERMS] = {FOUR(OF_ENERGY, 0),  FOUR(OF_ENERGY, 4),  FOUR(OF_ENERGY, 8),
                                            FOUR(OF_ENERGY, 12), FOUR(OF_ENERGY, 16), FOUR(OF_ENERGY, 20)};
    const double z = y * y;
    if (z > SERIES_TO) {
        const double a = atan(y);
        *slope = y * (a - y / (1 + z));
        return (1.5 + 0.5 * z) * a - 1.5 * y;
    }
    double v = 0, dv = 0;
    for (int k = TERMS - 1; k >= 0; k--) {
        v = v * z + of_energy[k];
        dv = dv * z + of_slope[k];
    }
    *slope = z * z * dv;
    return z * z * y * v;
}

/* g = du/dδ from v′: dy/dδ = e/(c² y). */
static double unworn_slope(double clearance, double y, double dv) {
    return y > 0 ? clearance * dv * sqrt(1 + y * y) / y : 0;
}

double lashi_bed_unworn(double *slope, double clearance, double depth) {
    const double y = sqrt(depth * (2 * clearance + depth)) / clearance;
    double dv;
    const double v = energy_at(&dv, y);
    *slope = unworn_slope(clearance, y, dv);
    return clearance * clearance * v;
}

/* δ with u(δ) = energy, by Newton's steps for y. v grows as y⁵ in a small arc, where the first guess is
 * right. */
static double depth_of(double *slope, double clearance, double energy) {
    const double wanted = energy / (clearance * clearance);
    double y = pow(7.5 * wanted, 0.2), dv = 0;
    y *= 1 + 6 / 35.0 * fmin(y * y, 1);
    for (int k = 0; k < STEPS; k++) {
        const double moved = (energy_at(&dv, y) - wanted) / dv;
        y = fmax(y - moved, HALF * y);
        if (fabs(moved) <= CLOSE * y)
            break;
    }
    energy_at(&dv, y);
    *slope = unworn_slope(clearance, y, dv);
    return clearance * y * y / (1 + sqrt(1 + y * y));
}

/* ---- the whole ---- */

typedef struct sums {
    double energy, T;
    lashi_vec2 push;
} sums;

INLINE void add_pressure(void *context, const faces *f, const place *p, double weight) {
    sums *sum = context;
    (void)f;
    sum->energy += 0.5 * weight * p->d * p->d;
    sum->push.x += weight * p->d * p->cosine;
    sum->push.y += weight * p->d * p->sine;
    sum->T += weight * p->d * p->journal_rise;
}

void lashi_worn_look(lashi_bed *out, const lashi_worn *worn, double clearance, lashi_vec2 e, double alpha) {
    const faces f = faces_of(worn, clearance, e, alpha);
    sums sum = {0};
    const place deepest = survey(&f, add_pressure, &sum);
    *out = (lashi_bed){.deepest = deepest.d,
                       .at = deepest.x * f.width,
                       .slope = deepest.journal_rise,
                       .bend = fmax(0, -deepest.bend / (f.width * f.width))};
    // So shallow that its energy is below every number: it touches, and presses nothing.
    out->pressed = deepest.d > 0 && sum.energy > 0;
    if (!out->pressed)
        return;
    double g;
    out->thrust = sum.push;
    out->moment = sum.T;
    out->depth = depth_of(&g, clearance, sum.energy);
    out->per_unit = 1 / g;
}

/* Points of an arc, which are visited in their order. */
enum { KEPT = 512 };
typedef struct portions {
    double total;
    int count; /* of which the first KEPT are kept: */
    struct portion {
        double x, share;
    } at[KEPT];
    double *shares, scale;
} portions;

INLINE void share_out(const portions *to, const faces *f, double x, double share) {
    const int S = f->worn->surface[0].sectors;
    lashi_surface_share(to->shares, S, x, to->scale * share);
    lashi_surface_share(to->shares + S, S, x - f->turned, to->scale * share);
}

INLINE void keep_point(void *context, const faces *f, const place *p, double weight) {
    portions *to = context;
    (void)f;
    to->total += weight * p->d;
    if (to->count < KEPT)
        to->at[to->count] = (struct portion){p->x, weight * p->d};
    to->count++;
}

static void share_again(void *context, const faces *f, const place *p, double weight) {
    share_out(context, f, p->x, weight * p->d);
}

void lashi_worn_share(double *shares, const lashi_worn *worn, double clearance, lashi_vec2 e, double alpha,
                      double weight) {
    const faces f = faces_of(worn, clearance, e, alpha);
    portions p;
    p.total = p.count = 0;
    survey(&f, keep_point, &p);
    if (!(p.total > 0))
        return;
    p.shares = shares;
    p.scale = weight / p.total;
    for (int k = 0; k < p.count && p.count <= KEPT; k++)
        share_out(&p, &f, p.at[k].x, p.at[k].share);
    if (p.count > KEPT)
        survey(&f, share_again, &p);
}
