/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernels that hash a name in each lane of a vector, for any width.
 * Included once by each file that is compiled for one CPU extension
 * (many_*.c), after lanes_width.h and what that one asks for.
 *
 * The words of a chunk of 32 bytes are put side by side, a vector for each
 * word.  Lanes whose names end before others keep their state.
 */
#include "dirhash/lanes_chunks.h"
#include "dirhash/lanes_siphash.h"
#include "dirhash/lanes_words.h"
#include "dirhash/lanes_half_md4.h"
#include "dirhash/lanes_tea.h"

const struct dirhash_variant LANES_VARIANT = {
	.name = LANES_NAME,
	.kernel = {
		[DIRHASH_LANES_SIPHASH] = { siphash, NAMES64 },
		[DIRHASH_LANES_HALF_MD4] = { half_md4, NAMES32 },
		[DIRHASH_LANES_HALF_MD4_UNSIGNED] = { half_md4_unsigned,
						      NAMES32 },
		[DIRHASH_LANES_TEA] = { tea, NAMES32 },
		[DIRHASH_LANES_TEA_UNSIGNED] = { tea_unsigned, NAMES32 },
	}
};
