#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# More than a million random insertions, removals and look-ups against a plain
# set; thousands of changes cut at every step.
. "$E2DX_SRC/tests/lib.sh"
check "htree_change: 60,000 operations of each kind of directory" \
	env HTREE_CHANGE_OPS=60000 "$E2DX_BUILD/tests/unit/htree_change"
check "htree_cut: 5,000 changes of each kind of directory" \
	env HTREE_CUT_OPS=5000 "$E2DX_BUILD/tests/unit/htree_cut"
finish
