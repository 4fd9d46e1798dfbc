/* SPDX-License-Identifier: MIT
 *
 * Channels: every quantity that can be recorded, made once from the system's names, read from the workspace.
 * What the channels of an object have in common is computed once for all of them that are asked for in a row: its
 * group.
 *
 * Reactions are those on the second body, at the joint's point: f = −Φqᵀλ, and the moment about P_j
 * m = −(Φqᵀλ)_θ − S_j × f. A joint with play reports the force and moment of its contacts in the same way. In
 * space all vectors are in ground axes but wbx, wby, wbz, the angular velocity in the user's body axes; the
 * contacts of a pin there have channels of their own, JOINT.end1.fn and so on.
 */
#include "dynamics/reaction.h"
#include "joint/space.h"
#include "sim/sim.h"
#include "system/products.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

/* kind, suffix, unit, meaning: in the order in which they are listed. */
#define TIME_CHANNELS(X) X(TIME, "time", "s", "time since the start")
#define BODY_CHANNELS(X)                                                                                     \
    X(BODY_X, "x", "m", "centre of mass, along x")                                                           \
    X(BODY_Y, "y", "m", "centre of mass, along y")                                                           \
    X(BODY_ANGLE, "angle", "rad", "angle of the body's axes, counterclockwise")                              \
    X(BODY_VX, "vx", "m/s", "velocity of the centre of mass along x")                                        \
    X(BODY_VY, "vy", "m/s", "velocity of the centre of mass along y")                                        \
    X(BODY_W, "wz", "rad/s", "angular velocity")                                                             \
    X(BODY_AX, "ax", "m/s^2", "acceleration of the centre of mass along x")                                  \
    X(BODY_AY, "ay", "m/s^2", "acceleration of the centre of mass along y")                                  \
    X(BODY_ALPHA, "alphaz", "rad/s^2", "angular acceleration")
#define SPACE_BODY_CHANNELS(X)                                                                               \
    X(SPACE_X, "x", "m", "centre of mass, along x")                                                          \
    X(SPACE_Y, "y", "m", "centre of mass, along y")                                                          \
    X(SPACE_Z, "z", "m", "centre of mass, along z")                                                          \
    X(SPACE_E0, "e0", "", "orientation: scalar Euler parameter")                                             \
    X(SPACE_E1, "e1", "", "orientation: Euler parameter along x")                                            \
    X(SPACE_E2, "e2", "", "orientation: Euler parameter along y")                                            \
    X(SPACE_E3, "e3", "", "orientation: Euler parameter along z")                                            \
    X(SPACE_VX, "vx", "m/s", "velocity of the centre of mass along x")                                       \
    X(SPACE_VY, "vy", "m/s", "velocity of the centre of mass along y")                                       \
    X(SPACE_VZ, "vz", "m/s", "velocity of the centre of mass along z")                                       \
    X(SPACE_WX, "wx", "rad/s", "angular velocity about x, ground axes")                                      \
    X(SPACE_WY, "wy", "rad/s", "angular velocity about y, ground axes")                                      \
    X(SPACE_WZ, "wz", "rad/s", "angular velocity about z, ground axes")                                      \
    X(SPACE_OWN_X, "wbx", "rad/s", "angular velocity about the body's own x axis")                           \
    X(SPACE_OWN_Y, "wby", "rad/s", "angular velocity about the body's own y axis")                           \
    X(SPACE_OWN_Z, "wbz", "rad/s", "angular velocity about the body's own z axis")                           \
    X(SPACE_AX, "ax", "m/s^2", "acceleration of the centre of mass along x")                                 \
    X(SPACE_AY, "ay", "m/s^2", "acceleration of the centre of mass along y")                                 \
    X(SPACE_AZ, "az", "m/s^2", "acceleration of the centre of mass along z")                                 \
    X(SPACE_ALPHA_X, "alphax", "rad/s^2", "angular acceleration about x")                                    \
    X(SPACE_ALPHA_Y, "alphay", "rad/s^2", "angular acceleration about y")                                    \
    X(SPACE_ALPHA_Z, "alphaz", "rad/s^2", "angular acceleration about z")
#define WRENCH_CHANNELS(X)                                                                                   \
    X(WRENCH_FX, "fx", "N", "force of the joint on its second body along x")                                 \
    X(WRENCH_FY, "fy", "N", "force of the joint on its second body along y")                                 \
    X(WRENCH_FZ, "fz", "N", "force of the joint on its second body along z")                                 \
    X(WRENCH_MX, "mx", "N m", "moment of the joint on its second body about x")                              \
    X(WRENCH_MY, "my", "N m", "moment of the joint on its second body about y")                              \
    X(WRENCH_MZ, "mz", "N m", "moment of the joint on its second body about z")                              \
    X(WRENCH_F, "f", "N", "magnitude of the force of the joint")                                             \
    X(WRENCH_M, "m", "N m", "magnitude of the moment of the joint")
#define REACTION_CHANNELS(X)                                                                                 \
    X(JOINT_FX, "fx", "N", "force of the joint on its second body along x")                                  \
    X(JOINT_FY, "fy", "N", "force of the joint on its second body along y")                                  \
    X(JOINT_MZ, "mz", "N m", "moment of the joint on its second body")                                       \
    X(JOINT_F, "f", "N", "magnitude of the force of the joint")
#define ANGLE_CHANNELS(X)                                                                                    \
    X(JOINT_ANGLE, "angle", "rad", "angle of the second body relative to the first")                         \
    X(JOINT_W, "wz", "rad/s", "rate of the angle")
#define TRAVEL_CHANNELS(X)                                                                                   \
    X(JOINT_S, "s", "m", "travel of the second body along the axis")                                         \
    X(JOINT_SDOT, "sdot", "m/s", "rate of the travel")
#define DEPTH_CHANNELS(X) X(PLAY_EZ, "ez", "m", "journal centre from bearing centre, along z")
#define CENTRE_CHANNELS(X)                                                                                   \
    X(PLAY_EX, "ex", "m", "journal centre from bearing centre, along x")                                     \
    X(PLAY_EY, "ey", "m", "journal centre from bearing centre, along y")                                     \
    X(PLAY_E, "e", "m", "distance of the centres")                                                           \
    X(PLAY_EDOT, "edot", "m/s", "rate of the distance of the centres")
#define PLAY_CHANNELS(X)                                                                                     \
    X(PLAY_DELTA, "delta", "m", "depth of the contact; negative: apart")                                     \
    X(PLAY_DELTADOT, "deltadot", "m/s", "rate of the depth")                                                 \
    X(PLAY_VT, "vt", "m/s", "sliding speed")                                                                 \
    X(PLAY_FN, "fn", "N", "normal force")                                                                    \
    X(PLAY_FT, "ft", "N", "friction force")                                                                  \
    X(PLAY_MODE, "mode", "", "0 free, 1 perhaps an impact, 2 following, 3 permanent contact that pulls")
#define PART_CHANNELS(X)                                                                                     \
    X(PLAY_FE, "fe", "N", "elastic part of the normal force")                                                \
    X(PLAY_FD, "fd", "N", "damping part of the normal force")
#define LINK_CHANNELS(X)                                                                                     \
    X(LINK_N, "n", "N", "pressure of the contact; negative: it pulls")                                       \
    X(LINK_ANGLE, "contact_angle", "rad", "direction of the contact")
#define RUB_CHANNELS(X)                                                                                      \
    X(RUB_FRICTION, "friction", "N", "friction of the joint on its second body, along its coordinate")
#define FILM_CHANNELS(X)                                                                                     \
    X(FILM_THICKNESS, "film", "m", "least thickness of the film")                                            \
    X(FILM_FORCE, "film_force", "N", "force carried by the film")                                            \
    X(FILM_SHARE, "film_share", "", "weight of the film: 1 film only, 0 dry contact only")                   \
    X(FILM_TORQUE, "film_torque", "N m", "drag of the film on the journal")                                  \
    X(FILM_PRESSURE, "film_pressure", "Pa", "largest pressure of the film")                                  \
    X(FILM_POWER, "film_power", "W", "power lost in the film")
#define DRIVE_TORQUE_CHANNELS(X)                                                                             \
    X(DRIVE_FORCE, "torque", "N m", "torque of the drive")                                                   \
    X(DRIVE_VALUE, "angle", "rad", "driven angle")                                                           \
    X(DRIVE_POWER, "power", "W", "power of the drive")
#define DRIVE_FORCE_CHANNELS(X)                                                                              \
    X(DRIVE_FORCE, "force", "N", "force of the drive")                                                       \
    X(DRIVE_VALUE, "s", "m", "driven travel")                                                                \
    X(DRIVE_POWER, "power", "W", "power of the drive")
#define SYSTEM_CHANNELS(X)                                                                                   \
    X(ENERGY_KINETIC, "energy.kinetic", "J", "kinetic energy")                                               \
    X(ENERGY_POTENTIAL, "energy.potential", "J", "energy stored in gravity")                                 \
    X(ENERGY_ELASTIC, "energy.elastic", "J", "energy stored in springs and contacts")                        \
    X(ENERGY_DISSIPATED, "energy.dissipated", "J", "energy lost since the start")                            \
    X(ENERGY_DAMPING, "energy.damping", "J", "energy lost in dampers")                                       \
    X(ENERGY_CONTACT, "energy.contact", "J", "energy lost in the damping of contacts")                       \
    X(ENERGY_FRICTION, "energy.friction", "J", "energy lost in the friction of joints")                      \
    X(ENERGY_FILM, "energy.film", "J", "energy lost in oil films")                                           \
    X(ENERGY_INPUT, "energy.input", "J", "energy brought in since the start")                                \
    X(ENERGY_BALANCE, "energy.balance", "J", "sum of all energies: the error")                               \
    X(CONSTRAINT_POSITION, "constraint.position", "m", "largest violation of a constraint")                  \
    X(CONSTRAINT_VELOCITY, "constraint.velocity", "m/s", "the same of velocities")

#define AS_ENUM(kind, suffix, unit, meaning) kind,
enum channel_kind {
    TIME_CHANNELS(AS_ENUM) BODY_CHANNELS(AS_ENUM) SPACE_BODY_CHANNELS(AS_ENUM) REACTION_CHANNELS(AS_ENUM)
        WRENCH_CHANNELS(AS_ENUM) ANGLE_CHANNELS(AS_ENUM) TRAVEL_CHANNELS(AS_ENUM) DEPTH_CHANNELS(AS_ENUM)
            CENTRE_CHANNELS(AS_ENUM) PLAY_CHANNELS(AS_ENUM) PART_CHANNELS(AS_ENUM) LINK_CHANNELS(AS_ENUM)
                RUB_CHANNELS(AS_ENUM) FILM_CHANNELS(AS_ENUM) DRIVE_TORQUE_CHANNELS(AS_ENUM)
                    SYSTEM_CHANNELS(AS_ENUM) FORCE_OWN, /* … and those after it: of a force, by number */
    PLAY_OWN = FORCE_OWN + LASHI_FORCE_CHANNELS,        /* … and those after it: of a joint's play */
    MOST_OF_PLAY = 8,
    SIGNAL_VALUE = PLAY_OWN + MOST_OF_PLAY, /* by its name alone … */
    INPUT_VALUE,                            /* … likewise */
    CHANNEL_KINDS
};

typedef struct listed {
    int kind;
    const char *suffix, *unit, *meaning;
} listed;
#define AS_LISTED(kind, suffix, unit, meaning) {kind, suffix, unit, meaning},
static const listed time_list[] = {TIME_CHANNELS(AS_LISTED)};
static const listed body_list[] = {BODY_CHANNELS(AS_LISTED)};
static const listed space_body_list[] = {SPACE_BODY_CHANNELS(AS_LISTED)};
static const listed wrench_list[] = {WRENCH_CHANNELS(AS_LISTED)};
static const listed depth_list[] = {DEPTH_CHANNELS(AS_LISTED)};
static const listed reaction_list[] = {REACTION_CHANNELS(AS_LISTED)};
static const listed angle_list[] = {ANGLE_CHANNELS(AS_LISTED)};
static const listed travel_list[] = {TRAVEL_CHANNELS(AS_LISTED)};
static const listed centre_list[] = {CENTRE_CHANNELS(AS_LISTED)};
static const listed play_list[] = {PLAY_CHANNELS(AS_LISTED)};
static const listed part_list[] = {PART_CHANNELS(AS_LISTED)};
static const listed link_list[] = {LINK_CHANNELS(AS_LISTED)};
static const listed rub_list[] = {RUB_CHANNELS(AS_LISTED)};
static const listed film_list[] = {FILM_CHANNELS(AS_LISTED)};
static const listed drive_torque_list[] = {DRIVE_TORQUE_CHANNELS(AS_LISTED)};
static const listed drive_force_list[] = {DRIVE_FORCE_CHANNELS(AS_LISTED)};
static const listed system_list[] = {SYSTEM_CHANNELS(AS_LISTED)};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const lashi_channel_group *group_of(int kind);

bool lashi_channel_is_integral(const lash_sim *sim, size_t channel) {
    const int kind = sim->channels[channel].kind;
    return kind >= ENERGY_DISSIPATED && kind <= ENERGY_BALANCE;
}

/* ---- the table ---- */

static bool add(lash_sim *sim, const listed *list, size_t count, const char *object, int index) {
    for (size_t k = 0; k < count; k++) {
        const char *name = object ? lashi_arena_name(&sim->arena, object, list[k].suffix) : list[k].suffix;
        if (!name)
            return false;
        sim->channels[sim->channel_count++] = (lashi_channel){.name = name,
                                                              .unit = list[k].unit,
                                                              .meaning = list[k].meaning,
                                                              .kind = list[k].kind,
                                                              .index = index,
                                                              .group = group_of(list[k].kind)};
    }
    return true;
}

/* In the units of a contact whose δ is an angle. */
static const char *unit_of(const lashi_contact *contact, const char *unit) {
    static const char *const pairs[][2] = {{"m", "rad"}, {"m/s", "rad/s"}, {"N", "N m"}};
    for (size_t k = 0; strcmp(contact->unit, "rad") == 0 && k < sizeof pairs / sizeof *pairs; k++)
        if (strcmp(unit, pairs[k][0]) == 0)
            return pairs[k][1];
    return unit;
}

/* The channels of one contact. */
static bool add_contact(lash_sim *sim, int k) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const size_t first = sim->channel_count;
    const bool centred = lashi_kind_of(contact)->centred;
    bool ok = !centred || add(sim, centre_list, COUNT(centre_list), contact->name, k);
    ok = ok && add(sim, play_list, COUNT(play_list), contact->name, k);
    if (ok && centred && contact->acts == LASHI_ACTS_IN_SPACE)
        ok = add(sim, depth_list, COUNT(depth_list), contact->name, k);
    if (ok)
        ok = contact->constraint >= 0 ? add(sim, link_list, COUNT(link_list), contact->name, k)
                                      : add(sim, part_list, COUNT(part_list), contact->name, k);
    if (ok && contact->lubricated)
        ok = add(sim, film_list, COUNT(film_list), contact->name, k);
    for (size_t c = first; ok && c < sim->channel_count; c++)
        sim->channels[c].unit = unit_of(contact, sim->channels[c].unit);
    return ok;
}

/* Those of a joint that is not ideal: of its plays, and of their contacts. */
static bool add_play(lash_sim *sim, const lashi_joint_info *joint, int index) {
    bool ok = true;
    for (int p = 0; ok && p < joint->play_count; p++) {
        const lashi_play_channel *list = joint->plays[p].play->channels;
        const lashi_contact *contact = &sim->system->contacts[joint->plays[p].first_contact];
        for (int c = 0; ok && list && list[c].suffix; c++) {
            const listed one = {PLAY_OWN + c, list[c].suffix, unit_of(contact, list[c].unit),
                                list[c].meaning};
            ok = add(sim, &one, 1, joint->name, LASHI_JOINT_PLAYS * index + p);
        }
    }
    for (int k = joint->first_contact; ok && k < joint->first_contact + joint->contacts; k++)
        ok = add_contact(sim, k);
    return ok;
}

static bool add_force(lash_sim *sim, int index) {
    const lashi_force *force = &sim->system->forces[index];
    const lashi_force_channel *list = lashi_force_kind_at((size_t)force->type)->channels;
    bool ok = true;
    for (int c = 0; ok && list && list[c].suffix; c++) {
        lashi_force_channel own;
        if (!lashi_force_channel_of(&own, force, &list[c]))
            continue;
        const listed one = {FORCE_OWN + c, own.suffix, own.unit, own.meaning};
        ok = add(sim, &one, 1, force->name, index);
    }
    return ok;
}

lash_status lashi_channels_create(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    const bool space = system->spatial;
    const listed *bodies = space ? space_body_list : body_list,
                 *reactions = space ? wrench_list : reaction_list;
    const size_t body_channels = space ? COUNT(space_body_list) : COUNT(body_list),
                 reaction_channels = space ? COUNT(wrench_list) : COUNT(reaction_list);
    const size_t most =
        COUNT(time_list) + COUNT(system_list) + (size_t)system->bodies * body_channels +
        (size_t)system->joint_count *
            (reaction_channels + COUNT(angle_list) + COUNT(travel_list) + LASHI_JOINT_PLAYS * MOST_OF_PLAY) +
        (size_t)system->contact_count * (COUNT(centre_list) + COUNT(play_list) + COUNT(depth_list) +
                                         COUNT(part_list) + COUNT(link_list) + COUNT(film_list)) +
        (size_t)system->rub_count + (size_t)system->drive_count * COUNT(drive_torque_list) +
        (size_t)system->force_count * LASHI_FORCE_CHANNELS +
        (size_t)(system->machine.signal_count + system->machine.input_count);
    sim->channels = lashi_arena_alloc(&sim->arena, most, sizeof *sim->channels);
    if (!sim->channels)
        return lashi_fail_memory(error);
    bool ok = add(sim, time_list, COUNT(time_list), NULL, 0);
    for (int b = 1; ok && b < system->bodies; b++)
        ok = add(sim, bodies, body_channels, system->body_names[b], b);
    for (int j = 0; ok && j < system->joint_count; j++) {
        const lashi_joint_info *joint = &system->joints[j];
        if (joint->has_coordinate && joint->coordinate.type == LASHI_COORDINATE_ANGLE)
            ok = add(sim, angle_list, COUNT(angle_list), joint->name, j);
        if (ok && joint->has_coordinate &&
            (joint->has_travel || joint->coordinate.type == LASHI_COORDINATE_TRAVEL))
            ok = add(sim, travel_list, COUNT(travel_list), joint->name, j);
        ok = ok && add(sim, reactions, reaction_channels, joint->name, j);
        for (int r = joint->first_rub; ok && r >= 0 && r < joint->first_rub + joint->rubs; r++) {
            ok = add(sim, rub_list, COUNT(rub_list), system->rubs[r].name, r);
            sim->channels[sim->channel_count - 1].unit = system->rubs[r].unit;
        }
        if (ok && joint->first_contact >= 0)
            ok = add_play(sim, joint, j);
    }
    for (int d = 0; ok && d < system->drive_count; d++) {
        const lashi_constraint *drive = lashi_drive_constraint(system, d);
        ok = drive->coordinate.type == LASHI_COORDINATE_ANGLE
                 ? add(sim, drive_torque_list, COUNT(drive_torque_list), system->drives[d].name, d)
                 : add(sim, drive_force_list, COUNT(drive_force_list), system->drives[d].name, d);
    }
    for (int k = 0; ok && k < system->force_count; k++)
        ok = add_force(sim, k);
    for (int s = 0; ok && s < system->machine.signal_count; s++) {
        const listed one = {SIGNAL_VALUE, system->machine.signals[s].name, system->machine.signals[s].unit,
                            "signal of the model"};
        ok = add(sim, &one, 1, NULL, s);
    }
    for (int i = 0; ok && i < system->machine.input_count; i++) {
        const char *unit = system->machine.inputs[i]->unit;
        const listed one = {INPUT_VALUE, system->machine.input_names[i], unit ? unit : "",
                            "input of the model"};
        ok = add(sim, &one, 1, NULL, i);
    }
    ok = ok && add(sim, system_list, COUNT(system_list), NULL, 0);
    return ok ? LASH_OK : lashi_fail_memory(error);
}

/* ---- values ---- */

/* What the workspace holds, and of what. */
typedef struct point {
    const lash_sim *sim;
    double t;
    const double *y;
} point;

static void put(double out[3], lashi_vec3 a) {
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
}

/* Generalised force of a joint on its second body: of its constraint and of its contacts. */
static void load(double g[LASHI_FREEDOMS], const lash_sim *sim, const lashi_joint_info *joint) {
    const lashi_workspace *w = sim->workspace;
    memset(g, 0, LASHI_FREEDOMS * sizeof *g);
    const bool whole = w->whole_lambda != NULL;
    const int at = whole ? joint->whole : joint->constraint;
    if (at >= 0) {
        const lashi_constraint *item = &(whole ? &sim->system->whole : &sim->system->motion)->items[at];
        const double *J = (whole ? &w->whole : &w->constraints)->J + item->jacobian +
                          item->rows * LASHI_FREEDOMS; // of the second body
        const double *lambda = (whole ? w->whole_lambda : w->lambda) + item->first_row;
        lashi_subtract_rows(g, J, item->rows, lambda, LASHI_FREEDOMS);
        if (item->pressure > 0) {
            double row[LASHI_SLOTS][LASHI_FREEDOMS] = {{0}};
            lashi_constraint_apart(row, item, w->frames);
            for (int k = 0; k < LASHI_PLANE; k++)
                g[k] += w->apart[joint->constraint] * row[1][k];
        }
    }
    for (int r = joint->first_rub; r >= 0 && r < joint->first_rub + joint->rubs; r++) {
        const lashi_rub *rub = &sim->system->rubs[r];
        lashi_slide slide;
        int body[LASHI_LINKS];
        lashi_rub_slide(&slide, body, rub, &sim->rub_memories[r], sim->system, w->frames);
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int k = 0; k < LASHI_FREEDOMS && body[link] == joint->body[1]; k++)
                for (int way = 0; way < rub->ways; way++)
                    g[k] += w->rub_states[r].force[way] * slide.T[way][link][k];
    }
    for (int k = joint->first_contact; k >= 0 && k < joint->first_contact + joint->contacts; k++)
        lashi_contact_load(g, &sim->system->contacts[k], w->frames, &w->contact_states[k], joint->body[1]);
}

/* Force and moment on the second body of a joint, at its point. */
static lashi_reaction reaction_of(const point *at, const lashi_channel *channel) {
    const lash_system *system = at->sim->system;
    const lashi_workspace *w = at->sim->workspace;
    const lashi_joint_info *joint = &system->joints[channel->index];
    const lashi_frame *second = &w->frames[joint->body[1]];
    double g[LASHI_FREEDOMS];
    load(g, at->sim, joint);
    lashi_reaction out = system->spatial ? lashi_reaction_in_space(g, second, joint->geometry->s[1])
                                         : lashi_reaction_in_plane(g, second, joint->s[1]);
    if (joint->absorbed >= 0 && joint->whole < 0) {
        const lashi_absorbed *item = &system->absorbed[joint->absorbed];
        lashi_reaction_of_absorbed(&out, item, system->spatial, system->mass[item->body],
                                   w->acceleration[item->body], w->force[item->body], &w->frames[item->body]);
    }
    return out;
}

static void reaction(double *out, const point *at, const lashi_channel *channel) {
    const lashi_reaction on = reaction_of(at, channel);
    out[JOINT_FX] = on.force.x;
    out[JOINT_FY] = on.force.y;
    out[JOINT_MZ] = on.moment.z;
    out[JOINT_F] = lashi_length3(on.force);
}

static void wrench(double *out, const point *at, const lashi_channel *channel) {
    const lashi_reaction on = reaction_of(at, channel);
    put(out + WRENCH_FX, on.force);
    put(out + WRENCH_MX, on.moment);
    out[WRENCH_F] = lashi_length3(on.force);
    out[WRENCH_M] = lashi_length3(on.moment);
}

/* A channel of a joint's own play. */
static void own_of_play(double *out, const point *at, const lashi_channel *channel) {
    const lash_sim *sim = at->sim;
    const lashi_joint_info *joint = &sim->system->joints[channel->index / LASHI_JOINT_PLAYS];
    const lashi_joint_play *of = &joint->plays[channel->index % LASHI_JOINT_PLAYS];
    const lashi_play_view view = {.contacts = sim->system->contacts + of->first_contact,
                                  .states = sim->workspace->contact_states + of->first_contact,
                                  .memories = sim->memories + of->first_contact,
                                  .frames = sim->workspace->frames,
                                  .geometry = joint->geometry};
    out[channel->kind] = of->play->value(&view, channel->kind - PLAY_OWN);
}

/* A channel of a force of that type. */
static void own_of_force(double *out, const point *at, const lashi_channel *channel) {
    const lashi_workspace *w = at->sim->workspace;
    const lashi_force *force = &at->sim->system->forces[channel->index];
    const lashi_force_view view = {w->frames, at->t, w->scratch};
    out[channel->kind] =
        lashi_force_kind_at((size_t)force->type)->value(force, &view, channel->kind - FORCE_OWN);
}

static void body(double *out, const point *at, const lashi_channel *channel) {
    const lashi_frame *f = &at->sim->workspace->frames[channel->index];
    out[BODY_X] = f->x;
    out[BODY_Y] = f->y;
    out[BODY_ANGLE] = f->angle;
    out[BODY_VX] = f->vx;
    out[BODY_VY] = f->vy;
    out[BODY_W] = f->w;
    memcpy(out + BODY_AX, at->sim->workspace->acceleration[channel->index], LASHI_PLANE * sizeof *out);
}

static void place(double *out, const point *at, const lashi_channel *channel) {
    put(out + SPACE_X, at->sim->workspace->frames[channel->index].r);
}

static void orientation(double *out, const point *at, const lashi_channel *channel) {
    const lash_sim *sim = at->sim;
    lashi_user_orientation(out + SPACE_E0, sim->system, channel->index,
                           &sim->workspace->frames[channel->index]);
}

static void velocity(double *out, const point *at, const lashi_channel *channel) {
    put(out + SPACE_VX, at->sim->workspace->frames[channel->index].v);
    put(out + SPACE_WX, at->sim->workspace->frames[channel->index].spin);
}

static void own_spin(double *out, const point *at, const lashi_channel *channel) {
    const lashi_frame *frame = &at->sim->workspace->frames[channel->index];
    double p[4], A[9], unit[4];
    lashi_user_orientation(p, at->sim->system, channel->index, frame);
    lashi_rotation(A, unit, p);
    put(out + SPACE_OWN_X, lashi_turn_back(A, frame->spin));
}

static void acceleration(double *out, const point *at, const lashi_channel *channel) {
    const double *own = at->sim->workspace->acceleration[channel->index];
    put(out + SPACE_AX, lashi_vec3_of(own));
    put(out + SPACE_ALPHA_X,
        lashi_turn3(at->sim->workspace->frames[channel->index].A, lashi_vec3_of(own + 3)));
}

static void angle(double *out, const point *at, const lashi_channel *channel) {
    const lashi_coordinate *of = &at->sim->system->joints[channel->index].coordinate;
    const lashi_coordinate_state c = lashi_coordinate_evaluate(of, at->sim->workspace->frames);
    out[JOINT_ANGLE] = c.value;
    out[JOINT_W] = c.rate;
}

/* Also of a joint whose first coordinate is its angle. */
static void travel(double *out, const point *at, const lashi_channel *channel) {
    lashi_coordinate of = at->sim->system->joints[channel->index].coordinate;
    of.type = LASHI_COORDINATE_TRAVEL;
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&of, at->sim->workspace->frames);
    out[JOINT_S] = c.value;
    out[JOINT_SDOT] = c.rate;
}

/* 0 free flight, 1 contact that may still be an impact, 2 following, 3 permanent contact that pulls. */
static double mode(const lash_sim *sim, int k, double t) {
    const lashi_memory *memory = &sim->memories[k];
    if (!memory->touching)
        return 0;
    if (sim->system->contacts[k].model != LASHI_MODEL_COMPLIANT)
        return sim->workspace->contact_states[k].normal_force < 0 ? 3 : 2;
    return t - memory->since <= lashi_impact_limit(&sim->accounts[k]) ? 1 : 2;
}

static void contact(double *out, const point *at, const lashi_channel *channel) {
    const int k = channel->index;
    const lashi_contact_state *state = &at->sim->workspace->contact_states[k];
    const lashi_gap *gap = &state->gap;
    const bool worn = at->sim->system->contacts[k].worn;
    out[PLAY_EX] = gap->d.x;
    out[PLAY_EY] = gap->d.y;
    out[PLAY_E] = gap->e;
    out[PLAY_EDOT] = !worn ? gap->deltadot : gap->e > 0 ? lashi_dot3(gap->d, gap->ddot) / gap->e : 0;
    out[PLAY_DELTA] = gap->delta;
    out[PLAY_DELTADOT] = gap->deltadot;
    out[PLAY_VT] = gap->sliding;
    out[PLAY_FN] = state->normal_force;
    out[PLAY_FT] = state->friction_force;
    out[PLAY_MODE] = mode(at->sim, k, at->t);
    out[PLAY_EZ] = gap->d.z;
}

static void parts(double *out, const point *at, const lashi_channel *channel) {
    const lashi_contact *of = &at->sim->system->contacts[channel->index];
    const lashi_contact_state *state = &at->sim->workspace->contact_states[channel->index];
    out[PLAY_FE] = at->sim->memories[channel->index].touching
                       ? lashi_contact_elastic(of, lashi_gap_factor(of, &state->gap), state->gap.delta)
                       : 0;
    out[PLAY_FD] = state->normal_force - out[PLAY_FE];
}

static void link(double *out, const point *at, const lashi_channel *channel) {
    const lashi_contact_state *state = &at->sim->workspace->contact_states[channel->index];
    out[LINK_N] = state->normal_force;
    out[LINK_ANGLE] = atan2(state->gap.n.y, state->gap.n.x);
}

/* Of the film of a lubricated joint, with its share of force, torque, pressure and power. */
static void film(double *out, const point *at, const lashi_channel *channel) {
    const lashi_contact *of = &at->sim->system->contacts[channel->index];
    const lashi_contact_state *state = &at->sim->workspace->contact_states[channel->index];
    out[FILM_THICKNESS] = of->p->size.clearance - state->gap.e;
    out[FILM_FORCE] = state->film_force;
    out[FILM_SHARE] = state->film_share;
    out[FILM_TORQUE] = state->film_torque;
    out[FILM_POWER] = state->film_power;
}

static void film_pressure(double *out, const point *at, const lashi_channel *channel) {
    const lashi_contact *of = &at->sim->system->contacts[channel->index];
    const double share = at->sim->workspace->contact_states[channel->index].film_share;
    out[FILM_PRESSURE] =
        share > 0 ? share * lashi_film_peak(&of->film, lashi_contact_film(of, at->sim->workspace->frames))
                  : 0;
}

/* With its sign, of what slides in one direction; else its size. */
static void rub(double *out, const point *at, const lashi_channel *channel) {
    const lashi_rub *of = &at->sim->system->rubs[channel->index];
    const double *force = at->sim->workspace->rub_states[channel->index].force;
    out[RUB_FRICTION] = of->lever * (of->ways == 1 ? force[0] : lashi_ways_length(force, of->ways));
}

static void drive(double *out, const point *at, const lashi_channel *channel) {
    const lash_sim *sim = at->sim;
    const lash_system *system = sim->system;
    const int absorbed = system->drives[channel->index].absorbed,
              whole = system->drives[channel->index].whole;
    const lashi_constraint *of = lashi_drive_constraint(system, channel->index);
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&of->coordinate, sim->workspace->frames);
    double force;
    if (whole >= 0) {
        force = -sim->workspace->whole_lambda[system->whole.items[whole].first_row];
    } else if (absorbed >= 0) {
        const lashi_absorbed *item = &system->absorbed[absorbed];
        const int b = item->body;
        const double *m = system->mass[b], *a = sim->workspace->acceleration[b],
                     *g = sim->workspace->force[b];
        double R[LASHI_FREEDOMS];
        lashi_vec3 F, M;
        if (system->spatial)
            lashi_balance_in_space(&F, &M, m, a, g, &sim->workspace->frames[b],
                                   item->joint.geometry->s[item->slot]);
        else
            lashi_balance(R, m, a, g, &sim->workspace->frames[b], item->joint.s[item->slot]);
        force = item->sign * (system->spatial ? lashi_dot3(M, item->axis) : R[2]);
    } else {
        force = -sim->workspace->lambda[of->first_row];
    }
    out[DRIVE_FORCE] = force;
    out[DRIVE_VALUE] = c.value;
    out[DRIVE_POWER] = force * c.rate;
}

static void ledger(double *out, const point *at, const lashi_channel *channel) {
    (void)channel;
    const lash_system *system = at->sim->system;
    const lashi_energy e = lashi_energy_evaluate(at->sim->workspace);
    const double *work = at->y + system->work_at;
    double contacts = 0, friction = 0, films = 0;
    for (int k = 0; k < system->contact_count; k++) {
        const double *loss = at->y + system->loss_at + LASHI_LOSSES * k;
        contacts += loss[LASHI_LOSS_DAMPING];
        friction += loss[LASHI_LOSS_FRICTION];
        films += loss[LASHI_LOSS_FILM];
    }
    for (int r = 0; r < system->rub_count; r++)
        friction += system->rubs[r].loss >= 0 ? at->y[system->rubs[r].loss] : 0;
    const double lost = work[LASHI_WORK_DISSIPATION] + contacts + friction + films;
    out[ENERGY_KINETIC] = e.kinetic;
    out[ENERGY_POTENTIAL] = e.potential;
    out[ENERGY_ELASTIC] = e.elastic;
    out[ENERGY_DISSIPATED] = lost;
    out[ENERGY_DAMPING] = work[LASHI_WORK_DISSIPATION];
    out[ENERGY_CONTACT] = contacts;
    out[ENERGY_FRICTION] = friction;
    out[ENERGY_FILM] = films;
    out[ENERGY_INPUT] = work[LASHI_WORK_INPUT];
    out[ENERGY_BALANCE] =
        e.kinetic + e.potential + e.elastic + lost - work[LASHI_WORK_INPUT] - at->sim->state->energy0;
}

static void violation(double *out, const point *at, const lashi_channel *channel) {
    (void)channel;
    lashi_violation(&out[CONSTRAINT_POSITION], &out[CONSTRAINT_VELOCITY], at->sim->workspace);
}

static void time_value(double *out, const point *at, const lashi_channel *channel) {
    (void)channel;
    out[TIME] = at->t;
}

static void signal_value(double *out, const point *at, const lashi_channel *channel) {
    out[SIGNAL_VALUE] = at->sim->workspace->reads[at->sim->system->machine.signals[channel->index].read].f;
}

static void input_value(double *out, const point *at, const lashi_channel *channel) {
    out[INPUT_VALUE] = lashi_input_at(at->sim->workspace, channel->index, at->t);
}

/* The kinds from first to last of one object: computed together, out[kind] of each, or each alone. */
struct lashi_channel_group {
    int first, last;
    void (*fill)(double *out, const point *at, const lashi_channel *channel);
    bool alone;
};
static const lashi_channel_group groups[] = {
    {TIME, TIME, time_value, true},
    {SIGNAL_VALUE, SIGNAL_VALUE, signal_value, true},
    {INPUT_VALUE, INPUT_VALUE, input_value, true},
    {BODY_X, BODY_ALPHA, body, false},
    {SPACE_X, SPACE_Z, place, false},
    {SPACE_E0, SPACE_E3, orientation, false},
    {SPACE_VX, SPACE_WZ, velocity, false},
    {SPACE_OWN_X, SPACE_OWN_Z, own_spin, false},
    {SPACE_AX, SPACE_ALPHA_Z, acceleration, false},
    {JOINT_FX, JOINT_F, reaction, false},
    {WRENCH_FX, WRENCH_M, wrench, false},
    {JOINT_ANGLE, JOINT_W, angle, false},
    {JOINT_S, JOINT_SDOT, travel, false},
    {PLAY_EZ, PLAY_MODE, contact, false},
    {PLAY_FE, PLAY_FD, parts, false},
    {LINK_N, LINK_ANGLE, link, false},
    {RUB_FRICTION, RUB_FRICTION, rub, true},
    {FILM_PRESSURE, FILM_PRESSURE, film_pressure, true}, // a search
    {FILM_THICKNESS, FILM_POWER, film, false},
    {DRIVE_FORCE, DRIVE_POWER, drive, false},
    {ENERGY_KINETIC, ENERGY_BALANCE, ledger, false},
    {CONSTRAINT_POSITION, CONSTRAINT_VELOCITY, violation, false},
    {FORCE_OWN, PLAY_OWN - 1, own_of_force, true},
    {PLAY_OWN, PLAY_OWN + MOST_OF_PLAY - 1, own_of_play, true},
};

/* The first group of the list that has this kind. */
static const lashi_channel_group *group_of(int kind) {
    const lashi_channel_group *group = groups;
    while (kind < group->first || kind > group->last)
        group++;
    return group;
}

void lashi_channel_values(double *values, const lash_sim *sim, const size_t *channels, size_t count, double t,
                          const double *y) {
    const point at = {sim, t, y};
    const lashi_channel *last = NULL; // whose group was computed last
    double known[CHANNEL_KINDS];
    for (size_t k = 0; k < count; k++) {
        const lashi_channel *channel = &sim->channels[channels[k]];
        const lashi_channel_group *group = channel->group;
        if (!last || last->group != group || last->index != channel->index || group->alone)
            group->fill(known, &at, channel);
        last = channel;
        // Compiled code does not keep the sign of a zero, so no channel has one: -0 + 0 is 0.
        values[k] = known[channel->kind] + 0.0;
    }
}

lash_status lashi_sim_finite(const lash_sim *sim, const char *object, const char *const *names,
                             const double *values, size_t count, double t, lash_error *error) {
    double sum = 0;
    size_t bad = 0;
    for (size_t i = 0; i < count; i++)
        sum += 0.0 * values[i]; // NaN for every infinity and NaN
    if (sum == 0)
        return LASH_OK;
    while (isfinite(values[bad]))
        bad++;
    const char *dot = object[0] ? "." : "", *name = names[bad];
    for (int d = 0; d < sim->system->drive_count; d++) {
        const lashi_jet motion = lashi_profile_jet(&lashi_drive_constraint(sim->system, d)->profile, t);
        const char *drive = sim->system->drives[d].name;
        if (!isfinite(motion.f + motion.df + motion.ddf))
            return lashi_fail_at(
                error, LASH_ERROR_NOT_FINITE, t, drive,
                "'%s%s%s' is not a finite number at t = %.9g s: the motion of the drive '%s' "
                "divides by zero or overflows there",
                object, dot, name, t, drive);
    }
    return lashi_fail_at(
        error, LASH_ERROR_NOT_FINITE, t, object,
        "'%s%s%s' is not a finite number at t = %.9g s; look for a force that divides by zero "
        "or overflows, or for a number in a wrong unit",
        object, dot, name, t);
}

/* ---- public ---- */

size_t lash_sim_channel_count(const lash_sim *sim) {
    if (!sim)
        return 0;
    return sim->channel_count;
}

const char *lash_sim_channel_name(const lash_sim *sim, size_t channel) {
    if (!sim)
        return NULL;
    return channel < sim->channel_count ? sim->channels[channel].name : NULL;
}

const char *lash_sim_channel_unit(const lash_sim *sim, size_t channel) {
    if (!sim)
        return NULL;
    return channel < sim->channel_count ? sim->channels[channel].unit : NULL;
}

const char *lash_sim_channel_meaning(const lash_sim *sim, size_t channel) {
    if (!sim)
        return NULL;
    return channel < sim->channel_count ? sim->channels[channel].meaning : NULL;
}

size_t lash_sim_find_channel(const lash_sim *sim, const char *name) {
    if (!sim || !name)
        return (size_t)-1;
    for (size_t k = 0; k < sim->channel_count; k++)
        if (strcmp(sim->channels[k].name, name) == 0)
            return k;
    return SIZE_MAX;
}

void lash_sim_values_at(double *values, lash_sim *sim, const size_t *channels, size_t count, double time) {
    if (!values || !sim || !channels)
        return;
    lash_error *flaw = sim->flaw.status ? NULL : &sim->flaw; // the first one is reported
    for (size_t k = 0; k < count; k++)
        values[k] = (double)NAN;
    if (!sim->observed || !(time >= sim->integrator->t_old && time <= sim->t_new) ||
        lashi_sim_sample(sim->y_work, sim, time, flaw) || lashi_sim_evaluate(sim, time, sim->y_work, flaw))
        return;
    for (size_t k = 0, known; k < count; k += known + 1) { // between two that do not exist
        for (known = 0; k + known < count && channels[k + known] < sim->channel_count;)
            known++;
        lashi_channel_values(values + k, sim, channels + k, known, time, sim->y_work);
        for (size_t c = k; c < k + known && !sim->flaw.status; c++)
            if (!isfinite(values[c]))
                lashi_sim_finite(sim, "", &sim->channels[channels[c]].name, &values[c], 1, time, flaw);
    }
}

double lash_sim_value_at(lash_sim *sim, size_t channel, double time) {
    if (!sim)
        return (double)NAN;
    double value;
    lash_sim_values_at(&value, sim, &channel, 1, time);
    return value;
}

double lash_sim_value(lash_sim *sim, size_t channel) {
    if (!sim)
        return (double)NAN;
    const double t = sim->integrator->t, *y = lashi_sim_y(sim);
    if (channel >= sim->channel_count || lashi_sim_evaluate(sim, t, y, NULL))
        return (double)NAN;
    double value;
    lashi_channel_values(&value, sim, &channel, 1, t, y);
    return value;
}
