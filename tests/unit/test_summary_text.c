/* SPDX-License-Identifier: MIT
 *
 * A summary in words: each number stands under its own name. Every field has a value of its own, so that none can be
 * taken for another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/summary.h"

#define WHOLE(name)                                                                                          \
    { #name, offsetof(lash_clearance_summary, name), true }
#define NUMBER(name)                                                                                         \
    { #name, offsetof(lash_clearance_summary, name), false }
static const struct {
    const char *name;
    size_t offset;
    bool whole;
} fields[] = {WHOLE(impacts),
              WHOLE(contacts),
              NUMBER(impacts_per_turn),
              NUMBER(free_fraction),
              NUMBER(impact_fraction),
              NUMBER(following_fraction),
              NUMBER(peak_penetration),
              NUMBER(peak_penetration_time),
              NUMBER(energy_lost),
              WHOLE(floor_used),
              WHOLE(above_validity),
              WHOLE(chatter),
              NUMBER(film_loss),
              NUMBER(min_film),
              NUMBER(film_force),
              NUMBER(film_force_time),
              WHOLE(through),
              WHOLE(dropped),
              NUMBER(dropped_from),
              WHOLE(over_pressure),
              NUMBER(film_pressure),
              NUMBER(film_pressure_time),
              NUMBER(worn),
              NUMBER(sliding_work),
              NUMBER(friction_loss),
              WHOLE(deep),
              WHOLE(damped),
              WHOLE(losses),
              NUMBER(first_loss),
              NUMBER(first_loss_crank)};
enum { FIELDS = sizeof fields / sizeof *fields };

static void every_number_has_its_name(void **state) {
    (void)state;
    lash_clearance_summary c = {.joint = "pin", .lubricated = true};
    for (size_t i = 0; i < FIELDS; i++) {
        const size_t whole = 1000 + i;
        const double number = 1000.5 + (double)i;
        memcpy((char *)&c + fields[i].offset, fields[i].whole ? (const void *)&whole : (const void *)&number,
               fields[i].whole ? sizeof whole : sizeof number);
    }
    const lash_summary summary = {.steps = 11,
                                  .rejected = 12,
                                  .evaluations = 13,
                                  .looks = 14,
                                  .events = 15,
                                  .start = 16,
                                  .end = 17,
                                  .max_position_violation = 18,
                                  .max_velocity_violation = 19,
                                  .clearance_count = 1,
                                  .clearances = &c};
    static const struct {
        const char *name;
        double value;
    } own[] = {{"steps", 11},
               {"rejected", 12},
               {"evaluations", 13},
               {"looks", 14},
               {"events", 15},
               {"start", 16},
               {"end", 17},
               {"max_position_violation", 18},
               {"max_velocity_violation", 19}};
    char *text = lashi_summary_text(&summary), line[100];
    assert_non_null(text);
    for (size_t i = 0; i < sizeof own / sizeof *own + FIELDS; i++) {
        const size_t k = i - sizeof own / sizeof *own;
        if (i < sizeof own / sizeof *own)
            snprintf(line, sizeof line, "%s%s = ", i ? "\n" : "", own[i].name);
        else
            snprintf(line, sizeof line, "\npin.%s = ", fields[k].name);
        const char *at = strstr(text, line);
        if (!at)
            at = strstr(text, line + (line[0] == '\n'));
        if (!at)
            fail_msg("no '%s' in\n%s", line, text);
        const double found = strtod(strchr(at, '=') + 1, NULL),
                     wanted = i < sizeof own / sizeof *own ? own[i].value
                              : fields[k].whole            ? 1000.0 + (double)k
                                                           : 1000.5 + (double)k;
        if (found != wanted)
            fail_msg("%s%g, not %g", line, found, wanted);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_number_has_its_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
