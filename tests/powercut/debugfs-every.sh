# SPDX-License-Identifier: GPL-2.0-or-later
# tests/powercut/debugfs-quick.sh with hundreds of cuts.
CUTS=150
export CUTS
. "$E2DX_SRC/tests/powercut/debugfs-quick.sh"
