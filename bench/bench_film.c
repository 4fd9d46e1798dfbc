/* SPDX-License-Identifier: MIT
 *
 * The cost of one evaluation of a film, against a dry contact with friction; and of the table of a finite
 * bearing.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "contact/film_groove.h"
#include "contact/friction.h"
#include "contact/normal.h"
#include "../tests/laws/numbers.h"

enum { EVALUATIONS = 4000000, INPUTS = 1024 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static volatile double sink;

static double time_film(const lashi_film *film, const lashi_film_motion *motions) {
    double sum = 0, start = now();
    for (int i = 0; i < EVALUATIONS; i++) {
        lashi_film_force_result f = lashi_film_force(film, motions[i % INPUTS]);
        sum += f.radial + f.transverse + f.journal_torque + f.power;
    }
    double time = now() - start;
    sink = sum;
    return time / EVALUATIONS;
}

static double time_dry(const lashi_normal *normal, const lashi_friction *friction,
                       const lashi_film_motion *motions) {
    double sum = 0, start = now(), zdot;
    for (int i = 0; i < EVALUATIONS; i++) {
        const lashi_film_motion *m = &motions[i % INPUTS];
        lashi_normal_result f = lashi_normal_force(normal, 1e-7 * m->eps, 1e-4 * m->radial, 0.05);
        sum += f.force + f.damping_power +
               lashi_friction_force(friction, f.force, 1e-4 * m->transverse, 0, &zdot);
    }
    double time = now() - start;
    sink = sum;
    return time / EVALUATIONS;
}

int main(void) {
    static lashi_film_motion motions[INPUTS];
    for (int i = 0; i < INPUTS; i++)
        motions[i] = (lashi_film_motion){.eps = 0.5 + 0.49 * sin(i),
                                         .radial = 100 * cos(1.7 * i),
                                         .transverse = 100 * sin(2.3 * i),
                                         .place = {cos(0.7 * i), sin(0.7 * i)},
                                         .omega_j = 300};
    lash_clearance_def def = lash_clearance_default();
    def.bearing_radius = 10e-3;
    def.radial = 50e-6;
    def.length = 10e-3;
    def.contact.law = "lankarani-nikravesh";
    def.contact.restitution = 0.9;
    def.friction.law = "ambrosio";
    def.friction.coefficient = 0.01;
    def.friction.v0 = 1e-4;
    def.friction.v1 = 1e-3;
    lash_material_def steel = {.young = 207e9, .poisson = 0.3, .density = 7850};
    lash_error error = {0};
    lashi_normal normal;
    lashi_friction friction;
    if (lashi_friction_compile(&friction, friction_numbers(), &def.friction, &error) != LASH_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const char *const laws[] = {"lankarani-nikravesh", "johnson"};
    for (int i = 0; i < 2; i++) {
        def.contact.law = laws[i];
        if (lashi_normal_compile(&normal, normal_numbers(), &def, &steel, &steel, &error) != LASH_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        printf("dry, %-20s %6.1f ns\n", laws[i], 1e9 * time_dry(&normal, &friction, motions));
    }
    double start = now();
    lashi_film_key key = {LASHI_INLET_PERIODIC, false, 0.5};
    lashi_film_table *table;
    if (lashi_film_table_compute(&table, &key, &error) != LASH_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("table of L/D = 0.5          %6.2f s, error %.1e, thin films %.1e\n", now() - start, table->error,
           table->error_thin);
    lashi_film_cache_write(table->c, (double[2]){table->error, table->error_thin}, sizeof table->c, &key);
    lashi_film_table_destroy(table);
    key.inlet = LASHI_INLET_GROOVE;
    lashi_groove_table *grooved;
    start = now();
    if (lashi_groove_table_compute(&grooved, &key, &error) != LASH_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("the same with a groove      %6.2f s, error %.1e, thin films %.1e\n", now() - start,
           grooved->error, grooved->error_thin);
    lashi_film_cache_write(&grooved->c, (double[2]){grooved->error, grooved->error_thin}, sizeof grooved->c,
                           &key);
    lashi_groove_table_destroy(grooved);
    for (size_t i = 0; i == 0 || lashi_film_name(i - 1); i++) { // all models, and the last with a groove
        const bool with_groove = !lashi_film_name(i);
        lashi_film_data data = {with_groove ? "reynolds" : lashi_film_name(i),
                                0.04,
                                10e-3,
                                10e-3,
                                50e-6,
                                lashi_film_is_ball(lashi_film_name(i)),
                                -1,
                                with_groove ? LASHI_INLET_GROOVE : LASHI_INLET_PERIODIC,
                                0};
        lashi_film film;
        start = now();
        if (lashi_film_compile(&film, film_numbers(), &data, &error) != LASH_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        double compiled = now() - start;
        printf("film, %-19s %6.1f ns, compiled in %.2g ms\n", with_groove ? "reynolds, groove" : data.model,
               1e9 * time_film(&film, motions), 1e3 * compiled);
        lashi_film_clear(&film);
    }
    return 0;
}
