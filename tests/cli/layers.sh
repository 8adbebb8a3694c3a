# SPDX-License-Identifier: GPL-2.0-or-later
exec python3 "$E2DX_SRC/tests/layers" "$E2DX_SRC"
