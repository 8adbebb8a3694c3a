/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dirhash/dirhash.h"

bool dirhash_known(int version)
{
	return version >= DIRHASH_LEGACY && version <= DIRHASH_SIPHASH;
}
