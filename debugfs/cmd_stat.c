/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat: everything that an inode says. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "debugfs.h"
#include "ext2fs/xattr.h"

#define VALUE_SHOWN 40	/* values of at least so many bytes are not shown */

/* i_extra_isize reaches as far as the end of this field. */
#define HAS_FIELD(inode, field) \
	((inode)->i_extra_isize >= \
	 offsetof(struct ext2_inode_large, field) + sizeof((inode)->field) - \
	 EXT2_GOOD_OLD_INODE_SIZE)

static const char *type_name(uint16_t mode)
{
	switch (mode & LINUX_S_IFMT) {
	case LINUX_S_IFREG: return "regular";
	case LINUX_S_IFDIR: return "directory";
	case LINUX_S_IFLNK: return "symlink";
	case LINUX_S_IFCHR: return "character special";
	case LINUX_S_IFBLK: return "block special";
	case LINUX_S_IFIFO: return "FIFO";
	case LINUX_S_IFSOCK: return "socket";
	default: return "bad type";
	}
}

static uint64_t block_count(const struct debugfs *d,
			    const struct ext2_inode_large *inode)
{
	uint64_t n = inode->i_blocks;

	if (ext2fs_has_feature_huge_file(d->efs->fs->super))
		n |= (uint64_t)inode->osd2.linux2.l_i_blocks_hi << 32;
	return n;
}

static void print_head(const struct debugfs *d, ext2_ino_t ino,
		       const struct ext2_inode_large *inode)
{
	printf("Inode: %u   Type: %s    Mode:  0%03o   Flags: 0x%x\n", ino,
	       type_name(inode->i_mode), inode->i_mode & 07777,
	       inode->i_flags);
	printf("Generation: %u    Version: 0x", inode->i_generation);
	if (HAS_FIELD(inode, i_version_hi))
		printf("%08x:", inode->i_version_hi);
	printf("%08x\n", inode->osd1.linux1.l_i_version);
	printf("User: %5u   Group: %5u   ", inode_uid(*inode),
	       inode_gid(*inode));
	if (HAS_FIELD(inode, i_projid))
		printf("Project: %5u   ", inode->i_projid);
	printf("Size: %" PRIu64 "\nFile ACL: %" PRIu64 "\n",
	       data_size(d, inode),
	       (uint64_t)ext2fs_file_acl_block(d->efs->fs,
				(const struct ext2_inode *)inode));
	printf("Links: %u   Blockcount: %" PRIu64 "\n", inode->i_links_count,
	       block_count(d, inode));
	printf("Fragment:  Address: %u    Number: 0    Size: 0\n",
	       inode->i_faddr);
}

static void print_time(const char *name, uint32_t seconds, uint32_t extra,
		       bool has_extra, bool deletion)
{
	time_t t = (time_t)inode_time(seconds, has_extra ? extra : 0);
	char text[64];
	struct tm tm;

	if (!localtime_r(&t, &tm) ||
	    !strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm))
		strcpy(text, "?");
	printf("%*s: 0x%08x", has_extra ? 6 : 5, name, seconds);
	if (has_extra)
		printf(deletion ? ":(%08x)" : ":%08x", extra);
	printf(" -- %s\n", text);
}

static void print_times(const struct ext2_inode_large *i)
{
	bool extra = HAS_FIELD(i, i_atime_extra);

	print_time("ctime", i->i_ctime, i->i_ctime_extra, extra, false);
	print_time("atime", i->i_atime, i->i_atime_extra, extra, false);
	print_time("mtime", i->i_mtime, i->i_mtime_extra, extra, false);
	if (HAS_FIELD(i, i_crtime_extra))
		print_time("crtime", i->i_crtime, i->i_crtime_extra, true,
			   false);
	if (i->i_dtime)
		print_time("dtime", i->i_dtime, i->i_ctime_extra & 3, extra,
			   true);
}

static void print_value(const uint8_t *v, uint32_t len)
{
	bool text = true;
	uint32_t i;

	for (i = 0; i < len; i++)
		text = text && v[i] >= 0x20 && v[i] < 0x7f;
	printf(" = ");
	if (text) {
		printf("\"%.*s\"", (int)len, (const char *)v);
		return;
	}
	for (i = 0; i < len; i++)
		printf("%02x ", v[i]);
}

static errcode_t print_xattr(void *ctx, const struct e2dx_xattr *x)
{
	char name[DBG_NAME_TEXT];
	bool *first = ctx;

	if (*first)
		puts("Extended attributes:");
	*first = false;
	printf("  %s%s (%u)", e2dx_xattr_prefix(x->index),
	       cli_quote(name, x->name, x->name_len), x->value_len);
	if (x->value && x->value_len && x->value_len < VALUE_SHOWN &&
	    !e2dx_xattr_is_inline(x))
		print_value(x->value, x->value_len);
	putchar('\n');
	return 0;
}

static errcode_t sum_inline(void *ctx, const struct e2dx_xattr *x)
{
	uint32_t *bytes = ctx;

	if (e2dx_xattr_is_inline(x))
		*bytes += x->value_len;
	return 0;
}

/* "IND", "DIND", "TIND": what a mapping block of a block map is. */
static const char *indirect_name(const struct ext2_inode_large *inode,
				 const struct e2dx_run *run, int *top)
{
	static const char *const names[] = { "IND", "DIND", "TIND" };
	int height;

	/* i_block[12..14]: the higher one of two equal ones comes later. */
	if (!run->level)
		for (int i = *top + 1; i < 3; i++)
			if (inode->i_block[EXT2_IND_BLOCK + i] ==
			    run->physical) {
				*top = i;
				break;
			}
	height = *top - run->level;
	return names[height < 0 ? 0 : height > 2 ? 2 : height];
}

static void print_data_run(const struct e2dx_run *r)
{
	const char *mark = r->kind == E2DX_MAP_UNWRITTEN ? "[u]" : "";
	uint64_t last = r->count - 1;

	if (last)
		printf("(%" PRIu64 "-%" PRIu64 "%s):%" PRIu64 "-%" PRIu64,
		       r->logical, r->logical + last, mark, r->physical,
		       r->physical + last);
	else
		printf("(%" PRIu64 "%s):%" PRIu64, r->logical, mark,
		       r->physical);
}

static uint64_t print_runs(const struct ext2_inode_large *inode,
			   const struct data_map *map, bool extents)
{
	uint64_t total = 0;
	int top = -1;

	for (size_t i = 0; i < map->n; i++) {
		const struct e2dx_run *r = &map->runs[i];

		total += r->count;
		if (i)
			fputs(", ", stdout);
		if (r->kind != E2DX_MAP_META)
			print_data_run(r);
		else if (extents)
			printf("(ETB%d):%" PRIu64, r->level, r->physical);
		else
			printf("(%s):%" PRIu64,
			       indirect_name(inode, r, &top), r->physical);
	}
	return total;
}

static int print_map(struct debugfs *d, const char *object, ext2_ino_t ino,
		     const struct ext2_inode_large *inode)
{
	bool extents = inode->i_flags & EXT4_EXTENTS_FL;
	struct data_map map;
	errcode_t err = data_map_read(d, ino, inode, &map);
	uint64_t total;

	if (err)
		return dbg_fail(d, object, err, "cannot read its block map");
	puts(extents ? "EXTENTS:" : "BLOCKS:");
	total = print_runs(inode, &map, extents);
	if (total)
		putchar('\n');
	if (!extents && total)
		printf("TOTAL: %" PRIu64 "\n", total);
	if (!extents)
		putchar('\n');
	data_map_free(&map);
	return map.damaged ? dbg_fail(d, object, E2DX_ET_MAP_DAMAGED,
				      "not all blocks are shown") : 0;
}

static int print_link(struct debugfs *d, const char *object, ext2_ino_t ino,
		      const struct ext2_inode_large *inode)
{
	char *target, *quoted;
	size_t len;
	errcode_t err = data_link_target(d, ino, inode, &target, &len);

	if (err)
		return dbg_fail(d, object, err, "cannot read the target");
	quoted = malloc(4 * len + 1);
	if (quoted)
		printf("Fast link dest: \"%s\"\n",
		       cli_quote(quoted, target, len));
	free(quoted);
	free(target);
	return quoted ? 0 : dbg_fail(d, object, ENOMEM, "cannot show it");
}

static void print_device(const struct ext2_inode_large *inode)
{
	uint32_t old = inode->i_block[0], dev = inode->i_block[1];
	uint32_t major = old >> 8 & 0xff, minor = old & 0xff;
	const char *mark = "";

	if (!old) {
		major = dev >> 8 & 0xfff;
		minor = (dev & 0xff) | (dev >> 12 & 0xfff00);
		mark = "(New-style) ";
	}
	printf("%sDevice major/minor number: %02u:%02u (hex %02x:%02x)\n", mark,
	       major, minor, major, minor);
}

static int print_contents(struct debugfs *d, const char *object,
			  ext2_ino_t ino, const struct ext2_inode_large *inode)
{
	uint32_t bytes = sizeof(inode->i_block);

	switch (inode->i_mode & LINUX_S_IFMT) {
	case LINUX_S_IFCHR:
	case LINUX_S_IFBLK:
		print_device(inode);
		return 0;
	case LINUX_S_IFLNK:
		if (!e2dx_inode_has_map(inode))
			return print_link(d, object, ino, inode);
		break;
	default:
		break;
	}
	if (!(inode->i_flags & EXT4_INLINE_DATA_FL))
		return print_map(d, object, ino, inode);
	e2dx_xattr_walk(d->efs, ino, sum_inline, &bytes);
	printf("Size of inline data: %u\n", bytes);
	return 0;
}

static int print_checksum(struct debugfs *d, const char *object,
			  ext2_ino_t ino, const struct ext2_inode_large *inode)
{
	uint8_t *raw = malloc(EXT2_INODE_SIZE(d->efs->fs->super));
	bool ok = false;
	errcode_t err;

	if (!raw)
		return dbg_fail(d, object, ENOMEM, "cannot check it");
	err = e2dx_inode_load(d->efs, ino, raw);
	if (!err)
		ok = e2dx_inode_csum_ok(d->efs, ino, raw);
	if (!err && e2dx_inode_csum_wide(d->efs, raw))
		printf("Inode checksum: 0x%08x\n", inode->i_checksum_lo |
		       (uint32_t)inode->i_checksum_hi << 16);
	else if (!err)
		printf("Inode checksum: 0x%04x\n", inode->i_checksum_lo);
	free(raw);
	if (!err && !ok)
		dbg_fail(d, object, 0, "the inode's checksum is wrong");
	return err ? dbg_fail(d, object, err, "cannot check it") : 0;
}

int command_stat(struct debugfs *d, int argc, char **argv)
{
	struct ext2_inode_large inode;
	bool first = true;
	ext2_ino_t ino;
	errcode_t err;
	int status = 0;

	if (argc != 2)
		return command_usage(d, argv);
	if (inode_argument(d, argv[1], &ino, &inode))
		return 1;
	print_head(d, ino, &inode);
	print_times(&inode);
	if (EXT2_INODE_SIZE(d->efs->fs->super) > EXT2_GOOD_OLD_INODE_SIZE)
		printf("Size of extra inode fields: %u\n",
		       inode.i_extra_isize);
	err = e2dx_xattr_walk(d->efs, ino, print_xattr, &first);
	if (err)
		status = dbg_fail(d, argv[1], err,
				  "cannot read all extended attributes");
	if (ext2fs_has_feature_metadata_csum(d->efs->fs->super))
		status |= print_checksum(d, argv[1], ino, &inode);
	return status | print_contents(d, argv[1], ino, &inode);
}
