/* SPDX-License-Identifier: MIT
 *
 * Film model reynolds: the bearing of finite length, by the table of its L/D (film_table.h; film_groove.h).
 *
 * The impedance is interpolated; the pressure field itself is known to the solver (reynolds.h) alone.
 *
 * Limits: those of the table; the solver's grid resolves L/D from 0.05 to 20.
 */
#include "contact/film_groove.h"
#include "contact/films.h"

static lashi_impedance reynolds_impedance(const lashi_film *film, double eps, double a, double b) {
    return lashi_film_table_impedance(film->table, eps, a, b);
}

static double reynolds_peak(const lashi_film *film, double eps, double a, double b) {
    return lashi_film_table_peak(film->table, eps, a, b);
}

static lashi_impedance reynolds_grooved(const lashi_film *film, double eps, double a, double b,
                                        const double place[2]) {
    return lashi_groove_table_impedance(film->groove_table, eps, a, b, place);
}

static double reynolds_grooved_peak(const lashi_film *film, double eps, double a, double b,
                                    const double place[2]) {
    return lashi_groove_table_peak(film->groove_table, eps, a, b, place);
}

const lashi_film_law lashi_film_reynolds = {
    .name = "reynolds",
    .doc = "bearing of finite length: Reynolds' equation with p >= 0, tabulated",
    .reference = "B. J. Hamrock, Fundamentals of Fluid Film Lubrication (1994), chapter 11",
    .trusted_from = 0.05,
    .trusted_to = 20,
    .warning = "the grid of the film model reynolds is meant for L/D from 0.05 to 20: take short below and "
               "long above",
    .tabulated = true,
    .shear = true,
    .impedance = reynolds_impedance,
    .peak = reynolds_peak,
    .grooved = reynolds_grooved,
    .grooved_peak = reynolds_grooved_peak,
};
