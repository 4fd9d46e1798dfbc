/* SPDX-License-Identifier: MIT
 *
 * A quadratic function of several short vectors, each within a disc: friction of places that begin to slide.
 */
#ifndef LASHI_DISCS_H
#define LASHI_DISCS_H

enum { LASHI_DISC_MOST = 3 };

typedef struct lashi_discs {
    const double *W; /* [n][n] symmetric, definite */
    const double *q; /* [n] */
    int n, count;
    const int *size;      /* [count] numbers of each vector, at most 3, n in all */
    const double *radius; /* [count] */
    double *work;         /* [lashi_discs_work] */
} lashi_discs;

static inline int lashi_discs_work(int n, int count) {
    return n * n + n + count * count + count + count * n + 2 * count + n;
}
/* f, `count` vectors, with the least f·W f/2 + q·f of all with |f_r| ≤ radius[r]. f: where the search begins. */
void lashi_discs_least(double *f, const lashi_discs *p);

#endif
