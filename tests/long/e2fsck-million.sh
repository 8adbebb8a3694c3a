# SPDX-License-Identifier: GPL-2.0-or-later
# A directory of a million names: checked and rebuilt in less than 200 MB.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"
have_loop || { skip "e2fsck-million: needs root and loop mounts"; exit 77; }
mnt=$T/mnt
mkdir "$mnt"
truncate -s 1200M "$T/x"
mke2fs -qFt ext4 -i 1024 -O ^has_journal "$T/x" >/dev/null 2>&1
mount -o loop "$T/x" "$mnt" || { skip "e2fsck-million: loop mount refused"; exit 77; }
mkdir "$mnt/dir"
(cd "$mnt/dir" && seq -w 0 999999 | xargs touch)
umount "$mnt"

# within COMMAND...: runs it, and holds its memory against the limit.
within()
{
	/usr/bin/env python3 - "$@" <<'PY'
import resource, subprocess, sys, time
t = time.time()
rc = subprocess.run(sys.argv[2:]).returncode
kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"{time.time() - t:.1f} s, {kib / 1024:.0f} MiB, status {rc}")
sys.exit(rc != int(sys.argv[1]) or kib > 200 * 1000000 / 1024)
PY
	s=$?
	return $s
}
figures() { sed 's/^/    /' "$T/check.out" | grep ' MiB, status'; }

check "-fn of a million names" within 0 "$E2FSCK" -fn "$T/x"
figures
check "-fyD of a million names" within 1 "$E2FSCK" -fyD "$T/x"
figures
check "-fn after it" within 0 "$E2FSCK" -fn "$T/x"
figures
R=$(($(block_at "$T/x" /dir 0) * 4096))
poke "$T/x" $((R + 34)) '\000\000'
check "-fp of a wrong count" within 1 "$E2FSCK" -fp "$T/x"
figures
check "stock finds nothing" exits 0 "$STOCK_E2FSCK" -fn "$T/x"
names_in "$T/x" /dir | cut -d' ' -f2 | sort >"$T/now"
seq -w 0 999999 >"$T/want"
check "no name is lost" cmp "$T/want" "$T/now"
finish
