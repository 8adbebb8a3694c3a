# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# For shell tests: `. "$E2DX_SRC/tests/lib.sh"` first, `finish` last.
# Sets up $T, an empty directory that goes away at the end, and the programs.
set -u
: "${E2DX_BUILD:?run through make, or set E2DX_BUILD and E2DX_SRC}"
: "${E2DX_SRC:?}"
SHARED=${E2DX_SHARED:-$E2DX_SRC/../shared}
TUNE2FS=$E2DX_BUILD/misc/tune2fs
DEBUGFS=$E2DX_BUILD/debugfs/debugfs
E2FSCK=$E2DX_BUILD/e2fsck/e2fsck
STOCK_TUNE2FS=/sbin/tune2fs
STOCK_DEBUGFS=/sbin/debugfs
STOCK_E2FSCK=/sbin/e2fsck
LC_ALL=C.UTF-8
export LC_ALL
PATH=$PATH:/sbin:/usr/sbin
# Most of a test's time would be syncs to a disk that nothing here needs.
shm_kib=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ -z "${TMPDIR:-}" ] && [ "${shm_kib:-0}" -gt 2097152 ] && [ -w /dev/shm ]; then
	TMPDIR=/dev/shm
	export TMPDIR
fi
T=$(mktemp -d "${TMPDIR:-/tmp}/e2dx-test.XXXXXX") || exit 99
test_fails=0

# Undo what a test set up, also when it is interrupted.
cleanup()
{
	for m in "$T"/mnt*; do
		[ -d "$m" ] && mountpoint -q "$m" && umount "$m"
	done
	rm -rf "$T"
}
trap cleanup EXIT
trap 'exit 99' INT TERM

pass() { echo "PASS: $*"; }
fail() { echo "FAIL: $*"; test_fails=$((test_fails + 1)); }
skip() { echo "SKIP: $*"; }

# check NAME COMMAND...: passes where the command succeeds; shows its output
# where it does not.
check()
{
	check_name=$1
	shift
	if "$@" >"$T/check.out" 2>&1; then
		pass "$check_name"
	else
		fail "$check_name (status $?): $*"
		sed 's/^/    /' "$T/check.out" | head -40
	fi
}

# exits STATUS COMMAND...: succeeds where the command exits with just that.
exits()
{
	exits_want=$1
	shift
	"$@"
	exits_got=$?
	[ "$exits_got" -eq "$exits_want" ] && return 0
	echo "exit status $exits_got instead of $exits_want: $*"
	return 1
}

# says TEXT COMMAND...: succeeds where output or errors hold TEXT.
says()
{
	says_want=$1
	shift
	"$@" >"$T/says.out" 2>&1
	grep -qF -e "$says_want" "$T/says.out" && return 0
	cat "$T/says.out"
	echo "missing above: $says_want"
	return 1
}

# unchanged FILE COMMAND...: succeeds where the command leaves FILE's bytes.
unchanged()
{
	unchanged_file=$1
	unchanged_sum=$(cksum <"$1")
	shift
	"$@"
	[ "$(cksum <"$unchanged_file")" = "$unchanged_sum" ] && return 0
	echo "$unchanged_file was changed by: $*"
	return 1
}

have_shared() { [ -d "$SHARED/tools" ]; }
have_loop() { [ "$(id -u)" = 0 ] && [ -e /dev/loop-control ]; }

# Ends a test: 1 where anything failed, 77 where nothing ran is the caller's.
finish() { [ "$test_fails" -eq 0 ]; exit; }
