/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_dump, htree_check: a directory's index as it stands on disk. */
#include <inttypes.h>
#include <stdlib.h>
#include "debugfs.h"
#include "htree/csum.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/verify.h"
#include "htree/walk.h"

struct dump {
	struct debugfs *d;
	const char *object;	/* as the user named the directory */
	struct e2dx_dir *dir;
	struct dirhasher hasher;
	bool hashing;		/* hasher is set up */
	bool in_leaf;		/* the leaf's heading was printed */
	int level;		/* of the index block whose children are shown */
	struct columns columns;
	int failed;
};

static errcode_t dump_root(void *ctx, const struct htree_root *root)
{
	struct dump *u = ctx;

	printf("Root node dump:\n"
	       "\t Reserved zero: %u\n"
	       "\t Hash Version: %u\n"
	       "\t Info length: %u\n"
	       "\t Indirect levels: %u\n"
	       "\t Flags: %u\n",
	       root->reserved, root->version, root->info_length,
	       root->indirect_levels, root->flags);
	u->hashing = !htree_dir_stores_hash(&u->dir->dir) &&
		     !htree_dir_hasher(&u->dir->dir, root->version,
				       &u->hasher);
	return 0;
}

static void print_child(const struct htree_node *node, uint32_t i)
{
	printf("Entry #%u: Hash 0x%08x, block %u\n", i,
	       htree_node_hash(node, i), htree_node_child(node, i));
}

/* What a walk goes past, but no healthy index block has. */
static void check_node(struct dump *u, const struct htree_node *node)
{
	const struct htree_dir *dir = &u->dir->dir;
	uint32_t limit = node->level ? htree_node_limit(dir) :
				       htree_root_limit(dir);

	if (node->limit != limit)
		u->failed = dbg_fail(u->d, u->object, 0,
				     "block %u: limit of %u instead of %u",
				     node->block, node->limit, limit);
	if (node->count != node->disk_count)
		u->failed = dbg_fail(u->d, u->object, 0,
				     "block %u: a count of %u is impossible",
				     node->block, node->disk_count);
	if (!node->checksum_ok)
		u->failed = dbg_fail(u->d, u->object, 0,
				     "block %u: wrong checksum of the index block",
				     node->block);
	for (uint32_t i = 2; i < node->count; i++)
		if (htree_node_hash(node, i) < htree_node_hash(node, i - 1)) {
			u->failed = dbg_fail(u->d, u->object, 0,
					     "block %u: entry #%u is out of order",
					     node->block, i);
			break;
		}
}

static errcode_t dump_node(void *ctx, const struct htree_node *node)
{
	struct dump *u = ctx;

	printf("Number of entries (count): %u\n"
	       "Number of entries (limit): %u\n",
	       node->disk_count, node->limit);
	if (u->dir->dir.metadata_csum && node->checksum_ok && node->count)
		printf("Checksum: 0x%08x\n",
		       htree_le32(node->table + node->limit * HTREE_DX_SIZE +
				  HTREE_DX_TAIL_CSUM));
	check_node(u, node);
	u->level = node->level;
	for (uint32_t i = 0; i < node->count; i++)
		print_child(node, i);
	putchar('\n');
	return 0;
}

/* A line closes each index block down from this level. */
static void close_nodes(struct dump *u, int level)
{
	for (; u->level > level; u->level--)
		puts("---------------------");
}

static errcode_t dump_child(void *ctx, const struct htree_node *node,
			    uint32_t i)
{
	close_nodes(ctx, node->level);
	print_child(node, i);
	return 0;
}

/* The walk does not give a leaf's tail: it is read again for that. */
static void dump_tail(struct dump *u, uint32_t block)
{
	const struct htree_dir *dir = &u->dir->dir;
	uint8_t *buf = dir->metadata_csum ? malloc(dir->block_size) : NULL;
	char item[40];

	if (!buf)
		return;
	if (!htree_blocks_read(&u->dir->blocks, block, 1, buf)) {
		const uint8_t *tail = buf + htree_leaf_room(dir);

		if (htree_tail_present(dir, buf)) {
			snprintf(item, sizeof(item),
				 "leaf block checksum: 0x%08x  ",
				 htree_le32(tail + HTREE_TAIL_CSUM));
			columns_put(&u->columns, item);
		}
		if (!htree_leaf_csum_ok(dir, buf))
			u->failed = dbg_fail(u->d, u->object, 0,
					     "block %u: wrong checksum of the leaf",
					     block);
	}
	free(buf);
}

static errcode_t dump_leaf(void *ctx, uint32_t block,
			   const struct htree_dirent *e)
{
	struct dump *u = ctx;
	char name[DBG_NAME_TEXT], item[DBG_NAME_TEXT + 80];
	struct dirhash hash = { 0 };

	if (!u->in_leaf)
		printf("Reading directory block %u, phys %" PRIu64 "\n", block,
		       e2dx_dir_physical(u->dir, block));
	u->in_leaf = e != NULL;
	if (!e) {
		dump_tail(u, block);
		columns_end(&u->columns);
		return 0;
	}
	if (e->has_hash)
		hash = e->hash;
	else if (u->hashing)
		dirhash_name(&u->hasher, e->name, e->name_len, &hash);
	snprintf(item, sizeof(item), "%u 0x%08x-%08x (%u) %s   ", e->ino,
		 hash.hash, hash.minor_hash, e->rec_len, entry_text(name, &u->dir->dir, e));
	columns_put(&u->columns, item);
	return 0;
}

static const char *fault_text(errcode_t what)
{
	switch (what) {
	case E2DX_ET_RANGE: return "not a block that the index can name";
	case E2DX_ET_SHARED: return "named more than once; not shown again";
	case E2DX_ET_UNSUPPORTED: return "unknown hash version";
	case E2DX_ET_DAMAGED: return "damaged";
	case E2DX_ET_HOLE: return "not mapped";
	default: return NULL;
	}
}

static errcode_t dump_fault(void *ctx, uint32_t block, errcode_t what)
{
	struct dump *u = ctx;
	const char *text = fault_text(what);

	if (u->in_leaf)
		columns_end(&u->columns);
	u->in_leaf = false;
	u->failed = dbg_fail(u->d, u->object, text ? 0 : what, "block %u: %s",
			     block, text ? text : "cannot be read");
	return 0;
}

/*
 * Entries whose hashes lie outside their leaves (another seed, another sign)
 * make a walk no trouble: verifying finds them.
 */
static void look_deeper(struct dump *u)
{
	static const struct htree_verify_ops ops = { 0 };
	struct htree_verify_result r = { 0 };

	if (htree_verify(&u->dir->dir, &u->dir->blocks, &ops, NULL, &r) ||
	    !r.findings)
		return;
	u->failed = dbg_fail(u->d, u->object, 0,
			     "damaged in %" PRIu64 " places; htree_check shows them",
			     r.findings);
}

/* No fault of this directory; the next one will have that version. */
static void check_default(struct debugfs *d)
{
	int version = d->efs->fs->super->s_def_hash_version;

	if (!dirhash_on_disk(version))
		dbg_fail(d, d->device, 0,
			 "default hash %d may not stand in a superblock; e2fsck repairs it",
			 version);
}

int command_htree_dump(struct debugfs *d, int argc, char **argv)
{
	static const struct htree_walk_ops ops = {
		dump_root, dump_node, dump_child, dump_leaf, dump_fault
	};
	struct dump u = { .d = d, .level = -1 };
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	u.object = argv[1];
	if (directory_argument(d, u.object, &u.dir))
		return 1;
	if (u.dir->inline_data)
		err = E2DX_ET_NOT_INDEXED;
	else
		err = htree_walk(&u.dir->dir, &u.dir->blocks, &ops, &u);
	if (err)
		u.failed = dbg_fail(d, u.object, err, "cannot dump the index");
	else
		close_nodes(&u, -1);
	if (u.dir->map_damaged)
		u.failed = dbg_fail(d, u.object, E2DX_ET_MAP_DAMAGED,
				    "not all of it is shown");
	if (!u.failed)
		look_deeper(&u);
	check_default(d);
	e2dx_dir_close(u.dir);
	return u.failed;
}

static void print_finding(void *ctx, const struct htree_finding *f)
{
	const struct htree_dir *dir = ctx;
	char name[DBG_NAME_TEXT];

	printf("directory inode %u, block %u, offset %u: %s", dir->ino,
	       f->block, f->offset, htree_finding_text(f->code));
	if (f->value || f->expected)
		printf(" (found 0x%" PRIx64, f->value);
	if (f->expected)
		printf(", expected 0x%" PRIx64, f->expected);
	if (f->value || f->expected)
		putchar(')');
	if (f->name)
		printf(": \"%s\"", cli_quote(name, f->name, f->name_len));
	putchar('\n');
}

int command_htree_check(struct debugfs *d, int argc, char **argv)
{
	static const struct htree_verify_ops ops = { .finding = print_finding };
	struct htree_verify_result r = { 0 };
	struct e2dx_dir *dir;
	bool damaged;
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	if (directory_argument(d, argv[1], &dir))
		return 1;
	err = e2dx_dir_verify(dir, &ops, &dir->dir, &r);
	if (dir->map_damaged)
		printf("directory inode %u: the block map is damaged\n",
		       dir->dir.ino);
	else if (dir->size_wrong)
		printf("directory inode %u: the size is not that of the block map\n",
		       dir->dir.ino);
	damaged = r.findings || dir->map_damaged || dir->size_wrong;
	e2dx_dir_close(dir);
	if (err)
		return dbg_fail(d, argv[1], err, "could not be checked");
	if (!damaged)
		printf("%s: no damage found (%" PRIu64 " entries, hash version %d)\n",
		       argv[1], r.entries, r.version);
	return damaged;
}
