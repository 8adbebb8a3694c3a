/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "htree/blocks.h"
#include "htree/build.h"
#include "htree/crc32c.h"
#include "htree/verify.h"
#include "htree/walk.h"
