/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Re-keying: what a seed or the sign flags mean changes for many indexes at
 * once, so for that moment none of these may be there.
 */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/rebuild.h"
#include "ext2fs/replace_priv.h"

struct affected {
	ext2_ino_t ino;
	int version;		/* on disk, of the index it had */
};

struct rekey {
	struct e2dx_replacer *r;
	bool seed, flags;
	const struct e2dx_convert_events *events;
	struct affected *v;
	size_t n, capacity;
	size_t linear;		/* of them are linear now */
	uint64_t failures;
};

/* The space that linear copies will need, batch by batch, at the worst. */
struct forecast {
	uint64_t free, returned, bytes;
};

static bool is_affected(const struct rekey *k, const struct htree_dir *dir,
			int version)
{
	if (htree_dir_stores_hash(dir) || !dirhash_on_disk(version))
		return false;
	if (k->seed && dirhash_seeded(version))
		return true;
	return k->flags && version <= DIRHASH_TEA;
}

/*
 * The hash of the index that the directory has and gets again; -1: none.  One
 * with a root that cannot be read gets the default: Linux may still read what
 * is damage to us, and would look in it with the new key.
 */
static int index_version(const struct rekey *k, struct e2dx_rebuild *b)
{
	int version = e2dx_rebuild_version(b);

	if (!b->d->dir.indexed || b->d->inline_data || dirhash_on_disk(version))
		return version;
	version = k->r->efs->fs->super->s_def_hash_version;
	return dirhash_on_disk(version) ? version : DIRHASH_HALF_MD4;
}

static errcode_t remember(struct rekey *k, ext2_ino_t ino, int version)
{
	size_t capacity = k->capacity ? 2 * k->capacity : 256;
	struct affected *v;

	if (k->n == k->capacity) {
		v = reallocarray(k->v, capacity, sizeof(*v));
		if (!v)
			return ENOMEM;
		k->v = v;
		k->capacity = capacity;
	}
	k->v[k->n++] = (struct affected){ ino, version };
	return 0;
}

static errcode_t forecast_one(const struct rekey *k, struct forecast *f,
			      const struct e2dx_rebuild *b)
{
	const struct e2dx_fs *efs = k->r->efs;
	struct e2dx_map_format format = {
		.extents = b->d->inode.i_flags & EXT4_EXTENTS_FL,
		.block_size = efs->fs->blocksize
	};
	uint64_t need = e2dx_clusters(efs, b->out.blocks.count), meta = 0;
	struct e2dx_pieces old;
	errcode_t err;

	e2dx_pieces_init(&old);
	err = e2dx_old_pieces(efs, b->d->dir.ino, &b->d->inode, &old);
	if (!err)
		err = e2dx_map_meta_worst(&format, b->out.blocks.count,
				(uint64_t)EXT2FS_CLUSTER_RATIO(efs->fs), &meta);
	need += meta;
	if (!err && need > f->free) {
		f->free += f->returned;
		f->returned = f->bytes = 0;
	}
	if (!err && need > f->free)
		err = E2DX_ET_NO_SPACE;
	if (!err) {
		f->free -= need;
		f->returned += e2dx_pieces_total(&old);
		f->bytes += (uint64_t)b->out.blocks.count *
			    efs->fs->blocksize;
	}
	if (f->bytes >= E2DX_BATCH_BYTES) {
		f->free += f->returned;
		f->returned = f->bytes = 0;
	}
	e2dx_pieces_free(&old);
	return err;
}

/* Is this one affected, and would its linear copy fit? */
static errcode_t examine(struct rekey *k, ext2_ino_t ino, struct forecast *f)
{
	struct e2dx_rebuild b;
	errcode_t err = e2dx_rebuild_begin(k->r->efs, ino, &b);
	int version = err ? -1 : index_version(k, &b);

	if (!err && is_affected(k, &b.d->dir, version)) {
		if (k->r->survey->inode[ino] & E2DX_INODE_SHARED)
			err = E2DX_ET_SHARED;
		if (!err)
			err = e2dx_rebuild_read(&b);
		if (!err)
			err = e2dx_rebuild_build(&b, false, version, 0);
		if (!err)
			err = forecast_one(k, f, &b);
		if (!err)
			err = remember(k, ino, version);
	}
	e2dx_rebuild_end(&b);
	return err;
}

/*
 * All directories first, so that nothing is changed where one does not fit or
 * cannot be read: that one would be left with an index of the old key.
 */
static errcode_t examine_all(struct rekey *k)
{
	const struct e2dx_survey *s = k->r->survey;
	struct forecast f = { .free = k->r->space.free };
	errcode_t err, first = 0;

	for (size_t i = 0; i < s->n_dirs; i++) {
		err = examine(k, s->dirs[i], &f);
		if (err == ENOMEM)
			return err;
		if (err) {
			e2dx_tell_failed(k->events, s->dirs[i], err);
			k->failures++;
			first = first ? first : err;
		}
		e2dx_tell_progress(k->events, i + 1, 3 * s->n_dirs);
	}
	return first;
}

static errcode_t replace_one(struct rekey *k, const struct affected *a,
			     bool indexed)
{
	struct e2dx_rebuild b;
	errcode_t err = e2dx_rebuild_begin(k->r->efs, a->ino, &b);

	if (!err)
		err = e2dx_rebuild_read(&b);
	if (!err)
		err = e2dx_rebuild_build(&b, indexed, a->version, 0);
	if (!err && !e2dx_rebuild_same(&b))
		err = e2dx_replace_dir(k->r, a->ino, &b.out, b.result.indexed);
	if (!err && b.linear) {
		e2dx_tell_linear(k->events, a->ino, b.linear);
		k->failures++;
	}
	e2dx_rebuild_end(&b);
	return err;
}

/* Where in the progress of the whole the i-th of n stands, phase 1 or 2. */
static void tell(const struct rekey *k, unsigned phase, size_t i)
{
	uint64_t dirs = k->r->survey->n_dirs;

	e2dx_tell_progress(k->events, phase * dirs + dirs * (i + 1) / k->n,
			   3 * dirs);
}

static errcode_t make_linear(struct rekey *k)
{
	errcode_t err = 0;

	for (k->linear = 0; k->linear < k->n; k->linear++) {
		err = replace_one(k, &k->v[k->linear], false);
		if (err)
			break;
		tell(k, 1, k->linear);
	}
	if (err && !k->r->failed) {
		e2dx_tell_failed(k->events, k->v[k->linear].ino, err);
		k->failures++;
	}
	return err ? err : e2dx_replace_flush(k->r);
}

/* One that no longer fits stays as it is: linear, and every name is found. */
static errcode_t make_indexed(struct rekey *k)
{
	errcode_t err = 0;

	for (size_t i = 0; i < k->linear; i++) {
		err = replace_one(k, &k->v[i], true);
		if (k->r->failed || err == ENOMEM)
			return err;
		if (err) {
			e2dx_tell_linear(k->events, k->v[i].ino, err);
			k->failures++;
		}
		tell(k, 2, i);
	}
	return e2dx_replace_flush(k->r);
}

static errcode_t do_change(struct rekey *k,
			   errcode_t (*change)(void *ctx, struct e2dx_fs *efs),
			   void *ctx)
{
	errcode_t err = e2dx_replace_start(k->r);

	if (!err)
		err = change(ctx, k->r->efs);
	/* Some copies may be written: the filesystem must not end as clean. */
	if (err)
		k->r->failed = err;
	return err;
}

errcode_t e2dx_rekey(struct e2dx_replacer *r, bool seed, bool flags,
		     errcode_t (*change)(void *ctx, struct e2dx_fs *efs),
		     void *change_ctx,
		     const struct e2dx_convert_events *events,
		     uint64_t *failures)
{
	struct rekey k = { .r = r, .seed = seed, .flags = flags,
			   .events = events };
	errcode_t err, linear;

	err = examine_all(&k);
	if (!err) {
		linear = make_linear(&k);
		err = linear ? linear : do_change(&k, change, change_ctx);
		/* After a failure before the change: back to what was. */
		if (!r->failed)
			err = make_indexed(&k);
		err = linear ? linear : err;
	}
	free(k.v);
	*failures = k.failures;
	return err;
}
