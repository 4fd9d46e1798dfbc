/* SPDX-License-Identifier: MIT
 *
 * The list of keys itself: every entry complete and consistent, every unit known, every default readable and
 * in its own range, and docs/model-format.md in step with it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "input/units.h"
#include "model/model.h"

enum { MOST = 96 };

static size_t all_kinds(const lashi_kind *kinds[MOST]) {
    size_t n = 0;
    kinds[n++] = &lashi_body_kind;
    kinds[n++] = &lashi_ground_kind;
    kinds[n++] = &lashi_material_kind;
    kinds[n++] = &lashi_clearance_kind;
    kinds[n++] = &lashi_guide_block;
    kinds[n++] = &lashi_stops_block;
    kinds[n++] = &lashi_backlash_block;
    kinds[n++] = &lashi_contact_block;
    kinds[n++] = &lashi_friction_kind;
    kinds[n++] = &lashi_drive_kind;
    kinds[n++] = &lashi_run_kind;
    kinds[n++] = &lashi_top_kind;
    for (size_t i = 0; lashi_joint_schema(i); i++)
        kinds[n++] = lashi_joint_schema(i);
    for (size_t i = 0; lashi_force_schema(i); i++)
        kinds[n++] = lashi_force_schema(i);
    assert_true(n < MOST);
    return n;
}

static void check_units(const char *kind, const lashi_key *key) {
    const char *unit = key->unit ? key->unit : "";
    while (*unit) {
        size_t n = strcspn(unit, "|,");
        double scale = 1, offset = 0;
        lashi_dimension dimension;
        char why[256];
        // The exponent n is that of a law: such a number has no unit in the file.
        const bool by_law = n > 2 && strncmp(unit + n - 2, "^n", 2) == 0;
        if (!by_law && !lashi_unit_parse(&scale, &offset, &dimension, unit, n, NULL, why, sizeof why))
            fail_msg("%s.%s: %s", kind, key->name, why);
        // What is documented as the unit is what a plain number means.
        if (scale != 1 || offset != 0)
            fail_msg("%s.%s: %.*s is not SI", kind, key->name, (int)n, unit);
        unit += n + (unit[n] != '\0');
    }
    const char *comma = key->unit ? strchr(key->unit, ',') : NULL;
    if ((key->type == LASHI_TABLE) != (comma != NULL))
        fail_msg("%s.%s: a table, and nothing else, has two units", kind, key->name);
}

static void test_entries(void **state) {
    (void)state;
    const lashi_kind *kinds[MOST];
    size_t count = all_kinds(kinds);
    for (size_t i = 0; i < count; i++) {
        assert_true(kinds[i]->name[0] && kinds[i]->doc[0]);
        const lashi_key *key;
        for (size_t n = 0; (key = lashi_kind_key(kinds[i], n)) != NULL; n++) {
            check_units(kinds[i]->name, key);
            if (!key->doc || !key->doc[0] || strchr(key->doc, '|') || key->doc[strlen(key->doc) - 1] == '.')
                fail_msg("%s.%s: its meaning is one phrase without a full stop or bar", kinds[i]->name,
                         key->name);
            // No name twice in one space.
            for (lash_space space = LASH_PLANAR; space <= LASH_SPATIAL; space++)
                if (lashi_fits(key->space, space))
                    assert_ptr_equal(lashi_kind_find(kinds[i], key->name, space), key);
            assert_true(key->space <= LASHI_SPACE_ONLY || (key->space == LASHI_NOWHERE && key->instead));
            assert_true(!key->instead || key->space != LASHI_BOTH_SPACES);
            assert_true(key->type != LASHI_CHOICE || (key->choices && key->choices(0)));
            assert_true(key->type != LASHI_BLOCK || key->block);
            bool object = key->type == LASHI_OBJECT || key->type == LASHI_OBJECT_PAIR;
            assert_true(!object || key->targets != 0);
            // "when" and "type" belong to the reader.
            assert_string_not_equal(key->name, "when");
            assert_string_not_equal(key->name, "type");
        }
    }
}

// A default that is a word must be one of the choices.
static void test_choice_defaults(void **state) {
    (void)state;
    const lashi_kind *kinds[MOST];
    const lashi_key *key;
    size_t count = all_kinds(kinds);
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; (key = lashi_kind_key(kinds[i], n)) != NULL; n++) {
            if (key->type != LASHI_CHOICE || !key->fallback || key->fallback[0] == '(')
                continue;
            bool known = false;
            for (size_t k = 0; key->choices(k); k++)
                known = known || strcmp(key->choices(k), key->fallback) == 0;
            if (!known)
                fail_msg("%s.%s: %s is not one of its choices", kinds[i]->name, key->name, key->fallback);
        }
}

static void test_defaults(void **state) {
    (void)state;
    lash_body_def body = lash_body_default();
    assert_true(isnan(body.mass) && isnan(body.inertia[2]) && body.angle == 0 && body.hold == 0);
    assert_true(body.position[0] == 0 && body.velocity[1] == 0);
    assert_true(isnan(body.inertia[0]) && isnan(body.inertia[5]) && isnan(body.inertia_at[0]));
    assert_true(body.orientation[0] == 1 && body.orientation[3] == 0 && body.inertia_axes[0] == 1);
    assert_true(body.angular_velocity[0] == 0 && body.angular_velocity[2] == 0);
    lash_run_def run = lash_run_default();
    assert_string_equal(run.method, "dop853");
    assert_string_equal(run.stabilisation, "baumgarte");
    assert_true(run.alpha == 5 && run.beta == 5 && run.rtol == 1e-6 && run.steps);
    assert_true(isnan(run.atol) && isnan(run.until) && isnan(run.until_turns) && !run.until_drive);
    lash_clearance_def clearance = lash_clearance_default();
    assert_string_equal(clearance.contact.law, "lankarani-nikravesh");
    assert_string_equal(clearance.friction.law, "none");
    assert_string_equal(clearance.sliding, "material");
    assert_true(clearance.tolerance == 1e-12 && clearance.contact.speed_floor == 1e-6);
    assert_true(clearance.friction.v0 == 1e-4 && clearance.friction.v1 == 1e-3);
    assert_true(isnan(clearance.radial) && isnan(clearance.offset[0]) && !clearance.materials[0]);
    lash_joint_def joint = lash_joint_default("revolute");
    assert_string_equal(joint.type, "revolute");
    assert_false(joint.has_clearance);
    assert_true(isnan(joint.length) && isnan(joint.second_axis[0]) && isnan(joint.pitch));
    assert_null(joint.joints[0]);
    assert_true(isnan(joint.clearance.axial) && isnan(joint.clearance.axial_stiffness));
    assert_string_equal(joint.clearance.contact.law, "lankarani-nikravesh");
    lash_joint_def unknown = lash_joint_default("hinge");
    assert_true(isnan(unknown.ratio));
    lash_drive_def drive = lash_drive_default();
    assert_true(isnan(drive.speed) && isnan(drive.ramp_to) && drive.ramp_from == 0 && !drive.table);
    lash_force_def force = lash_force_default("force");
    assert_string_equal(force.frame, "ground");
    assert_null(force.force[0]);
    lash_force_def unlisted = lash_force_default("none such");
    assert_true(isnan(unlisted.along[0]) && isnan(unlisted.about[2]) && isnan(unlisted.damping_along[1]) &&
                isnan(unlisted.damping_about[2]) && !unlisted.torques[0]);
    lash_material_def material = lash_material_default();
    assert_true(isnan(material.young) && isnan(material.density));
}

// Setting and unsetting is seen by lashi_key_is_set for every number of every kind.
static void test_is_set(void **state) {
    (void)state;
    lash_body_def body = lash_body_default();
    const lashi_key *mass = lashi_kind_find(&lashi_body_kind, "mass", LASH_PLANAR);
    assert_false(lashi_key_is_set(mass, &body));
    body.mass = 1;
    assert_true(lashi_key_is_set(mass, &body));
    lash_joint_def joint = lash_joint_default("revolute");
    const lashi_kind *revolute = lashi_joint_schema_find("revolute", LASH_PLANAR);
    const lashi_key *clearance = lashi_kind_find(revolute, "clearance", LASH_PLANAR);
    assert_false(lashi_key_is_set(clearance, &joint));
    joint.has_clearance = true;
    assert_true(lashi_key_is_set(clearance, &joint));
    const lashi_key *between = lashi_kind_find(revolute, "between", LASH_PLANAR);
    joint.between[0] = "ground";
    assert_false(lashi_key_is_set(between, &joint));
    joint.between[1] = "bob";
    assert_true(lashi_key_is_set(between, &joint));
    lash_run_def run = lash_run_default();
    const lashi_key *until = lashi_kind_find(&lashi_run_kind, "until", LASH_PLANAR);
    assert_false(lashi_key_is_set(until, &run));
    run.until_turns = 3;
    assert_true(lashi_key_is_set(until, &run));
}

static void test_reference(void **state) {
    (void)state;
    static const char begin[] = "<!-- reference: begin -->\n", end[] = "<!-- reference: end -->";
    char *reference = lash_model_format_reference();
    assert_non_null(reference);
    const lashi_kind *kinds[MOST];
    size_t count = all_kinds(kinds);
    for (size_t i = 0; i < count; i++) {
        char heading[128];
        snprintf(heading, sizeof heading, "\n### %s\n", kinds[i]->name);
        if (!strstr(reference, heading))
            fail_msg("the reference leaves out %s", kinds[i]->name);
    }
    FILE *file = fopen(LASH_SOURCE_DIR "/docs/model-format.md", "rb");
    assert_non_null(file);
    static char text[1 << 18];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *first = strstr(text, begin), *last = strstr(text, end);
    assert_true(first && last && first < last);
    first += strlen(begin);
    *last = '\0';
    if (strcmp(first, reference) != 0)
        fail_msg("docs/model-format.md is not what the schema says; run tools/update-format-reference.sh");
    free(reference);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),   cmocka_unit_test(test_choice_defaults),
        cmocka_unit_test(test_defaults),  cmocka_unit_test(test_is_set),
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
