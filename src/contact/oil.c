/* SPDX-License-Identifier: MIT
 *
 * Viscosity of oils SAE 10 to 60: Vogel's equation mu = mu_0 exp(b/(T + 95)), T in degrees Fahrenheit, mu_0
 * in microreyn (1 reyn = 1 lbf s/in^2 = 6894.757 Pa s), fitted to the curves of the grades by
 *
 *     A. Seireg, S. Dandage, Empirical design procedure for the thermodynamic behavior of journal bearings,
 *     J. Lubr. Technol. 104 (1982) 135-148.
 *
 * The constants were not compared with the printed paper. What is known of them: at 100 C they lie in the
 * bands of SAE J300 within 5 % (tests/laws/test_oil.c).
 *
 * A grade is a band, not a number: an oil of the same grade may differ by 15 % either way (SAE J300 at 100
 * C). The curves run from 10 to 140 C; outside, the equation is only a continuation. At high pressure oils
 * thicken, which is left out.
 */
#include "contact/oil.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const double microreyn = 6.894757293168e-3; /* Pa s */
static const double coldest = 10, hottest = 140;   /* C */
static const double solid = -40;                   /* C: below, no oil of these grades flows */

static const struct {
    const char *name;
    double mu_0; /* microreyn */
    double b;    /* F */
} oils[] = {
    {"SAE 10", 0.0158, 1157.5}, {"SAE 20", 0.0136, 1271.6}, {"SAE 30", 0.0141, 1360.0},
    {"SAE 40", 0.0121, 1474.4}, {"SAE 50", 0.0170, 1509.6}, {"SAE 60", 0.0187, 1564.0},
};
enum { OILS = sizeof oils / sizeof *oils };

const char *lashi_oil_name(size_t index) {
    return index < OILS ? oils[index].name : NULL;
}

static const char *name_at(const void *list, size_t index) {
    (void)list;
    return lashi_oil_name(index);
}

/* The grade's digits stand alone or after "SAE", with or without a space or hyphen. */
static bool same_grade(const char *text, const char *name) {
    const char *digits = name + strlen("SAE ");
    if (tolower((unsigned char)text[0]) == 's' && tolower((unsigned char)text[1]) == 'a' &&
        tolower((unsigned char)text[2]) == 'e') {
        text += 3;
        if (*text == ' ' || *text == '-' || *text == '_')
            text++;
    }
    return strcmp(text, digits) == 0;
}

lash_status lashi_oil_viscosity(double *out, const char **warning, const char *grade, double celsius,
                                lash_error *error) {
    *out = 0;
    if (warning)
        *warning = NULL;
    size_t i = 0;
    while (i < OILS && !(grade && same_grade(grade, oils[i].name)))
        i++;
    if (i == OILS) {
        const char *near = grade ? lashi_nearest(grade, name_at, NULL) : NULL;
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "there is no oil '%s'; the oils are SAE 10, 20, ... 60%s%s%s", grade ? grade : "",
                          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (!isfinite(celsius))
        return lashi_fail(error, LASH_ERROR_MODEL, "an oil by its grade needs its temperature");
    if (celsius < solid)
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "the oil is at %g C: it does not flow there; its viscosity is known from %g C on. A "
            "temperature without unit is in kelvin: write degC behind one in degrees Celsius",
            celsius, coldest);
    if (warning && (celsius < coldest || celsius > hottest))
        *warning = "the temperature of the oil is outside 10 to 140 C, where its viscosity is known: the "
                   "value is extrapolated";
    double fahrenheit = 1.8 * celsius + 32;
    *out = microreyn * oils[i].mu_0 * exp(oils[i].b / (fahrenheit + 95));
    return LASH_OK;
}
