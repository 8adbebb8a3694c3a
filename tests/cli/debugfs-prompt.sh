#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# debugfs at a terminal: prompt, history, completion of requests and of paths.
. "$E2DX_SRC/tests/lib.sh"

mkdir -p "$T/d/subdirectory"
echo hi >"$T/d/subdirectory/a file"
mke2fs -qFt ext4 -b1024 -d "$T/d" "$T/img" 4M

session()
{
	python3 "$E2DX_SRC/tests/tools/pty-session.py" 'debugfs: ' \
		"$DEBUGFS" "$T/img"
}

# A request is completed, a directory, a name with a space; Ctrl-P is the
# line before.
printf '%s\n' 'pw\t' 'cat /subd\ta\t' 'cd /subd\t' '\x10\x10\x10' 'bogus' \
	'quit' >"$T/keys"
session <"$T/keys" >"$T/raw" 2>&1
status=$?
tr -d '\r\007' <"$T/raw" >"$T/out"
check "quit ends it with 0" [ $status -eq 0 ]
check "prompt" grep -q '^debugfs: ' "$T/out"
check "a request is completed" grep -q 'PATH: /$' "$T/out"
check "a path is completed, quoted" grep -q '^hi$' "$T/out"
check "history: pwd in the new directory" grep -q 'PATH: /subdirectory$' "$T/out"
check "an unknown request does not end it" grep -q 'unknown command' "$T/out"
check "the end of input ends it" sh -c ": | $DEBUGFS $T/img"
printf 'bogus\n' >"$T/keys"
check "piped requests tell of failures" sh -c "! $DEBUGFS $T/img <$T/keys"
finish
