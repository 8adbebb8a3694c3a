# SPDX-License-Identifier: GPL-2.0-or-later
# replace-space.sh on filesystems of every make.
EVERY_IMAGE=1
. "$E2DX_SRC/tests/cli/replace-space.sh"
