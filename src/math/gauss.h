/* SPDX-License-Identifier: MIT
 *
 * Gauss's formula with three nodes, over an interval of length 1.
 */
#ifndef LASHI_GAUSS_H
#define LASHI_GAUSS_H

enum { LASHI_GAUSS = 3 };
static const double lashi_gauss_node[LASHI_GAUSS] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double lashi_gauss_weight[LASHI_GAUSS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

#endif
