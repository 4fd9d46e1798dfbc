/* SPDX-License-Identifier: MIT
 *
 * A quadratic function of several short vectors, each within a disc: friction of places that begin to slide.
 */
#ifndef LASHI_DISCS_H
#define LASHI_DISCS_H

enum { LASHI_DISC_MOST = 3 };

/* f with the least f·W f/2 + q·f of all with |f_r| ≤ radius[r]: f consists of `count` vectors of size[r] ≤ 3
 * numbers, n in all. W [n][n], symmetric and not negative. f: where the search begins. */
void lashi_discs_least(double *f, const double *W, const double *q, int n, const int *size,
                       const double *radius, int count);

#endif
