/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The journal of a filesystem: its blocks, and reading and writing them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode.h"
#include "journal/locate.h"
#include "journal/locate_priv.h"

/* The run that holds a logical block; the log is read in order. */
static const struct jnl_run *find_run(struct jnl_journal *j, uint32_t block)
{
	size_t low = 0, high = j->n_runs;

	for (size_t i = j->last; i < j->n_runs && i < j->last + 2; i++) {
		if (block - j->runs[i].logical < j->runs[i].count &&
		    block >= j->runs[i].logical) {
			j->last = i;
			return &j->runs[i];
		}
	}
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (block >= j->runs[mid].logical + j->runs[mid].count)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == j->n_runs || block < j->runs[low].logical)
		return NULL;
	j->last = low;
	return &j->runs[low];
}

/* Where a block of the journal lies, and the channel to it. */
static errcode_t place(struct jnl_journal *j, uint32_t block, io_channel *io,
		       uint64_t *at)
{
	const struct jnl_run *run;

	*io = j->external ? j->io : j->efs->fs->io;
	*at = block;
	if (j->external)
		return 0;
	run = find_run(j, block);
	if (!run)
		return E2DX_ET_HOLE;
	*at = run->physical + (block - run->logical);
	return 0;
}

static errcode_t read_block(void *ctx, uint32_t block, uint8_t *data)
{
	struct jnl_journal *j = ctx;
	io_channel io;
	uint64_t at;
	errcode_t err = place(j, block, &io, &at);

	return err ? err : io_channel_read_blk64(io, at, 1, data);
}

/* The journal replays into the filesystem, and never into itself. */
static bool allowed(void *ctx, uint64_t block)
{
	const struct jnl_journal *j = ctx;
	size_t low = 0, high = j->n_runs;

	if (block >= ext2fs_blocks_count(j->efs->fs->super))
		return false;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct jnl_run *run = &j->by_place[mid];

		if (block >= run->physical && block - run->physical < run->count)
			return false;
		if (block < run->physical)
			high = mid;
		else
			low = mid + 1;
	}
	return true;
}

static errcode_t write_block(void *ctx, uint64_t block, const uint8_t *data)
{
	struct jnl_journal *j = ctx;

	return io_channel_write_blk64(j->efs->fs->io, block, 1, data);
}

struct jnl_io jnl_journal_io(struct jnl_journal *j)
{
	return (struct jnl_io){ read_block, allowed, write_block, j };
}

errcode_t jnl_write_super(struct jnl_journal *j)
{
	io_channel io;
	uint64_t at;
	errcode_t err = place(j, j->base, &io, &at);

	if (!err)
		err = io_channel_write_blk64(io, at, -JNL_SUPER_SIZE,
					     j->super.raw);
	return err ? err : io_channel_flush(io);
}

/* ---- opening */

errcode_t jnl_load_super(struct jnl_journal *j, uint64_t blocks)
{
	uint32_t size = j->efs->fs->blocksize;
	uint8_t *raw = malloc(size);

	if (!raw)
		return ENOMEM;
	j->error = read_block(j, j->base, raw);
	if (j->error) {
		j->fault = JNL_PLACE_DEVICE;
	} else {
		j->super_fault = jnl_super_load(raw, size, blocks, j->base,
						&j->super);
		if (j->super_fault)
			j->fault = JNL_PLACE_SUPER;
	}
	free(raw);
	return 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct jnl_run *x = a, *y = b;

	return (x->physical > y->physical) - (x->physical < y->physical);
}

static errcode_t sort_places(struct jnl_journal *j)
{
	if (!j->n_runs)
		return 0;
	j->by_place = malloc(j->n_runs * sizeof(*j->runs));
	if (!j->by_place)
		return ENOMEM;
	memcpy(j->by_place, j->runs, j->n_runs * sizeof(*j->runs));
	qsort(j->by_place, j->n_runs, sizeof(*j->runs), compare_places);
	return 0;
}

errcode_t jnl_open(struct e2dx_fs *efs, const char *device,
		   struct jnl_journal **out)
{
	struct jnl_journal *j = calloc(1, sizeof(*j));
	errcode_t err;

	if (!j)
		return ENOMEM;
	j->efs = efs;
	j->external = !efs->fs->super->s_journal_inum;
	if (j->external)
		err = jnl_open_device(j, device);
	else
		err = jnl_open_inode(j);
	if (!err)
		err = sort_places(j);
	if (err) {
		jnl_close(j);
		return err;
	}
	*out = j;
	return 0;
}

void jnl_close(struct jnl_journal *j)
{
	if (!j)
		return;
	if (j->io)
		io_channel_close(j->io);
	free(j->runs);
	free(j->by_place);
	free(j);
}
