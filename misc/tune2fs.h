/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of tune2fs: what is asked for, what is refused, what is done. */
#ifndef E2DX_TUNE2FS_H
#define E2DX_TUNE2FS_H

#include "cli/cli.h"
#include "ext2fs/replace.h"
#include "ext2fs/survey.h"

#define TUNE_LABEL_MAX	16	/* bytes of s_volume_name */

enum tune_switch { TUNE_KEEP, TUNE_SET, TUNE_CLEAR };

/* The command line, nothing else. */
struct tune_options {
	bool list;			/* -l */
	bool force;			/* -f */
	bool done;			/* --help or -V has been answered */
	const char *label;		/* -L; NULL: keep */
	bool set_uuid;			/* -U */
	uint8_t uuid[16];
	int hash_alg;			/* -E hash_alg, on-disk number; -1: keep */
	bool set_seed;			/* -E hash_seed */
	uint8_t seed[16];
	bool rehash;			/* -E rehash */
	enum tune_switch dir_index;	/* -O [^]dir_index */
	enum tune_switch large_dir;	/* -O [^]large_dir */
	const char *argument;		/* the device as it was given */
};

/* One run. */
struct tune {
	struct cli cli;
	struct tune_options o;
	char *device;			/* owned */
	struct e2dx_fs *efs;
	struct e2dx_survey *survey;	/* NULL where only superblocks change */
	struct e2dx_replacer *replacer;	/* likewise */
	struct cli_progress progress;
	int old_default;		/* s_def_hash_version at the start */
	bool new_seed;			/* o.seed is to be written: a re-keying */
	bool made_secret;		/* siphash found a seed of zero */
	bool needs_survey;		/* directories are read or replaced */
	unsigned skipped;		/* backups that a re-keying could not write */
	uint64_t failed;		/* directories that stayed as they were */
};

/* ---- tune2fs_options.c: fills *o; false, with a message, for a bad one */
bool tune_parse(const struct cli *c, int argc, char **argv,
		struct tune_options *o);
/* Does the command change more than the label? */
bool tune_more_than_label(const struct tune_options *o);
/* Does it change directories, or what their hashes mean? */
bool tune_touches_hashing(const struct tune_options *o);

/* ---- tune2fs_list.c: -l, from the bytes on the device alone */
bool tune_list(struct tune *t);

/* ---- tune2fs_label.c */
/* -L on a mounted filesystem through the kernel.  Sets *handled where the
   kernel did it, or refused it for good (then false is returned). */
bool tune_label_mounted(struct tune *t, bool *handled);
void tune_label_set(struct tune *t);

/* ---- tune2fs_uuid.c */
bool tune_uuid_allowed(struct tune *t);
bool tune_uuid_write(struct tune *t);

/* ---- tune2fs_features.c */
bool tune_features_allowed(struct tune *t);
void tune_features_set(struct tune *t);
bool tune_dir_index_clear(struct tune *t);

/* ---- tune2fs_hash.c */
/* Settle what hash_alg, hash_seed and dir_index come to together. */
bool tune_hash_plan(struct tune *t);
bool tune_hash_apply(struct tune *t);

/* ---- tune2fs_write.c: what the parts share */
/* Write these fields to every superblock copy; says what went wrong. */
bool tune_super_write(struct tune *t, unsigned fields);
/* Tell of backups that could not be written; 0: nothing to tell. */
void tune_report_skipped(struct tune *t, unsigned skipped);
/* Rebuild the directories that `wanted` takes, and wait for the disk. */
bool tune_convert(struct tune *t, bool indexed, int version,
		  e2dx_convert_filter wanted);
/* Events for e2dx_convert() and e2dx_rekey() that report to people. */
struct e2dx_convert_events tune_events(struct tune *t);
/* Progress of the survey. */
void tune_survey_progress(void *ctx, uint64_t done, uint64_t total);

#endif
