/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in use on the whole filesystem, as scripts and people read it. */
#include "ext2fs/recount.h"
#include "report.h"

/* What the last line says; -v has the same numbers. */
struct in_use {
	uint64_t inodes, inodes_all;
	uint64_t blocks, blocks_all;
};

/* By the survey; after repairs by the superblock, which has kept up. */
static void count_in_use(const struct check *c, struct in_use *n)
{
	const struct e2dx_survey *s = c->facts.survey;
	ext2_filsys fs = c->efs->fs;
	uint64_t free_clusters = 0;

	n->inodes_all = fs->super->s_inodes_count;
	n->blocks_all = ext2fs_blocks_count(fs->super);
	if (c->changed) {
		n->inodes = n->inodes_all - fs->super->s_free_inodes_count;
		n->blocks = n->blocks_all - ext2fs_free_blocks_count(fs->super);
		return;
	}
	n->inodes = 0;
	for (dgrp_t g = 0; g < s->groups; g++) {
		free_clusters += e2dx_group_clusters(c->efs, g) -
				 s->group[g].owned;
		n->inodes += s->group[g].used;
	}
	n->blocks = n->blocks_all - (free_clusters << fs->cluster_ratio_bits);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* ---- -v */

struct by_type {
	uint64_t type[EXT2_FT_MAX];
	uint64_t links;		/* names beyond the first, directories apart */
};

/* The filesystem's own, whatever their numbers. */
static bool is_own(const struct facts *f, ext2_ino_t ino)
{
	const struct e2dx_survey *s = f->survey;
	struct ext2_super_block *super = f->efs->fs->super;

	return ino < s->first_ino || ino == s->quota_ino[0] ||
	       ino == s->quota_ino[1] || ino == s->quota_ino[2] ||
	       (ext2fs_has_feature_orphan_file(super) &&
		ino == super->s_orphan_file_inum);
}

static void count_group(const struct facts *f, dgrp_t g, struct by_type *n)
{
	const struct e2dx_survey *s = f->survey;
	ext2_ino_t first = g * s->inodes_per_group + 1;

	for (uint32_t i = 0; i < s->group[g].read; i++) {
		uint8_t type = s->inode[first + i] & E2DX_INODE_TYPE;
		uint16_t names = f->links_of[g] ? f->links_of[g][i].names : 0;

		if (!type || type >= EXT2_FT_MAX || is_own(f, first + i))
			continue;
		n->type[type]++;
		if (type != EXT2_FT_DIR && names > 1)
			n->links += names - 1U;
	}
}

static void line(uint64_t n, const char *one, const char *many)
{
	printf("%12llu %s\n", (unsigned long long)n, n == 1 ? one : many);
}

static void show_types(const struct facts *f)
{
	struct by_type n = { .links = 0 };

	for (dgrp_t g = 0; g < f->survey->groups; g++)
		count_group(f, g, &n);
	putchar('\n');
	line(n.type[EXT2_FT_REG_FILE], "regular file", "regular files");
	line(f->n_dirs, "directory", "directories");
	line(n.type[EXT2_FT_CHRDEV], "character device file",
	     "character device files");
	line(n.type[EXT2_FT_BLKDEV], "block device file",
	     "block device files");
	line(n.type[EXT2_FT_FIFO], "fifo", "fifos");
	line(n.links, "link", "links");
	line(n.type[EXT2_FT_SYMLINK], "symbolic link", "symbolic links");
	line(n.type[EXT2_FT_SOCK], "socket", "sockets");
}

static void show_directories(const struct facts *f, unsigned block_size)
{
	const struct totals *t = &f->totals;

	putchar('\n');
	line(t->linear - t->inline_dirs, "directory without an index",
	     "directories without an index");
	line(t->inline_dirs, "directory in its inode",
	     "directories in their inodes");
	line(t->indexed, "indexed directory", "indexed directories");
	printf("             # of those by levels: %llu/%llu/%llu\n",
	       (unsigned long long)t->by_level[0],
	       (unsigned long long)t->by_level[1],
	       (unsigned long long)t->by_level[2]);
	printf("%12llu directory blocks of %u bytes\n",
	       (unsigned long long)t->blocks, block_size);
	line(t->entries, "name", "names");
}

static void show_all(const struct check *c, const struct in_use *n)
{
	const struct facts *f = &c->facts;

	printf("\n%12llu inodes used (%.2f%%, out of %llu)\n",
	       (unsigned long long)n->inodes, percent(n->inodes, n->inodes_all),
	       (unsigned long long)n->inodes_all);
	printf("%12u non-contiguous %s (%.1f%%)\n", f->scattered_files,
	       f->scattered_files == 1 ? "file" : "files",
	       percent(f->scattered_files, n->inodes));
	printf("%12u non-contiguous %s (%.1f%%)\n", f->scattered_dirs,
	       f->scattered_dirs == 1 ? "directory" : "directories",
	       percent(f->scattered_dirs, n->inodes));
	printf("%12llu blocks used (%.2f%%, out of %llu)\n",
	       (unsigned long long)n->blocks, percent(n->blocks, n->blocks_all),
	       (unsigned long long)n->blocks_all);
	show_types(f);
	show_directories(f, c->efs->fs->blocksize);
}

void report_totals(const struct check *c)
{
	const struct facts *f = &c->facts;
	struct in_use n;

	if (c->cli->status & FSCK_CANCELLED || !f->survey ||
	    !e2dx_survey_owners_known(f->survey))
		return;
	count_in_use(c, &n);
	if (c->o->verbose) {
		show_all(c, &n);
		return;
	}
	printf("%s: %llu/%llu files (%.1f%% non-contiguous), %llu/%llu blocks\n",
	       c->o->device, (unsigned long long)n.inodes,
	       (unsigned long long)n.inodes_all,
	       percent((uint64_t)f->scattered_files + f->scattered_dirs,
		       n.inodes),
	       (unsigned long long)n.blocks, (unsigned long long)n.blocks_all);
}
