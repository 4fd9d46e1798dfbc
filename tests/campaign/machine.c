/* SPDX-License-Identifier: MIT
 *
 * Random machines as somebody might build them: chains, driven loops, gears, free pairs, rotors, in the plane
 * and in space; from a watch (millimetres, grams) to an excavator (metres, tonnes), in odd units; play here
 * and there with every law, friction and films; drives and forces with corners. All numbers come from the
 * seed by integer arithmetic and exact powers, so that a seed is the same machine everywhere.
 */
#include "campaign/machine.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct maker {
    machine *out;
    size_t used;
    uint64_t state;
    double L, m, T; /* m, kg, s: its scales */
} maker;

/* splitmix64 */
static uint64_t draw(maker *k) {
    uint64_t z = (k->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(maker *k, double low, double high) {
    return low + (high - low) * (double)(draw(k) >> 11) / 9007199254740992.0;
}

/* Evenly over the decades. */
static double decades(maker *k, double low, double high) {
    return pow(10, uniform(k, log10(low), log10(high)));
}

static int pick(maker *k, int count) {
    return (int)(draw(k) % (uint64_t)count);
}

static bool chance(maker *k, double probability) {
    return uniform(k, 0, 1) < probability;
}

__attribute__((format(printf, 2, 3))) static void say(maker *k, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(k->out->text + k->used, MACHINE_TEXT - k->used, format, values);
    va_end(values);
    if (length > 0 && k->used + (size_t)length < MACHINE_TEXT)
        k->used += (size_t)length;
}

/* A length in some unit. */
static const char *metres(char buffer[40], maker *k, double value) {
    static const struct {
        const char *name;
        double size;
    } units[] = {{"m", 1}, {"mm", 1e-3}, {"cm", 1e-2}, {"inch", 0.0254}, {"ft", 0.3048}, {"um", 1e-6}};
    const int u = pick(k, 6);
    snprintf(buffer, 40, "%.17g %s", value / units[u].size, units[u].name);
    return buffer;
}

static const char *kilograms(char buffer[40], maker *k, double value) {
    static const struct {
        const char *name;
        double size;
    } units[] = {{"kg", 1}, {"g", 1e-3}, {"lb", 0.45359237}, {"tonne", 1000}};
    const int u = pick(k, 4);
    snprintf(buffer, 40, "%.17g %s", value / units[u].size, units[u].name);
    return buffer;
}

// ---- parts

static void begin(maker *k, const char *family, bool space, double gravity) {
    k->out->family = family;
    say(k, "title: %s\nspace: %s\ngravity: %s%.17g]\n", family, space ? "spatial" : "planar",
        space ? "[0, 0, " : "[0, ", -gravity);
    say(k, "materials:\n  steel: {young: 207 GPa, poisson: 0.3, density: 7850 kg/m^3}\n"
           "  bronze: {young: 110 GPa, poisson: 0.34, density: 8800 kg/m^3}\n");
}

/* A slender bar of the plane from one point to another: points a, b; the inertia of a rod times some factor.
 */
static void bar(maker *k, const char *name, double x0, double y0, double x1, double y1, const char *more) {
    char a[40], b[40], c[40], d[40], e[40];
    const double l = hypot(x1 - x0, y1 - y0), m = k->m * decades(k, 0.3, 3);
    const double J = m * l * l / 12 * decades(k, 0.1, 3);
    if (k->out->bodies < MACHINE_BODIES) {
        const size_t at = k->out->bodies++;
        snprintf(k->out->names[at], sizeof k->out->names[at], "%s", name);
        k->out->mass[at] = m;
        k->out->inertia[at] = J;
    }
    say(k,
        "  %s: {mass: %s, inertia: %.17g, position: [%s, %s], angle: %.17g, points: {a: [%s, 0], b: [%s, "
        "0]}%s}\n",
        name, kilograms(a, k, m), J, metres(b, k, (x0 + x1) / 2), metres(c, k, (y0 + y1) / 2),
        atan2(y1 - y0, x1 - x0), metres(d, k, -l / 2), metres(e, k, l / 2), more);
}

/* A clearance block of a joint of bearing radius R. */
static void clearance(maker *k, double R, bool space, bool pin) {
    static const char *const laws[] = {
        "lankarani-nikravesh", "hunt-crossley", "flores-2011", "hertz", "exact", "hu-guo", "gonthier",
        "kelvin-voigt"};
    static const char *const frictions[] = {"ambrosio", "threlfall", "stribeck", "bengisu-akay"};
    char a[40], b[40];
    const double c = R * decades(k, 1e-3, 5e-2);
    say(k, ", clearance: {bearing_radius: %s, radial: %s", metres(a, k, R), metres(b, k, c));
    if (pin && space)
        say(k, ", length: %s", metres(a, k, R * uniform(k, 0.5, 3)));
    if (!space && chance(k, 0.15)) {
        say(k, ", model: three-mode, restitution: %.3g", uniform(k, 0.1, 0.95));
        if (chance(k, 0.4))
            say(k, ", friction: {law: ambrosio, coefficient: %.3g}", uniform(k, 0.01, 0.2));
        say(k, "}");
        return;
    }
    const int law = pick(k, 8);
    say(k, ", contact: {law: %s, restitution: %.3g", laws[law], uniform(k, 0.1, 0.97));
    // A stiffness that stops the machine's own mass at its own speed within a share of the gap.
    const double v = k->L / k->T, depth = c * decades(k, 1e-3, 0.3), n = law == 7 ? 1 : 1.5;
    if (law == 7 || chance(k, 0.7))
        say(k, ", stiffness: %.17g}", k->m * v * v * (n + 1) / 2 / pow(depth, n + 1));
    else
        say(k, "}, materials: %s", chance(k, 0.5) ? "steel" : "[bronze, steel]");
    if (chance(k, 0.5))
        say(k, ", friction: {law: %s, coefficient: %.3g}", frictions[pick(k, 4)], uniform(k, 0.005, 0.3));
    if (!space && law != 7 && chance(k, 0.15))
        say(k, ", length: %s, lubricant: {film: %s, viscosity: %.17g}", metres(a, k, 2 * R),
            chance(k, 0.5) ? "squeeze-long" : "short", // carries about the machine's weight at its speed
            decades(k, 1e-3, 1) * k->m * v / k->T * c * c * c / (pow(R, 4) * v) / 10);
    say(k, "}");
}

/* Stiffness that stops the machine's own mass at its own speed within a depth, F = K δ^n. */
static double stiff(const maker *k, double depth, double n) {
    const double v = k->L / k->T;
    return k->m * v * v * (n + 1) / 2 / pow(depth, n + 1);
}

/* The clearance block of a block of length l in its guide. */
static void guide_play(maker *k, double l, bool space) {
    char a[40], b[40], c[40];
    const double h = l * uniform(k, 0.3, 1), play = h * decades(k, 1e-3, 5e-2);
    k->out->smooth = false;
    say(k, ", clearance: {length: %s, height: %s, play: %s", metres(a, k, l), metres(b, k, h),
        metres(c, k, play));
    if (space)
        say(k, ", width: %s", metres(a, k, h * uniform(k, 0.5, 1.5)));
    if (!space && chance(k, 0.4)) {
        say(k, ", model: three-mode, restitution: %.3g", uniform(k, 0, 0.95));
        if (chance(k, 0.4))
            say(k, ", friction: {law: ambrosio, coefficient: %.3g}", uniform(k, 0.01, 0.2));
    } else {
        say(k, ", contact: {law: %s, restitution: %.3g, stiffness: %.17g}",
            chance(k, 0.5) ? "lankarani-nikravesh" : "exact", uniform(k, 0.2, 0.97),
            stiff(k, play * decades(k, 1e-3, 0.3), 1.5));
        if (chance(k, 0.5))
            say(k, ", friction: {law: threlfall, coefficient: %.3g}", uniform(k, 0.005, 0.3));
    }
    say(k, "}");
}

/* Stops at low and high, of an angle (`lever` m per rad) or of a travel (lever 1). */
static void stops(maker *k, double low, double high, double lever) {
    k->out->smooth = false;
    say(k, ", stops: {");
    if (low > -1e300)
        say(k, "min: %.17g, ", low);
    say(k, "max: %.17g", high);
    if (chance(k, 0.4))
        say(k, ", model: three-mode, restitution: %.3g}", uniform(k, 0, 0.95));
    else // a depth of some thousandths to hundredths of the machine's size
        say(k, ", contact: {law: hertz, exponent: %s, stiffness: %.17g}}", lever == 1 ? "1.5" : "1",
            lever == 1 ? stiff(k, k->L * decades(k, 1e-3, 3e-2), 1.5)
                       : lever * lever * stiff(k, k->L * decades(k, 1e-3, 3e-2), 1));
}

/* Backlash of a mesh of size l. */
static void backlash(maker *k, double l) {
    const double b = l * decades(k, 1e-5, 1e-2);
    k->out->smooth = false;
    say(k, ", backlash: {%s: %.17g, pressure_angle: %d deg, stiffness: %.17g",
        chance(k, 0.5) ? "normal" : "circumferential", b, 5 * pick(k, 6),
        stiff(k, b * decades(k, 0.03, 3), 1));
    if (chance(k, 0.3))
        say(k, ", restitution: %.3g", uniform(k, 0.3, 0.95));
    if (chance(k, 0.3))
        say(k, ", teeth: %d, mesh: [[0, 1], [0.5, %.3g], [1, 1]]", 11 + pick(k, 30), uniform(k, 0.6, 0.95));
    if (chance(k, 0.2))
        say(k, ", error: \"%.17g m*sin(3*angle)\"", 0.1 * b);
    say(k, "}");
}

/* A joint between two points, with play now and then. */
static void pin(maker *k, const char *name, const char *i, const char *j, double probability) {
    say(k, "  %s: {type: revolute, between: [%s, %s]", name, i, j);
    if (chance(k, probability)) {
        k->out->smooth = false;
        clearance(k, k->L * decades(k, 0.01, 0.1), false, true);
    }
    if (chance(k, 0.2 * probability))
        stops(k, -uniform(k, 0.5, 2), uniform(k, 0.5, 2), k->L);
    say(k, "}\n");
}

/* A drive of a turning joint that reaches about w rad/s, with corners or without. */
static void motor(maker *k, const char *joint, double w) {
    const double T = k->out->duration;
    switch (pick(k, 4)) {
    case 0: say(k, "drives:\n  motor: {joint: %s, speed: %.17g rpm}\n", joint, w * 30 / PI); break;
    case 1:
        say(k, "drives:\n  motor: {joint: %s, ramp: {from: 0, to: %.17g, over: %.17g}}\n", joint, w, T / 3);
        break;
    case 2:
        say(k, "drives:\n  motor: {joint: %s, motion: \"%.17g*t + 0.1*sin(%.17g*t)\"}\n", joint, w, 3 * w);
        break;
    default: // the speed stops rising at a corner: the acceleration jumps
        say(k,
            "drives:\n  motor: {joint: %s, motion: \"if(t < %.17g s, %.17g*t^2/(1 s^2), %.17g*(2*t/(1 s) - "
            "%.17g))\"}\n",
            joint, T / 4, w / (T / 2), w * (T / 4) / (T / 2), T / 4);
    }
}

static void run(maker *k) {
    say(k, "run: {until: %.17g, samples: 40}\n", k->out->duration);
}

// ---- families

/* A chain that falls, N bars. */
static void chain(maker *k) {
    const int n = 1 + pick(k, 4);
    const double turn = uniform(k, -1, 1), probability = chance(k, 0.3) ? 0 : 0.4;
    double x = 0, y = 0;
    begin(k, "chain", false, 9.81);
    k->out->smooth = true;
    say(k, "bodies:\n");
    for (int i = 0; i < n; i++) {
        char name[16];
        const double l = k->L / n * uniform(k, 0.6, 1.4), at = turn + uniform(k, -0.5, 0.5);
        snprintf(name, sizeof name, "b%d", i);
        bar(k, name, x, y, x + l * cos(at), y + l * sin(at), "");
        x += l * cos(at);
        y += l * sin(at);
    }
    say(k, "joints:\n");
    for (int i = 0; i < n; i++) {
        char name[16], one[24], other[24];
        snprintf(name, sizeof name, "p%d", i);
        snprintf(one, sizeof one, i ? "b%d.b" : "ground", i - 1);
        snprintf(other, sizeof other, "b%d.a", i);
        pin(k, name, one, other, probability);
    }
    if (chance(k, 0.5)) // a pulse, a square wave, or a kink
        say(k,
            "forces:\n  push: {type: force, at: b%d.b, force: [\"if(mod(t, %.17g s) < %.17g s, %.17g N, 0 "
            "N)\", 0]}\n",
            n - 1, k->out->duration / 3, k->out->duration / 50, 3 * k->m * 9.81);
    run(k);
}

/* A slider-crank that is driven. */
static void slider_crank(maker *k) {
    const double r = k->L * uniform(k, 0.15, 0.3), l = k->L * uniform(k, 0.5, 0.9);
    char a[40];
    begin(k, "slider-crank", false, chance(k, 0.5) ? 9.81 : 0);
    k->out->smooth = true;
    const double probability = chance(k, 0.3) ? 0 : 0.5;
    say(k, "bodies:\n");
    bar(k, "crank", 0, 0, r, 0, "");
    bar(k, "rod", r, 0, r + l, 0, "");
    say(k, "  slider: {mass: %s, inertia: %.17g, position: [%.17g, 0]}\njoints:\n",
        kilograms(a, k, k->m * decades(k, 0.3, 3)), k->m * k->L * k->L * 0.01, r + l);
    pin(k, "main", "ground", "crank.a", 0.3 * probability);
    pin(k, "crankpin", "rod.a", "crank.b", probability);
    pin(k, "gudgeon", "slider", "rod.b", probability);
    say(k, "  guide: {type: translational, between: [ground, slider], axis: [1, 0]");
    if (chance(k, probability))
        guide_play(k, l * uniform(k, 0.1, 0.5), false);
    say(k, "}\n");
    motor(k, "main", 2 * PI / k->T * uniform(k, 0.5, 2));
    if (chance(k, 0.4)) // work against a table with corners
        say(k,
            "forces:\n  work: {type: load, joint: guide, over: guide, table: {points: [[0, 0], [%.17g, 0], "
            "[%.17g, %.17g], "
            "[%.17g, %.17g]], beyond: hold}}\n",
            r + l - 1.5 * r, r + l - r, -k->m * 20, r + l + r, -k->m * 20);
    run(k);
}

/* A four-bar that is driven or falls. */
static void four_bar(maker *k) {
    const double L = k->L, crank = 0.2 * L, coupler = uniform(k, 0.7, 0.9) * L,
                 rocker = uniform(k, 0.6, 0.9) * L;
    // The joint between coupler and rocker, by the two circles about (0.2 L, 0) and (L, 0).
    const double d = 0.8 * L, along = (d * d + coupler * coupler - rocker * rocker) / (2 * d),
                 up = sqrt(fmax(coupler * coupler - along * along, 1e-6 * L * L));
    begin(k, "four-bar", false, 9.81);
    k->out->smooth = true;
    const double probability = chance(k, 0.3) ? 0 : 0.4;
    say(k, "ground: {points: {far: [%.17g, 0]}}\nbodies:\n", L);
    bar(k, "crank", 0, 0, crank, 0, "");
    bar(k, "coupler", crank, 0, crank + along, up, "");
    bar(k, "rocker", L, 0, crank + along, up, "");
    say(k, "joints:\n");
    pin(k, "p1", "ground", "crank.a", 0);
    pin(k, "p2", "crank.b", "coupler.a", probability);
    pin(k, "p3", "coupler.b", "rocker.b", probability);
    pin(k, "p4", "ground.far", "rocker.a", 0.3 * probability);
    if (chance(k, 0.6))
        motor(k, "p1", 2 * PI / k->T * uniform(k, 0.3, 1));
    if (chance(k, 0.3))
        say(k,
            "forces:\n  spring: {type: spring, between: [ground, rocker.b], stiffness: %.17g, damping: "
            "%.17g}\n",
            k->m * 50 / (k->T * k->T), k->m * decades(k, 0.01, 1) / k->T);
    run(k);
}

/* Two wheels and a bar on the second. */
static void gears(maker *k) {
    const double L = k->L, ratio = uniform(k, 0.3, 3);
    begin(k, "gears", false, 9.81);
    k->out->smooth = true;
    say(k, "ground: {points: {far: [%.17g, 0]}}\nbodies:\n", L);
    bar(k, "one", 0, 0, 0.3 * L, 0, "");
    bar(k, "two", L, 0, L, 0.4 * L, "");
    say(k, "joints:\n");
    pin(k, "p1", "ground", "one.a", 0);
    pin(k, "p2", "ground.far", "two.a", 0);
    say(k, "  mesh: {type: gear, between: [one.a, two.a], ratio: %.17g",
        chance(k, 0.2) ? -ratio - 1.5 : ratio);
    if (chance(k, 0.7))
        backlash(k, L);
    say(k, "}\n");
    say(k, "forces:\n  push: {type: torque, body: one, torque: \"%.17g N*m*max(0, sin(%.17g*t/(1 s)))\"}\n",
        k->m * 9.81 * L * 0.5, 4 / k->T);
    run(k);
}

/* Two free bars in a loose joint: momentum stays. */
static void free_pair(maker *k) {
    const double L = k->L, v = k->L / k->T;
    char more[120];
    begin(k, "free pair", false, 0);
    k->out->free = true;
    say(k, "bodies:\n");
    snprintf(more, sizeof more, ", velocity: [%.17g, %.17g], angular_velocity: %.17g", uniform(k, -v, v),
             uniform(k, -v, v), uniform(k, -1, 1) / k->T);
    bar(k, "one", 0, 0, L, 0, more);
    bar(k, "two", L, 0, 2 * L, 0.3 * L, "");
    say(k, "joints:\n  p: {type: revolute, between: [one.b, two.a]");
    clearance(k, L * decades(k, 0.02, 0.1), false, true);
    say(k, "}\n");
    run(k);
}

/* A free block in a free channel, thrown across with spin: momentum stays. */
static void free_guide(maker *k) {
    const double L = k->L, v = k->L / k->T;
    char more[120];
    begin(k, "free guide", false, 0);
    k->out->free = true;
    say(k, "bodies:\n");
    snprintf(more, sizeof more, ", velocity: [%.17g, %.17g], angular_velocity: %.17g", uniform(k, -v, v),
             uniform(k, -v, v), uniform(k, -1, 1) / k->T);
    bar(k, "one", -L, 0, L, 0, "");
    bar(k, "two", -0.3 * L, 0, 0.3 * L, 0, more);
    say(k, "joints:\n  p: {type: translational, between: [one, two], axis: [1, 0]");
    guide_play(k, 0.6 * L, false);
    if (chance(k, 0.5))
        stops(k, -0.5 * L, 0.7 * L, 1);
    say(k, "}\n");
    run(k);
}

/* A block in space that falls along its guide onto a stop. */
static void spatial_guide(maker *k) {
    const double L = k->L, J = k->m * L * L / 12;
    char a[40];
    begin(k, "spatial guide", true, 9.81);
    say(k,
        "bodies:\n  block: {mass: %s, inertia: [%.17g, %.17g, %.17g], position: [0, 0, 0], velocity: [%.17g, "
        "0, 0], angular_velocity: [%.17g, %.17g, 0]}\n",
        kilograms(a, k, k->m), J, 0.8 * J, 0.3 * J, uniform(k, -0.1, 0.1) * L / k->T,
        uniform(k, -0.1, 0.1) / k->T, uniform(k, -0.1, 0.1) / k->T);
    say(k, "joints:\n  ways: {type: %s, between: [ground, block], axis: [0, 0.1, 1]", "prismatic");
    guide_play(k, 0.6 * L, true);
    stops(k, -0.7 * L, 2 * L, 1);
    say(k, "}\n");
    run(k);
}

/* A chain of balls in space. */
static void spatial_chain(maker *k) {
    const int n = 1 + pick(k, 3);
    char a[40];
    const double probability = chance(k, 0.3) ? 0 : 0.5;
    begin(k, "spatial chain", true, 9.81);
    k->out->smooth = true;
    say(k, "bodies:\n");
    const double l = k->L / n;
    for (int i = 0; i < n; i++) {
        const double m = k->m * decades(k, 0.3, 3), J = m * l * l / 12;
        say(k,
            "  b%d: {mass: %s, inertia: [%.17g, %.17g, %.17g], position: [%.17g, 0, 0], angular_velocity: "
            "[%.17g, %.17g, 0], "
            "points: {a: [%.17g, 0, 0], b: [%.17g, 0, 0]}}\n",
            i, kilograms(a, k, m), J * 0.1, J, J * 1.05, l * (i + 0.5), uniform(k, -2, 2) / k->T,
            uniform(k, -1, 1) / k->T, -l / 2, l / 2);
    }
    say(k, "joints:\n");
    for (int i = 0; i < n; i++) {
        const bool ball = chance(k, 0.6);
        say(k, "  p%d: {type: %s, between: [", i, ball ? "spherical" : "revolute");
        if (i)
            say(k, "b%d.b, b%d.a]", i - 1, i);
        else
            say(k, "ground, b0.a]");
        if (!ball)
            say(k, ", axis: [0, 1, 0]");
        if (chance(k, probability)) {
            k->out->smooth = false;
            clearance(k, k->L * decades(k, 0.01, 0.05), true, !ball);
        }
        say(k, "}\n");
    }
    run(k);
}

/* A rotor in an oiled bearing, out of balance. */
static void rotor(maker *k) {
    const double R = k->L * 0.2, c = R * decades(k, 1e-3, 5e-3), w = 2 * PI / k->T * uniform(k, 5, 20);
    static const char *const films[] = {"short", "squeeze-long", "long"};
    begin(k, "rotor", false, 9.81);
    // A film that carries the weight at half the gap or so.
    const double viscosity = k->m * 9.81 * c * c / (w * R * R * R * R) * decades(k, 0.3, 10);
    say(k,
        "bodies:\n  rotor: {mass: %.17g, inertia: %.17g, angular_velocity: %.17g, points: {a: [%.17g, 0]}}\n",
        k->m, k->m * R * R, w, 0.02 * c);
    say(k,
        "joints:\n  p: {type: revolute, between: [ground, rotor.a], clearance: {bearing_radius: %.17g, "
        "radial: %.17g, "
        "length: %.17g, contact: {law: exact, restitution: 0.5, stiffness: %.17g}, lubricant: {film: %s, "
        "viscosity: %.17g}}}\n",
        R, c, R, k->m * 9.81 * 100 / pow(0.01 * c, 1.5), films[pick(k, 3)], viscosity);
    k->out->duration = 20 * PI / w;
    run(k);
}

void machine_make(machine *out, uint64_t seed) {
    static void (*const families[])(maker *) = {
        chain, slider_crank, four_bar, gears, free_pair, spatial_chain, rotor, free_guide, spatial_guide};
    *out = (machine){0};
    maker k = {.out = out, .state = seed * 0x2545f4914f6cdd1du + 1};
    k.L = decades(&k, 3e-3, 10);
    k.m = 1000 * k.L * k.L * k.L * decades(&k, 0.03, 1);
    k.T = sqrt(k.L / 9.81) * 2 * PI * decades(&k, 0.1, 1);
    out->length = k.L;
    out->speed = k.L / k.T;
    out->duration = k.T * uniform(&k, 0.5, 1.5);
    families[draw(&k) % (sizeof families / sizeof *families)](&k);
}
