/* SPDX-License-Identifier: MIT
 *
 * CVODE, loaded when adams or gear is first asked for. What is used of it is in the list.
 */
#ifndef LASHI_CVODE_LIBRARY_H
#define LASHI_CVODE_LIBRARY_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "base/library.h"

/* clang-format off */
#define LASHI_CVODE_LIST(X)                                                                                  \
    X(CVode) X(CVodeCreate) X(CVodeFree) X(CVodeGetCurrentStep) X(CVodeGetDky)                               \
    X(CVodeGetNumErrTestFails) X(CVodeGetNumNonlinSolvConvFails) X(CVodeGetNumStepSolveFails)                \
    X(CVodeInit) X(CVodeReInit) X(CVodeSetErrHandlerFn) X(CVodeSetInitStep) X(CVodeSetJacFn)                 \
    X(CVodeSetLinearSolver) X(CVodeSetMaxConvFails) X(CVodeSetMaxErrTestFails)                               \
    X(CVodeSetMaxNumSteps) X(CVodeSetMaxStep) X(CVodeSetNonlinearSolver) X(CVodeSetStopTime)                 \
    X(CVodeSetUserData) X(CVodeWFtolerances) X(N_VDestroy) X(N_VGetArrayPointer) X(N_VMake_Serial)           \
    X(N_VSetArrayPointer) X(SUNContext_Create) X(SUNContext_Free) X(SUNDenseMatrix)                          \
    X(SUNDenseMatrix_Column) X(SUNLinSolFree) X(SUNLinSol_Dense) X(SUNLinSol_SPGMR) X(SUNMatDestroy)         \
    X(SUNNonlinSolFree) X(SUNNonlinSol_FixedPoint) X(SUNNonlinSol_Newton)
/* clang-format on */

extern struct lashi_cvode_calls LASHI_LIBRARY_ADDRESSES(LASHI_CVODE_LIST) lashi_cvode;

lash_status lashi_cvode_load(lash_error *error);

#define LASHI_CVODE(name)              (*lashi_cvode.name)
#define CVode                          LASHI_CVODE(CVode)
#define CVodeCreate                    LASHI_CVODE(CVodeCreate)
#define CVodeFree                      LASHI_CVODE(CVodeFree)
#define CVodeGetCurrentStep            LASHI_CVODE(CVodeGetCurrentStep)
#define CVodeGetDky                    LASHI_CVODE(CVodeGetDky)
#define CVodeGetNumErrTestFails        LASHI_CVODE(CVodeGetNumErrTestFails)
#define CVodeGetNumNonlinSolvConvFails LASHI_CVODE(CVodeGetNumNonlinSolvConvFails)
#define CVodeGetNumStepSolveFails      LASHI_CVODE(CVodeGetNumStepSolveFails)
#define CVodeInit                      LASHI_CVODE(CVodeInit)
#define CVodeReInit                    LASHI_CVODE(CVodeReInit)
#define CVodeSetErrHandlerFn           LASHI_CVODE(CVodeSetErrHandlerFn)
#define CVodeSetInitStep               LASHI_CVODE(CVodeSetInitStep)
#define CVodeSetJacFn                  LASHI_CVODE(CVodeSetJacFn)
#define CVodeSetLinearSolver           LASHI_CVODE(CVodeSetLinearSolver)
#define CVodeSetMaxConvFails           LASHI_CVODE(CVodeSetMaxConvFails)
#define CVodeSetMaxErrTestFails        LASHI_CVODE(CVodeSetMaxErrTestFails)
#define CVodeSetMaxNumSteps            LASHI_CVODE(CVodeSetMaxNumSteps)
#define CVodeSetMaxStep                LASHI_CVODE(CVodeSetMaxStep)
#define CVodeSetNonlinearSolver        LASHI_CVODE(CVodeSetNonlinearSolver)
#define CVodeSetStopTime               LASHI_CVODE(CVodeSetStopTime)
#define CVodeSetUserData               LASHI_CVODE(CVodeSetUserData)
#define CVodeWFtolerances              LASHI_CVODE(CVodeWFtolerances)
#define N_VDestroy                     LASHI_CVODE(N_VDestroy)
#define N_VGetArrayPointer             LASHI_CVODE(N_VGetArrayPointer)
#define N_VMake_Serial                 LASHI_CVODE(N_VMake_Serial)
#define N_VSetArrayPointer             LASHI_CVODE(N_VSetArrayPointer)
#define SUNContext_Create              LASHI_CVODE(SUNContext_Create)
#define SUNContext_Free                LASHI_CVODE(SUNContext_Free)
#define SUNDenseMatrix                 LASHI_CVODE(SUNDenseMatrix)
#define SUNDenseMatrix_Column          LASHI_CVODE(SUNDenseMatrix_Column)
#define SUNLinSolFree                  LASHI_CVODE(SUNLinSolFree)
#define SUNLinSol_Dense                LASHI_CVODE(SUNLinSol_Dense)
#define SUNLinSol_SPGMR                LASHI_CVODE(SUNLinSol_SPGMR)
#define SUNMatDestroy                  LASHI_CVODE(SUNMatDestroy)
#define SUNNonlinSolFree               LASHI_CVODE(SUNNonlinSolFree)
#define SUNNonlinSol_FixedPoint        LASHI_CVODE(SUNNonlinSol_FixedPoint)
#define SUNNonlinSol_Newton            LASHI_CVODE(SUNNonlinSol_Newton)

#endif
