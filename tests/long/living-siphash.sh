#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tests/cli/living-siphash.sh with a million names.
LIVING_NAMES=1000000
export LIVING_NAMES
exec sh "$E2DX_SRC/tests/cli/living-siphash.sh"
