/* SPDX-License-Identifier: MIT
 *
 * The numbers of contacts stand in one flat block (contact.h): a number that is changed there by its index
 * gives the machine that has it in its file, bit for bit; and a block holds doubles alone.
 */
#include "physics/play.h"

/* A ball that drops onto the bottom of its bearing and rubs there. */
static lash_system *drop(const char *stiffness, const char *coefficient, const char *speed) {
    lash_error error = {0};
    char text[1024];
    snprintf(text, sizeof text,
             "gravity: [0, -9.81]\n"
             "bodies: {b: {mass: 0.3, inertia: 1e-4, angular_velocity: 40}}\n"
             "joints:\n  j: {type: revolute, between: [ground, b], clearance: {bearing_radius: 10 mm,\n"
             "    radial: 0.2 mm, contact: {law: flores-2011, stiffness: %s, restitution: 0.6},\n"
             "    friction: {law: stribeck, coefficient: %s, coefficient_static: 0.3, stribeck_speed: %s}}}\n"
             "run: {until: 0.05, samples: 100}\n",
             stiffness, coefficient, speed);
    lash_model *model;
    lash_system *system;
    MUST(lash_model_parse(&model, text, strlen(text), "drop.yaml", NULL, &error));
    MUST(lash_system_compile(&system, model, &error));
    return system;
}

/* The model is needed as long as the system. */
static void drop_destroy(lash_system *system) {
    lash_model *model = (lash_model *)lash_system_model(system);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

/* The coordinates and their rates after every step of the drop; their number. */
enum { VALUES = 20000 };
static size_t motion(double *values, lash_system *system) {
    lash_error error = {0};
    lash_sim *sim;
    MUST(lash_sim_create(&sim, system, &error));
    const size_t each = lash_sim_coordinate_count(sim);
    size_t count = 0;
    while (lash_sim_time(sim) < 0.05) {
        MUST(lash_sim_step(sim, 0.05, &error));
        assert_true(count + each <= VALUES);
        lash_sim_coordinates(values + count, sim);
        count += each;
    }
    assert_true(lash_sim_summary(sim).clearances[0].contacts >= 2);
    lash_sim_destroy(sim);
    drop_destroy(system);
    return count;
}

static void a_number_of_the_block_is_that_of_the_file(void **state) {
    (void)state;
    static double block[VALUES], file[VALUES], before[VALUES];
    lash_system *changed = drop("1e8", "0.1", "0.2");
    changed->numbers[LASHI_NUMBER(normal.stiffness)] = 3e8;
    changed->numbers[LASHI_NUMBER(friction.kinetic)] = 0.2;
    changed->numbers[LASHI_NUMBER(friction.stribeck_speed)] = 0.05;
    const size_t count = motion(block, changed);
    assert_int_equal(motion(file, drop("3e8", "0.2", "0.05")), count);
    assert_memory_equal(block, file, count * sizeof *block);
    const size_t other = motion(before, drop("1e8", "0.1", "0.2"));
    assert_true(other != count || memcmp(before, file, count * sizeof *file) != 0);
}

/* Every number is set by compiling: what a kind does not use is 0 or infinite, never left over. */
static void a_block_holds_doubles_alone(void **state) {
    (void)state;
    lash_system *system = drop("1e8", "0.1", "0.2");
    assert_int_equal(sizeof(lashi_contact_numbers), LASHI_NUMBERS * sizeof(double));
    assert_ptr_equal(system->contacts[0].p, lashi_numbers_at(system->numbers, 0));
    for (int i = 0; i < LASHI_NUMBERS; i++) {
        const double size = fabs(system->numbers[i]);
        assert_true(size == 0 || size > 1e-300 || isnan(size)); // a pointer or a flag read as one is smaller
    }
    drop_destroy(system);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_number_of_the_block_is_that_of_the_file),
                                       cmocka_unit_test(a_block_holds_doubles_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
