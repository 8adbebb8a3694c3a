# SPDX-License-Identifier: GPL-2.0-or-later
# tests/cli/preload-link.sh with directories as large as they get.
LINK_FILES=100000 LINK_DIRS=70000 LINK_FUSE=50000
export LINK_FILES LINK_DIRS LINK_FUSE
. "$E2DX_SRC/tests/cli/preload-link.sh"
