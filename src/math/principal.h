/* SPDX-License-Identifier: MIT
 *
 * Principal axes of a symmetric 3×3 matrix by Jacobi's rotations (Golub & Van Loan, Matrix Computations,
 * sec. 8.5): exact to rounding, and the identity where the matrix is diagonal already.
 */
#ifndef LASHI_PRINCIPAL_H
#define LASHI_PRINCIPAL_H

/* J: xx yy zz xy xz yz = Q diag(moments) Qᵀ. Q: nine numbers by rows, a rotation. */
void lashi_principal(double moments[3], double Q[9], const double J[6]);
/* Unit Euler parameters of a rotation matrix. */
void lashi_euler_parameters(double p[4], const double A[9]);

#endif
