/* SPDX-License-Identifier: MIT
 *
 * Normal contact force: compiling a law into numbers, its elastic energy and stiffness, and estimates of an
 * impact.
 *
 * Estimates (free, undamped, effective mass m, speed v). Power laws, n the exponent:
 *     delta_max = (m v^2 (n + 1)/(2K))^(1/(n + 1))
 *     T = 2 delta_max/v int_0^1 dx/sqrt(1 - x^(n+1))
 *       = 2 delta_max/v sqrt(pi) G(q)/((n + 1) G(q + 1/2)),   q = 1/(n + 1)     (2.94 delta_max/v at n = 1.5)
 * Bilinear: quarter periods of sqrt(m/K) and sqrt(m/(e_r K)). Cylinder: delta_max from U = m v^2/2 by a
 * bracketed root, T by quadrature in s, delta = delta_max (1 - s^2), which removes the singularity.
 */
#include "contact/normal.h"

#include <string.h>

#include "base/error.h"
#include "contact/gap_size.h"
#include "contact/restitution.h"
#include "math/root.h"

static const double pi = 3.14159265358979323846;
static const double validity = 1e-5; /* P4 section 3.3: share of the wave speed up to which the laws hold */
static const char default_damping[] = "lankarani-nikravesh"; /* of cylinder laws */

static double plane_compliance(const lash_material_def *material) {
    return (1 - material->poisson * material->poisson) / material->young;
}

double lashi_hertz_stiffness(double bearing_radius, double journal_radius, double clearance,
                             const lash_material_def *bearing, const lash_material_def *journal) {
    double compliance = plane_compliance(bearing) + plane_compliance(journal);
    return 4 / (3 * compliance) * sqrt(bearing_radius * journal_radius / clearance);
}

double lashi_normal_speed_limit(const lash_material_def *bearing, const lash_material_def *journal) {
    if (isnan(bearing->density) || isnan(journal->density))
        return INFINITY;
    double bearing_wave = sqrt(bearing->young / bearing->density);
    double journal_wave = sqrt(journal->young / journal->density);
    // P4 takes the larger of the two speeds (below its eq. 25), though the slower body leaves the limit
    // first.
    return validity * fmax(bearing_wave, journal_wave);
}

/* ---- compiling ---- */

/* e_r of a law that damps: it has no default. */
static lash_status need_restitution(const lashi_normal *law, const char *name, lash_error *error) {
    if (isnan(law->p->restitution_asked))
        return lashi_fail(error, LASH_ERROR_MODEL, "the law %s needs the restitution, in (0, 1]", name);
    return LASH_OK;
}

static lash_status check_contact(const lash_contact_def *contact, lash_error *error) {
    if (!isnan(contact->restitution) && !(contact->restitution > 0 && contact->restitution <= 1))
        return lashi_fail(error, LASH_ERROR_MODEL, "restitution is %g: it must lie in (0, 1]",
                          contact->restitution);
    if (!(contact->speed_floor > 0) || !isfinite(contact->speed_floor))
        return lashi_fail(error, LASH_ERROR_MODEL, "speed_floor is %g m/s: it must be positive",
                          contact->speed_floor);
    if (!isnan(contact->stiffness) && (!(contact->stiffness > 0) || !isfinite(contact->stiffness)))
        return lashi_fail(error, LASH_ERROR_MODEL, "stiffness is %g: it must be positive",
                          contact->stiffness);
    if (!isnan(contact->exponent) && (!(contact->exponent >= 1) || !isfinite(contact->exponent)))
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "exponent is %g: it must be at least 1 (the contact stiffness would be infinite at touch)",
            contact->exponent);
    return LASH_OK;
}

/* The damping factor, and what it gives. */
static void set_damping(lashi_normal *law, double h) {
    law->p->h = h;
    law->p->restitution = lashi_restitution_of(h);
    if (law->scale == LASHI_SCALE_ENERGY) {
        law->p->h = lashi_restitution_damping_bounded(law->p->restitution);
        law->p->restitution = lashi_restitution_of_bounded(law->p->h);
    }
}

static lash_status compile_power(lashi_normal *law, const lash_contact_def *contact,
                                 const lashi_gap_size *gap, const lash_material_def *bearing,
                                 const lash_material_def *journal, lash_error *error) {
    law->p->exponent = isnan(contact->exponent) ? law->kind->exponent : contact->exponent;
    law->family = law->p->exponent == 1.5 ? LASHI_NORMAL_HERTZ : LASHI_NORMAL_POWER;
    law->p->stiffness = bearing ? lashi_hertz_stiffness(gap->bearing_radius, gap->journal_radius,
                                                        gap->clearance, bearing, journal)
                                : contact->stiffness;
    if (bearing && law->family == LASHI_NORMAL_POWER)
        law->warning = "the stiffness from the materials is that of the exponent 1.5 (N/m^1.5); with another "
                       "exponent its value would depend on units; give the stiffness itself";
    if (law->kind->damping) {
        lash_status status = need_restitution(law, law->kind->name, error);
        if (status != LASH_OK)
            return status;
        set_damping(law, law->kind->damping(law->p->restitution_asked));
    }
    return LASH_OK;
}

static lash_status compile_bilinear(lashi_normal *law, const lash_contact_def *contact, lash_error *error) {
    if (isnan(contact->stiffness))
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "the law %s is linear: it needs its stiffness (N/m), materials do not determine it",
                          law->kind->name);
    if (!isnan(contact->exponent) && contact->exponent != 1)
        return lashi_fail(error, LASH_ERROR_MODEL, "the law %s is linear: its exponent is 1, not %g",
                          law->kind->name, contact->exponent);
    if (law->scale == LASHI_SCALE_ENERGY)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "the law %s does not depend on the approach speed: delete approach: energy",
                          law->kind->name);
    lash_status status = need_restitution(law, law->kind->name, error);
    if (status != LASH_OK)
        return status;
    law->scale = LASHI_SCALE_BRANCH;
    law->p->stiffness = contact->stiffness;
    law->p->exponent = 1;
    law->p->unloading = law->p->restitution_asked;
    law->switches_at_turning = law->p->unloading < 1;
    law->p->restitution = sqrt(law->p->restitution_asked);
    return LASH_OK;
}

static lash_status compile_cylinder(lashi_normal *law, const lash_clearance_def *def,
                                    const lashi_gap_size *gap, const lash_material_def *bearing,
                                    const lash_material_def *journal, lash_error *error) {
    const char *name = law->kind->name;
    if (!bearing)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "the law %s is made from the materials: give materials, not a stiffness", name);
    if (!isnan(def->contact.exponent))
        return lashi_fail(error, LASH_ERROR_MODEL, "the law %s has no exponent: delete it", name);
    if (!(def->length > 0) || !isfinite(def->length))
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "the law %s is per length: the clearance needs the length of the bearing", name);
    lashi_cylinder_data data = {
        .bearing_radius = gap->bearing_radius,
        .journal_radius = gap->journal_radius,
        .clearance = gap->clearance,
        .length = def->length,
        .compliance = (plane_compliance(bearing) + plane_compliance(journal)) / pi,
    };
    law->p->cylinder = law->kind->cylinder(&data);
    law->p->delta_limit = law->p->cylinder.delta_limit;

    /* Not given: damped as in the papers where a restitution is given, else elastic. */
    const char *damping = def->contact.damping               ? def->contact.damping
                          : isnan(law->p->restitution_asked) ? "none"
                                                             : default_damping;
    if (strcmp(damping, "none") != 0) {
        const lashi_normal_law *kind = lashi_normal_find(damping);
        if (!kind || !kind->damping)
            return lashi_fail(error, LASH_ERROR_MODEL,
                              "damping is '%s': it is 'none' or the name of a law with a damping factor",
                              damping);
        lash_status status = need_restitution(law, damping, error);
        if (status != LASH_OK)
            return status;
        set_damping(law, kind->damping(law->p->restitution_asked));
    }
    return LASH_OK;
}

lash_status lashi_normal_compile(lashi_normal *out, lashi_normal_numbers *p, const lash_clearance_def *def,
                                 const lash_material_def *bearing, const lash_material_def *journal,
                                 lash_error *error) {
    lashi_gap_size size;
    *out = (lashi_normal){.p = p};
    const lash_status status = lashi_gap_size_compile(&size, def, error);
    return status ? status : lashi_normal_compile_in(out, p, def, &size, bearing, journal, error);
}

lash_status lashi_normal_compile_in(lashi_normal *out, lashi_normal_numbers *p, const lash_clearance_def *def,
                                    const lashi_gap_size *size, const lash_material_def *bearing,
                                    const lash_material_def *journal, lash_error *error) {
    const lash_contact_def *contact = &def->contact;
    *p = (lashi_normal_numbers){
        .unloading = 1,
        .restitution = 1, // without damping
        .speed_floor = contact->speed_floor,
        .speed_limit = INFINITY,
        .delta_limit = INFINITY,
        .restitution_asked = contact->restitution,
    };
    *out = (lashi_normal){.p = p};
    lash_status status = check_contact(contact, error);
    if (status != LASH_OK)
        return status;
    const lashi_normal_law *kind = lashi_normal_find(contact->law);
    if (!kind)
        return lashi_fail(error, LASH_ERROR_MODEL, "there is no normal force law '%s'",
                          contact->law ? contact->law : "");
    if (bearing && !journal)
        journal = bearing;
    if (bearing && !isnan(contact->stiffness))
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "stiffness and materials are both given: delete one of them");
    if (!bearing && isnan(contact->stiffness))
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "the contact has no stiffness: give materials or stiffness");

    const char *approach = contact->approach ? contact->approach : "first";
    const bool bounded = strcmp(approach, "energy") == 0;
    if (!bounded && strcmp(approach, "first") != 0)
        return lashi_fail(error, LASH_ERROR_MODEL, "approach is '%s': it is 'first' or 'energy'", approach);

    lashi_normal law = {
        .p = p,
        .family = kind->family,
        .scale = bounded ? LASHI_SCALE_ENERGY : LASHI_SCALE_FIRST,
        .kind = kind,
        .warning = kind->warning,
    };
    if (bearing)
        p->speed_limit = lashi_normal_speed_limit(bearing, journal);
    switch (kind->family) {
    case LASHI_NORMAL_HERTZ:
    case LASHI_NORMAL_POWER: status = compile_power(&law, contact, size, bearing, journal, error); break;
    case LASHI_NORMAL_BILINEAR: status = compile_bilinear(&law, contact, error); break;
    case LASHI_NORMAL_CYLINDER: status = compile_cylinder(&law, def, size, bearing, journal, error); break;
    }
    if (status == LASH_OK)
        *out = law;
    return status;
}

/* ---- estimates ---- */

/* T v/delta_max of a power law. */
static double power_time_factor(double n) {
    double q = 1 / (n + 1);
    return 2 * sqrt(pi) * q * tgamma(q) /
           tgamma(q + 0.5); // 0 < q <= 1/2: no overflow, and no global as lgamma has
}

typedef struct energy_target {
    const lashi_normal *law;
    double energy; /* J */
} energy_target;

static double energy_defect(void *context, double delta) {
    const energy_target *target = context;
    return lashi_normal_energy(target->law, delta) - target->energy;
}

/* T of a free impact by Simpson's rule over s. */
static double quadrature_time(const lashi_normal *law, double mass, double delta_max) {
    enum { intervals = 512 };
    double top = lashi_normal_energy(law, delta_max), sum = 0;
    for (int i = 0; i <= intervals; i++) {
        double s = (double)i / intervals;
        double left =
            i == 0 ? lashi_normal_elastic(law, delta_max) * delta_max /* the limit of (U_max - U)/s^2 */
                   : (top - lashi_normal_energy(law, delta_max * (1 - s * s))) / (s * s);
        double weight = i == 0 || i == intervals ? 1 : i % 2 ? 4 : 2;
        sum += weight / sqrt(2 * left / mass);
    }
    return 2 * (2 * delta_max) * sum / (3 * intervals);
}

lashi_impact_estimate lashi_normal_estimate(const lashi_normal *law, double mass, double speed) {
    lashi_impact_estimate r = {.in_range = true};
    double energy = 0.5 * mass * speed * speed;
    if (!(energy > 0))
        return r;
    if (law->family == LASHI_NORMAL_CYLINDER) {
        double limit = law->p->delta_limit;
        energy_target target = {law, energy};
        double above = energy_defect(&target, limit);
        r.in_range = above > 0;
        r.delta_max = r.in_range ? lashi_root(energy_defect, &target, 0, -energy, limit, above, 0) : limit;
        r.time = r.in_range ? quadrature_time(law, mass, r.delta_max) : INFINITY;
    } else {
        double n = law->p->exponent;
        r.delta_max = pow(energy * (n + 1) / law->p->stiffness, 1 / (n + 1));
        r.time = power_time_factor(n) * r.delta_max / speed;
        if (law->family == LASHI_NORMAL_BILINEAR)
            r.time *= 0.5 * (1 + 1 / sqrt(law->p->unloading));
    }
    r.force_max = lashi_normal_elastic(law, r.delta_max);
    r.stiffness = lashi_normal_stiffness(law, r.delta_max);
    return r;
}
