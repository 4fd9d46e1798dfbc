/* SPDX-License-Identifier: MIT
 *
 * Worn surfaces (docs/wear.md): of a bearing and a journal, in a plane across their axes; of the faces
 * of a channel, along it.
 *
 * Profiles. The worn depth h(φ) over the angle in the part's own axes is a periodic sum of cubic B-splines,
 * one for each of S sectors, with the coefficients a_s at φ_s = 2π s/S. It has two continuous derivatives,
 * ∫ h dφ = (2π/S) Σ a_s, and h ≥ 0 where no a_s is negative. Along a channel the sectors are equal lengths, the
 * first and the last of which are never reached: what would close the circle there is zero. Two more numbers
 * follow there, by how much the ends of the block's face have receded (worn_corner.c).
 *
 * Gain. What is worn off at φ is shared by the splines around it as they weigh there. Coefficients in
 * proportion to these shares would give h + h″ Δ²/3, Δ the width of a sector: shares and splines both smooth.
 * So the second difference is taken off again, a_s − (a_{s−1} − 2 a_s + a_{s+1})/3, which leaves an error of
 * fourth order; as fluxes between neighbours, each cut where it would take more than is there (S. T. Zalesak,
 * J. Comput. Phys. 31 (1979) 335), so that no volume is lost and no coefficient is negative.
 *
 * Depth. In the bearing's axes, with e from its centre to the journal's and α the journal's angle against it,
 *   d(φ) = e·n(φ) − c − h_b(φ) − h_j(φ − α),     δ = max d,
 * to first order in c/R, as everything about journals is.
 *
 * Force. A worn pocket conforms to the pin, and a single point with a stiffness makes no sense there. So a bed
 * of equal springs lies between the surfaces,
 *   U_w(e, α) = ½ ∫ [d]₊² dφ,     I = ∂U_w/∂e = ∫ [d]₊ n dφ,     T = ∂U_w/∂α = ∫ [d]₊ h_j′(φ − α) dφ,
 * and the law F(δ) of the unworn pin calibrates it, whatever law it is.
 * With u(δ) the U_w of the unworn pin and g = du/dδ, the depth δ_e that stands for the bed and its energy are
 *   u(δ_e) = U_w,     U = U_law(δ_e),
 * so that the force on the journal is −∂U/∂e = −F(δ_e)/g · I and its moment −F(δ_e)/g · T. That has a
 * potential, so the energy balance closes; without wear it is the law itself. As a force F_N = F(δ_e) |I|/g
 * along n = I/|I| it acts beside the journal's centre by −T/|I| along t = perp(n).
 *
 * Evaluation. d is looked at in the nodes φ_s that can be in contact; the arcs with d > 0 end at roots of d,
 * and between nodes (and those of the journal) everything is a polynomial of degree 3 with cos and sin:
 * Gauss's formula integrates it to rounding at both ends of an arc. Sectors inside an arc go by a table of
 * its places.
 */
#ifndef LASHI_WORN_H
#define LASHI_WORN_H

#include "joint/joint.h"
#include "lash/status.h"

/* h of one part. */
typedef struct lashi_surface {
    int sectors;
    int count; /* sectors, and of a channel LASHI_WORN_ENDS */
    double *a; /* [count] m, ≥ 0; NULL: not worn */
} lashi_surface;

/* Sectors of a channel at both ends that no corner reaches, so that its first splines do not meet its last. */
enum { LASHI_WORN_MARGIN = 3 };
/* Ends of a block's face: behind, ahead. */
enum { LASHI_WORN_ENDS = 2 };

typedef struct lashi_surface_jet {
    double h, dh, ddh; /* m, m/rad, m/rad² */
} lashi_surface_jet;
lashi_surface_jet lashi_surface_at(const lashi_surface *surface, double angle);
/* The coefficients whose profile has the values h at the nodes φ_s, [sectors]. They may be negative where h
 * is sharper than sectors can show. work: [2 sectors]. */
void lashi_surface_fit(double *a, const double *h, int sectors, double *work);
/* Whether these [count] coefficients are a worn profile: finite, and 0 or more at every node, to rounding. Some
 * may be negative, as those of a given profile that touches zero are. */
bool lashi_surface_is_worn(const double *a, int sectors, int count);
/* What the coefficients gain from the shares of the sectors, both [sectors]: equal sums. */
void lashi_surface_gain(double *gain, const double *shares, int sectors);
/* The largest h anywhere, of a channel with the end of the block's face that has receded most. */
double lashi_surface_deepest(const lashi_surface *surface);
/* Adds `weight` to the sectors around x, counted in sectors from the first node. */
void lashi_surface_share(double *shares, int sectors, double x, double weight);

/* Places of a sector of the bearing that are looked at often. */
enum { LASHI_WORN_PLACES = 6 };
typedef struct lashi_worn_sector {
    double cosine[LASHI_WORN_PLACES], sine[LASHI_WORN_PLACES]; /* of their angles */
    double h[LASHI_WORN_PLACES], dh[LASHI_WORN_PLACES];        /* m, m/rad */
} lashi_worn_sector;

/* Both parts, and what is known of them beforehand. */
typedef struct lashi_worn {
    const char *name; /* for callers: of the joint, or of a part of it */
    lashi_surface
        surface[2]; /* of the bearing and the journal; of the upper and the lower face; equal sectors */
    lashi_worn_sector *table; /* [sectors], of a bearing; NULL: of a channel */
    double least;             /* m, no h_b + h_j is smaller */
    double steepest[2];       /* m/rad, no slope of h_b and h_j is larger */
} lashi_worn;
/* Which part a coefficient of a surface belongs to, 0 or 1: bearing or journal, channel or block. */
static inline int lashi_worn_loser(const lashi_worn *worn, int surface, int s) {
    return worn->table ? surface : s >= worn->surface[surface].sectors;
}
/* Fills bounds and table from the coefficients. */
void lashi_worn_prepare(lashi_worn *worn);

/* The surfaces at one instant. */
typedef struct lashi_bed {
    double deepest;    /* m, δ */
    double at;         /* rad, where, in the bearing's axes */
    double slope;      /* m/rad, ∂δ/∂α there */
    double bend;       /* m/rad², −∂²d/∂φ² there, ≥ 0 */
    bool pressed;      /* δ > 0, and: */
    lashi_vec2 thrust; /* m, I, of the bearing's axes */
    double moment;     /* m², T */
    double depth;      /* m, δ_e */
    double per_unit;   /* 1/m, 1/g: F_N = F(δ_e) |I|/g */
} lashi_bed;
void lashi_worn_look(lashi_bed *out, const lashi_worn *worn, double clearance, lashi_vec2 e, double alpha);

/* Adds to `shares`, [2][sectors] of the bearing and the journal, what each sector has of the pressure at this
 * instant times `weight`: their sums grow by `weight`. */
void lashi_worn_share(double *shares, const lashi_worn *worn, double clearance, lashi_vec2 e, double alpha,
                      double weight);

/* u(δ) of the unworn pin, m² (per unit of the bed), and g = du/dδ, m. δ > 0. */
double lashi_bed_unworn(double *slope, double clearance, double depth);

#endif
