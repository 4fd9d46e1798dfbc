/* SPDX-License-Identifier: MIT
 *
 * A slider-crank built in C and stepped through one turn: what the library looks like from a program.
 *
 *   cc slider_crank.c $(pkg-config --cflags --libs --static lash) && ./a.out
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lash/lash.h"

static const double CRANK = 0.05, ROD = 0.12; /* m */
static const double SPEED = 100;              /* rad/s */
static const double TURN = 6.283185307179586; /* rad */

/* The first failure is kept in *error, and the calls after it do nothing. */
static void add_body(lash_model *model, const char *name, double mass, double inertia, double x,
                     double half_length, lash_error *error) {
    lash_body_def body = lash_body_default();
    body.mass = mass;
    body.inertia[2] = inertia;
    body.position[0] = x;
    const double left[3] = {-half_length, 0, 0}, right[3] = {half_length, 0, 0};
    if (error->status == LASH_OK)
        lash_model_add_body(model, name, &body, error);
    if (error->status == LASH_OK)
        lash_model_add_point(model, name, "left", left, error);
    if (error->status == LASH_OK)
        lash_model_add_point(model, name, "right", right, error);
}

static void add_joint(lash_model *model, const char *name, const char *type, const char *first,
                      const char *second, lash_error *error) {
    lash_joint_def joint = lash_joint_default(type);
    joint.between[0] = first;
    joint.between[1] = second;
    if (strcmp(type, "translational") == 0) { /* the guide is along x */
        joint.axis[0] = 1;
        joint.axis[1] = joint.axis[2] = 0;
    }
    if (error->status == LASH_OK)
        lash_model_add_joint(model, name, &joint, error);
}

static void build(lash_model *model, lash_error *error) {
    add_body(model, "crank", 0.30, 1e-4, CRANK / 2, CRANK / 2, error);
    add_body(model, "rod", 0.21, 2.5e-4, CRANK + ROD / 2, ROD / 2, error);
    add_body(model, "slider", 0.14, 1e-4, CRANK + ROD, 0.01, error);
    add_joint(model, "main", "revolute", "ground", "crank.left", error);
    add_joint(model, "crankpin", "revolute", "rod.left", "crank.right", error);
    add_joint(model, "gudgeon", "revolute", "slider", "rod.right", error);
    add_joint(model, "guide", "translational", "ground", "slider", error);

    lash_drive_def motor = lash_drive_default();
    motor.joint = "main";
    motor.speed = SPEED;
    if (error->status == LASH_OK)
        lash_model_add_drive(model, "motor", &motor, error);
}

/* Steps through one turn and compares the slider with x = r cos φ + sqrt(l² − r² sin² φ). */
static double follow(lash_sim *sim, lash_error *error) {
    const size_t x = lash_sim_find_channel(sim, "slider.x"),
                 torque = lash_sim_find_channel(sim, "motor.torque");
    double worst = 0;
    while (lash_sim_step(sim, TURN / SPEED, error) == LASH_OK) {
        const double phi = SPEED * lash_sim_time(sim), y = CRANK * sin(phi);
        worst = fmax(worst, fabs(lash_sim_value(sim, x) - CRANK * cos(phi) - sqrt(ROD * ROD - y * y)));
        printf("t = %8.6f s   x = %8.6f m   torque = %9.4f N m\n", lash_sim_time(sim), lash_sim_value(sim, x),
               lash_sim_value(sim, torque));
    }
    return worst;
}

int main(void) {
    lash_error error = {.status = LASH_OK};
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    double worst = INFINITY;

    if (lash_model_create(&model, LASH_PLANAR, &error) == LASH_OK)
        build(model, &error);
    if (error.status == LASH_OK && lash_system_compile(&system, model, &error) == LASH_OK &&
        lash_sim_create(&sim, system, &error) == LASH_OK)
        worst = follow(sim, &error);

    if (error.status != LASH_OK)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("largest error of the slider: %.1e m\n", worst);
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
    return error.status == LASH_OK && worst < 1e-8 ? 0 : 1;
}
