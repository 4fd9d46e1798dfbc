/* SPDX-License-Identifier: MIT
 *
 * Messages over MPI. Started by hand the program does not initialise MPI: a launcher is known by what it
 * leaves in the environment. Looks for messages never wait, since a waiting MPI keeps a core busy.
 */
#include "cli/processes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/talk.h"

/* Number of processes that the launcher says it has started; 0: there is no launcher. */
static long launched(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        if (text && *text)
            return strtol(text, NULL, 10);
    }
    return 0;
}

#ifdef LASH_MPI_FILE

#include "cli/mpi_library.h"

enum { TAG = 1 };
static const long LEAVING_PAUSE = 5000000; // ns between looks whether all have come to the end

static lash_status fail(lash_error *error, int code, const char *what) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(code, text, &length);
    if (error) {
        *error = (lash_error){.status = LASH_ERROR_IO};
        snprintf(error->message, sizeof error->message, "%s between processes failed: %s", what, text);
    }
    return LASH_ERROR_IO;
}

static lash_status send(void *user, int to, const void *bytes, size_t count, lash_error *error) {
    (void)user;
    int code =
        count > INT_MAX ? MPI_ERR_COUNT : MPI_Send(bytes, (int)count, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
    return code == MPI_SUCCESS ? LASH_OK : fail(error, code, "sending");
}

static lash_status receive(void *user, int *from, void **bytes, size_t *count, lash_error *error) {
    (void)user;
    MPI_Status state;
    int waiting = 0, length = 0;
    *bytes = NULL;
    *count = 0;
    int code = MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &waiting, &state);
    if (code == MPI_SUCCESS && !waiting)
        return LASH_OK;
    if (code == MPI_SUCCESS)
        code = MPI_Get_count(&state, MPI_BYTE, &length);
    void *room = malloc((size_t)length + 1);
    if (code == MPI_SUCCESS && !room)
        code = MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS)
        code = MPI_Recv(room, length, MPI_BYTE, state.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) {
        free(room);
        return fail(error, code, "receiving");
    }
    *from = state.MPI_SOURCE;
    *bytes = room;
    *count = (size_t)length;
    return LASH_OK;
}

static lash_study_link joined = {.send = send, .receive = receive};

const lash_study_link *lashi_processes_join(lash_status *status) {
    int provided;
    *status = LASH_OK;
    if (launched() <= 0)
        return NULL;
    lash_error error;
    *status = lashi_mpi_load(&error);
    if (*status) {
        lashi_talk_error(&error);
        return NULL;
    }
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED) {
        *status = lashi_talk_fail(LASH_ERROR_IO, "MPI cannot be initialised for several threads");
        return NULL;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &joined.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &joined.size);
    return &joined;
}

lash_status lashi_processes_agree(const lash_study_link *link, lash_status status) {
    int own = (int)status, worst = own;
    if (link)
        MPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return (lash_status)worst;
}

/* MPI_Finalize would wait for the others at full speed, which may be as long as the last point takes. */
void lashi_processes_leave(const lash_study_link *link) {
    const struct timespec pause = {0, LEAVING_PAUSE};
    MPI_Request all_here;
    int here = 0;
    if (!link)
        return;
    if (MPI_Ibarrier(MPI_COMM_WORLD, &all_here) == MPI_SUCCESS)
        while (MPI_Test(&all_here, &here, MPI_STATUS_IGNORE) == MPI_SUCCESS && !here)
            nanosleep(&pause, NULL);
    MPI_Finalize();
}

#else

const lash_study_link *lashi_processes_join(lash_status *status) {
    *status = LASH_OK;
    if (launched() > 1)
        *status =
            lashi_talk_fail(LASH_ERROR_USAGE, "this program was built without MPI: start it without mpirun, "
                                              "or build it with -DLASH_WITH_MPI=ON");
    return NULL;
}

lash_status lashi_processes_agree(const lash_study_link *link, lash_status status) {
    (void)link;
    return status;
}

void lashi_processes_leave(const lash_study_link *link) {
    (void)link;
}

#endif
