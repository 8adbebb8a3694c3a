# SPDX-License-Identifier: GPL-2.0-or-later
# Signals in the middle of a check: SIGINT ends it, SIGUSR1 and SIGUSR2 switch
# its reports.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

# A report for each of many groups, more than fit into the pipe that it waits
# at; and damage that -y would repair.
mkdir -p "$T/d/dir"
for i in $(seq 100 199); do : >"$T/d/dir/some_name_$i"; done
mke2fs -qFt ext4 -b 1024 -g 256 -N 8192 -O ^has_journal,^resize_inode \
	-d "$T/d" "$T/a" 128M >/dev/null 2>&1
poke "$T/a" $(($(block_at "$T/a" /dir 0) * 1024 + 40)) '\377\377\377\377'
check "the image has a fault" exits 4 "$E2FSCK" -fn "$T/a"
at()
{
	python3 "$E2DX_SRC/tests/tools/at-progress.py" "$@" 2>"$T/reports"
}
for how in -n -y -p; do
	for s in INT TERM; do
		check "SIG$s, $how: status 32, nothing is written" leaves "$T/a" \
			exits 32 at reported "$s" "$E2FSCK" -f "$how" -C 3 "$T/a"
	done
done
reports() { grep -c "^$1 " "$T/reports"; }
quiet()
{
	exits 4 at reported "$1" "$E2FSCK" -fn -C 3 "$T/a" >"$T/out"
	[ "$(reports 1)" -gt 0 ] && [ "$(reports 2)" -eq 0 ]
}
again()
{
	exits 4 at reported "$1" "$E2FSCK" -fn -C 3 "$T/a" >"$T/out"
	[ "$(reports 1)" -gt 0 ] && [ "$(reports 2)" -gt 0 ] &&
		! grep -q '|==' "$T/out"
}
check "SIGUSR2: no more reports" quiet USR2
check "SIGUSR1: they go on" again USR1
check "SIGUSR2, SIGUSR1: to where they went before" again USR2,USR1

# Here the program has to be overtaken while it works: a few attempts.
truncate -s 4T "$T/large"
mke2fs -qF -t ext4 -O ^has_journal,^resize_inode -N 300000 \
	-E lazy_itable_init=1 "$T/large" >/dev/null 2>&1
attempts()
{
	for attempt in 1 2 3 4 5 6 7 8; do
		"$@" && return 0
	done
	cat "$T/out"
	return 1
}
later()
{
	at silent USR1 "$E2FSCK" -fn -C -3 "$T/large" >"$T/out"
	[ "$(reports 1)" -gt 0 ]
}
bar()
{
	at silent USR1 "$E2FSCK" -fn "$T/large" >"$T/out"
	grep -q '|==' "$T/out"
}
none()
{
	"$E2FSCK" -fn -C -3 "$T/large" 3>"$T/reports" >"$T/out"
	[ ! -s "$T/reports" ] && ! grep -q '|==' "$T/out"
}
check "-C -3: nothing is reported" none
check "-C -3: SIGUSR1 begins it" attempts later
check "without -C SIGUSR1 draws a bar" attempts bar
finish
