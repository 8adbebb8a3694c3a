/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Look-ups by several threads in one open filesystem write to nothing that is
 * shared: everything that they share is put on pages that cannot be written.
 * (Built with -fsanitize=thread, it also tells of races.)
 */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "ext2fs/map.h"
#include "htree/entry.h"
#include "htree/walk.h"
#include "seam_image.h"
#include "suite.h"

#define NAMES	5000
#define THREADS	4
#define BLOCK	1024

static const char *make(void)
{
	const char *path = seam_path("threads.img");
	const char *tree = seam_path("tree");

	ck_assert_int_eq(seam_run("PATH=$PATH:/sbin; mkdir -p %s/d && cd %s/d && "
				  "seq %d | xargs touch && truncate -s 64M %s && "
				  "mke2fs -qFt ext4 -b 1024 -N 30000 -d %s %s && "
				  "$E2DX_BUILD/e2fsck/e2fsck -fyD %s >/dev/null; "
				  "test $? -le 1", tree, tree, NAMES, path, tree,
				  path, path), 0);
	return path;
}

/* A copy of an object of the heap that nobody can write to. */
static void *frozen(const void *object, size_t size)
{
	void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(copy, MAP_FAILED);
	memcpy(copy, object, size);
	return copy;
}

static void freeze(void *copy, size_t size)
{
	ck_assert_int_eq(mprotect(copy, size, PROT_READ), 0);
}

/* The channel and what is behind it, then the filesystem, then its user. */
static struct e2dx_fs *freeze_fs(const struct e2dx_fs *efs)
{
	struct e2dx_fs *e = frozen(efs, sizeof(*e));
	size_t private_size = malloc_usable_size(efs->fs->io->private_data);
	ext2_filsys fs = frozen(efs->fs, sizeof(*fs));
	io_channel io = frozen(fs->io, sizeof(*io));

	io->private_data = frozen(io->private_data, private_size);
	freeze(io->private_data, private_size);
	freeze(io, sizeof(*io));
	fs->io = io;
	fs->super = frozen(fs->super, sizeof(*fs->super));
	freeze(fs->super, sizeof(*fs->super));
	freeze(fs, sizeof(*fs));
	e->fs = fs;
	freeze(e, sizeof(*e));
	return e;
}

static struct e2dx_dir *freeze_dir(const struct e2dx_dir *dir)
{
	struct e2dx_dir *d = frozen(dir, sizeof(*d));
	size_t runs = d->n_runs * sizeof(*d->runs);
	size_t held = (size_t)d->n_held * BLOCK;

	d->efs = freeze_fs(d->efs);
	d->runs = frozen(d->runs, runs);
	freeze(d->runs, runs);
	if (held) {
		d->held = frozen(d->held, held);
		freeze(d->held, held);
	}
	freeze(d, sizeof(*d));
	return d;
}

struct worker {
	pthread_t thread;
	struct e2dx_dir *d;
	int first, wrong;
};

static errcode_t find(struct e2dx_dir *d, const char *name, uint32_t *ino)
{
	uint8_t block[BLOCK];
	struct htree_dirent e;
	errcode_t err = htree_lookup(&d->dir, &d->blocks, (const uint8_t *)name,
				     strlen(name), block, &e);

	*ino = err ? 0 : e.ino;
	return err;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	uint32_t ino;
	char name[16];

	for (int i = 0; i < NAMES; i++) {
		int n = (w->first + i) % NAMES + 1;

		snprintf(name, sizeof(name), "%d", n);
		w->wrong += find(w->d, name, &ino) != 0 || !ino;
		snprintf(name, sizeof(name), "x%d", n);
		w->wrong += find(w->d, name, &ino) != E2DX_ET_NOT_FOUND;
	}
	return NULL;
}

/* One look-up first: which code computes checksums is chosen at the first. */
static void together(struct e2dx_dir *d)
{
	struct worker w[THREADS];
	uint32_t ino;

	ck_assert_int_eq(find(d, "1", &ino), 0);
	d = freeze_dir(d);
	for (int i = 0; i < THREADS; i++) {
		w[i] = (struct worker){ .d = d, .first = i * NAMES / THREADS };
		ck_assert_int_eq(pthread_create(&w[i].thread, NULL, work, &w[i]),
				 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		ck_assert_int_eq(w[i].wrong, 0);
	}
}

static struct e2dx_fs *open_dir(struct e2dx_dir **d)
{
	struct e2dx_fs *efs = seam_open(make(), false);
	ext2_ino_t ino = seam_inode(efs->fs, "d");

	ck_assert_uint_ne(ino, 0);
	ck_assert_int_eq(e2dx_dir_open(efs, ino, d), 0);
	ck_assert((*d)->dir.indexed);
	return efs;
}

START_TEST(shared_is_not_written)
{
	struct e2dx_dir *d;
	struct e2dx_fs *efs = open_dir(&d);

	if (_i)
		ck_assert_int_eq(e2dx_dir_hold(d, 1 << 30), 0);
	together(d);
	e2dx_dir_close(d);
	ck_assert_int_eq(e2dx_close(efs), 0);
}
END_TEST

/* What is held, and what lies across its end, is what is on disk. */
START_TEST(held_blocks_are_those_on_disk)
{
	struct e2dx_dir *d, *plain;
	struct e2dx_fs *efs = open_dir(&d);
	uint8_t a[4 * BLOCK], b[4 * BLOCK];

	ck_assert_int_eq(e2dx_dir_open(efs, d->dir.ino, &plain), 0);
	ck_assert_int_eq(e2dx_dir_hold(d, 10 * BLOCK + 1), 0);
	ck_assert_uint_eq(d->n_held, 10);
	ck_assert_int_eq(e2dx_dir_hold(d, 20 * BLOCK), 0);
	ck_assert_uint_eq(d->n_held, 20);
	for (uint32_t n = 0; n + 4 <= d->blocks.count && n < 40; n++) {
		ck_assert_int_eq(htree_blocks_read(&d->blocks, n, 4, a), 0);
		ck_assert_int_eq(htree_blocks_read(&plain->blocks, n, 4, b), 0);
		ck_assert_mem_eq(a, b, sizeof(a));
	}
	ck_assert_int_eq(e2dx_dir_hold(d, SIZE_MAX), 0);
	ck_assert_uint_eq(d->n_held, d->blocks.count);
	e2dx_dir_close(plain);
	e2dx_dir_close(d);
	ck_assert_int_eq(e2dx_close(efs), 0);
}
END_TEST

int main(void)
{
	TCase *c = make_case("threads");

	/* Programs make its directories: a busy machine takes its time. */
	tcase_set_timeout(c, 120);
	tcase_add_loop_test(c, shared_is_not_written, 0, 2);
	tcase_add_test(c, held_blocks_are_those_on_disk);
	return run_case("threads", c);
}
