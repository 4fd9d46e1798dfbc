#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# FMUs of a model with inputs and of examples, in both versions of the standard: the archive, its XML against hand-written rules, and the importer. IMPORTER names it, the rest is as for tests/cli.
. "${0%/*}/../cli/lib.sh"

cat >pushed.yaml <<MODEL
title: A block that is pushed & "held"
parameters:
  weight: 2 kg     # of the block
gravity: [0, 0]
ground: {points: {o: [-1, 0]}}
bodies:
  block: {mass: \$weight, inertia: 1, position: [0.2, 0]}
forces:
  spring: {type: spring, between: [ground.o, block], stiffness: 50, damping: 0.3, free_length: 1}
  push: {type: force, at: block, force: [0, "0.1*sin(t)"]}
run: {until: 3, discard: 0.5, rtol: 1e-10}
MODEL
cat >steered.yaml <<MODEL
title: A block with inputs of its model, which are not 0 until they are set
gravity: [0, 0]
inputs: {pull: 2 N, gain: {default: 0.5}, gust: {unit: N, table: [[0, 0], [1 s, 3], [2 s, 1]]}}
bodies:
  block: {mass: 2 kg, inertia: 1}
forces:
  push: {type: force, at: block, force: ["pull*(1 + gain*sin(3*t)) + gust", 0]}
run: {until: 3, rtol: 1e-10}
MODEL
# Examples with how long they run here; those that are not there yet are left out.
models="pushed=2;steered=2"
for example in "flores-2010=1 rev of motor" "planar-in-space=0.02" "robot-elbow=0.05" "robot-arm=0.1"; do
    [ ! -e "$EXAMPLES/${example%%=*}.yaml" ] || cp "$EXAMPLES/${example%%=*}.yaml" .
    [ ! -e "${example%%=*}.yaml" ] || models="$models;$example"
done

for fmi in 2 3; do
    folder=linux64
    [ $fmi = 2 ] || folder=x86_64-linux
    IFS=';'
    for entry in $models; do
        unset IFS
        model=${entry%%=*}
        # The end goes into the text, since the importer runs the model as it is in the FMU.
        sed "s/until: [^,}]*/until: ${entry#*=}/" $model.yaml >$model-$fmi.yaml
        expect_exit 0 fmu $model-$fmi.yaml --fmi $fmi -o $model-$fmi.fmu
        cp $model-$fmi.fmu again.fmu
        expect_exit 0 fmu $model-$fmi.yaml --fmi $fmi -o $model-$fmi.fmu
        expect "the same bytes each time" cmp again.fmu $model-$fmi.fmu
        rm -rf out && mkdir out
        expect "it is a zip archive" python3 -m zipfile -e $model-$fmi.fmu out
        expect "its XML keeps the rules" xmllint --noout --relaxng "$SOURCE/tests/fmu/fmi$fmi.rng" \
            out/modelDescription.xml
        object=out/binaries/$folder/lash_fmu.so
        [ -n "${SANITIZED:-}" ] || expect "it needs libc and libm alone" sh -c \
            "! readelf -d $object | grep NEEDED | grep -vE 'libc\.so|libm\.so|ld-linux'"
        attribute=instantiationToken
        [ $fmi = 3 ] || attribute=guid
        token=$(xmllint --xpath "string(/*/@$attribute)" out/modelDescription.xml)
        expect "the importer is content with $model, FMI $fmi" "$IMPORTER" $fmi "$PWD/$object" "$PWD/out/resources" "$token"
        names=$(xmllint --xpath "//@name" out/modelDescription.xml | grep -c .)
        unique=$(xmllint --xpath "//*[@valueReference]/@name" out/modelDescription.xml | sort | uniq -d | wc -l)
        expect "names are unique ($names)" test "$unique" = 0
    done
done
# A run that ends where contact is lost: the importer is told, and does not go on with what was there.
cat >lost.yaml <<MODEL
title: A bead that leaves its ring
gravity: [0, -9.81]
bodies:
  bead: {mass: 1, inertia: 0.01, position: [0, -0.05], velocity: [1.3, 0]}
joints:
  ring:
    type: revolute
    between: [ground, bead]
    clearance: {bearing_radius: 60 mm, radial: 50 mm, model: permanent-contact, stop_at_loss: true}
run: {until: 1 s, rtol: 1e-8}
MODEL
for fmi in 2 3; do
    expect_exit 0 fmu lost.yaml --fmi $fmi -o lost.fmu
    rm -rf lost && mkdir lost && python3 -m zipfile -e lost.fmu lost
    token=$(xmllint --xpath "string(/*/@*[name() = 'guid' or name() = 'instantiationToken'])" lost/modelDescription.xml)
    expect "the end of the run is told, FMI $fmi" "$IMPORTER" $fmi "$(echo "$PWD"/lost/binaries/*/lash_fmu.so)" \
        "$PWD/lost/resources" "$token" ended
done
# A run that begins at rest does so under the inputs that were set before it.
cat >rest.yaml <<MODEL
inputs: {push: 0 N}
bodies: {a: {mass: 1, inertia: 1, position: [0.3, 0]}}
joints: {g: {type: translational, between: [ground, a], axis: [1, 0]}}
signals: {slow: {lag: push, time: 0.1 s}, taken: {hold: push, every: 50 ms}}
forces:
  s: {type: joint-spring, joint: g, stiffness: 100, damping: 2, free: 0}
  f: {type: force, at: a, force: ["push", 0]}
run: {until: 1 s, start: equilibrium}
MODEL
for fmi in 2 3; do
    expect_exit 0 fmu rest.yaml --fmi $fmi --channels a.x,slow,taken -o rest.fmu
    rm -rf rest && mkdir rest && python3 -m zipfile -e rest.fmu rest
    token=$(xmllint --xpath "string(/*/@*[name() = 'guid' or name() = 'instantiationToken'])" rest/modelDescription.xml)
    expect "it rests under its input, FMI $fmi" "$IMPORTER" $fmi "$(echo "$PWD"/rest/binaries/*/lash_fmu.so)" \
        "$PWD/rest/resources" "$token" rests
done
token=$(xmllint --xpath "string(/*/@$attribute)" out/modelDescription.xml)
# Missing resources are an error at the beginning.
for lost in outputs settings token model.yaml; do
    cp -r out lost && rm lost/resources/$lost
    expect "resources without $lost are refused" "$IMPORTER" $fmi "$PWD/$object" "$PWD/lost/resources" "$token" refused
    rm -rf lost
done
expect_exit 0 fmu pushed.yaml --channels 'block.*' --set weight=3 -o some.fmu
rm -rf out && mkdir out && python3 -m zipfile -e some.fmu out
expect "chosen outputs" test "$(grep -vc '^block\.' out/resources/outputs)" = 0
expect "settings are start values" grep -q 'name="weight".*start="3"' out/modelDescription.xml
expect_exit 2 fmu pushed.yaml --channels 'blok.*'
expect_exit 2 fmu pushed.yaml --fmi 1
expect_exit 2 fmu pushed.yaml -o pushed.yaml
expect_exit 4 fmu pushed.yaml -o /nowhere/x.fmu
# What a run settles to, an FMU does not begin with.
expect_exit 2 fmu steered.yaml --set run.start=settled --set run.settle_period=1
expect_error_contains "start: settled belongs to runs"
finish
