/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bitmaps and counts, against what was found in use. */
#include "facts.h"

errcode_t facts_bitmaps(struct facts *f)
{
	(void)f;
	return 0;
}
