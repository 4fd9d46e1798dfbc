/* SPDX-License-Identifier: MIT
 *
 * The worn face of a channel under a corner (worn_corner.c), inline.
 */
#ifndef LASHI_CHANNEL_H
#define LASHI_CHANNEL_H

#include "contact/contact.h"
#include "contact/surface.h"

/* Along the channel, in sectors from the first node of its profile. */
static inline double lashi_channel_sectors(const lashi_contact *contact, double x) {
    return (x - contact->p->worn_origin) / contact->p->worn_pitch;
}

/* Of the two faces that of the contact. */
static inline int lashi_channel_face(const lashi_contact *contact) {
    return contact->p->sign > 0 ? 0 : 1;
}

/* h at x along the channel, its slope and its curvature. Beyond the ends of its profile the face is as new. */
static inline lashi_surface_jet lashi_channel_at(const lashi_contact *contact, double x) {
    const lashi_surface *face = &contact->worn->surface[lashi_channel_face(contact)];
    const double along = lashi_channel_sectors(contact, x);
    if (!(along > 0 && along < face->sectors))
        return (lashi_surface_jet){0, 0, 0};
    const int s = (int)along;
    return lashi_surface_in(face, s, along - s, 1 / contact->p->worn_pitch);
}

/* How far the corner itself has receded, m. */
static inline double lashi_channel_receded(const lashi_contact *contact) {
    const lashi_surface *face = &contact->worn->surface[lashi_channel_face(contact)];
    return face->a[face->sectors + contact->end];
}

/* The largest slope of its face. */
static inline double lashi_channel_steepest(const lashi_contact *contact) {
    static const double TWO_PI =
        6.283185307179586; // steepest is counted by the angle that all sectors would be
    return contact->worn->steepest[lashi_channel_face(contact)] * TWO_PI /
           (contact->worn->surface[0].sectors * contact->p->worn_pitch);
}

#endif
