/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loop devices on an image file. */
#ifndef E2DX_LOOP_H
#define E2DX_LOOP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The next loop device that shows `file`, as "/dev/loopN" to name; *state
 * starts at 0 and keeps the place.  False where there is no further one, for
 * block devices, and where the system does not tell.
 */
bool e2dx_loop_next(const char *file, unsigned *state, char *name, size_t size);

#endif
