#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A study under mpirun over two hosts: network namespaces with a cable (veth) between them, each with its own
# addresses and its own shared memory names. Skipped where namespaces, mpirun or MPI in the program are missing.
. "${0%/*}/lib.sh"

skip() {
    echo "study_hosts.sh: skipped, $1"
    exit 0
}
command -v mpirun >/dev/null || skip "Open MPI is not installed"
grep -qa libmpi "$LASH" || skip "the program was built without MPI"
command -v ip >/dev/null || skip "iproute2 is not installed"
[ "$(id -u)" -eq 0 ] || skip "network namespaces need the rights of root"

first=lash-$$-a
second=lash-$$-b
trap 'ip netns del "$first" 2>/dev/null; ip netns del "$second" 2>/dev/null' EXIT
trap 'exit 1' HUP INT TERM
ip netns add "$first" 2>/dev/null && ip netns add "$second" 2>/dev/null || skip "network namespaces are not allowed here"
ip -n "$first" link add cable type veth peer name cable netns "$second" 2>/dev/null || skip "veth devices are not allowed here"
# Addresses of documentation (RFC 5737): nothing outside is meant.
ip -n "$first" address add 192.0.2.1/24 dev cable
ip -n "$second" address add 192.0.2.2/24 dev cable
for host in "$first" "$second"; do
    ip -n "$host" link set lo up
    ip -n "$host" link set cable up
done
expect "the hosts do not see each other" ip netns exec "$first" bash -c \
    'for i in $(seq 50); do ip -4 -br address show dev cable | grep -q UP && exit 0; sleep 0.1; done; exit 1'

# In place of ssh: agent ADDRESS COMMAND… runs the command on the host of that address. Names of hosts differ.
cat >agent <<AGENT
#!/bin/bash
while [ "\${1#-}" != "\$1" ]; do shift; done
address=\$1
shift
[ "\$address" = 192.0.2.2 ] || exit 1
echo "\$address" >>"$TMP/agent.log"
exec ip netns exec "$second" unshare --uts bash -c "hostname lash-second; \$*"
AGENT
chmod +x agent

cp "$EXAMPLES/flores-2010.yaml" model.yaml
cat >hosts.yaml <<STUDY
model: model.yaml
axes: {play: {from: 0.05 mm, to: 0.5 mm, steps: 24}}
run: {until: 1 rev of motor, rtol: 1e-6}
metrics: [max slider.ax, rms motor.torque, evaluations]
STUDY
expect_exit 0 study hosts.yaml -j 1 -o alone.db -q
expect_exit 0 study export alone.db --csv alone.csv

expect "mpirun over two hosts failed" env ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" TMPDIR=/tmp \
    timeout 120 ip netns exec "$first" mpirun --allow-run-as-root --host 192.0.2.1:1,192.0.2.2:1 -n 2 \
    --mca plm rsh --mca plm_rsh_agent "$TMP/agent" --mca btl tcp,self --mca btl_tcp_if_include 192.0.2.0/24 \
    --mca oob_tcp_if_include 192.0.2.0/24 --mca pml ob1 --wdir "$TMP" \
    bash -c 'ip -4 -o address show dev cable | grep -o "192\.0\.2\.[12]/" >"address.$OMPI_COMM_WORLD_RANK"; exec "$@"' \
    rank "$LASH" study hosts.yaml -j 1 -o hosts.db
expect_error_contains "24 of 24 points"
expect_exit 0 study export hosts.db --csv hosts.csv
expect_same alone.csv hosts.csv
# Both ranks ran, each on its own host.
expect "rank 0 was not on the first host" grep -q '192\.0\.2\.1/' address.0
expect "rank 1 was not on the second host" grep -q '192\.0\.2\.2/' address.1
expect "the second host was not reached through the agent" test -s agent.log
finish
