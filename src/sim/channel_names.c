/* SPDX-License-Identifier: MIT
 *
 * What a wrong name of a channel was probably meant to be: by its meaning, `rocker.omega` for `rocker.wz`,
 * else by its letters.
 *
 * The object of a name is what is before its last dot. Where an object of the list is called so, the
 * quantity is searched for in a list of other words for it, and the first of their channels that the object has
 * is suggested.
 */
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "lash/sim.h"

enum { MOST_QUANTITIES = 7 };

/* A word that users may know a quantity by, and what it is called here. */
typedef struct other_word {
    const char *word, *quantities[MOST_QUANTITIES];
} other_word;

static const other_word words[] = {
    {"omega", {"wz", "rate", "wx"}},
    {"w", {"wz", "rate"}},
    {"rpm", {"wz", "rate"}},
    {"spin", {"wz", "rate"}},
    {"angular_velocity", {"wz", "rate"}},
    {"angular_speed", {"wz", "rate"}},
    {"speed", {"sdot", "rate", "wz", "vx", "vt"}},
    {"velocity", {"sdot", "rate", "vx", "wz"}},
    {"v", {"sdot", "vx", "rate"}},
    {"sliding", {"vt", "sdot"}},
    {"xdot", {"vx"}},
    {"ydot", {"vy"}},
    {"zdot", {"vz"}},
    {"travel", {"s", "length"}},
    {"stroke", {"s", "length"}},
    {"displacement", {"s", "length", "x"}},
    {"position", {"s", "x", "length"}},
    {"distance", {"s", "length", "e"}},
    {"elongation", {"length"}},
    {"l", {"length"}},
    {"theta", {"angle"}},
    {"phi", {"angle"}},
    {"rotation", {"angle"}},
    {"s", {"length", "angle"}},
    {"length", {"s"}},
    {"angle", {"e0", "s", "length"}},
    {"orientation", {"angle", "e0"}},
    {"alpha", {"alphaz", "alphax"}},
    {"angular_acceleration", {"alphaz", "alphax"}},
    {"acceleration", {"ax", "alphaz"}},
    {"a", {"ax"}},
    {"xddot", {"ax"}},
    {"yddot", {"ay"}},
    {"force", {"f", "fn", "torque", "fx"}},
    {"reaction", {"f"}},
    {"load", {"f", "force", "torque"}},
    {"tension", {"force", "f"}},
    {"f", {"force", "fn", "torque"}},
    {"fz", {"f"}},
    {"normal_force", {"fn", "n"}},
    {"pressure", {"n", "film_pressure", "fn"}},
    {"friction", {"friction", "ft"}},
    {"friction_force", {"friction", "ft"}},
    {"torque", {"mz", "m", "force"}},
    {"moment", {"mz", "m", "torque"}},
    {"t", {"torque", "mz"}},
    {"depth", {"delta"}},
    {"penetration", {"delta"}},
    {"indentation", {"delta"}},
    {"gap", {"delta", "film"}},
    {"eccentricity", {"e"}},
    {"clearance", {"e"}},
    {"thickness", {"film"}},
    {"film_thickness", {"film"}},
    {"contact", {"mode"}},
    {"work", {"power", "energy"}},
    {"loss", {"power", "film_power"}},
    {"potential", {"energy"}},
    {"stored", {"energy"}},
    {"lookup", {"table"}},
    {"value", {"table", "force", "torque"}},
};

typedef struct channel_list {
    const char *(*name)(const void *list, size_t index);
    const void *list;
} channel_list;

/* The channel OBJECT.quantity of the list. */
static const char *find(const channel_list *in, const char *object, size_t length, const char *quantity) {
    const char *name;
    for (size_t i = 0; (name = in->name(in->list, i)) != NULL; i++)
        if (strncmp(name, object, length) == 0 && name[length] == '.' &&
            strcmp(name + length + 1, quantity) == 0)
            return name;
    return NULL;
}

const char *lash_channel_nearest(const char *word, const char *(*name)(const void *list, size_t index),
                                 const void *list) {
    if (!word || !name)
        return NULL;
    const channel_list in = {name, list};
    const char *dot = strrchr(word, '.');
    for (size_t w = 0; dot && w < sizeof words / sizeof *words; w++) {
        const char *const *quantity = words[w].quantities, *found;
        for (size_t k = 0; strcasecmp(dot + 1, words[w].word) == 0 && k < MOST_QUANTITIES && quantity[k]; k++)
            if ((found = find(&in, word, (size_t)(dot - word), quantity[k])) != NULL)
                return found;
    }
    return lashi_nearest(word, name, list);
}
