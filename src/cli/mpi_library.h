/* SPDX-License-Identifier: MIT
 *
 * MPI, loaded when the program finds itself started by mpirun. What is used of it is in the list; handles
 * such as MPI_COMM_WORLD are variables of Open MPI, and numbers elsewhere.
 */
#ifndef LASHI_MPI_LIBRARY_H
#define LASHI_MPI_LIBRARY_H

#include <mpi.h>

#include "base/library.h"

#ifdef OPEN_MPI
/* clang-format off */
#define LASHI_MPI_HANDLES(X)                                                                                 \
    X(ompi_mpi_byte) X(ompi_mpi_comm_world) X(ompi_mpi_errors_return) X(ompi_mpi_int)                        \
    X(ompi_mpi_op_min)
/* clang-format on */
#else
#define LASHI_MPI_HANDLES(X)
#endif

/* clang-format off */
#define LASHI_MPI_LIST(X)                                                                                    \
    X(MPI_Allreduce) X(MPI_Comm_rank) X(MPI_Comm_set_errhandler) X(MPI_Comm_size)                            \
    X(MPI_Error_string) X(MPI_Finalize) X(MPI_Get_count) X(MPI_Ibarrier) X(MPI_Init_thread)                  \
    X(MPI_Iprobe) X(MPI_Recv) X(MPI_Send) X(MPI_Test) LASHI_MPI_HANDLES(X)
/* clang-format on */

extern struct lashi_mpi_calls LASHI_LIBRARY_ADDRESSES(LASHI_MPI_LIST) lashi_mpi;

lash_status lashi_mpi_load(lash_error *error);

#define LASHI_MPI(name)         (*lashi_mpi.name)
#define MPI_Allreduce           LASHI_MPI(MPI_Allreduce)
#define MPI_Comm_rank           LASHI_MPI(MPI_Comm_rank)
#define MPI_Comm_set_errhandler LASHI_MPI(MPI_Comm_set_errhandler)
#define MPI_Comm_size           LASHI_MPI(MPI_Comm_size)
#define MPI_Error_string        LASHI_MPI(MPI_Error_string)
#define MPI_Finalize            LASHI_MPI(MPI_Finalize)
#define MPI_Get_count           LASHI_MPI(MPI_Get_count)
#define MPI_Ibarrier            LASHI_MPI(MPI_Ibarrier)
#define MPI_Init_thread         LASHI_MPI(MPI_Init_thread)
#define MPI_Iprobe              LASHI_MPI(MPI_Iprobe)
#define MPI_Recv                LASHI_MPI(MPI_Recv)
#define MPI_Send                LASHI_MPI(MPI_Send)
#define MPI_Test                LASHI_MPI(MPI_Test)

#ifdef OPEN_MPI
#define ompi_mpi_byte          LASHI_MPI(ompi_mpi_byte)
#define ompi_mpi_comm_world    LASHI_MPI(ompi_mpi_comm_world)
#define ompi_mpi_errors_return LASHI_MPI(ompi_mpi_errors_return)
#define ompi_mpi_int           LASHI_MPI(ompi_mpi_int)
#define ompi_mpi_op_min        LASHI_MPI(ompi_mpi_op_min)
#endif

#endif
