/* SPDX-License-Identifier: MIT
 *
 * What the play of pins and balls asks for: one size, a journal that fits and starts inside, a film that is
 * made for it.
 */
#include <math.h>
#include <string.h>

#include "contact/round.h"
#include "contact/rules.h"
#include "contact/wear.h"
#include "lash/bearing.h"

/* Rounding allowed when a journal starts in touch with its bearing. */
static const double TOUCH = 1e-9;
/* Share of the play by which a start in permanent contact may miss the wall as written; then it is moved
 * there. */
static const double HELD = 1e-6;

static void check_size(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                       bool pin_in_space) {
    const bool planar = check->model->space == LASH_PLANAR;
    const struct {
        const char *key;
        double value;
    } sizes[] = {{"clearance.journal_radius", play->journal_radius},
                 {"clearance.radial", play->radial},
                 {"clearance.diametric", play->diametric}};
    const char *given[3] = {0};
    size_t count = 0;
    for (size_t i = 0; i < 3; i++)
        if (!isnan(sizes[i].value) || lashi_was_bad(check, subject, sizes[i].key))
            given[count++] = sizes[i].key;
    if (count == 0) {
        lashi_complain(check, subject, "clearance",
                       "clearance: its size is missing; give one of journal_radius, radial and diametric");
        return;
    }
    if (count > 1) {
        lashi_complain(
            check, subject, given[1],
            "%s and %s are both given; give exactly one of journal_radius, radial and diametric, and "
            "the bearing's radius",
            given[0], given[1]);
        return;
    }
    double R = play->bearing_radius;
    double c = !isnan(play->radial)      ? play->radial
               : !isnan(play->diametric) ? 0.5 * play->diametric
                                         : R - play->journal_radius;
    const bool held = strcmp(play->model, "permanent-contact") == 0;
    const double *e = play->offset, distance = hypot(hypot(e[0], e[1]), planar ? 0 : e[2]);
    if (held && c > 0 && isfinite(distance) && fabs(distance - c) > HELD * c)
        lashi_complain(
            check, subject, "clearance.offset",
            "clearance.offset puts the journal %g m from the centre; in permanent contact it is the "
            "radial clearance, %g m",
            distance, c);
    if (held && !isnan(play->velocity[0]))
        lashi_complain(check, subject, "clearance.velocity",
                       "clearance.velocity is for play in which the journal may fly; in permanent contact it "
                       "starts with the velocities of its bodies (velocity, angular_velocity), or at rest");
    if (!(R > 0) || !isfinite(R) || !isfinite(c))
        return;
    if (!isnan(play->journal_radius) && play->journal_radius > 0 && c <= 0)
        lashi_complain(check, subject, given[0],
                       "%s %g m is not smaller than the bearing's %g m: the journal does not fit; "
                       "the first of `between` carries the bearing",
                       given[0], play->journal_radius, R);
    else if (c >= R)
        lashi_complain(check, subject, given[0],
                       "%s leaves a journal of no radius in a bearing of %g m radius; is its unit right?",
                       given[0], R);
    // Along a pin in space there may be other play than across it.
    if (c > 0 && !held && !pin_in_space && isfinite(distance) && distance > c * (1 + TOUCH))
        lashi_complain(check, subject, "clearance.offset",
                       "clearance.offset puts the journal %g m from the centre, outside the play of %g m",
                       distance, c);
}

// A pin in space touches with its ends and may have play along it; a ball has neither.
static void check_pin(lashi_check *check, lashi_subject subject, const lash_clearance_def *play, bool pin) {
    if (pin && isnan(play->length) && !lashi_was_bad(check, subject, "clearance.length"))
        lashi_complain(check, subject, "clearance",
                       "clearance.length is missing: a pin in space can tilt in its bearing, and how far "
                       "depends on the bearing's length");
    if (!pin && !isnan(play->axial))
        lashi_complain(check, subject, "clearance.axial",
                       "clearance.axial: only a pin has play along its axis; leave it out");
    if (!isnan(play->axial_stiffness) && isnan(play->axial) &&
        !lashi_was_bad(check, subject, "clearance.axial"))
        lashi_complain(check, subject, "clearance.axial_stiffness",
                       "clearance.axial_stiffness belongs to axial play; give axial, or leave it out");
}

/* Pins have their films, balls theirs. */
static bool film_fits(lashi_check *check, lashi_subject subject, const lash_lubricant_def *oil, bool ball) {
    const bool ball_film = lashi_film_is_ball(oil->film);
    if (!lashi_is_named(oil->film, lashi_film_name))
        return true; // said by its key
    if (!ball && ball_film)
        lashi_complain(
            check, subject, "clearance.lubricant.film",
            "clearance.lubricant.film: %s is the film of a ball in its socket; a pin takes another, "
            "for example reynolds",
            oil->film);
    if (ball && !ball_film)
        lashi_complain(check, subject, "clearance.lubricant.film",
                       "clearance.lubricant.film: %s is the film of a pin; a ball in its socket takes film: "
                       "squeeze-ball",
                       oil->film);
    if (ball && oil->extent && strcmp(oil->extent, "half") == 0)
        lashi_complain(check, subject, "clearance.lubricant.extent",
                       "clearance.lubricant.extent: the film of a ball is full; leave it out");
    return ball == ball_film;
}

static void check_lubricant(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                            lashi_round_shape shape) {
    const lash_lubricant_def *oil = &play->lubricant;
    const bool ball = shape == LASHI_ROUND_BALL;
    if (!film_fits(check, subject, oil, ball))
        return;
    const bool direct =
        !isnan(oil->viscosity) || lashi_was_bad(check, subject, "clearance.lubricant.viscosity");
    const bool grade = oil->oil || lashi_was_bad(check, subject, "clearance.lubricant.oil");
    if (direct && grade)
        lashi_complain(check, subject, "clearance.lubricant.viscosity",
                       "clearance.lubricant: viscosity and oil are both given; give one");
    else if (!direct && !grade)
        lashi_complain(
            check, subject, "clearance.lubricant",
            "clearance.lubricant: its viscosity is missing; give viscosity (for example 40 cP), or oil "
            "and temperature (for example oil: SAE 30, temperature: 80 degC)");
    if (grade && isnan(oil->temperature) && !lashi_was_bad(check, subject, "clearance.lubricant.temperature"))
        lashi_complain(
            check, subject, "clearance.lubricant",
            "clearance.lubricant.temperature is missing: the viscosity of an oil grade needs it, for "
            "example temperature: 80 degC");
    lash_error refusal = {0};
    double viscosity;
    if (oil->oil && !isnan(oil->temperature) &&
        lash_oil_viscosity(&viscosity, NULL, oil->oil, oil->temperature, &refusal)) {
        static const double USUAL = 353.15; // K: a grade that is known flows there
        const char *at = lash_oil_viscosity(&viscosity, NULL, oil->oil, USUAL, NULL)
                             ? "clearance.lubricant.oil"
                             : "clearance.lubricant.temperature";
        lashi_complain(check, subject, at, "%s: %s", at, refusal.message);
    }
    if (!ball && isnan(play->length) && !lashi_was_bad(check, subject, "clearance.length"))
        lashi_complain(check, subject, "clearance.lubricant",
                       "clearance.length is missing: a film needs the bearing's length");
    const bool groove = oil->inlet && strcmp(oil->inlet, "groove") == 0;
    if (oil->inlet && strcmp(oil->inlet, "periodic") != 0 && strcmp(oil->film, "reynolds") != 0 &&
        lashi_is_named(oil->film, lashi_film_name))
        lashi_complain(check, subject, "clearance.lubricant.inlet",
                       "clearance.lubricant.inlet: the film %s has no inlet; leave it out%s", oil->film,
                       ball ? "" : ", or take film: reynolds");
    else if (groove && !isfinite(oil->groove))
        lashi_complain(check, subject, "clearance.lubricant.inlet",
                       "clearance.lubricant.inlet: where is the groove? Write for example inlet: groove at "
                       "90 deg, an angle in the first body's axes");
    for (int k = 0; k < 2; k++) // like with like; the rest is seen when the clearance is known
        if (oil->dry && oil->transition[k] >= oil->reserve[k])
            lashi_complain(
                check, subject, "clearance.lubricant.e0",
                "clearance.lubricant.e0 (%g) must be smaller than e1 (%g): the film must stay open over the "
                "whole transition",
                oil->transition[k], oil->reserve[k]);
}

void lashi_round_check(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                       lashi_round_shape shape) {
    static const unsigned allows[] = {[LASHI_ROUND_PIN] = LASHI_ALLOWS_MODES | LASHI_ALLOWS_PERMANENT |
                                                          LASHI_ALLOWS_RUBBING | LASHI_ALLOWS_CYLINDER,
                                      [LASHI_ROUND_BALL] =
                                          LASHI_ALLOWS_MODES | LASHI_ALLOWS_PERMANENT | LASHI_ALLOWS_CYLINDER,
                                      [LASHI_ROUND_ENDS] = LASHI_ALLOWS_CYLINDER};
    const bool compliant = lashi_is_compliant(play), in_space = shape != LASHI_ROUND_PIN,
               friction = play->friction.law && strcmp(play->friction.law, "none") != 0;
    check_size(check, subject, play, shape == LASHI_ROUND_ENDS);
    if (isnan(play->bearing_radius) && !lashi_was_bad(check, subject, "clearance.bearing_radius") &&
        (compliant || (friction && strcmp(play->model, "three-mode") == 0) || !isnan(play->journal_radius)))
        lashi_complain(check, subject, "clearance",
                       "clearance.bearing_radius is missing: radius of the bearing (first end)");
    lashi_laws_check(check, subject, play, allows[shape]);
    if (shape == LASHI_ROUND_BALL && play->has_wear)
        lashi_wear_check(check, subject, play, false, "pins and guides wear here, not balls; leave it out");
    if (in_space)
        check_pin(check, subject, play, shape == LASHI_ROUND_ENDS);
    if (compliant && play->has_lubricant && !lashi_was_bad(check, subject, "clearance.lubricant"))
        check_lubricant(check, subject, play, shape);
}
