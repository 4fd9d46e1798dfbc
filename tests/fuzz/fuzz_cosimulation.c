/* SPDX-License-Identifier: MIT
 *
 * An FMU as an importer calls it, in any order and with any values: one byte is a call, the next its
 * argument. Whatever comes is done or refused with a message; bytes of states are the instance's own, damaged
 * or cut at times.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fmu/fmi2.c" // its types stand there
#include "fuzz/fuzz.h"

static const char model[] =
    "gravity: [0, -9.81]\nparameters: {play: 0.5 mm, law: {choose: hertz, from: [hertz, flores-2011]}}\n"
    "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0.05, -0.08], angle: 0.6}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, bob.a], clearance: {bearing_radius: 1 cm, radial: $play,\n"
    "        materials: steel, contact: {restitution: 0.9}}}\n"
    "forces: {push: {type: force, at: bob, force: [0, 0]}}\n"
    "run: {until: 0.05}\n";
static const char outputs[] = "bob.x\nbob.y\npin.f\n";

enum { MOST_CALLS = 100 };
static int messages;

static void note(void *environment, fmi2String name, fmi2Status status, fmi2String category,
                 fmi2String format, ...) {
    (void)environment, (void)name, (void)status, (void)category;
    fuzz_require(format && format[0], "a message says something");
    messages++;
}

static void put(const char *folder, const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    fuzz_require(file && fputs(text, file) >= 0 && fclose(file) == 0, "resources can be written");
}

/* A number of any kind from a byte. */
static double number(uint8_t byte) {
    static const double odd[] = {(double)NAN, INFINITY, -INFINITY, 0, -0.0, 1e300, -1e300, 1e-300};
    return byte < 8 ? odd[byte] : ((double)byte - 128) / 128;
}

/* What was asked is done, or it is said why not. */
static void require_answer(fmi2Status status) {
    fuzz_require(status == fmi2OK || status == fmi2Warning || messages > 0, "a refusal has a message");
}

static char folder[100];

static void remove_resources(void) {
    static const char *const names[] = {"model.yaml", "outputs", "settings", "token"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        unlink(path);
    }
    rmdir(folder);
}

static const char *resources(void) {
    if (folder[0])
        return folder;
    snprintf(folder, sizeof folder, "%s/lash-fuzz-fmu-%d",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
    fuzz_require(mkdir(folder, 0700) == 0, "there is a folder");
    put(folder, "model.yaml", model);
    put(folder, "outputs", outputs);
    put(folder, "settings", "");
    put(folder, "token", "token");
    atexit(remove_resources);
    return folder;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char uri[200];
    snprintf(uri, sizeof uri, "file://%s", resources());
    const fmi2CallbackFunctions callbacks = {.logger = note};
    fmi2Component fmu = fmi2Instantiate("fuzz", fmi2CoSimulation, "token", uri, &callbacks, 0, 0);
    fuzz_require(fmu != NULL, "the model is good");
    fmi2FMUstate state = NULL;
    fmi2Byte *bytes = NULL;
    size_t count = 0;
    for (size_t i = 0; i + 1 < size && i < 2 * MOST_CALLS; i += 2) {
        const uint8_t argument = data[i + 1];
        const double x = number(argument), y = number((uint8_t)(argument * 7));
        const fmi2ValueReference all[] = {
            LASHI_FMU_TIME,       LASHI_FMU_PARAMETERS, LASHI_FMU_PARAMETERS + 1, LASHI_FMU_INPUTS,
            LASHI_FMU_INPUTS + 1, LASHI_FMU_OUTPUTS,    LASHI_FMU_OUTPUTS + 2,    argument * 1000U};
        const fmi2ValueReference *reference = &all[argument % 8];
        double value = 0, time = 0;
        const char *text = argument & 8 ? "hertz" : "nonsense";
        messages = 0;
        switch (data[i] % 16) {
        case 0: require_answer(fmi2SetupExperiment(fmu, 0, 0, x, argument & 1, 10 * x)); break;
        case 1: require_answer(fmi2EnterInitializationMode(fmu)); break;
        case 2: require_answer(fmi2ExitInitializationMode(fmu)); break;
        case 3: require_answer(fmi2Terminate(fmu)); break;
        case 4: require_answer(fmi2Reset(fmu)); break;
        case 5: require_answer(fmi2GetReal(fmu, reference, 1, &value)); break;
        case 6: require_answer(fmi2SetReal(fmu, reference, 1, &y)); break;
        case 7: require_answer(fmi2GetString(fmu, reference, 1, &text)); break;
        case 8: require_answer(fmi2SetString(fmu, reference, 1, &text)); break;
        case 9: require_answer(fmi2GetFMUstate(fmu, &state)); break;
        case 10: require_answer(fmi2SetFMUstate(fmu, state)); break;
        case 11: require_answer(fmi2FreeFMUstate(fmu, &state)); break;
        case 12: // to bytes, which the next one reads
            free(bytes);
            bytes = NULL;
            if (fmi2SerializedFMUstateSize(fmu, state, &count) == fmi2OK && (bytes = malloc(count + 1)))
                require_answer(fmi2SerializeFMUstate(fmu, state, bytes, count));
            break;
        case 13:
            if (bytes && argument < 32)
                bytes[(size_t)argument * 977 % count] ^= 1;
            if (bytes)
                require_answer(
                    fmi2DeSerializeFMUstate(fmu, bytes, argument % 5 == 1 ? count / 3 : count, &state));
            break;
        default: {
            const bool known = fmi2GetReal(fmu, all, 1, &time) == fmi2OK;
            messages = 0;
            const fmi2Status status = fmi2DoStep(fmu, argument & 64 && known ? time : x, 1e-3 * fabs(x), 1);
            require_answer(status);
            if (status == fmi2OK && known && fmi2GetReal(fmu, all, 1, &value) == fmi2OK)
                fuzz_require(value >= time, "time goes on");
        }
        }
    }
    free(bytes);
    fmi2FreeFMUstate(fmu, &state);
    fmi2FreeInstance(fmu);
    return 0;
}
