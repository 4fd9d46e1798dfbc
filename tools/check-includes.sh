#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Includes go down the list of layers only, and each outside library stays behind its folder:
#   base math model input joint contact force system dynamics integrate sim compile record
# A file may include headers of its own and of earlier layers, and the public ones. The integrators are generic over
# y' = f(t, y): of mechanisms they know nothing but how a model names its settings. Analyses (study), the program
# (cli) and FMUs (fmu) see the public headers and their own folder alone, and base/library.h, by which each loads the outside library
# that is its own; public headers see only each other. The solver of live pages (live) is made of parts of the program
# and of studies.
set -eu
cd "$(dirname "$0")/.."
find include src -name '*.[ch]' | LC_ALL=C sort | xargs awk '
BEGIN {
    n = split("base math model input joint contact force system dynamics integrate sim compile record", layers, " ")
    for (i = 1; i <= n; i++)
        rank[layers[i]] = i
    home["libfyaml.h"] = "input"
    home["hdf5.h"] = "record"
    home["sqlite3.h"] = "study"
    home["mpi.h"] = "cli"
    home["cvode"] = home["nvector"] = home["sundials"] = home["sunmatrix"] = home["sunlinsol"] = "integrate"
    home["sunnonlinsol"] = "integrate"
}
function wrong(why) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, why
    failed = 1
}
FNR == 1 {
    files++
    split(FILENAME, place, "/")
    own = place[1] == "include" ? "include" : place[2]
    if (own != "include" && !(own in rank) && own != "study" && own != "cli" && own != "fmu" && own != "live")
        wrong("src/" own " is not a layer")
}
/^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, part, /[<>]/)
    split(part[2], path, "/")
    if (path[1] == "lash")
        wrong("our own headers go in quotes")
    if (path[1] in home && home[path[1]] != own)
        wrong("only src/" home[path[1]] " uses this library")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    levels = split(part[2], path, "/")
    from = path[1]
    if (levels != 2)
        wrong("headers are named \"folder/name.h\"")
    else if (from == "lash" || (from == own && own != "include"))
        next
    else if (part[2] == "base/library.h" && own != "include")
        next
    else if (own == "live" && (from == "cli" || from == "study"))
        next
    else if (own == "include")
        wrong("a public header includes only public headers")
    else if (own == "study" || own == "cli" || own == "fmu" || own == "live")
        wrong(own " uses only the public headers and its own folder")
    else if (!(from in rank))
        wrong("\"" from "\" is not a layer")
    else if (own == "integrate" && rank[from] > rank["model"])
        wrong("the integrators know only base, math and model")
    else if (rank[from] > rank[own])
        wrong(own " stands before " from)
}
END {
    printf "%d files\n", files
    exit failed
}'
