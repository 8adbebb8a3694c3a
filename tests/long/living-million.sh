#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A million names come and go in random order; at every tenth of the way the
# kernel and stock e2fsck judge (tests/kernel/living.sh).
LIVING_NAMES=1000000
export LIVING_NAMES
exec sh "$E2DX_SRC/tests/kernel/living.sh"
