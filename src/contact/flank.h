/* SPDX-License-Identifier: MIT
 *
 * What teeth with backlash share (docs/contacts.md, teeth): two flanks σ = ±1 of a mesh with the displacement x
 * along the line of action,
 *     δ = σ x − b/2 − opening,   F = k δ along the line of action
 * A kind gives x, the opening and their rows; what is excited is the same for all.
 *
 * The forces are −F ∂δ/∂q without what the transmission error e(φ) adds to δ: they act along the line of
 * action of the ideal teeth. So e, and a stiffness k(φ) that goes with the mesh, bring in power, k′ φ̇ δ²/2
 * and F ė.
 */
#ifndef LASHI_FLANK_H
#define LASHI_FLANK_H

#include "contact/contact.h"

/* The mesh at one instant. */
typedef struct lashi_mesh_state {
    double x, xdot;                                  /* m or rad: displacement without the error */
    double opening, openingdot;                      /* by which the gap grows as the centres move apart */
    double angle, rate;                              /* rad, of the first wheel, and its rate */
    double row[LASHI_LINKS][LASHI_FREEDOMS];         /* ∂x/∂q */
    double opening_row[LASHI_LINKS][LASHI_FREEDOMS]; /* ∂opening/∂q */
} lashi_mesh_state;

/* The gap of a flank from its mesh. */
void lashi_flank_fill(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames,
                      const lashi_mesh_state *mesh);
/* Corners of its stiffness and error. */
lashi_phase lashi_flank_piece(const lashi_contact *contact, double at, int way);
/* Rules and expansion into two flanks; `scale`: m per unit of the backlash's own x, 1 rad of the second
 * wheel. */
void lashi_flank_check(lashi_check *check, lashi_subject subject, const lash_joint_def *def);
lash_status lashi_flank_expand(lashi_expansion *out, int kind, lash_error *error);
/* Channels of a mesh. */
extern const lashi_play_channel lashi_flank_channels[];
double lashi_flank_value(const lashi_play_view *view, int channel);
void lashi_flank_draw(lash_scene_play *out, const lash_joint_def *def);

#define LASHI_BACKLASH_KEY(where)                                                                            \
    {                                                                                                        \
        .name = "backlash", .type = LASHI_BLOCK, .offset = offsetof(lash_joint_def, backlash),               \
        .fallback = "(ideal teeth)", .block = &lashi_backlash_block,                                         \
        .present = offsetof(lash_joint_def, has_backlash), .space = (where),                                 \
        .doc = "play between the teeth: two elastic flanks take the place of the ideal mesh"                 \
    }

#endif
